internal import VaultFiles

/// The files of one directory of a container, each of which is there whole or not at all, whatever happens to the machine.
///
/// One process writes at a time. Who reads needs no lock: a file is replaced, and never changed.
struct KeptFiles: Sendable {
    /// The name of the file that whoever writes has locked.
    static let lockName = ".lock"
    /// The name of the file that whoever is the next to write has locked: who has just written comes behind them.
    private static let turnName = ".turn"
    /// How often a directory is made that vanishes.
    private static let attemptLimit = 100

    /// The path of the directory.
    let path: String
    let surroundings: PersistenceSurroundings

    /// The directory; nil if there is none yet.
    private func directory() throws(FileError) -> (any OpenDirectory)? {
        do throws(FileError) {
            return try surroundings.files.ownDirectory(path)
        } catch {
            guard error.reason == .notFound else { throw error }
            return nil
        }
    }

    /// What a file holds.
    enum Content {
        /// It was not changed since it had the mark.
        case unchanged
        /// There is no such file.
        case absent
        /// These bytes; whoever changes the file changes the mark, but there is none of a file that was changed just now.
        case bytes([UInt8], ChangeMark?)
    }

    /// What a file holds, unless it still has `mark`.
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
            // Before the bytes: a change in between is noticed the next time.
            newMark = try file.changeMark()
            if let mark, mark == newMark { return .unchanged }
            // One byte more, so that a file that is too large is noticed without reading all of it.
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

    /// Whether a file begins with some bytes.
    func starts(_ name: String, with prefix: [UInt8]) throws(PersistenceError) -> Bool {
        try ofFiles { () throws(FileError) in
            guard let directory = try directory(), let file = try Self.file(name, in: directory) else {
                return false
            }
            return try file.bytes(in: 0..<prefix.count) == prefix
        }
    }

    /// What waits for changes of a file; the directory is made if it is not there.
    func watch(of name: String) throws(PersistenceError) -> FileWatch {
        try ofFiles { () throws(FileError) in
            let directory = try surroundings.files.makeDirectory(path)
            return try FileWatch(name, in: directory, pollingNanoseconds: surroundings.pollingNanoseconds)
        }
    }

    /// Whether there is a directory, in which files may be.
    func isMade() throws(PersistenceError) -> Bool {
        try ofFiles { () throws(FileError) in try directory() != nil }
    }

    /// The names of the files, without those that are on their way to be one.
    func names() throws(PersistenceError) -> [String] {
        try ofFiles { () throws(FileError) in
            try directory()?.names().filter { !$0.hasPrefix(".") } ?? []
        }
    }

    /// Lends `body` the files while no other process or thread writes to them.
    ///
    /// - Throws: ``PersistenceError/busy(path:)`` if another has had them for a while, and what `body` throws.
    func write<Result>(
        _ body: (Writing) throws(PersistenceError) -> Result
    ) throws(PersistenceError) -> Result {
        var pauses = RetryPauses(surroundings.time, nanoseconds: surroundings.lockNanoseconds)
        var attempts = 0
        while true {
            let directory: any OpenDirectory
            let (turn, lock): (any OpenFile, any OpenFile)
            do throws(FileError) {
                directory = try surroundings.files.makeDirectory(path)
                turn = try Self.lockFile(Self.turnName, in: directory)
                lock = try Self.lockFile(Self.lockName, in: directory)
            } catch {
                // Who removes the container may have removed a directory that was just made.
                attempts += 1
                guard error.reason == .notFound, attempts < Self.attemptLimit else { throw PersistenceError(error) }
                continue
            }
            if let result = try locked(lock, behind: turn, in: directory, &pauses, body) { return result }
            // Others may have a new one already.
            guard pauses.pause() else { throw .busy(path: path) }
        }
    }

    /// What `body` returns while nobody else has the lock; nil if that is not the one of the directory any more.
    private func locked<Result>(
        _ lock: any OpenFile,
        behind turn: any OpenFile,
        in directory: any OpenDirectory,
        _ pauses: inout RetryPauses,
        _ body: (Writing) throws(PersistenceError) -> Result
    ) throws(PersistenceError) -> Result? {
        try take(lock, behind: turn, &pauses)
        // If it fails, the lock goes with the file.
        defer { try? lock.unlock() }
        guard try ofFiles({ () throws(FileError) in try Self.isCurrent(lock, in: directory) }) else { return nil }
        return try body(Writing(directory: directory))
    }

    /// Whether the lock is still that of the directory: who has removed the container has removed it too.
    private static func isCurrent(_ lock: any OpenFile, in directory: any OpenDirectory) throws(FileError) -> Bool {
        do throws(FileError) {
            return try lock.status().identity == directory.status(of: lockName).identity
        } catch {
            guard error.reason == .notFound else { throw error }
            return false
        }
    }

    /// Lets `body` remove all but the lock while nobody writes, and then removes that too.
    ///
    /// Where there is no directory, such as where there is a link to one, there is nothing to remove.
    func empty(_ body: () throws(PersistenceError) -> Void) throws(PersistenceError) {
        guard try isDirectory() else { return }
        try write { writing throws(PersistenceError) in
            try body()
            // Last: who makes another one may write.
            try writing.remove(Self.lockName)
        }
    }

    /// Whether something in a tree is in the directory, or in one that is in it.
    func holds(_ entry: DirectoryTree.Entry) -> Bool {
        isOf(entry) || entry.directory.starts(with: "\(path)/".utf8)
    }

    /// Whether something in a tree is in the directory itself.
    func isOf(_ entry: DirectoryTree.Entry) -> Bool { entry.directory.elementsEqual(path.utf8) }

    /// Whether something in a tree is the file that whoever writes has locked.
    func isLock(_ entry: DirectoryTree.Entry) -> Bool {
        isOf(entry) && entry.name.elementsEqual(Self.lockName.utf8)
    }

    /// Whether there is a directory, and no link to one.
    private func isDirectory() throws(PersistenceError) -> Bool {
        guard let separator = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
        let (holder, name) = (path[..<separator], String(path[path.utf8.index(after: separator)...]))
        return try ofFiles { () throws(FileError) in
            do throws(FileError) {
                return try surroundings.files.ownDirectory(String(holder)).status(of: name).isDirectory
            } catch {
                guard error.reason == .notFound else { throw error }
                return false
            }
        }
    }

    /// Waits for the lock, and before for the turn to be the next that gets it.
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
                // Another process was quicker.
                guard error.reason == .alreadyExists else { throw error }
            }
        }
    }

    /// Files that nobody else writes to.
    struct Writing {
        fileprivate let directory: any OpenDirectory

        /// Lets a file hold `bytes` instead of what it held, and returns when that is durable.
        func replace(_ name: String, with bytes: Span<UInt8>) throws(PersistenceError) {
            try ofFiles { () throws(FileError) in
                // Nobody else writes now, so what has this name was left by a process that was killed.
                try removeIfThere(Self.temporaryName(for: name))
                try DurableFile.replace(name, bytes, in: directory, by: Self.temporaryName(for: name))
            }
        }

        /// Removes a file, if there is one, and returns when that is durable.
        func remove(_ name: String) throws(PersistenceError) {
            try ofFiles { () throws(FileError) in
                // One that was on its way to be the file holds what the file was to hold.
                let wasOnItsWay = try removeIfThere(Self.temporaryName(for: name))
                if try removeIfThere(name) || wasOnItsWay { try directory.sync() }
            }
        }

        private static func temporaryName(for name: String) -> String { ".\(name).tmp" }

        @discardableResult
        private func removeIfThere(_ name: String) throws(FileError) -> Bool {
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

/// Does something about files, and throws what goes wrong in the words of the rungs.
private func ofFiles<Result>(_ body: () throws(FileError) -> Result) throws(PersistenceError) -> Result {
    do throws(FileError) {
        return try body()
    } catch {
        throw PersistenceError(error)
    }
}
