internal import VaultCrypto
internal import VaultFormat

/// The keys of groups and items that are at hand, each derived when it is first needed.
///
/// Every key here is one that the keyring has: ``note(_:)`` is called whenever the keyring has changed.
struct OpenKeys: Sendable {
    /// The epochs of each group whose match key is available, newest first.
    private(set) var epochs: [GroupID: [GroupEpoch]] = [:]
    /// Groups whose match key is not available for every epoch, so that only a part of them is known, or nothing.
    private(set) var closedGroups: Set<GroupID> = []
    private var matchKeys: [GroupEpoch: MatchKeys] = [:]
    private var dataKeys: [KeyHandle: DataKeys] = [:]
    /// The data key that was needed last, mostly the next one too.
    private var last: (handle: KeyHandle, keys: DataKeys)?

    /// Updates what depends on the available keys, and releases those that are gone.
    mutating func note(_ keyring: Keyring) {
        last = nil
        epochs = Dictionary(grouping: keyring.matchKeys.keys, by: \.group)
            .mapValues { $0.sorted { $0.epoch > $1.epoch } }
        closedGroups = keyring.closedGroups
        dataKeys = dataKeys.filter { keyring.dataKeys[$0.key] != nil }
    }

    /// Returns the keys derived from the match key of a group, or nil if that is not available.
    mutating func matchKeys(of group: GroupEpoch, in keyring: Keyring) throws(CipherError) -> MatchKeys? {
        if let keys = matchKeys[group] { return keys }
        guard let key = keyring.matchKeys[group] else { return nil }
        let keys = try MatchKeys(key, cipher: keyring.cipher)
        matchKeys[group] = keys
        return keys
    }

    /// Returns the keys derived from a data key, or nil if that is not available.
    mutating func dataKeys(of handle: KeyHandle, in keyring: Keyring) throws(CipherError) -> DataKeys? {
        if let last, last.handle == handle { return last.keys }
        if dataKeys[handle] == nil, let key = keyring.dataKeys[handle] {
            dataKeys[handle] = try DataKeys(key, cipher: keyring.cipher)
        }
        guard let keys = dataKeys[handle] else { return nil }
        last = (handle, keys)
        return keys
    }
}
