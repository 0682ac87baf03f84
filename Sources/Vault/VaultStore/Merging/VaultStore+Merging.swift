internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

extension VaultStore {
    /// Takes over what another copy of the vault has and this one lacks, completely or not at all.
    ///
    /// That is one transaction, or one replacement of the file if a transaction cannot hold it, if the keys of the other
    /// copy count, or if `replacesFile`: then every machine takes the new file for a later one than both copies.
    ///
    /// In a group whose keys a revocation has renewed, what only a copy has that does not know of it is left out; so are
    /// revisions that the other copy may have forgotten. If this vault has them, its former file is kept. With `basis`, of ``mergeBasis(with:)``, nothing is left out, and the merge
    /// is refused if either copy has changed since.
    package func merge(
        _ other: VaultStore,
        replacesFile: Bool = false,
        takingAllAt basis: [UInt8]? = nil,
        progress: @escaping (CompactionProgress) -> Bool = { _ in true }
    ) throws -> MergeReport {
        try serve {
            revokeEndedGrants()
            var copy = try other.read { $0 }
            let report = try mergeWhileLocked(&copy, replacesFile: replacesFile, takingAllAt: basis, progress)
            // The keys that count may have grants that the other copy has revoked.
            revokeEndedGrants()
            workAfterChange(.full)
            return report
        }
    }

    /// Returns what tells these copies, as they are now, from later ones.
    package func mergeBasis(with other: VaultStore) throws -> [UInt8] {
        let copy = try other.read { $0 }
        return try read { $0.basis(copy) }
    }

    /// Returns what ``merge(_:progress:)`` would change now.
    package func mergePreview(of other: VaultStore, takesAll: Bool = false) throws -> MergeReport {
        try serve {
            var copy = try other.read { $0 }
            var own = try read { vault in
                try vault.completeLog()
                return vault
            }
            try copy.completeLog()
            guard try !own.takesKeys(of: copy) else {
                return try merged(&own, into: copy, takesAll: takesAll).draft.report
            }
            var transaction = Transaction(own, time: now, writer: environment.random.shortIdentifier())
            let report = try transaction.merge(&copy, takesAll: takesAll).report
            _ = transaction.abandoned()
            return report
        }
    }

    private func mergeWhileLocked(
        _ other: inout OpenGeneration,
        replacesFile: Bool,
        takingAllAt basis: [UInt8]?,
        _ progress: @escaping (CompactionProgress) -> Bool
    ) throws -> MergeReport {
        try enterAsWriter(exclusively: true)
        defer { writers.leave() }
        if let log = sharedLog { try follow(log) }
        let takesAll = basis != nil
        if let basis, try basis != viewToReplace().0.basis(other) { throw StoreError.merge(.changed, path: path) }
        try other.completeLog()
        if try viewToReplace().0.takesKeys(of: other) {
            return try untilFirst {
                var (own, _) = try viewToReplace()
                var (merged, draft) = try merged(&own, into: other, takesAll: takesAll)
                try keepFile(ifNeededAfter: &draft)
                try replace(with: merged, draft, from: &own, progress)
                return draft.report
            }
        }
        var keptPath: String?
        let draft = try appendOrReplace { transaction in
            let draft = try transaction.merge(&other, takesAll: takesAll)
            return (draft, replacesFile || draft.needsReplacement)
        } replacing: { merged, draft in
            var draft = draft
            try keepFile(ifNeededAfter: &draft)
            keptPath = draft.report.keptPath
            try replace(with: merged, draft, from: &other, isLaterThanBoth: replacesFile, progress)
        }
        var report = draft.report
        report.keptPath = keptPath
        return report
    }

    /// Copies the file if something in it was left out, and goes on under another writer id: under the same one, what was
    /// left out would count as ended.
    private func keepFile(ifNeededAfter draft: inout MergeDraft) throws {
        guard draft.report.keptPath == nil, draft.report.leftOut.contains(where: \.isOwn) else { return }
        for number in 1...Self.mostKeptFiles {
            let path = path.withMark(number == 1 ? "older" : "older-\(number)")
            do {
                try copy(to: path)
            } catch {
                guard case StoreError.file(let error) = error, error.reason == .alreadyExists else { throw error }
                continue
            }
            draft.report.keptPath = path
            state.withLock { _ = $0.file.renewWriter(environment) }
            return
        }
        throw StoreError.file(FileError(.create, path.withMark("older"), reason: .alreadyExists))
    }

    private static let mostKeptFiles = 1_000

    /// Returns the other copy with what this one has and it lacks.
    private func merged(
        _ own: inout OpenGeneration,
        into other: OpenGeneration,
        takesAll: Bool
    ) throws -> (vault: OpenGeneration, draft: MergeDraft) {
        var other = other
        try other.completeLog()
        var transaction = Transaction(other, time: now, writer: environment.random.shortIdentifier())
        var draft = try transaction.merge(&own, isReversed: true, takesAll: takesAll)
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
    ) throws {
        var request = CompactionRequest()
        request.addition = draft.ways
        request.discarded = draft.discarded
        if !draft.inSections.isEmpty { request.foreign = ForeignRevisions(of: source, draft.inSections) }
        let generation = isLaterThanBoth ? source.header.generation : 0
        try replace(with: merged, request, laterThan: generation, progress)
    }
}

extension String {
    /// The path with a mark before the extension.
    fileprivate func withMark(_ mark: String) -> String {
        let name = self[(lastIndex(of: "/").map(index(after:)) ?? startIndex)...]
        let end = name.dropFirst().lastIndex(of: ".") ?? endIndex
        return "\(self[..<end]).\(mark)\(self[end...])"
    }
}

extension OpenGeneration {
    /// Whether the keys of another copy are the same.
    func hasKeys(of other: OpenGeneration) -> Bool {
        prelude.keybag.structureCommitment == other.prelude.keybag.structureCommitment
    }

    /// The last positions of this copy and another one, each of which depends on all that the copy has.
    fileprivate func basis(_ other: OpenGeneration) -> [UInt8] { position.chain.bytes + other.position.chain.bytes }

    /// Whether the keys of another copy count, and not those of this one.
    ///
    /// - Throws: `merge` if the other one is not a copy.
    fileprivate func yieldsKeys(to other: OpenGeneration) throws -> Bool {
        guard vault == other.vault else { throw StoreError.merge(.otherVault, path: other.path) }
        let (own, theirs) = (prelude.keybag, other.prelude.keybag)
        guard own.structureEpoch == theirs.structureEpoch else { return own.structureEpoch < theirs.structureEpoch }
        return own.structureCommitment.lexicographicallyPrecedes(theirs.structureCommitment)
    }

    /// Whether the keys of another copy count, which must know of all removals.
    ///
    /// - Throws: `merge` if it does not: a former owner can make such a copy, with keys of its own.
    fileprivate func takesKeys(of other: OpenGeneration) throws -> Bool {
        guard try yieldsKeys(to: other) else { return false }
        guard other.revocations.know(revocations.concerning([])) else {
            throw StoreError.merge(.removalUnknown, path: other.path)
        }
        return true
    }
}
