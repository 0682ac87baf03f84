import TestSupport

/// A copy of a vault as merging sees it: which revisions are current, and which the copy has seen.
///
/// Contents and boxes play no part in merging, so a revision is only a name here.
struct ModelVault {
    struct Origin: Hashable {
        let writer: UInt64
        let place: UInt64
    }

    struct Revision: Hashable, Comparable {
        let number: UInt64
        let salt: UInt64
        let origin: Origin

        static func < (left: Self, right: Self) -> Bool {
            (left.number, left.salt) < (right.number, right.salt)
        }
    }

    struct Item: Equatable {
        /// The revisions that no change has ended.
        ///
        /// The greatest is shown, the others are its conflicts.
        var live: Set<Revision> = []
        var past: Set<Revision> = []
    }

    struct Group: Equatable {
        var items: [UInt64: Item] = [:]
        /// The last place of each writer whose changes of the group are known.
        var seen: [UInt64: UInt64] = [:]
    }

    struct Keys: Comparable {
        var epoch: UInt64 = 1
        var commitment: UInt64 = 0

        static func < (left: Self, right: Self) -> Bool {
            (left.epoch, left.commitment) < (right.epoch, right.commitment)
        }
    }

    /// The groups by name: a name that got two identifiers is one group.
    private(set) var groups: [String: Group] = [:]
    private(set) var keys = Keys()
    private var writer: UInt64
    private var place: UInt64 = 0
    /// All that ever happened, which real vaults do not keep.
    private var created: Set<Revision> = []
    private var ended: Set<Revision> = []

    init(writer: UInt64) {
        self.writer = writer
    }

    func copy(writer: UInt64) -> Self {
        var copy = self
        copy.writer = writer
        return copy
    }

    /// The current revisions by the complete history, which needs no knowledge of what a copy has seen.
    var liveByCompleteHistory: Set<Revision> { created.subtracting(ended) }

    var live: Set<Revision> {
        groups.values.reduce(into: []) { all, group in group.items.values.forEach { all.formUnion($0.live) } }
    }

    func hasEqualContents(_ other: Self) -> Bool {
        keys == other.keys && groups == other.groups
    }
}

// Changes by the owner of the copy.
extension ModelVault {
    mutating func put(_ item: UInt64, in group: String, ending replaced: Revision?, salt: UInt64) {
        place += 1
        let known = groups.values.compactMap { $0.items[item] }.flatMap { $0.live.union($0.past) }.max()?.number ?? 0
        let revision = Revision(number: known + 1, salt: salt, origin: Origin(writer: writer, place: place))
        if let replaced { end(replaced, of: item, in: group) }
        groups[group, default: Group()].items[item, default: Item()].live.insert(revision)
        groups[group, default: Group()].seen[writer] = place
        created.insert(revision)
    }

    mutating func end(_ revision: Revision, of item: UInt64, in group: String) {
        guard groups[group]?.items[item]?.live.remove(revision) != nil else { return }
        groups[group]?.items[item]?.past.insert(revision)
        ended.insert(revision)
    }

    /// Ends all revisions that the copy knows, as users expect of a deletion.
    mutating func delete(_ item: UInt64, in group: String) {
        for revision in groups[group]?.items[item]?.live ?? [] { end(revision, of: item, in: group) }
    }

    mutating func move(_ item: UInt64, from group: String, to other: String, salt: UInt64) {
        delete(item, in: group)
        put(item, in: other, ending: nil, salt: salt)
    }

    /// Keeps the newest past revisions of each item, and forgets items without any revision: a compaction.
    mutating func trim(to count: Int) {
        groups = groups.mapValues { group in
            var group = group
            for (id, item) in group.items {
                let kept = Set(item.past.sorted(by: >).prefix(count))
                group.items[id] = item.live.isEmpty && kept.isEmpty ? nil : Item(live: item.live, past: kept)
            }
            return group
        }
    }

    mutating func rotate(commitment: UInt64) {
        keys = Keys(epoch: keys.epoch + 1, commitment: commitment)
    }
}

extension ModelVault {
    /// Takes in what `other` has: the rule of the specification.
    mutating func merge(_ other: Self) {
        for (name, theirs) in other.groups {
            groups[name] = groups[name, default: Group()].merged(with: theirs)
        }
        keys = max(keys, other.keys)
        place = max(place, other.place)
        created.formUnion(other.created)
        ended.formUnion(other.ended)
    }
}

extension ModelVault.Group {
    fileprivate func merged(with other: Self) -> Self {
        var merged = Self(seen: seen.merging(other.seen, uniquingKeysWith: max))
        for id in Set(items.keys).union(other.items.keys) {
            let ours = items[id] ?? .init()
            let theirs = other.items[id] ?? .init()
            let known = ours.live.union(ours.past).union(theirs.live).union(theirs.past)
            let live = ours.live.filter { theirs.live.contains($0) || !other.hasSeen($0) }
                .union(theirs.live.filter { ours.live.contains($0) || !hasSeen($0) })
            merged.items[id] = .init(live: live, past: known.subtracting(live))
        }
        return merged
    }

    private func hasSeen(_ revision: ModelVault.Revision) -> Bool {
        seen[revision.origin.writer].map { $0 >= revision.origin.place } ?? false
    }
}
