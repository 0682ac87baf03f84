internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

/// The keys under which a rewrite seals what is in a vault: the same ones, or those of a key change.
struct RewriteKeys {
    /// What becomes of the items of a data key.
    enum Fate {
        /// Their boxes are copied.
        case stay(in: GroupEpoch)
        /// They are sealed anew.
        case move(Move)
        /// They are left out.
        case go
    }

    /// A data key, its successor, and the match keys of both.
    struct Move: Sendable {
        let group: GroupEpoch
        let handle: KeyHandle
        let old: (match: MatchKeys, data: DataKeys)
        let new: (match: MatchKeys, data: DataKeys)
    }

    let change: KeyChange?
    private var matchKeys: [GroupEpoch: MatchKeys] = [:]
    private var fates: [KeyHandle: Fate] = [:]

    init(_ change: KeyChange?) { self.change = change }

    /// The moves of the data keys that were asked for.
    var moves: [KeyHandle: Move] {
        fates.compactMapValues { fate in if case .move(let move) = fate { move } else { nil } }
    }

    /// Returns what becomes of the items of a data key.
    mutating func fate(of handle: KeyHandle, in vault: inout OpenGeneration) throws -> Fate {
        if let known = fates[handle] { return known }
        let fate = try newFate(of: handle, in: &vault)
        fates[handle] = fate
        return fate
    }

    private mutating func newFate(of handle: KeyHandle, in vault: inout OpenGeneration) throws -> Fate {
        // Without an entry the key was destroyed, and nothing of its items exists.
        guard let entry = vault.keyring.dataKeyEntries[handle] else { return .go }
        guard let change else { return .stay(in: entry.group) }
        switch change.dataKeys[handle] {
        case .stays: return .stay(in: entry.group)
        case .goes, nil: return .go
        case .moves(let new):
            guard let data = try vault.dataKeys(of: handle), let match = try vault.matchKeys(of: entry.group) else {
                throw StoreError.keys(.locked)
            }
            return .move(
                Move(
                    group: new.group,
                    handle: new.handle,
                    old: (match, data),
                    new: (try matchKeys(of: new.group, in: &vault), try DataKeys(new.key, cipher: vault.cipher))
                )
            )
        }
    }

    /// Returns the keys derived from the match key that a group has afterwards.
    mutating func matchKeys(of group: GroupEpoch, in vault: inout OpenGeneration) throws -> MatchKeys {
        if let known = matchKeys[group] { return known }
        let keys: MatchKeys?
        if let change {
            keys = try change.matchKeys[group].map { try MatchKeys($0, cipher: vault.cipher) }
        } else {
            keys = try vault.matchKeys(of: group)
        }
        guard let keys else { throw StoreError.refused(.missing) }
        matchKeys[group] = keys
        return keys
    }
}
