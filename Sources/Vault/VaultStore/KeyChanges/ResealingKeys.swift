internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

/// The keys of a vault before and after a key change, ready for use.
struct ResealingKeys {
    /// Where the items of a data key go.
    struct Destination {
        var group: GroupEpoch
        var match: MatchKeys
        var handle: KeyHandle
        var data: DataKeys
        /// The current keys of the items, and the number of the move; nil if the items keep them.
        var move: (match: MatchKeys, data: DataKeys, number: Int)?
    }

    let change: KeyChange
    /// Blocks and secrets that are resealed when they are written.
    var pieces: ResealedPieces
    private var matchKeys: [GroupEpoch: MatchKeys] = [:]
    private var destinations: [KeyHandle: Destination] = [:]
    /// The keys of all destinations so far, by their new handles.
    private(set) var sealing: [KeyHandle: DataKeys] = [:]

    init(_ change: KeyChange, of vault: OpenGeneration) {
        self.change = change
        pieces = ResealedPieces(of: vault)
    }

    /// Returns what can be done with data that is sealed under a data key.
    func access(of handle: KeyHandle, in keyring: Keyring) -> ItemResealingPlan.Access {
        switch change.dataKeys[handle] {
        case .stays: keyring.dataKeys[handle] == nil ? .closed : .open
        case .moves: .open
        case .goes, nil: .gone
        }
    }

    /// Returns the keys derived from the match key that a group has afterwards.
    mutating func matchKeys(
        of group: GroupEpoch,
        in vault: OpenGeneration
    ) throws -> MatchKeys {
        if let known = matchKeys[group] { return known }
        guard let key = change.matchKeys[group] else { throw StoreError.refused(.missing) }
        let keys = try MatchKeys(key, cipher: vault.cipher)
        matchKeys[group] = keys
        return keys
    }

    /// Returns where the items of an open data key go.
    mutating func destination(
        of handle: KeyHandle,
        in vault: inout OpenGeneration
    ) throws -> Destination {
        if let known = destinations[handle] { return known }
        guard let entry = vault.keyring.dataKeyEntries[handle], let data = try vault.dataKeys(of: handle),
            let match = try vault.matchKeys(of: entry.group)
        else { throw StoreError.keys(.locked) }
        let destination: Destination
        if case .moves(let new)? = change.dataKeys[handle] {
            let newCipher = vault.cipher
            let newData = try DataKeys(new.key, cipher: newCipher)
            let number = pieces.add(.init(handle: (handle, new.handle), keys: (data, newData)))
            destination = Destination(
                group: new.group,
                match: try matchKeys(of: new.group, in: vault),
                handle: new.handle,
                data: newData,
                move: (match, data, number)
            )
        } else {
            destination = Destination(group: entry.group, match: match, handle: handle, data: data, move: nil)
        }
        destinations[handle] = destination
        sealing[destination.handle] = destination.data
        return destination
    }

    /// Returns a put for the new file, resealed if needed, or the fault of an invalid one.
    mutating func resealed(
        _ put: Put,
        in vault: inout OpenGeneration
    ) throws -> Result<Put, Fault> {
        let destination = try destination(of: put.dataKey, in: &vault)
        guard let old = destination.move else { return .success(put) }
        do throws(Fault) {
            let match = try put.openedMatch(keys: old.match)
            let attributes = try put.openedMetadata(keys: old.data)
                .attributes(matching: ItemMatch(match), keys: old.match)
            var secret: [UInt8] = []
            if !put.secret.isEmpty {
                secret = try Secret(
                    opening: put.secret.span,
                    of: put.revision,
                    keys: old.data
                ).sealed(of: put.revision, keys: destination.data)
            }
            let (resealed, _) = try Put.sealing(
                put.revision,
                provenance: put.provenance,
                order: match.order,
                written: match.written,
                attributes: attributes,
                secret: secret,
                handle: destination.handle,
                keys: (match: destination.match, data: destination.data)
            )
            return .success(resealed)
        } catch {
            if case .cipher = error.reason { throw error }
            return .failure(error)
        }
    }
}
