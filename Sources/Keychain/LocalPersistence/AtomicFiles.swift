internal import VaultFiles

/// The files of one directory of a container, each of which is complete or missing, even after a crash of the machine.
///
/// One process writes at a time. Readers need no lock: a file is replaced, never changed in place.
struct AtomicFiles: Sendable {
    /// The name of the file that the writer locks.
    static let lockName = ".lock"
    /// The name of the file that the next writer locks, so that the previous one cannot overtake it.
    private static let turnName = ".turn"
    /// How often to create a directory again that vanishes.
    private static let attemptLimit = 100

    /// The path of the directory.
    let path: String
    let environment: PersistenceEnvironment

    /// The directory; nil if none exists yet.
    private func directory() throws(FileError) -> (any OpenDirectory)? {
        do throws(FileError) {
            return try environment.files.trustedDirectory(path)
        } catch {
            guard error.reason == .notFound else { throw error }
            return nil
        }
    }

    /// The content of a file.
    enum Content {
        /// The file has not changed since it had the mark.
        case unchanged
        /// There is no such file.
        case absent
        /// The bytes of the file and its mark, which changes with the file; a file that was changed just now has no
        /// mark.
        case bytes([UInt8], ChangeMark?)
    }

    /// Reads a file unless it still has `mark`.
    func content(
        of name: String,
        unless mark: ChangeMark? = nil,
        byteCountLimit: Int
    ) throws(PersistenceError) -> Content {
        let (bytes, newMark): ([UInt8], ChangeMark?)
        do throws(FileError) {
            guard let directory = try directory(), let file = try Self.file(name, in: directory) else {
                return .absent
            }
            // The mark is read before the bytes, so a change in between is noticed the next time.
            newMark = try file.changeMark()
            if let mark, mark == newMark { return .unchanged }
            // One byte more detects a file that is too large without reading all of it.
            bytes = try file.bytes(in: 0..<min(file.status().byteCount, byteCountLimit) + 1)
        } catch {
            throw PersistenceError(error)
        }
        guard bytes.count <= byteCountLimit else {
            throw .tooLarge(path: path + "/" + name, limit: byteCountLimit)
        }
        return .bytes(bytes, newMark)
    }

    private static func file(_ name: String, in directory: any OpenDirectory) throws(FileError) -> (any OpenFile)? {
        do throws(FileError) {
            return try directory.open(name, for: .reading)
        } catch {
            guard error.reason == .notFound else { throw error }
            return nil
        }
    }

    /// Whether a file begins with `prefix`.
    func starts(_ name: String, with prefix: [UInt8]) throws(PersistenceError) -> Bool {
        try ofFiles { () throws(FileError) in
            guard let directory = try directory(), let file = try Self.file(name, in: directory) else {
                return false
            }
            return try file.bytes(in: 0..<prefix.count) == prefix
        }
    }

    /// Returns a watch for changes of a file; the directory is created if it is missing.
    func watch(of name: String) throws(PersistenceError) -> FileWatch {
        try ofFiles { () throws(FileError) in
            let directory = try environment.files.makeDirectory(path)
            return try FileWatch(name, in: directory, pollingNanoseconds: environment.pollingNanoseconds)
        }
    }

    /// Whether the directory exists.
    func directoryExists() throws(PersistenceError) -> Bool {
        try ofFiles { () throws(FileError) in try directory() != nil }
    }

    /// The names of the files, without temporary ones and locks.
    func names() throws(PersistenceError) -> [String] {
        try ofFiles { () throws(FileError) in
            try directory()?.names().filter { !$0.hasPrefix(".") } ?? []
        }
    }

    /// Calls `body` with the files while no other process or thread writes to them.
    ///
    /// - Throws: ``PersistenceError/busy(path:)`` if another one holds the lock for too long, or the error that `body`
    ///   throws.
    func write<Result>(
        _ body: (Writing) throws(PersistenceError) -> Result
    ) throws(PersistenceError) -> Result {
        var pauses = RetryPauses(environment.time, nanoseconds: environment.lockNanoseconds)
        var attempts = 0
        while true {
            let directory: any OpenDirectory
            let (turn, lock): (any OpenFile, any OpenFile)
            do throws(FileError) {
                directory = try environment.files.makeDirectory(path)
                turn = try Self.lockFile(Self.turnName, in: directory)
                lock = try Self.lockFile(Self.lockName, in: directory)
            } catch {
                // Another process that removes the container may have removed the new directory.
                attempts += 1
                guard error.reason == .notFound, attempts < Self.attemptLimit else { throw PersistenceError(error) }
                continue
            }
            if let result = try locked(lock, behind: turn, in: directory, &pauses, body) { return result }
            // Other writers may already use a new lock file.
            guard pauses.pause() else { throw .busy(path: path) }
        }
    }

    /// Calls `body` with the lock held; nil if the lock file is no longer the directory's.
    private func locked<Result>(
        _ lock: any OpenFile,
        behind turn: any OpenFile,
        in directory: any OpenDirectory,
        _ pauses: inout RetryPauses,
        _ body: (Writing) throws(PersistenceError) -> Result
    ) throws(PersistenceError) -> Result? {
        try take(lock, behind: turn, &pauses)
        // If this fails, closing the file releases the lock.
        defer { try? lock.unlock() }
        guard try ofFiles({ () throws(FileError) in try Self.isCurrent(lock, in: directory) }) else { return nil }
        return try body(Writing(directory: directory))
    }

    /// Whether the lock file is still in the directory; removing the container removes it.
    private static func isCurrent(_ lock: any OpenFile, in directory: any OpenDirectory) throws(FileError) -> Bool {
        do throws(FileError) {
            return try lock.status().identity == directory.status(of: lockName).identity
        } catch {
            guard error.reason == .notFound else { throw error }
            return false
        }
    }

    /// Calls `body`, which removes everything but the lock file, while no one writes; then removes the lock file too.
    ///
    /// If there is no directory, or a link in its place, there is nothing to remove.
    func empty(_ body: () throws(PersistenceError) -> Void) throws(PersistenceError) {
        guard try isDirectory() else { return }
        try write { writing throws(PersistenceError) in
            try body()
            // Last, since whoever creates a new lock file may write.
            try writing.remove(Self.lockName)
        }
    }

    /// Whether an entry of a tree is in the directory or below it.
    func holds(_ entry: DirectoryTree.Entry) -> Bool {
        isDirectlyInside(entry) || entry.directory.starts(with: "\(path)/".utf8)
    }

    /// Whether an entry of a tree is directly in the directory.
    func isDirectlyInside(_ entry: DirectoryTree.Entry) -> Bool { entry.directory.elementsEqual(path.utf8) }

    /// Whether an entry of a tree is the lock file.
    func isLock(_ entry: DirectoryTree.Entry) -> Bool {
        isDirectlyInside(entry) && entry.name.elementsEqual(Self.lockName.utf8)
    }

    /// Whether there is a directory rather than a link to one.
    private func isDirectory() throws(PersistenceError) -> Bool {
        guard let separator = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
        let (holder, name) = (path[..<separator], String(path[path.utf8.index(after: separator)...]))
        return try ofFiles { () throws(FileError) in
            do throws(FileError) {
                return try environment.files.trustedDirectory(String(holder)).status(of: name).isDirectory
            } catch {
                guard error.reason == .notFound else { throw error }
                return false
            }
        }
    }

    /// Waits for the turn to be the next writer, then for the lock.
    private func take(
        _ lock: any OpenFile,
        behind turn: any OpenFile,
        _ pauses: inout RetryPauses
    ) throws(PersistenceError) {
        try take(turn, &pauses)
        defer { try? turn.unlock() }
        try take(lock, &pauses)
    }

    /// Waits for a lock.
    private func take(_ lock: any OpenFile, _ pauses: inout RetryPauses) throws(PersistenceError) {
        pauses.begin()
        while try !ofFiles({ () throws(FileError) in try lock.tryLock() }) {
            guard pauses.pause() else { throw .busy(path: path) }
        }
    }

    private static func lockFile(_ name: String, in directory: any OpenDirectory) throws(FileError) -> any OpenFile {
        while true {
            do throws(FileError) {
                return try directory.open(name, for: .writing)
            } catch {
                guard error.reason == .notFound else { throw error }
            }
            do throws(FileError) {
                return try directory.create(name)
            } catch {
                // Another process created it first.
                guard error.reason == .alreadyExists else { throw error }
            }
        }
    }

    /// Exclusive write access to the files.
    struct Writing {
        fileprivate let directory: any OpenDirectory

        /// Replaces the content of a file with `bytes`, and returns when the change is durable.
        func replace(_ name: String, with bytes: Span<UInt8>) throws(PersistenceError) {
            try ofFiles { () throws(FileError) in
                // No one else writes now, so a file with this name was left by a process that was killed.
                try removeIfPresent(Self.temporaryName(for: name))
                try DurableFile.replace(name, bytes, in: directory, by: Self.temporaryName(for: name))
            }
        }

        /// Removes a file if it exists, and returns when the removal is durable.
        func remove(_ name: String) throws(PersistenceError) {
            try ofFiles { () throws(FileError) in
                // A temporary file that was left holds content meant for the file.
                let hadTemporaryFile = try removeIfPresent(Self.temporaryName(for: name))
                if try removeIfPresent(name) || hadTemporaryFile { try directory.sync() }
            }
        }

        private static func temporaryName(for name: String) -> String { ".\(name).tmp" }

        @discardableResult
        private func removeIfPresent(_ name: String) throws(FileError) -> Bool {
            do throws(FileError) {
                try directory.remove(name)
                return true
            } catch {
                guard error.reason == .notFound else { throw error }
                return false
            }
        }
    }
}

/// Calls `body`, and translates file errors into `PersistenceError`.
private func ofFiles<Result>(_ body: () throws(FileError) -> Result) throws(PersistenceError) -> Result {
    do throws(FileError) {
        return try body()
    } catch {
        throw PersistenceError(error)
    }
}
