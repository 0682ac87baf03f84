internal import CofferBasics

/// Files in memory, which a vault cannot tell from files on disk, and which never outlive the process.
///
/// Paths begin with `/`. All files belong to the user of the process, and nobody else may read them. Writes are durable
/// at once, so a sync does nothing.
package final class MemoryFiles: FileSystem {
    struct State {
        /// The files of each directory, by its path and their names.
        var directories: [String: [String: MemoryNode]] = ["/": [:]]
        /// How many files were created or opened so far: each gets a number of its own.
        var lastNumber: UInt64 = 0
        var isFull = false

        mutating func newNumber() -> UInt64 {
            lastNumber += 1
            return lastNumber
        }
    }

    let state = Guarded(State())

    /// Creates an empty file system.
    package init() {}

    /// Whether there is no room left, so that nothing can be written.
    package var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }

    /// Replaces a file with a copy whose bytes `change` has edited, as restoring a backup does.
    package func replace(_ path: String, _ change: (inout [UInt8]) -> Void) throws(FileError) {
        let (directory, name) = try locate(path)
        let bytes = try directory.open(name, for: .reading).bytes(in: 0..<directory.status(of: name).byteCount)
        var changed = bytes
        change(&changed)
        try put(changed, at: path)
    }

    /// Puts a new file with these bytes at `path`, replacing any existing file.
    package func put(_ bytes: [UInt8], at path: String) throws(FileError) {
        let (directory, name) = try locate(path)
        state.withLock { state in
            let node = MemoryNode(number: state.newNumber(), bytes: bytes)
            state.directories[directory.path]?[name] = node
        }
    }

    // MARK: - File system

    package func locate(_ path: String) throws(FileError) -> (directory: any OpenDirectory, name: String) {
        let names = path.split(separator: "/").map(String.init)
        guard path.utf8.first == UInt8(ascii: "/"), let name = names.last else {
            throw FileError(.open, path, reason: path == "/" ? .isDirectory : .notFound)
        }
        let parent = "/" + names.dropLast().joined(separator: "/")
        guard state.withLock({ $0.directories[parent] != nil }) else {
            throw FileError(.open, path, reason: .notFound)
        }
        return (MemoryDirectory(files: self, path: parent), name)
    }

    package func makeDirectory(_ path: String) throws(FileError) -> any OpenDirectory {
        let names = path.split(separator: "/")
        state.withLock { state in
            for count in 1...max(1, names.count) {
                let path = "/" + names.prefix(count).joined(separator: "/")
                state.directories[path] = state.directories[path] ?? [:]
            }
        }
        return MemoryDirectory(files: self, path: "/" + names.joined(separator: "/"))
    }

    package func adopt(descriptor: Int32) throws(FileError) -> any OpenFile {
        throw FileError(.open, "descriptor \(descriptor)", reason: .notSupported)
    }
}

/// A file in memory; it exists as long as a directory or an open file refers to it.
final class MemoryNode: Sendable {
    struct State {
        var bytes: [UInt8]
        /// The open files that hold locks.
        var lockOwners: [FileLockOffset: UInt64] = [:]
    }

    let number: UInt64
    let state: Guarded<State>

    init(number: UInt64, bytes: [UInt8] = []) {
        self.number = number
        state = Guarded(State(bytes: bytes))
    }

    func status(linkCount: Int) -> FileStatus {
        FileStatus(
            identity: FileStatus.Identity(device: 1, number: number),
            byteCount: state.withLock { $0.bytes.count },
            isRegular: true,
            linkCount: linkCount,
            owner: CurrentProcess.user,
            group: CurrentProcess.user,
            permissions: 0o600
        )
    }
}
