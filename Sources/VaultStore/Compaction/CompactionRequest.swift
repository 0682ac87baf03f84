package import VaultFormat

/// What a compaction does besides keeping the content.
package struct CompactionRequest: Sendable {
    /// Whose past revisions are dropped, whatever the settings say.
    package enum Purge: Equatable, Sendable {
        case nothing
        case items(Set<ItemName>)
        case everything
    }

    package var purge = Purge.nothing
    /// Whether invalid records and records of unknown kinds are dropped; otherwise they are carried.
    package var dropsInvalid = false
    /// How much the generation number grows: one, unless two histories must not meet again.
    var generationStep: UInt64 = 1
    /// Whether the vault is accepted although the anchor contradicts it.
    var acceptsHistory = false
    /// Slots and devices to add.
    var addition: SlotAddition?

    package init() {}

    /// Returns a request that drops the past of all items, or of some.
    package static func purging(_ purge: Purge) -> CompactionRequest {
        var request = CompactionRequest()
        request.purge = purge
        return request
    }
}

/// The progress of a compaction.
package struct CompactionProgress: Equatable, Sendable {
    /// How many bytes were written.
    package let byteCount: Int
    /// About how many bytes there will be.
    package let expectedByteCount: Int
}

/// The result of a compaction.
package struct CompactionReport: Equatable, Sendable {
    package let generation: UInt64
    package let byteCountBefore: Int
    package let byteCountAfter: Int
    /// Records that were carried unchanged, since they could not be judged.
    package let carriedRecordCount: Int
    /// Past revisions that were dropped.
    package let droppedRevisionCount: Int
}
