package import VaultFormat

/// What a compaction shall do beside keeping the content.
package struct CompactionRequest: Sendable {
    /// Whose past is dropped, whatever the settings say.
    package enum Purge: Equatable, Sendable {
        case nothing
        case items(Set<ItemName>)
        case everything
    }

    package var purge = Purge.nothing
    /// Whether records go that are invalid, or of unknown kinds; else they are carried.
    package var dropsInvalid = false
    /// How much greater the generation becomes: one, unless two histories must not meet again.
    var generationStep: UInt64 = 1
    /// Whether the vault counts although the anchor contradicts it.
    var acceptsHistory = false
    /// Slots and devices that are added.
    var addition: SlotAddition?

    package init() {}

    /// Drops the past of all items, or of some.
    package static func purging(_ purge: Purge) -> CompactionRequest {
        var request = CompactionRequest()
        request.purge = purge
        return request
    }
}

/// How far a compaction has come.
package struct CompactionProgress: Equatable, Sendable {
    /// How many bytes were written.
    package let byteCount: Int
    /// About how many there will be.
    package let expectedByteCount: Int
}

/// What a compaction did.
package struct CompactionReport: Equatable, Sendable {
    package let generation: UInt64
    package let byteCountBefore: Int
    package let byteCountAfter: Int
    /// Records that were carried as they are, since they could not be judged.
    package let carriedRecordCount: Int
    /// Past revisions that were dropped.
    package let droppedRevisionCount: Int
}
