internal import CofferBasics
internal import VaultFormat
internal import VaultStore

extension Vault {
    /// Rewrites the vault without the history of its items, or of some of them, which cannot be read afterwards.
    ///
    /// - Parameters:
    ///   - items: The items whose history is removed; nil for all.
    ///   - progress: A closure that is called from time to time, and returns false to stop.
    /// - Returns: The result of the compaction.
    /// - Throws: ``VaultError`` if nothing was done.
    @discardableResult
    package func purge(
        _ items: [PersistentReference]?,
        progress: @escaping (VaultProgress) -> Bool = { _ in true }
    ) throws(VaultError) -> CompactionSummary {
        try VaultError.converting {
            let report = try store.purge(items?.map(\.item)) {
                progress(VaultProgress($0.byteCount, of: $0.expectedByteCount))
            }
            return CompactionSummary(report)
        }
    }

    /// Rewrites the vault without changes that are invalid, or of kinds that this version does not know.
    ///
    /// An ordinary compaction keeps them, since a newer version may know what to do with them.
    ///
    /// - Parameter progress: A closure that is called from time to time, and returns false to stop.
    /// - Returns: The result of the compaction.
    /// - Throws: ``VaultError`` if nothing was done.
    @discardableResult
    package func dropUnreadableChanges(
        progress: @escaping (VaultProgress) -> Bool = { _ in true }
    ) throws(VaultError) -> CompactionSummary {
        var request = CompactionRequest()
        request.dropsInvalid = true
        return try VaultError.converting {
            let report = try store.compact(request) { progress(VaultProgress($0.byteCount, of: $0.expectedByteCount)) }
            return CompactionSummary(report)
        }
    }
}

extension VaultStore {
    /// Rewrites the vault without the past of all items, or of some.
    @discardableResult
    func purge(
        _ items: [ItemID]?,
        progress: @escaping (CompactionProgress) -> Bool = { _ in true }
    ) throws -> CompactionReport {
        guard let items else { return try compact(.purging(.everything), progress: progress) }
        // An item may have been in other groups before.
        let groups = try read { vault in Array(vault.groupNames.keys) }
        let names = items.flatMap { item in groups.map { ItemName(group: $0, item: item) } }
        return try compact(.purging(.items(Set(names))), progress: progress)
    }
}
