internal import VaultCrypto

/// Makes data keys and the class keys that wrap them, each only once.
struct DataKeyMaker {
    private let maker: KeyMaker
    private let classEpoch: UInt32
    private let cipher: Cipher
    private var classKeys: [Keyring.ClassOwner: WrappingKey] = [:]
    private var dataKeys: [DataKeyPurpose: KeyChange.NewDataKey] = [:]
    /// The entries of the new keys.
    private(set) var entries: [KeybagEntry] = []

    init(_ maker: KeyMaker, classEpoch: UInt32, cipher: Cipher) {
        self.maker = maker
        self.classEpoch = classEpoch
        self.cipher = cipher
    }

    /// Uses a class key that exists already.
    mutating func use(_ wrapping: WrappingKey, for owner: Keyring.ClassOwner) {
        classKeys[owner] = wrapping
    }

    /// Uses a data key that exists already.
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
