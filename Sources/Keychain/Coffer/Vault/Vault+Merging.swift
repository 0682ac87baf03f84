internal import CofferBasics
package import VaultStore

/// What a merge has changed in a vault, or would change.
///
/// ```swift
/// let summary = try vault.mergePreview(with: copy)
/// print(summary.addedItemCount, summary.conflictCount)
/// ```
public struct MergeSummary: Equatable, Sendable {
    /// The number of items that exist now and did not before.
    public let addedItemCount: Int
    /// The number of items with another content than before.
    public let changedItemCount: Int
    /// The number of items that were deleted in the other copy.
    public let deletedItemCount: Int
    /// The number of items that were changed in both copies; the change that lost is kept, see
    /// ``Keychain/conflicts(_:)``.
    public let conflictCount: Int
    /// The number of past revisions that came into the history.
    public let pastRevisionCount: Int
    /// The number of slots, grants and the like of the other copy that open the vault now, too.
    public let openingCount: Int
    /// The number of groups that were left as they are, because one of the copies was opened without their keys.
    public let lockedGroupCount: Int
    /// Whether the vault has the keys of the other copy now, and is opened by the passphrase of that one.
    ///
    /// When the keys of copies differ, those that were changed last count. A passphrase that was changed, or a device that
    /// was removed, only in the copy whose keys do not count, must be changed or removed again. Grants stay revoked.
    public let hasOtherKeys: Bool
    /// What was left out.
    public let leftOut: [LeftOutChange]
    /// The path of the vault's former file, which was kept since something in it was left out; nil if nothing was.
    public let keptPath: String?
    /// Whether the vault has everything that the other copy has.
    public var isComplete: Bool { lockedGroupCount == 0 && leftOut.allSatisfy(\.isOwn) }
    /// The number of the change, by which ``Vault/undo(change:)`` undoes it; nil if nothing has changed.
    public let change: UInt64?
    /// Whether anything has changed.
    public var hasChanged: Bool { change != nil }

    package init(_ report: MergeReport) {
        addedItemCount = report.addedItemCount
        changedItemCount = report.changedItemCount
        deletedItemCount = report.deletedItemCount
        conflictCount = report.newConflictCount
        pastRevisionCount = report.pastRevisionCount
        openingCount = report.wayCount
        lockedGroupCount = report.closedGroupCount
        hasOtherKeys = report.hasOtherKeys
        leftOut = report.leftOut.map { LeftOutChange($0) }.sorted {
            ($0.group, $0.service ?? "", $0.account ?? "") < ($1.group, $1.service ?? "", $1.account ?? "")
        }
        keptPath = report.keptPath
        change = report.change > 0 ? report.change : nil
    }
}

extension Vault {
    /// Opens a copy of a vault that lies somewhere else, to merge it: it is not changed, and not remembered.
    ///
    /// - Parameters:
    ///   - path: The path of the copy.
    ///   - ladder: What opens it, which may differ from what opens the vault.
    ///   - options: The options of the vault.
    /// - Returns: The copy.
    /// - Throws: ``VaultError`` if it cannot be opened.
    public static func openCopy(
        at path: String,
        with ladder: UnlockLadder = UnlockLadder(),
        options: VaultOptions = VaultOptions()
    ) throws(VaultError) -> Vault {
        try open(at: path, with: ladder, options: options.forCopies())
    }

    /// Returns work that takes over what another copy of this vault has and this one lacks, completely or not at all.
    ///
    /// Of an item that was changed in both copies, the change with more revisions wins, the same one in all copies; the
    /// other one is kept as a conflict. An item that was deleted in one copy and changed in the other stays. The other
    /// copy is not changed: to make both equal, merge this one into it, too.
    ///
    /// Revoking a grant, or removing a machine, renews keys, but older copies can still be changed with the former keys.
    /// So in the groups that this concerns, a merge leaves out what only a copy has that does not know of it, and lists it
    /// in ``MergeSummary/leftOut``. So it does with an item that is so old that the copy without it cannot tell whether it
    /// was deleted there. If the copy with what is left out is this vault, its former file is kept beside it.
    ///
    /// ```swift
    /// let copy = try Vault.openCopy(at: copyPath, options: options)
    /// let summary = try await vault.merge(with: copy).report()
    /// ```
    ///
    /// - Parameter other: The copy, opened with ``openCopy(at:with:options:)``.
    /// - Returns: The work, which starts when it is awaited.
    public func merge(with other: Vault) -> VaultWork<MergeSummary> { merge(with: other, replacesFile: false) }

    /// Returns the work of ``merge(with:)``.
    ///
    /// - Parameters:
    ///   - other: The copy.
    ///   - replacesFile: Whether every machine takes the result for a later file than both copies, and not for another
    ///     history of one of them.
    ///   - basis: The ``mergeBasis(with:)`` before a preview was shown: then nothing is left out, and the merge is
    ///     refused if either copy has changed since.
    /// - Returns: The work.
    package func merge(
        with other: Vault,
        replacesFile: Bool = false,
        takingAllAt basis: [UInt8]? = nil
    ) -> VaultWork<MergeSummary> {
        VaultWork { [store] shouldContinue in
            MergeSummary(
                try store.merge(other.store, replacesFile: replacesFile, takingAllAt: basis) {
                    shouldContinue(VaultProgress($0.byteCount, of: $0.expectedByteCount))
                }
            )
        }
    }

    /// Returns what tells this vault and a copy, as they are now, from later ones.
    package func mergeBasis(with other: Vault) throws(VaultError) -> [UInt8] {
        try VaultError.converting { try store.mergeBasis(with: other.store) }
    }

    /// Returns what ``merge(with:)`` would change now.
    ///
    /// - Parameter other: The copy, opened with ``openCopy(at:with:options:)``.
    /// - Returns: What would change.
    /// - Throws: ``VaultError`` if the copies cannot be merged.
    public func mergePreview(with other: Vault) throws(VaultError) -> MergeSummary {
        try mergePreview(with: other, takingAll: false)
    }

    /// Returns what a merge would change now; with `takingAll`, one that leaves nothing out.
    package func mergePreview(with other: Vault, takingAll: Bool) throws(VaultError) -> MergeSummary {
        try VaultError.converting { MergeSummary(try store.mergePreview(of: other.store, takesAll: takingAll)) }
    }
}

extension VaultOptions {
    /// The options for a copy, of which nothing is remembered unless there is a directory for that.
    package func forCopies(mayWrite: Bool = false, memory: String? = nil) -> VaultOptions {
        var options = self
        options.mayWrite = mayWrite
        // Of a copy, one place is remembered, in a directory of its own.
        options.anchorsLocations = memory == locations.anchors
        options.locations.anchors = memory
        options.sharedLog = nil
        options.compactsWhenDue = false
        options.indexesInBackground = false
        return options
    }
}

extension Vault {
    /// Undoes one transaction as a whole, such as a merge or an import.
    ///
    /// Every item that it changed gets the content that it had before, by new changes, unless the item was changed since,
    /// cannot be read, or another item has its name now. This is possible until the vault is compacted, or as long as its
    /// settings keep the history. A merge that took over the keys of the other copy cannot be undone.
    ///
    /// - Parameter change: The number of the transaction: ``MergeSummary/change`` for a merge.
    /// - Returns: How many items were restored, and how many were left alone.
    /// - Throws: ``VaultError`` if the history no longer reaches back to the transaction.
    @discardableResult
    public func undo(change: UInt64) throws(VaultError) -> (restored: Int, leftAlone: Int) {
        let undone = try VaultError.converting {
            try store.transaction { transaction in try transaction.undo(change: change) }
        }
        return (undone.restoredItemCount + undone.deletedItemCount, undone.leftItemCount)
    }
}
