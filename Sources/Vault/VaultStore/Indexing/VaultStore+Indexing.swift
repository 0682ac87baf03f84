internal import CofferBasics
package import VaultCrypto
internal import VaultFiles
internal import VaultFormat

// Writing the index of the log, which is only a help for readers: a failure changes nothing, and nothing is synced.
extension VaultStore {
    /// How long to wait for further changes before they are indexed in the background.
    private static let indexDelay: UInt64 = 20_000_000

    /// Whether the index should be written anew, since `count` records were added.
    func isIndexDue(after count: Int) -> Bool {
        state.withLock { state in
            guard anchorDirectory(state) != nil else { return false }
            return !state.generation.isIndexed && state.generation.log.entries.count >= options.indexInterval
                && state.generation.log.hasGrown(by: count)
        }
    }

    /// Writes the index until all changes are in it; those that follow one another are written together.
    func indexInBackground(while shouldContinue: () -> Bool) {
        while isIndexDue(after: 1) {
            var pauses = RetryPauses(environment.time, nanoseconds: Self.indexDelay)
            while pauses.pause() { guard shouldContinue() else { return } }
            indexIfDue(after: 1)
        }
    }

    /// The directory of index files; none is written while the vault cannot be.
    private func anchorDirectory(_ state: borrowing State) -> String? {
        state.file.readOnlyReason == nil && state.remembered.anchors != nil ? options.anchorDirectory : nil
    }

    /// Writes the index of the log anew, if `count` records were added since it was written.
    package func indexIfDue(after count: Int? = nil) {
        indexing.withLock { _ in
            if isIndexDue(after: count ?? options.indexInterval) { writeIndex() }
        }
    }

    private func writeIndex() {
        guard let path = options.anchorDirectory,
            let directory = try? environment.files.trustedDirectory(path), let draft = draftIndex(directory)
        else { return }
        let temporaryName = ".\(draft.name).tmp"
        do throws(FileError) {
            let file = try directory.create(temporaryName)
            try file.writeAll(draft.sealed().span, at: 0)
            try directory.rename(temporaryName, to: draft.name)
        } catch {
            // Left by a process that ended in the middle, or another is just writing one, which then fails.
            try? directory.remove(temporaryName)
        }
    }

    private func draftIndex(_ directory: any OpenDirectory) -> IndexDraft? {
        // Not the generation: while there is a copy, a writer would have to copy the whole log.
        let (opening, start, file) = state.withLock { state in
            (state.generation.opening, state.generation.logStart, state.file.handle)
        }
        guard let status = try? file.status() else { return nil }
        let old = IndexFile(
            .old,
            in: directory,
            user: environment.user,
            of: opening,
            from: start,
            vault: FileSource(file: file, byteCount: status.byteCount)
        )
        return state.withLock { state in
            guard state.generation.identity == status.identity else { return nil }
            state.generation.log.noteIndex(upTo: state.generation.log.lastSequence)
            return try? IndexDraft(of: &state.generation, after: old?.head.end)
        }
    }

    /// Removes the index of the log of a vault, which is no longer needed.
    package static func removeIndex(of vault: VaultID, in path: String?, environment: StoreEnvironment) {
        guard let path, let directory = try? environment.files.trustedDirectory(path) else { return }
        for part in IndexFile.Part.allCases { try? directory.remove(part.name(of: vault)) }
    }
}
