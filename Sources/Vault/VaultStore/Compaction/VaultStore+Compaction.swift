internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

// Compacting: others can read and append until the new file takes the name.
extension VaultStore {
    /// Replaces the file with one that has the same content and an empty log.
    ///
    /// Others can read and append in the meantime. If something fails, or another process has replaced the file by
    /// then, the file stays as it is.
    ///
    /// - Parameters:
    ///   - request: The options for the compaction.
    ///   - progress: A closure that is called from time to time, and returns false to cancel.
    /// - Returns: A report of what was done.
    /// - Throws: `compactionUnavailable` if the file cannot be replaced, `cancelled` if `progress` returns false, or
    ///   another `StoreError`.
    @discardableResult
    package func compact(
        _ request: CompactionRequest = CompactionRequest(),
        progress: @escaping (CompactionProgress) -> Bool = { _ in true }
    ) throws -> CompactionReport {
        // One in the background would replace the file meanwhile.
        try background.stopped(environment.time) {
            Result { try compactBesideBackground(request, progress: progress) }
        }.get()
    }

    /// Throws if the keys at hand do not allow replacing the file.
    package func checkMayBeReplaced() throws {
        _ = try read { vault in try vault.ownerKey(toSign: vault.prelude.keybag) }
    }

    /// Compacts, whether or not a compaction is running in the background.
    func compactBesideBackground(
        _ request: CompactionRequest = CompactionRequest(),
        progress: @escaping (CompactionProgress) -> Bool
    ) throws -> CompactionReport {
        try serve {
            guard opener.location.place != nil else { throw unavailable(.noDirectory) }
            if let log = sharedLog { return try compactShared(log, request, progress) }
            for _ in 0..<Self.maximumAttemptCount {
                if let report = try attemptToCompact(request, progress) { return report }
            }
            throw StoreError.busy(path: path, holder: nil)
        }
    }

    /// How often others may take back frames that a compaction has already copied before it gives up.
    private static let maximumAttemptCount = 4

    /// Compacts, or returns nil without a change if frames in the new file were taken back meanwhile.
    private func attemptToCompact(
        _ request: CompactionRequest,
        _ progress: @escaping (CompactionProgress) -> Bool
    ) throws -> CompactionReport? {
        let (old, byteCount) = try viewToCompact(accepting: request)
        var report = Rewrite.Report()
        var isWriter = false
        defer { if isWriter { writers.leave() } }
        let roots = request.addition?.roots(beside: old.keyring.roots) ?? old.keyring.roots
        let sizes = try replaceFile(
            old,
            byteCount: byteCount,
            roots: { _ in roots },
            acceptsHistory: request.acceptsHistory,
            progress
        ) { replacement in
            guard try carryMostFrames(&replacement) else { return false }
            try enterAsWriter(exclusively: true)
            isWriter = true
            return true
        } writing: { file, progress in
            try Rewrite.write(old, request, to: file, &report, progress: progress)
        }
        return sizes.map { CompactionReport(of: report, old.header.generation + request.generationStep, $0) }
    }

    func unavailable(_ obstacle: CompactionObstacle) -> StoreError {
        .compactionUnavailable(obstacle, path: path)
    }

    /// Returns the current vault and the size of its file.
    private func viewToCompact(accepting request: CompactionRequest) throws -> (OpenGeneration, Int) {
        _ = try currentReadOnlyReason()
        return try state.withLock { state in
            try refresh(&state)
            try readWholeLog(&state)
            try checkReplaceable(state.file.readOnlyReason, acceptsHistory: request.acceptsHistory)
            return (state.generation, state.file.byteCount)
        }
    }

    func checkReplaceable(_ reason: ReadOnlyReason?, acceptsHistory: Bool = false) throws {
        switch reason {
        // Replacing the file is the repair.
        case nil, .syncFailed: break
        case .anchor where acceptsHistory, .olderCopy where acceptsHistory: break
        case let reason?: throw StoreError.readOnly(reason, path: path)
        }
    }
}

extension VaultStore {
    /// Accepts a vault that is older or has a different history as the valid one from now on.
    ///
    /// The file is replaced with one whose generation is so much greater that the two histories cannot meet again, and
    /// the anchor is made durable: an older anchor would require accepting again after a power failure.
    @discardableResult
    package func acceptHistory() throws -> CompactionReport {
        try serve {
            var request = CompactionRequest()
            request.generationStep = 1 << 20
            request.acceptsHistory = true
            let report = try compact(request)
            try state.withLock { state in
                guard let accepted = state.anchor(at: state.generation.position) else { return }
                try state.remembered.anchors?.accept(accepted)
            }
            return report
        }
    }
}
