internal import CofferBasics
package import VaultFormat

/// What a merge has changed in a vault.
package struct MergeReport: Equatable, Sendable {
    /// Items that exist now and did not before.
    package private(set) var addedItemCount = 0
    /// Items with another current revision than before.
    package private(set) var changedItemCount = 0
    package private(set) var deletedItemCount = 0
    /// Items that were changed in both copies, or added with the same primary key: both versions are kept.
    package private(set) var newConflictCount = 0
    /// Past revisions that the vault has now, too.
    package private(set) var pastRevisionCount = 0
    package internal(set) var keyCount = 0
    /// Slots, grants and the like that open the vault now, too.
    package internal(set) var wayCount = 0
    /// The number of the transaction; zero in a report that says nothing.
    package internal(set) var change: UInt64 = 0
    /// Whether the settings of the other copy count now.
    package internal(set) var hasSettings = false
    /// Whether the keys of the other copy count, and so its passphrase and all its other ways to open the vault.
    package internal(set) var hasOtherKeys = false
    /// Groups that were left as they are, because their keys are not available.
    package internal(set) var closedGroupCount = 0
    /// What was left out.
    package internal(set) var leftOut: [OmittedChange] = []
    /// Where the file is kept that had what was left out of this vault itself.
    package internal(set) var keptPath: String?

    package init() {}

    /// Counts what became of the items of a group, of which some share a primary key.
    mutating func note(
        _ merge: GroupMerge,
        _ before: GroupCopy,
        _ duplicates: [(kept: [ItemID], deleted: [ItemID])]
    ) {
        let known = duplicates.isEmpty ? [] : Set(before.live.keys.map(\.item))
        for (kept, deleted) in duplicates {
            if kept.count > max(1, (kept + deleted).count(where: known.contains)) { newConflictCount += 1 }
            // What was added in both copies is no news.
            let lostCount = deleted.count(where: known.contains)
            let isReplaced = lostCount > 0 && !known.contains(kept[0])
            addedItemCount -= deleted.count - lostCount + (isReplaced ? 1 : 0)
            deletedItemCount += lostCount - (isReplaced ? 1 : 0)
        }
        pastRevisionCount += merge.past.count
        let touched = Set((merge.added + merge.ended).map(\.name.item))
        guard !touched.isEmpty else { return }
        let live = before.live.keys.filter { touched.contains($0.item) }
        let ended = Set(merge.ended.map(\.revision))
        let after = live.filter { !ended.contains($0) } + merge.added.map(\.revision)
        let (former, present) = (Dictionary(grouping: live, by: \.item), Dictionary(grouping: after, by: \.item))
        for item in touched {
            let (old, new) = (former[item] ?? [], present[item] ?? [])
            if new.count > max(1, old.count) { newConflictCount += 1 }
            switch (old.greatest, new.greatest) {
            case (nil, nil): break
            case (nil, _?): addedItemCount += 1
            case (_?, nil): deletedItemCount += 1
            case (let before?, let now?): if before != now { changedItemCount += 1 }
            }
        }
    }
}

extension [Revision] {
    /// The revision that is shown, of those of one item.
    fileprivate var greatest: Revision? {
        self.max { Revision.isGreater(($1.number, $1.salt), than: ($0.number, $0.salt)) }
    }
}

/// A change of a copy that a merge leaves out.
package struct OmittedChange: Equatable, Sendable {
    package enum Reason: Sendable {
        /// The copy does not know of a revocation that concerns the group: those who lost access could have made it.
        case revocation
        /// The change is so old that the other copy cannot tell whether it never had it or has ended it.
        case age
    }

    package enum Kind: Sendable {
        case added
        case changed
        case deleted
        /// Only past revisions of the item are left out.
        case past
    }

    package let reason: Reason
    package let kind: Kind
    /// The name of the group.
    package let group: [UInt8]
    package let item: ItemID
    /// The attributes, if they can be read.
    package let attributes: ItemAttributes?
    /// Whether the vault itself has the change, and not the other copy.
    package let isOwn: Bool
}

extension [OmittedChange] {
    /// Lists the changes that a copy of a group would have made in another one, item by item.
    static func changes(
        _ merge: GroupMerge,
        of older: inout OpenGeneration,
        to newer: inout OpenGeneration,
        in group: [UInt8],
        isOwn: Bool
    ) -> [OmittedChange] {
        // The last of an item counts: a new revision rather than an ended one, and that rather than a past one.
        var changes: [ItemID: (kind: OmittedChange.Kind, of: PastRevision)] = [:]
        for past in merge.past { changes[past.name.item] = (.past, past) }
        for ended in merge.ended { changes[ended.name.item] = (.deleted, ended) }
        for added in merge.added { changes[added.name.item] = (.init(of: added), added) }
        return changes.inKeyOrder.map { item, change in
            let isOfNewer = change.kind == .deleted
            let attributes = try? isOfNewer ? newer.attributes(of: change.of) : older.attributes(of: change.of)
            return OmittedChange(
                reason: .revocation,
                kind: change.kind,
                group: group,
                item: item,
                attributes: attributes,
                isOwn: isOwn
            )
        }
    }

    /// Lists revisions of a copy that the other one may have ended, or never had.
    static func undecided(
        _ revisions: [PastRevision],
        of vault: inout OpenGeneration,
        in group: [UInt8],
        isOwn: Bool
    ) -> [OmittedChange] {
        revisions.map { revision in
            OmittedChange(
                reason: .age,
                kind: .init(of: revision),
                group: group,
                item: revision.name.item,
                attributes: try? vault.attributes(of: revision),
                isOwn: isOwn
            )
        }
    }
}

extension OmittedChange.Kind {
    fileprivate init(of new: PastRevision) { self = new.revision.number == 1 ? .added : .changed }
}
