/// Makes data keys and the class keys above them, each of them once.
struct DataKeyMaking<Suite: CipherSuite> {
    private let maker: KeyMaker<Suite>
    private let classEpoch: UInt32
    private let vault: VaultID
    private let suite: Suite
    private var classKeys: [Keyring<Suite>.ClassOwner: WrappingKey<Suite>] = [:]
    private var dataKeys: [DataKeyPurpose: KeyChange<Suite>.NewDataKey] = [:]
    /// The entries of what was made.
    private(set) var entries: [KeybagEntry] = []

    init(_ maker: KeyMaker<Suite>, classEpoch: UInt32, vault: VaultID, suite: Suite) {
        self.maker = maker
        self.classEpoch = classEpoch
        self.vault = vault
        self.suite = suite
    }

    /// Takes a class key that is there already.
    mutating func use(_ wrapping: WrappingKey<Suite>, for owner: Keyring<Suite>.ClassOwner) {
        classKeys[owner] = wrapping
    }

    /// Takes a data key that is there already.
    mutating func use(_ key: Suite.Key, of entry: DataKeyEntry) {
        dataKeys[entry.purpose] = KeyChange.NewDataKey(handle: entry.handle, group: entry.group, key: key)
    }

    mutating func dataKey(for purpose: DataKeyPurpose) throws(CipherError) -> KeyChange<Suite>.NewDataKey {
        if let known = dataKeys[purpose] { return known }
        let (key, entry) = try DataKeyEntry.made(
            for: purpose.group,
            purpose.protection,
            owner: purpose.owner,
            under: try classKey(for: .init(protection: purpose.protection, owner: purpose.owner)),
            classEpoch: classEpoch,
            vault: vault,
            suite: suite
        )
        entries.append(.dataKey(entry))
        let made = KeyChange<Suite>.NewDataKey(handle: entry.handle, group: purpose.group, key: key)
        dataKeys[purpose] = made
        return made
    }

    private mutating func classKey(for owner: Keyring<Suite>.ClassOwner) throws(CipherError) -> WrappingKey<Suite> {
        if let known = classKeys[owner] { return known }
        let (key, made) = try maker.classKey(owner.protection, owner: owner.owner)
        let wrapping = try WrappingKey(key, vault: vault, suite: suite)
        classKeys[owner] = wrapping
        entries += made
        return wrapping
    }
}
