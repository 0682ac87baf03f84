internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

extension VaultStore {
    /// Takes over what another copy of the vault has and this one lacks, completely or not at all.
    ///
    /// That is one transaction, or one replacement of the file if it does not fit into a transaction.
    package func merge(
        _ other: VaultStore,
        progress: @escaping (CompactionProgress) -> Bool = { _ in true }
    ) throws(StoreError) -> MergeReport {
        try checkProcess()
        try checkReplaceable(currentReadOnlyReason(), CompactionRequest())
        var copy = try other.read { $0 }
        let report = try mergeWhileLocked(&copy, progress)
        workAfterChange(.full)
        return report
    }

    private func mergeWhileLocked(
        _ other: inout OpenGeneration,
        _ progress: @escaping (CompactionProgress) -> Bool
    ) throws(StoreError) -> MergeReport {
        try enterAsWriter(exclusively: true)
        defer { writers.leave() }
        var large: (vault: OpenGeneration, report: MergeReport, request: CompactionRequest)?
        do throws(StoreError) {
            let (report, ticket) = try state.withLock { state throws(StoreError) in
                try append(&state) { transaction throws(StoreError) in
                    try transaction.vault.checkMergeable(other)
                    let draft = try transaction.merge(&other)
                    guard !draft.needsReplacement, transaction.fitsIntoFrame else {
                        var request = CompactionRequest()
                        request.keptChange = transaction.sequence
                        request.addition = draft.ways
                        for (group, items) in draft.inBlocks {
                            request.foreignBlocks[group] = try ForeignBlock.read(of: items, in: group, &other)
                        }
                        large = (transaction.vault, draft.report, request)
                        throw .abandoned
                    }
                    return draft.report
                }
            }
            if let ticket { try makeDurable(ticket) }
            return report
        } catch {
            guard let large, error == .abandoned else { throw error }
            try replace(with: large.vault, large.request, progress)
            return large.report
        }
    }

    /// Replaces the file by one with the records of a merge, which counts as a transaction.
    private func replace(
        with merged: OpenGeneration,
        _ request: CompactionRequest,
        _ progress: @escaping (CompactionProgress) -> Bool
    ) throws(StoreError) {
        let (old, byteCount) = try viewToReplace()
        var merged = merged
        merged.position.sequence += 1
        merged.position.chain = ChainValue(bytes: [UInt8](repeating: 0, count: 32))
        let roots = merged.keyring.roots
        _ = try replaceWhileLocked(old, byteCount: byteCount, roots: roots, progress) { file, progress throws(StoreError) in
            var compaction = try Compaction(of: merged, request: request)
            _ = try compaction.write(to: file, progress: progress)
        }
    }

    /// Returns what ``merge(_:progress:)`` would change now.
    package func mergePreview(of other: VaultStore) throws(StoreError) -> MergeReport {
        var copy = try other.read { $0 }
        let vault = try read { vault throws(StoreError) in
            try vault.completeLog()
            return vault
        }
        try vault.checkMergeable(copy)
        let time = Time(microseconds: environment.time.wallMicroseconds())
        var transaction = Transaction(vault, time: time, writer: environment.random.shortIdentifier())
        let report = try transaction.merge(&copy).report
        _ = transaction.abandoned()
        return report
    }
}

extension OpenGeneration {
    fileprivate func checkMergeable(_ other: OpenGeneration) throws(StoreError) {
        guard vault == other.vault else { throw .merge(.otherVault, path: other.path) }
        guard prelude.keybag.structureCommitment == other.prelude.keybag.structureCommitment else {
            throw .merge(.keysDiffer, path: other.path)
        }
    }
}
