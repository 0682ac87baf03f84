internal import VaultFormat

/// What a merge has changed in a vault.
package struct MergeReport: Equatable, Sendable {
    /// Items that exist now and did not before.
    package private(set) var addedItemCount = 0
    /// Items with another current revision than before.
    package private(set) var changedItemCount = 0
    package private(set) var deletedItemCount = 0
    /// Items that were changed in both copies: the losing changes are kept as conflicts.
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
    /// What was left out, because the copy that has it does not know of a revocation.
    package internal(set) var leftOut: [OmittedChange] = []
    /// Where the file is kept that had what was left out of this vault itself.
    package internal(set) var keptPath: String?

    package init() {}

    /// Counts what became of the items of a group.
    mutating func note(_ merge: GroupMerge, _ before: GroupCopy) {
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
