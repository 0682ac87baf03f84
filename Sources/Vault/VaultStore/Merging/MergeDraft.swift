internal import CofferBasics
internal import VaultFormat

/// What a merge changes, besides the records of its transaction.
struct MergeDraft {
    var report = MergeReport()
    /// The live items of the other copy whose metadata stand in blocks and whose data keys are absent.
    var inBlocks: [GroupEpoch: [StoredItem]] = [:]
    /// What opens the other copy and not this one.
    var ways: MergedWays?
    /// Revisions of this copy that do not count: it does not know of a revocation.
    var discarded: Set<Revision> = []
    /// Whether this copy learns of revocations, which the snapshot must record.
    var hasNewRevocations = false

    /// Whether records do not suffice.
    var needsReplacement: Bool {
        ways != nil || !inBlocks.isEmpty || !discarded.isEmpty || hasNewRevocations
    }
}

/// The slots, grants and other entries of another copy that open it in ways that this one lacks.
struct MergedWays: KeybagAddition {
    let entries: [KeybagEntry]

    /// Returns nil if this copy has them all.
    init?(of other: OpenGeneration, lackingIn keyring: Keyring) {
        let lacking = other.prelude.keybag.entries.filter { !keyring.has($0) }
        // In a record they would not help the device to open the vault, and the owner would not see it.
        let devices = Set(lacking.compactMap { if case .device(let device) = $0 { device.id } else { nil } })
        entries = lacking.filter { !$0.mayBeAppended || $0.device.map(devices.contains) ?? false }
        if entries.isEmpty { return nil }
    }

    /// The number of slots, grants and devices among them.
    var count: Int {
        entries.count { entry in
            switch entry {
            case .slot, .recipient, .grant, .device: true
            default: false
            }
        }
    }

    func has(_ entry: KeybagEntry) -> Bool { entries.contains(entry) }

    func apply(to keybag: inout Keybag, of vault: OpenGeneration) throws(StoreError) {
        keybag.entries += entries
        try translating(StoreError.refused, keybag.check())
    }
}
