internal import VaultCrypto
package import VaultFormat

/// Changes that take effect completely or not at all, while no one else writes.
///
/// The transaction sees its own changes at once; everyone else sees them when it is finished.
package struct Transaction: ~Copyable {
    /// The vault with the changes so far.
    package var vault: OpenGeneration

    var records: [Record] = []
    let sequence: UInt64
    let time: Time
    /// The writer of new revisions.
    let writer: WriterID
    /// The place of the last new revision, of whatever group.
    var newestPlace: UInt64 = 0
    private let start: Savepoint
    /// The states of items before they were changed.
    var formerStates: [(name: ItemName, state: LogIndex.ItemState?)] = []
    /// Where the last item was added; most items that follow go there too.
    var lastPlace: Place?
    var lastKeys: ItemKeys?

    /// What determines the keys of an added item.
    struct Place: Equatable {
        let name: [UInt8]
        let protection: ProtectionClass
        let owner: DeviceID
    }

    /// The keys of all items that share a data key.
    struct ItemKeys {
        let handle: KeyHandle
        let group: GroupEpoch
        let match: MatchKeys
        let data: DataKeys
    }

    init(_ vault: consuming OpenGeneration, time: Time, writer: WriterID) {
        self.writer = writer
        start = Savepoint(recordCount: 0, stateCount: 0, log: vault.log.mark, opening: vault.opening, seen: vault.seen)
        sequence = vault.position.sequence + 1
        self.time = time
        self.vault = vault
    }

    var cipher: Cipher { vault.cipher }

    /// Takes back all changes and returns the vault.
    consuming func abandoned() -> OpenGeneration {
        rollBack(to: start)
        return vault
    }

    /// Returns the vault with all changes.
    consuming func finished() -> OpenGeneration { vault }
}

/// What a change does to the data of an item.
package enum SecretChange: ~Escapable {
    /// The data stays as it is.
    case keep
    /// The data is removed, which is not the same as empty data.
    case remove
    /// The item gets this data.
    case replace(Span<UInt8>)
}

/// The keys for the application passwords of an item that changes.
package struct ApplicationPasswords: Sendable {
    /// The key that opens the data that the item has; nil if that has no application password.
    package var current: ApplicationPasswordKey?
    /// The key that the data is sealed with from now on; nil if it gets no application password.
    package var next: ApplicationPasswordKey?

    package init(current: ApplicationPasswordKey? = nil, next: ApplicationPasswordKey? = nil) {
        self.current = current
        self.next = next
    }
}

// If an operation of several steps fails midway, its changes are taken back and the transaction goes on.
extension Transaction {
    /// A point in a transaction to which it can be rolled back.
    package struct Savepoint: Sendable {
        let recordCount: Int
        let stateCount: Int
        let log: LogIndex.Mark
        let opening: VaultOpening
        let seen: SeenGroups
    }

    /// Returns the current point.
    package func savepoint() -> Savepoint {
        Savepoint(
            recordCount: records.count,
            stateCount: formerStates.count,
            log: vault.log.mark,
            opening: vault.opening,
            seen: vault.seen
        )
    }

    /// Takes back everything that was done since `savepoint`.
    package mutating func rollBack(to savepoint: consuming Savepoint) {
        let hadKeys = vault.log.entries[savepoint.log.entryCount...].contains { $0.record.isKey }
        vault.log.rollBack(to: savepoint.log, restoring: formerStates[savepoint.stateCount...])
        formerStates.removeSubrange(savepoint.stateCount...)
        records.removeSubrange(savepoint.recordCount...)
        vault.seen = savepoint.seen
        guard hadKeys else { return }
        vault.opening = savepoint.opening
        vault.noteKeys()
        (lastPlace, lastKeys) = (nil, nil)
    }
}
