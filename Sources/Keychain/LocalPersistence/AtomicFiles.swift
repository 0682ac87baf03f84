internal import CofferBasics
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
    private func directory() throws -> (any OpenDirectory)? {
        try ifPresent { try environment.files.trustedDirectory(path) }
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
        try PersistenceError.converting {
            guard let file = try file(name) else { return .absent }
            // The mark is read before the bytes, so a change in between is noticed the next time.
            let newMark = try file.changeMark()
            if let mark, mark == newMark { return .unchanged }
            // One byte more detects a file that is too large without reading all of it.
            let bytes = try file.bytes(in: 0..<min(file.status().byteCount, byteCountLimit) + 1)
            guard bytes.count <= byteCountLimit else {
                throw PersistenceError.tooLarge(path: path + "/" + name, limit: byteCountLimit)
            }
            return .bytes(bytes, newMark)
        }
    }

    private func file(_ name: String) throws -> (any OpenFile)? {
        try ifPresent { try directory()?.open(name, for: .reading) } ?? nil
    }

    /// Whether a file begins with `prefix`.
    func starts(_ name: String, with prefix: [UInt8]) throws -> Bool {
        try file(name)?.bytes(in: 0..<prefix.count) == prefix
    }

    /// Returns a watch for changes of a file; the directory is created if it is missing.
    func watch(of name: String) throws(PersistenceError) -> FileWatch {
        try PersistenceError.converting {
            let directory = try environment.files.makeDirectory(path)
            return try FileWatch(name, in: directory, pollingNanoseconds: environment.pollingNanoseconds)
        }
    }

    /// Whether the directory exists.
    func directoryExists() throws(PersistenceError) -> Bool {
        try PersistenceError.converting { try directory() != nil }
    }

    /// The names of the files, without temporary ones and locks.
    func names() throws(PersistenceError) -> [String] {
        try PersistenceError.converting { try directory()?.names().filter { !$0.hasPrefix(".") } ?? [] }
    }

    /// Calls `body` with the files while no other process or thread writes to them.
    ///
    /// - Throws: ``PersistenceError/busy(path:)`` if another one holds the lock for too long, or the error that `body`
    ///   throws.
    func write<Result>(_ body: (Writing) throws -> Result) throws(PersistenceError) -> Result {
        try PersistenceError.converting {
            var pauses = RetryPauses(environment.time, nanoseconds: environment.lockNanoseconds)
            while true {
                let (directory, turn, lock) = try lockFiles()
                if let result = try locked(lock, behind: turn, in: directory, &pauses, body) { return result }
                // Other writers may already use a new lock file.
                guard pauses.pause() else { throw PersistenceError.busy(path: path) }
            }
        }
    }

    /// The directory, which is created if it is missing, with the file of the next writer and that of the writer.
    private func lockFiles() throws -> LockFiles {
        for _ in 1..<Self.attemptLimit {
            // Another process that removes the container may have removed the new directory.
            if let files = try ifPresent({ try openLockFiles() }) { return files }
        }
        return try openLockFiles()
    }

    private typealias LockFiles = (any OpenDirectory, turn: any OpenFile, lock: any OpenFile)

    private func openLockFiles() throws -> LockFiles {
        let directory = try environment.files.makeDirectory(path)
        let turn = try directory.openOrCreate(Self.turnName)
        return (directory, turn, try directory.openOrCreate(Self.lockName))
    }

    /// Calls `body` with the lock held; nil if the lock file is no longer the directory's.
    private func locked<Result>(
        _ lock: any OpenFile,
        behind turn: any OpenFile,
        in directory: any OpenDirectory,
        _ pauses: inout RetryPauses,
        _ body: (Writing) throws -> Result
    ) throws -> Result? {
        try take(lock, behind: turn, &pauses)
        // If this fails, closing the file releases the lock.
        defer { try? lock.unlock() }
        // Removing the container removes the lock file, too.
        let current = try ifPresent { try directory.status(of: Self.lockName).identity }
        guard try lock.status().identity == current else { return nil }
        return try body(Writing(directory: directory))
    }

    /// Calls `body`, which removes everything but the lock file, while no one writes; then removes the lock file too.
    ///
    /// If there is no directory, or a link in its place, there is nothing to remove.
    func empty(_ body: () throws -> Void) throws {
        guard try isDirectory() else { return }
        try write { writing in
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
    private func isDirectory() throws -> Bool {
        guard let separator = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
        let (holder, name) = (path[..<separator], String(path[path.utf8.index(after: separator)...]))
        return try ifPresent { try environment.files.trustedDirectory(String(holder)).status(of: name).isDirectory }
            ?? false
    }

    /// Waits for the turn to be the next writer, then for the lock.
    private func take(
        _ lock: any OpenFile,
        behind turn: any OpenFile,
        _ pauses: inout RetryPauses
    ) throws {
        try take(turn, &pauses)
        defer { try? turn.unlock() }
        try take(lock, &pauses)
    }

    /// Waits for a lock.
    private func take(_ lock: any OpenFile, _ pauses: inout RetryPauses) throws {
        pauses.begin()
        while try !lock.tryLock() { guard pauses.pause() else { throw PersistenceError.busy(path: path) } }
    }

    /// Exclusive write access to the files.
    struct Writing {
        fileprivate let directory: any OpenDirectory

        /// Replaces the content of a file with `bytes`, and returns when the change is durable.
        func replace(_ name: String, with bytes: Span<UInt8>) throws {
            // No one else writes now, so a file with this name was left by a process that was killed.
            try ifPresent { try directory.remove(Self.temporaryName(for: name)) }
            try DurableFile.replace(name, bytes, in: directory, by: Self.temporaryName(for: name))
        }

        /// Removes a file if it exists, and returns when the removal is durable.
        func remove(_ name: String) throws {
            // A temporary file that was left holds content meant for the file.
            let removed = try [Self.temporaryName(for: name), name].map { name in
                try ifPresent { try directory.remove(name) } != nil
            }
            if removed.contains(true) { try directory.sync() }
        }

        private static func temporaryName(for name: String) -> String { ".\(name).tmp" }
    }
}
