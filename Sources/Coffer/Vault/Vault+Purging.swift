internal import CofferBasics
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
    ) throws(VaultError) -> CompactionSummary {
        let report = try translating(VaultError.ofStore) { () throws(StoreError) in
            var purge = CompactionRequest.Purge.everything
            if let items {
                // An item may have been in other groups before.
                let groups = try store.read { vault in Array(vault.groupNames.keys) }
                purge = .items(
                    Set(items.flatMap { item in groups.map { ItemName(group: $0, item: item.item) } })
                )
            }
            return try store.compact(.purging(purge)) {
                progress(VaultProgress(byteCount: $0.byteCount, expectedByteCount: $0.expectedByteCount))
            }
        }
        return CompactionSummary(report)
    }

    /// Writes the vault anew without changes that are invalid, or of kinds that this version does not know.
    ///
    /// A compaction carries them: a newer version may know what to do with them.
    ///
    /// - Parameter progress: Told from time to time; to answer false gives up.
    /// - Returns: What was done.
    /// - Throws: Why nothing was.
    @discardableResult
    package func dropUnreadableChanges(
        progress: @escaping (VaultProgress) -> Bool = { _ in true }
    ) throws(VaultError) -> CompactionSummary {
        var request = CompactionRequest()
        request.dropsInvalid = true
        let report = try translating(
            VaultError.ofStore,
            store.compact(request) {
                progress(VaultProgress(byteCount: $0.byteCount, expectedByteCount: $0.expectedByteCount))
            }
        )
        return CompactionSummary(report)
    }
}
