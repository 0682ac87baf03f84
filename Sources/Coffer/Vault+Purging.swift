internal import VaultFormat
internal import VaultStore

extension Vault {
    /// Writes the vault anew without the past of its items, or of some of them: it cannot be read afterwards.
    ///
    /// - Parameters:
    ///   - items: Whose past goes; nil for that of all.
    ///   - progress: Told from time to time; to answer false gives up.
    /// - Returns: What was done.
    /// - Throws: Why nothing was.
    @discardableResult
    package func purge(
        _ items: [PersistentReference]?,
        progress: @escaping (VaultProgress) -> Bool = { _ in true }
    ) throws(VaultProblem) -> CompactionSummary {
        let report = try translating(VaultProblem.init) { () throws(StoreError) in
            var purge = CompactionRequest.Purge.everything
            if let items {
                // An item may have been in other groups before.
                let groups = try store.read { (vault) throws(StoreError) in Array(vault.groupNames.keys) }
                purge = .items(
                    Set(items.flatMap { item in groups.map { ItemName(group: $0, item: item.item) } })
                )
            }
            return try store.compact(.purging(purge)) {
                progress(VaultProgress(byteCount: $0.byteCount, expectedByteCount: $0.expectedByteCount))
            }
        }
        return CompactionSummary(
            byteCountBefore: report.byteCountBefore,
            byteCountAfter: report.byteCountAfter,
            droppedRevisionCount: report.droppedRevisionCount,
            carriedChangeCount: report.carriedRecordCount
        )
    }
}
