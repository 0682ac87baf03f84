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
}

/// What a merge changes in a group of a vault, section 10.3.
struct GroupMerge {
    /// Revisions of the other copy that become live, for each writer in ascending order of place.
    let added: [PastRevision]
    /// Live revisions of this copy that the other one has ended.
    let ended: [PastRevision]
    /// Past revisions that this copy gets.
    let past: [PastRevision]

    /// Compares two copies; of what is past, as much is taken over as the policy keeps.
    init(of other: GroupCopy, into own: GroupCopy, keeping policy: HistoryPolicy, now: Time) {
        let unknown = other.live.values.filter { own.live[$0.revision] == nil }
        added = unknown.filter { !own.hasSeen($0) }.sorted { $0.origin.place < $1.origin.place }
        ended = own.live.values.filter { other.live[$0.revision] == nil && other.hasSeen($0) }
            .sorted { $0.revision.precedes($1.revision) }
        let lost = unknown.filter { own.hasSeen($0) } + other.past.values
        past = Self.kept(lost.filter { !own.has($0.revision) }, beside: own.past.values, policy, now: now)
    }

    /// Changes that leave nothing of this copy but what the other one has, too.
    init(replacing own: GroupCopy, with other: GroupCopy) {
        added = other.live.values.filter { own.live[$0.revision] == nil }
            .sorted { $0.origin.place < $1.origin.place }
        ended = own.live.values.filter { other.live[$0.revision] == nil }
            .sorted { $0.revision.precedes($1.revision) }
        past = other.past.values.filter { !own.has($0.revision) }.sorted { $0.revision.precedes($1.revision) }
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
        return kept.sorted { $0.revision.precedes($1.revision) }
    }
}
