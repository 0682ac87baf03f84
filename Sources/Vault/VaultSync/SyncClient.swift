internal import CofferBasics
package import VaultCrypto
package import VaultFiles

/// Fetches a vault from another machine, and sends to it: `Spec/sync.md`.
package final class SyncClient {
    package let connection: SyncConnection
    /// The vault that is there, if there is one.
    package private(set) var vault: VaultID?
    /// Its files, as of the last look.
    package private(set) var files: [SyncedFile] = []

    /// Opens the vault with this path on the other side; an empty path names the vault of the user there.
    package init(_ transport: any SyncTransport, path: String) throws {
        connection = SyncConnection(transport)
        try connection.readGreeting()
        try connection.send(.open(path: path))
        try readState()
    }

    private func readState() throws {
        guard case .state(let vault, let files) = try connection.next() else {
            throw SyncFailure.invalid("a state was expected")
        }
        (self.vault, self.files) = (vault, files)
    }

    /// Looks at the files again.
    package func look() throws {
        try connection.send(.look)
        try readState()
    }

    /// Fetches a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - name: The name that it gets; a file with this name is an earlier state of it.
    ///   - directory: The directory in which it is put.
    ///   - sources: Other files that may have parts of it.
    ///   - progress: Is called while bytes arrive.
    /// - Returns: What the file contains; nil if it is gone.
    /// - Throws: `SyncFailure` or `FileError`; the file `name` is unchanged then, or has a part of what was added.
    package func fetch(
        _ file: SyncedFile,
        as name: String,
        in directory: any OpenDirectory,
        from sources: [any OpenFile],
        progress: (SyncProgress) -> Void
    ) throws -> KnownContent? {
        let former = try? directory.open(name, for: .writing)
        var contents: [FileContent] = []
        for source in [former].compactMap(\.self) + sources {
            contents.append(try FileContent(source))
        }
        try connection.send(.fetch(file))
        let part = FileAssembly.partName(of: name)
        let received: ReceivedContent
        do {
            received = try connection.receive(knowing: contents, at: (directory, part), progress: progress)
        } catch {
            guard error.refusal.0 == .changed else { throw error }
            return nil
        }
        switch received {
        case .same(let content) where content.file === former: return try content.known()
        case .extended(let content?, let tail, let fileByteCount) where content.file === former:
            try content.file.writeAll(tail.span, at: content.byteCount)
            try content.file.truncate(to: max(fileByteCount, content.byteCount + tail.count))
            return try FileContent(content.file).known()
        case .same(let content):
            return try put(content, [], content.carriedByteCount, at: name, in: directory)
        case .extended(let content, let tail, let fileByteCount):
            return try put(content, tail, fileByteCount, at: name, in: directory)
        case .file(let content):
            try content.rename(part, to: name, in: directory)
            return try content.known()
        }
    }

    /// Copies a content, or nothing, with a tail, to a file.
    private func put(
        _ content: FileContent?,
        _ tail: [UInt8],
        _ fileByteCount: Int,
        at name: String,
        in directory: any OpenDirectory
    ) throws -> KnownContent {
        let newName = FileAssembly.newName(of: name)
        let new = try FileAssembly.made(newName, in: directory, from: content, tail, fileByteCount: fileByteCount)
        try new.rename(newName, to: name, in: directory)
        return try new.known()
    }

    /// Sends a file, unless the files there are not those that were `seen`.
    ///
    /// - Returns: What became of it; nil if the files there have changed, so that nothing was done.
    package func push(
        _ file: any OpenFile,
        seen: [SyncedContent],
        progress: (SyncProgress) -> Void
    ) throws -> SyncOutcome? {
        try connection.send(.push(seen: seen))
        do {
            try connection.send(FileContent(file), progress: progress)
            guard case .done(let outcome) = try connection.next() else {
                throw SyncFailure.invalid("an outcome was expected")
            }
            return outcome
        } catch {
            guard error.refusal.0 == .changed else { throw error }
            return nil
        }
    }

    // MARK: - Waiting

    /// Asks to be told when the vault there changes.
    package func beginWaiting() throws { try connection.send(.wait) }

    /// Returns whether the vault there has changed, waiting for that at most this long.
    package func hasChanged(timeout: Duration) throws -> Bool {
        guard try connection.hasArrived(timeout: timeout) else { return false }
        try readChange()
        return true
    }

    /// No longer waits.
    package func endWaiting() throws {
        try connection.send(.stop)
        try readChange()
    }

    private func readChange() throws {
        guard case .changed = try connection.next() else { throw SyncFailure.invalid("a change was expected") }
    }
}
