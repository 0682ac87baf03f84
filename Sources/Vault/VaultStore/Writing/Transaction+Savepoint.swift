internal import VaultCrypto
internal import VaultFormat

// If an operation of several steps fails midway, its changes are taken back and the transaction goes on.
extension Transaction {
    /// A point in a transaction to which it can be rolled back.
    package struct Savepoint: Sendable {
        let recordCount: Int
        let entryCount: Int
        let stateCount: Int
        let opening: VaultOpening
        let settings: SettingsRecord?
        let seenPlaces: [GroupID: SeenPlaces]
    }

    /// Returns the current point.
    package func savepoint() -> Savepoint {
        Savepoint(
            recordCount: records.count,
            entryCount: vault.log.entries.count,
            stateCount: formerStates.count,
            opening: vault.opening,
            settings: vault.settingsRecord,
            seenPlaces: vault.seenPlaces
        )
    }

    /// Takes back everything that was done since `savepoint`.
    package mutating func rollBack(to savepoint: consuming Savepoint) {
        guard records.count > savepoint.recordCount else { return }
        vault.log.remove(from: savepoint.entryCount, restoring: Array(formerStates[savepoint.stateCount...]))
        formerStates.removeSubrange(savepoint.stateCount...)
        let hadKeys = records[savepoint.recordCount...].contains { if case .key = $0 { true } else { false } }
        records.removeSubrange(savepoint.recordCount...)
        vault.settingsRecord = savepoint.settings
        vault.seenPlaces = savepoint.seenPlaces
        guard hadKeys else { return }
        vault.opening = savepoint.opening
        vault.noteKeys()
        (lastPlace, lastKeys) = (nil, nil)
    }
}
