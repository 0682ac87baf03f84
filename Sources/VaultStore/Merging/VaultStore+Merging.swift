internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

extension VaultStore {
    /// Takes over what another copy of the vault has and this one lacks, completely or not at all.
    ///
    /// That is one transaction, or one replacement of the file if a transaction cannot hold it, if the keys of the other
    /// copy count, or if `replacesFile`: then every machine takes the new file for a later one than both copies.
    package func merge(
        _ other: VaultStore,
        replacesFile: Bool = false,
        progress: @escaping (CompactionProgress) -> Bool = { _ in true }
    ) throws(StoreError) -> MergeReport {
        try checkProcess()
        revokeExpiredGrants()
        var copy = try other.read { $0 }
        let report = try mergeWhileLocked(&copy, replacesFile: replacesFile, progress)
        workAfterChange(.full)
        return report
    }

    /// Returns what ``merge(_:progress:)`` would change now.
    package func mergePreview(of other: VaultStore) throws(StoreError) -> MergeReport {
        var copy = try other.read { $0 }
        var own = try read { vault throws(StoreError) in
            try vault.completeLog()
            return vault
        }
        guard try !own.yieldsKeys(to: copy) else { return try merged(&own, into: copy).draft.report }
        var transaction = Transaction(own, time: now, writer: environment.random.shortIdentifier())
        let report = try transaction.merge(&copy).report
        _ = transaction.abandoned()
        return report
    }

    private func mergeWhileLocked(
        _ other: inout OpenGeneration,
        replacesFile: Bool,
        _ progress: @escaping (CompactionProgress) -> Bool
    ) throws(StoreError) -> MergeReport {
        try enterAsWriter(exclusively: true)
        defer { writers.leave() }
        if let log = sharedLog { try follow(log) }
        if try viewToReplace().0.yieldsKeys(to: other) {
            return try untilFirst { () throws(StoreError) in
                var (own, _) = try viewToReplace()
                let (merged, draft) = try merged(&own, into: other)
                try replace(with: merged, draft, from: &own, progress)
                return draft.report
            }
        }
        let draft = try appendOrReplace { transaction throws(StoreError) in
            let draft = try transaction.merge(&other)
            return (draft, replacesFile || draft.needsReplacement)
        } replacing: { merged, draft throws(StoreError) in
            try replace(with: merged, draft, from: &other, isLaterThanBoth: replacesFile, progress)
        }
        return draft.report
    }

    /// Returns the other copy with what this one has and it lacks.
    private func merged(
        _ own: inout OpenGeneration,
        into other: OpenGeneration
    ) throws(StoreError) -> (vault: OpenGeneration, draft: MergeDraft) {
        var other = other
        try other.completeLog()
        var transaction = Transaction(other, time: now, writer: environment.random.shortIdentifier())
        var draft = try transaction.merge(&own, isReversed: true)
        (draft.report.hasOtherKeys, draft.report.change) = (true, transaction.sequence)
        return (transaction.finished(), draft)
    }

    /// Replaces the file by one with what was merged in memory.
    ///
    /// `source` is the copy that was merged into the other one; with `isLaterThanBoth`, the generation is greater than
    /// its, too.
    private func replace(
        with merged: OpenGeneration,
        _ draft: MergeDraft,
        from source: inout OpenGeneration,
        isLaterThanBoth: Bool = false,
        _ progress: @escaping (CompactionProgress) -> Bool
    ) throws(StoreError) {
        var request = CompactionRequest()
        request.addition = draft.ways
        for (group, items) in draft.inBlocks {
            request.foreignBlocks[group] = try ForeignBlock.read(of: items, in: group, &source)
        }
        let generation = isLaterThanBoth ? source.header.generation : 0
        try replace(with: merged, request, laterThan: generation, progress)
    }
}

extension OpenGeneration {
    /// Whether the keys of another copy are the same.
    func hasKeys(of other: OpenGeneration) -> Bool {
        prelude.keybag.structureCommitment == other.prelude.keybag.structureCommitment
    }

    /// Whether the keys of another copy count, and not those of this one.
    ///
    /// - Throws: `merge` if the other one is not a copy.
    fileprivate func yieldsKeys(to other: OpenGeneration) throws(StoreError) -> Bool {
        guard vault == other.vault else { throw .merge(.otherVault, path: other.path) }
        let (own, theirs) = (prelude.keybag, other.prelude.keybag)
        guard own.structureEpoch == theirs.structureEpoch else { return own.structureEpoch < theirs.structureEpoch }
        return own.structureCommitment.lexicographicallyPrecedes(theirs.structureCommitment)
    }
}
