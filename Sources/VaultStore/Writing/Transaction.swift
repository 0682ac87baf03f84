internal import VaultCrypto
internal import VaultFormat

/// Changes that happen wholly or not at all, while nobody else writes.
///
/// What was changed is seen by the same transaction at once, and by everybody when it is done.
package struct Transaction: ~Copyable {
    /// The vault with the changes so far.
    package var vault: OpenGeneration

    var records: [Record] = []
    let sequence: UInt64
    let time: Time
    private let firstEntry: Int
    /// What items were before they were changed.
    var formerStates: [(name: ItemName, state: LogIndex.ItemState?)] = []
    /// The keys before the first was added.
    var formerOpening: VaultOpening?
    private let formerSettings: Settings?
    /// Where the last item was added; most that follow go there too.
    var lastPlace: Place?
    var lastKeys: ItemKeys?

    /// What decides which key an added item gets.
    struct Place: Equatable {
        let name: [UInt8]
        let protection: ProtectionClass
        let owner: DeviceID
    }

    /// The keys of items that have one data key.
    struct ItemKeys {
        let handle: KeyHandle
        let group: GroupEpoch
        let match: MatchKeys
        let data: DataKeys
    }

    init(_ vault: consuming OpenGeneration, time: Time) {
        sequence = vault.position.sequence + 1
        firstEntry = vault.log.entries.count
        formerSettings = vault.settings
        self.time = time
        self.vault = vault
    }

    var cipher: Cipher { vault.cipher }

    /// The vault as it was.
    consuming func abandoned() -> OpenGeneration {
        vault.log.remove(from: firstEntry, restoring: formerStates)
        if let formerOpening {
            vault.opening = formerOpening
            vault.noteKeys()
        }
        vault.settings = formerSettings
        return vault
    }

    /// The vault as it is now.
    consuming func finished() -> OpenGeneration { vault }
}

/// What becomes of the data of an item that is changed.
package enum SecretChange: ~Escapable {
    /// They stay as they are.
    case keep
    /// The item has no data any more, which is not the same as empty data.
    case remove
    /// These are the data now.
    case replace(Span<UInt8>)
}
