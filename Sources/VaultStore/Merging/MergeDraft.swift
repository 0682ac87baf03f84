internal import CofferBasics
internal import VaultFormat

/// What a merge changes, besides the records of its transaction.
struct MergeDraft {
    var report = MergeReport()
    /// The live items of the other copy whose metadata stand in blocks and whose data keys are absent.
    var inBlocks: [GroupEpoch: [StoredItem]] = [:]
    /// What opens the other copy and not this one.
    var ways: MergedWays?

    /// Whether records do not suffice.
    var needsReplacement: Bool { ways != nil || !inBlocks.isEmpty }
}

/// The slots, grants and other entries of another copy that open it in ways that this one lacks.
struct MergedWays: KeybagAddition {
    let entries: [KeybagEntry]

    /// Returns nil if this copy has them all.
    init?(of other: OpenGeneration, lackingIn keyring: Keyring) {
        entries = other.prelude.keybag.entries.filter { !$0.mayBeAppended && !keyring.has($0) }
        if entries.isEmpty { return nil }
    }

    func apply(to keybag: inout Keybag, of vault: OpenGeneration) throws(StoreError) {
        keybag.entries += entries
        try translating(StoreError.refused, keybag.check())
    }
}
