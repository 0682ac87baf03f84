internal import CofferBasics
internal import VaultFormat

/// What undoing a whole transaction has changed.
package struct UndoneChange: Equatable, Sendable {
    /// Items that have the content again that they had before.
    package fileprivate(set) var restoredItemCount = 0
    /// Items that were there only since then, and are deleted.
    package fileprivate(set) var deletedItemCount = 0
    /// Items that are left as they are: they were changed since, or cannot be read, or others have their names now.
    package fileprivate(set) var leftItemCount = 0
}

extension Transaction {
    /// Gives every item that a transaction changed the content that it had before, by new changes.
    ///
    /// What cannot be restored stays as it is; see ``UndoneChange/leftItemCount``.
    ///
    /// - Throws: `noSuchChange` if the history no longer reaches back so far.
    package mutating func undo(change: UInt64) throws -> UndoneChange {
        guard change > 0, change < sequence, vault.historySince.sequence < change || vault.historySince == .beginning
        else { throw StoreError.noSuchChange(change) }
        var report = UndoneChange()
        for group in vault.keys.epochs.keys.sorted() where !vault.closedGroups.contains(group) {
            let revisions = try vault.knownRevisions(in: group)
            // Of those with one primary key, only one can be restored: the one that counted, which is the newest.
            let items = Dictionary(grouping: revisions, by: \.name.item).values
                .sorted { ($1[0].order, $1[0].name.item) < ($0[0].order, $0[0].name.item) }
            // Those that were added go first: they may have the names of others.
            for areNew in [true, false] {
                for revisions in items
                where revisions.allSatisfy({ $0.written.sequence == change }) == areNew {
                    try undo(change, of: revisions, &report)
                }
            }
        }
        return report
    }

    private mutating func undo(
        _ change: UInt64,
        of revisions: [PastRevision],
        _ report: inout UndoneChange
    ) throws {
        let added = revisions.filter { $0.written.sequence == change }
        let ended = revisions.filter { $0.ended?.sequence == change && $0.written.sequence != change }
        guard !added.isEmpty || !ended.isEmpty else { return }
        guard revisions.allSatisfy({ max($0.written.sequence, $0.ended?.sequence ?? 0) <= change }) else {
            report.leftItemCount += 1
            return
        }
        let live = revisions.filter { $0.ended == nil }
        let before = (ended + live.filter { $0.written.sequence != change })
            .max { $0.revision.precedes($1.revision) }
        guard let before else {
            for revision in live { try end(revision) }
            if !live.isEmpty { report.deletedItemCount += 1 }
            return
        }
        let current = try vault.item(before.name)
        let isCurrent = current?.revision == before.revision
        do {
            if let current { try checkLeavesNoVersion(current, for: vault.attributes(of: before)) }
            if !isCurrent { try restore(before) }
        } catch {
            switch error {
            case is KeyMakingError, StoreError.locked, StoreError.keys, StoreError.duplicate, StoreError.contested,
                StoreError.invalidItem:
                return report.leftItemCount += 1
            default: throw error
            }
        }
        for revision in live where !isCurrent || revision.revision != before.revision { try end(revision) }
        report.restoredItemCount += 1
    }
}
