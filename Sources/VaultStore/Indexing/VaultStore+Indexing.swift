internal import CofferBasics
package import VaultCrypto
internal import VaultFiles
internal import VaultFormat

// Writing the index of the log, which is only a help for readers: a failure changes nothing, and nothing is synced.
extension VaultStore {
    /// Whether so many records were added that the index should be written anew.
    var isIndexDue: Bool {
        state.withLock { state in
            guard let vault = state.generation, anchorDirectory(state) != nil else { return false }
            return !vault.isIndexed && vault.log.entries.count >= vault.indexedEntryCount + options.indexInterval
        }
    }

    /// The directory of index files; none is written while the vault cannot be.
    private func anchorDirectory(_ state: borrowing State) -> String? {
        state.readOnlyReason == nil && state.anchor != nil ? options.anchorDirectory : nil
    }

    /// Writes the index of the log anew, if it has fallen behind.
    package func indexIfDue() { indexing.withLock { _ in writeIndexIfDue() } }

    private func writeIndexIfDue() {
        guard isIndexDue, let path = options.anchorDirectory,
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
            (state.generation?.opening, state.generation?.logStart, state.file)
        }
        guard let opening, let start, let status = try? file.status() else { return nil }
        let old = IndexFile(
            .old,
            in: directory,
            user: environment.user,
            of: opening,
            from: start,
            vault: FileSource(file: file, byteCount: status.byteCount)
        )
        return state.withLock { state in
            guard var vault = state.generation.take() else { return nil }
            defer { state.generation = vault }
            guard vault.identity == status.identity else { return nil }
            vault.indexedEntryCount = vault.log.entries.count
            return try? IndexDraft(of: &vault, after: old?.head.end)
        }
    }

    /// Removes the index of the log of a vault, which is no longer needed.
    package static func removeIndex(of vault: VaultID, in path: String?, environment: StoreEnvironment) {
        guard let path, let directory = try? environment.files.trustedDirectory(path) else { return }
        for part in IndexFile.Part.allCases { try? directory.remove(part.name(of: vault)) }
    }
}
