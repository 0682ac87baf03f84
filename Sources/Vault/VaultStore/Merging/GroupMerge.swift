internal import CofferBasics
internal import VaultFormat

/// What a copy of a vault has of a group.
struct GroupCopy {
    /// The revisions that no change has ended.
    private(set) var live: [Revision: PastRevision] = [:]
    private(set) var past: [Revision: PastRevision] = [:]
    let seen: SeenPlaces

    init(_ revisions: [PastRevision], seen: SeenPlaces) {
        self.seen = seen
        for revision in revisions {
            if revision.ended == nil {
                live[revision.revision] = revision
            } else {
                past[revision.revision] = revision
            }
        }
    }

    func has(_ revision: Revision) -> Bool { live[revision] != nil || past[revision] != nil }

    /// All revisions that the other copy does not have in the same way.
    func revisions(besides other: GroupCopy) -> Set<Revision> {
        Set(live.keys.filter { other.live[$0] == nil && other.past[$0] == nil })
            .union(past.keys.filter { other.past[$0] == nil })
    }

    func hasSeen(_ revision: PastRevision) -> Bool { revision.origin.place <= seen[revision.origin.writer] }

    /// Whether a revision, live in another copy, may never have been here: its writer was forgotten.
    func mayLack(_ revision: PastRevision) -> Bool { revision.origin.place <= seen.floor && !has(revision.revision) }
}

/// What a merge changes in a group of a vault, section 10.3.
struct GroupMerge {
    /// Revisions of the other copy that become live, for each writer in ascending order of place.
    let added: [PastRevision]
    /// Live revisions of this copy that the other one has ended.
    let ended: [PastRevision]
    /// Past revisions that this copy gets.
    let past: [PastRevision]
    /// Revisions that do not become live, or end, though the copy that lacks them may never have had them.
    private(set) var undecided: (theirs: [PastRevision], own: [PastRevision]) = ([], [])

    /// Compares two copies; of what is past, as much is taken over as the policy keeps.
    ///
    /// With `takesAll`, nothing is undecided: such revisions are live.
    init(
        of other: GroupCopy,
        into own: GroupCopy,
        keeping policy: HistoryPolicy,
        now: Time,
        takesAll: Bool = false
    ) {
        let unknown = other.live.values.filter { own.live[$0.revision] == nil }
        let missing = own.live.values.filter { other.live[$0.revision] == nil && other.hasSeen($0) }
        if takesAll {
            added = unknown.filter { !own.hasSeen($0) || own.mayLack($0) }.inOrderOfPlace
            ended = missing.filter { !other.mayLack($0) }.inOrderOfRevision
        } else {
            added = unknown.filter { !own.hasSeen($0) }.inOrderOfPlace
            ended = missing.inOrderOfRevision
            undecided = (unknown.filter(own.mayLack).inOrderOfRevision, ended.filter(other.mayLack))
        }
        let lost = unknown.filter { own.hasSeen($0) && !own.mayLack($0) } + other.past.values
        past = Self.kept(lost.filter { !own.has($0.revision) }, beside: own.past.values, policy, now: now)
    }

    /// Changes that leave nothing of this copy but what the other one has, too.
    init(replacing own: GroupCopy, with other: GroupCopy) {
        added = other.live.values.filter { own.live[$0.revision] == nil }.inOrderOfPlace
        ended = own.live.values.filter { other.live[$0.revision] == nil }.inOrderOfRevision
        past = other.past.values.filter { !own.has($0.revision) }.inOrderOfRevision
    }

    var isEmpty: Bool { added.isEmpty && ended.isEmpty && past.isEmpty }

    private static func kept(
        _ lost: [PastRevision],
        beside own: some Sequence<PastRevision>,
        _ policy: HistoryPolicy,
        now: Time
    ) -> [PastRevision] {
        guard policy != .none, !lost.isEmpty else { return [] }
        let new = Set(lost.map(\.revision))
        let items = Dictionary(grouping: lost + own, by: \.name.item)
        let kept = items.values.flatMap { policy.parted($0, now: now).kept.filter { new.contains($0.revision) } }
        return kept.inOrderOfRevision
    }
}

extension [PastRevision] {
    fileprivate var inOrderOfPlace: Self { sorted { $0.origin.place < $1.origin.place } }
    fileprivate var inOrderOfRevision: Self { sorted { $0.revision.precedes($1.revision) } }
}

/// What a merge changes, besides the records of its transaction.
struct MergeDraft {
    var report = MergeReport()
    /// The live items of the other copy that only a new file can take over: their data keys are absent, or they are many.
    var inSections: [GroupEpoch: [StoredItem]] = [:]
    /// What opens the other copy and not this one.
    var ways: MergedWays?
    /// Revisions of this copy that do not count: it does not know of a revocation.
    var discarded: Set<Revision> = []
    /// Whether this copy learns of revocations, which the snapshot must record.
    var hasNewRevocations = false

    /// Whether records do not suffice.
    var needsReplacement: Bool {
        ways != nil || !inSections.isEmpty || hasNewRevocations || report.leftOut.contains(where: \.isOwn)
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
            case .slot, .recipient, .grant, .unknownWay, .device: true
            default: false
            }
        }
    }

    func has(_ entry: KeybagEntry) -> Bool { entries.contains(entry) }

    func apply(to keybag: inout Keybag, of vault: OpenGeneration) throws {
        keybag.entries += entries
        try keybag.check()
    }
}
