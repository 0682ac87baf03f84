internal import VaultCrypto

/// Makes data keys and the class keys above them, each of them once.
struct DataKeyMaking {
    private let maker: KeyMaker
    private let classEpoch: UInt32
    private let cipher: Cipher
    private var classKeys: [Keyring.ClassOwner: WrappingKey] = [:]
    private var dataKeys: [DataKeyPurpose: KeyChange.NewDataKey] = [:]
    /// The entries of what was made.
    private(set) var entries: [KeybagEntry] = []

    init(_ maker: KeyMaker, classEpoch: UInt32, cipher: Cipher) {
        self.maker = maker
        self.classEpoch = classEpoch
        self.cipher = cipher
    }

    /// Takes a class key that is there already.
    mutating func use(_ wrapping: WrappingKey, for owner: Keyring.ClassOwner) {
        classKeys[owner] = wrapping
    }

    /// Takes a data key that is there already.
    mutating func use(_ key: Key, of entry: DataKeyEntry) {
        dataKeys[entry.purpose] = KeyChange.NewDataKey(handle: entry.handle, group: entry.group, key: key)
    }

    mutating func dataKey(for purpose: DataKeyPurpose) throws(CipherError) -> KeyChange.NewDataKey {
        if let known = dataKeys[purpose] { return known }
        let (key, entry) = try DataKeyEntry.made(
            for: purpose.group,
            purpose.protection,
            owner: purpose.owner,
            under: try classKey(for: .init(protection: purpose.protection, owner: purpose.owner)),
            classEpoch: classEpoch
        )
        entries.append(.dataKey(entry))
        let made = KeyChange.NewDataKey(handle: entry.handle, group: purpose.group, key: key)
        dataKeys[purpose] = made
        return made
    }

    private mutating func classKey(for owner: Keyring.ClassOwner) throws(CipherError) -> WrappingKey {
        if let known = classKeys[owner] { return known }
        let (key, made) = try maker.classKey(owner.protection, owner: owner.owner)
        let wrapping = try WrappingKey(key, cipher: cipher)
        classKeys[owner] = wrapping
        entries += made
        return wrapping
    }
}
