internal import VaultCrypto

/// Makes data keys for a key change, each only once.
struct DataKeyMaker {
    private let maker: KeyMaker
    private var dataKeys: [DataKeyPurpose: KeyChange.NewDataKey] = [:]
    /// The entries of the new keys.
    private(set) var entries: [KeybagEntry] = []

    init(_ maker: KeyMaker) {
        self.maker = maker
    }

    /// Uses a data key that exists already.
    mutating func use(_ key: Key, of entry: DataKeyEntry) {
        dataKeys[entry.purpose] = KeyChange.NewDataKey(handle: entry.handle, group: entry.group, key: key)
    }

    mutating func dataKey(for purpose: DataKeyPurpose) throws(CipherError) -> KeyChange.NewDataKey {
        if let known = dataKeys[purpose] { return known }
        let (handle, key, entry) = try maker.dataKey(purpose.group, purpose.protection, owner: purpose.owner)
        entries.append(entry)
        let made = KeyChange.NewDataKey(handle: handle, group: purpose.group, key: key)
        dataKeys[purpose] = made
        return made
    }
}
