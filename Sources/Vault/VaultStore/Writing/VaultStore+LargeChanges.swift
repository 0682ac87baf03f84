internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

// Changes that may be too large for a frame.
extension VaultStore {
    /// Changes the vault, completely or not at all, in one transaction, or if that cannot hold the changes, by one
    /// replacement of the file.
    ///
    /// - Parameters:
    ///   - progress: A closure that is told how far the replacement has come, and returns false to stop it.
    ///   - body: A closure that makes the changes, using only the transaction.
    /// - Returns: The result of `body`, and the number of the transaction.
    /// - Throws: The error of `body`, or another `StoreError`; then nothing has changed.
    package func largeTransaction<Result: Sendable>(
        progress: @escaping (CompactionProgress) -> Bool = { _ in true },
        _ body: (inout Transaction) throws -> Result
    ) throws -> (result: Result, change: UInt64) {
        try serve {
            revokeEndedGrants()
            let changed = try changeWhileLocked(progress, body)
            workAfterChange(.full)
            return changed
        }
    }

    private func changeWhileLocked<Result: Sendable>(
        _ progress: @escaping (CompactionProgress) -> Bool,
        _ body: (inout Transaction) throws -> Result
    ) throws -> (result: Result, change: UInt64) {
        try enterAsWriter(exclusively: true)
        defer { writers.leave() }
        return try appendOrReplace(progress) { transaction in
            (try body(&transaction), transaction.sequence)
        }
    }

    /// Appends what `body` changes as one frame, or if a frame cannot hold it, writes another file with it.
    ///
    /// The caller is the only writer.
    func appendOrReplace<Result: Sendable>(
        _ progress: @escaping (CompactionProgress) -> Bool = { _ in true },
        _ body: (inout Transaction) throws -> Result
    ) throws -> Result {
        try appendOrReplace { transaction in
            (try body(&transaction), false)
        } replacing: { changed, _ in
            try replace(with: changed, CompactionRequest(), progress)
        }
    }

    /// Appends what `body` changes as one frame; if a frame cannot hold it, or `body` demands it, `replace` must write
    /// another file with it.
    ///
    /// The caller is the only writer.
    func appendOrReplace<Result: Sendable>(
        _ body: (inout Transaction) throws -> (result: Result, needsReplacement: Bool),
        replacing replace: (OpenGeneration, Result) throws -> Void
    ) throws -> Result {
        let limit = sharedLog?.frameByteCountLimit ?? .max
        return try untilFirst {
            var large: (vault: OpenGeneration, result: Result)?
            do {
                return try writeWhileLocked { transaction in
                    let (result, needsReplacement) = try body(&transaction)
                    guard needsReplacement || !transaction.fitIntoFrame(ofAtMost: limit) else { return result }
                    large = (transaction.vault, result)
                    throw StoreError.abandoned
                }
            } catch StoreError.abandoned {
                guard let large else { throw StoreError.abandoned }
                // A file that is not the first one would be uploaded in vain.
                if let log = sharedLog, try follow(log) { throw StoreError.replacedMeanwhile(path: path) }
                try replace(large.vault, large.result)
                return large.result
            }
        }
    }

    /// Replaces the file by one with what was changed in memory, which counts as a transaction.
    ///
    /// The caller is the only writer. The new file is later than the old one and than `generation`.
    func replace(
        with changed: OpenGeneration,
        _ request: CompactionRequest,
        laterThan generation: UInt64 = 0,
        _ progress: @escaping (CompactionProgress) -> Bool
    ) throws {
        try checkReplaceable(currentReadOnlyReason())
        let (old, byteCount) = try viewToReplace()
        var (changed, request) = (changed, request)
        request.keptChange = changed.position.sequence + 1
        // What was merged may come from a copy that is shared in another way.
        request.isShared = old.header.features.isShared
        request.generationStep =
            max(old.header.generation, changed.header.generation, generation) + 1 - changed.header.generation
        changed.frames.countAsChange(max(old.position.sequence, changed.position.sequence) + 1)
        let sizes = try replaceFile(old, byteCount: byteCount, roots: { _ in changed.keyring.roots }, progress) {
            try publish(&$0)
        } writing: { file, progress in
            var report = Rewrite.Report()
            _ = try Rewrite.write(changed, request, to: file, &report, progress: progress)
            return nil
        }
        guard sizes != nil else { throw StoreError.replacedMeanwhile(path: path) }
    }
}
