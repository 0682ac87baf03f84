internal import CofferBasics
internal import VaultStore

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
        let undone = try translating(VaultError.ofStore) { () throws(StoreError) in
            try store.transaction { transaction throws(StoreError) in try transaction.undo(change: change) }
        }
        return (undone.restoredItemCount + undone.deletedItemCount, undone.leftItemCount)
    }
}
