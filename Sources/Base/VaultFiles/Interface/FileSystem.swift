/// The file operations that a vault needs, as a protocol so that tests can supply a disk that fails.
///
/// Each operation is one system call, and may do less than asked, as the call may. Retrying and completing is done in
/// extensions, so that tests cover it too.
package protocol FileSystem: Sendable {
    /// Returns the directory that holds the file at `path`, and the file's name in it; the file need not exist.
    ///
    /// Symbolic links are resolved once, here; later changes to them have no effect.
    func locate(_ path: String) throws(FileError) -> (directory: any OpenDirectory, name: String)

    /// Returns the directory in which a file can be created at `path`, and the file's name in it.
    ///
    /// The directory may belong to anybody, but symbolic links are followed as in ``trustedDirectory(_:)``: another user
    /// must not choose where a program of this user creates files.
    func locateForCreating(
        _ path: String,
        makesDirectories: Bool
    ) throws(FileError) -> (directory: any OpenDirectory, name: String)

    /// Returns the directory at `path`, which holds files of this process's user.
    ///
    /// It must belong to the user or to root, and so must each symbolic link on the way, and the directory that holds
    /// the link.
    func trustedDirectory(_ path: String) throws(FileError) -> any OpenDirectory

    /// Returns the directory of ``trustedDirectory(_:)``, creating it and its missing parents.
    ///
    /// New directories are accessible to their owner only, and are durable.
    func makeDirectory(_ path: String) throws(FileError) -> any OpenDirectory

    /// Returns a file for reading from a descriptor that the caller opened.
    func adopt(descriptor: Int32) throws(FileError) -> any OpenFile
}

/// Defaults for file systems where all files have the same owner and there are no links.
extension FileSystem {
    /// Returns the directory in which a file can be created at `path`, and the file's name in it.
    package func locateForCreating(
        _ path: String,
        makesDirectories: Bool
    ) throws(FileError) -> (directory: any OpenDirectory, name: String) {
        if makesDirectories { _ = try makeDirectory(path.directoryAndName.0) }
        return try locate(path)
    }

    /// Returns the directory at `path`.
    package func trustedDirectory(_ path: String) throws(FileError) -> any OpenDirectory {
        // The name in it need not exist.
        try locate(path + "/file").directory
    }
}

/// An open directory, which stays the same one even if it is moved.
package protocol OpenDirectory: AnyObject, Sendable {
    /// The path to show to users.
    var path: String { get }

    /// Opens an existing file.
    func open(_ name: String, for access: FileAccess) throws(FileError) -> any OpenFile

    /// Creates a new file, accessible to its owner only, and opens it for writing.
    func create(_ name: String) throws(FileError) -> any OpenFile

    /// Returns the status of the file or symbolic link with this name.
    func status(of name: String) throws(FileError) -> FileStatus

    /// Renames a file, replacing any file that already has the new name.
    func rename(_ name: String, to newName: String) throws(FileError)

    /// Renames a file, and fails if the new name is taken.
    func renameWithoutReplacing(_ name: String, to newName: String) throws(FileError)

    /// Removes a file's name; the file itself goes once nobody has it open.
    func remove(_ name: String) throws(FileError)

    /// Returns the names of all files in the directory, except those that are not UTF-8.
    func names() throws(FileError) -> [String]

    /// Makes the names of the files durable before it returns.
    func sync() throws(FileError)

    /// Returns how many more bytes the disk can hold.
    func availableByteCount() throws(FileError) -> Int
}

extension OpenDirectory {
    /// Opens a file for writing, and creates it if it is missing.
    package func openOrCreate(_ name: String) throws(FileError) -> any OpenFile {
        while true {
            do throws(FileError) {
                return try open(name, for: .writing)
            } catch {
                guard error.reason == .notFound else { throw error }
            }
            do throws(FileError) {
                return try create(name)
            } catch {
                // Another process created it first.
                guard error.reason == .alreadyExists else { throw error }
            }
        }
    }

    /// Opens a file that lies beside a vault; it must be regular and belong to `user` or to root.
    package func openTrusted(_ name: String, for access: FileAccess, user: UInt32) throws(FileError) -> any OpenFile {
        let file = try open(name, for: access)
        let status = try file.status()
        guard status.isRegular else { throw FileError(.open, file.path, reason: .notARegularFile) }
        guard [user, 0].contains(status.owner) else {
            throw FileError(.open, file.path, reason: .foreignOwner(status.owner, user: user))
        }
        return file
    }
}

/// An open file, closed when the last reference to it goes.
package protocol OpenFile: AnyObject, Sendable {
    /// The path to show to users.
    var path: String { get }

    func status() throws(FileError) -> FileStatus

    /// Returns a mark of the file's current state to compare later, or nil if a change might not show.
    func changeMark() throws(FileError) -> ChangeMark?

    /// Reads into `buffer` and returns the byte count, which may be short; 0 means the end of the file.
    func read(into buffer: inout MutableSpan<UInt8>, at offset: Int) throws(FileError) -> Int

    /// Writes the first of `bytes` and returns how many.
    func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) -> Int

    /// Makes the file end at `byteCount`.
    func truncate(to byteCount: Int) throws(FileError)

    /// Makes the content durable, and as much of the metadata as reading it takes, before it returns.
    ///
    /// After an error it is unknown which bytes are durable, and another call may succeed without them.
    func sync() throws(FileError)

    /// Gives the file the owner, group and permissions of another.
    func copyAccess(of other: FileStatus) throws(FileError)

    /// Tries to take one of the file's locks, which no other open file in any process can hold at the same time.
    ///
    /// The file must be open for writing. A lock is released when the file is closed.
    func tryLock(at offset: FileLockOffset) throws(FileError) -> Bool

    /// Releases a lock.
    func unlock(at offset: FileLockOffset) throws(FileError)

    /// Returns the process that holds a lock, as far as the system knows.
    func lockHolder(at offset: FileLockOffset) -> Int32?
}

/// Which of a file's locks is meant: the byte that is locked, which need not exist.
package struct FileLockOffset: Hashable, Sendable {
    package let value: Int

    /// The lock of a file that has only one: a byte beyond all content.
    package static let only = FileLockOffset(1 << 62)

    package init(_ value: Int) {
        self.value = value
    }
}

extension OpenFile {
    /// Tries to take the only lock of a file.
    package func tryLock() throws(FileError) -> Bool { try tryLock(at: .only) }

    /// Releases the only lock of a file.
    package func unlock() throws(FileError) { try unlock(at: .only) }

    /// Returns the process that holds the only lock of a file, as far as the system knows.
    package func lockHolder() -> Int32? { lockHolder(at: .only) }

    /// Returns nil: there is nothing to compare.
    package func changeMark() throws(FileError) -> ChangeMark? { nil }
}

/// What a file is opened for.
package enum FileAccess: Equatable, Sendable {
    case reading
    case writing
}

/// The status of a file.
package struct FileStatus: Equatable, Sendable {
    /// The identity of a file: two paths with the same identity lead to the same bytes.
    package struct Identity: Hashable, Sendable {
        package var device: UInt64
        package var number: UInt64

        package init(device: UInt64, number: UInt64) {
            self.device = device
            self.number = number
        }
    }

    package var identity: Identity
    package var byteCount: Int
    package var isRegular: Bool
    package var isDirectory = false
    package var isLink = false
    /// How many names (hard links) the file has.
    package var linkCount: Int
    package var owner: UInt32
    package var group: UInt32
    /// The nine permission bits.
    package var permissions: UInt32

    package init(
        identity: Identity,
        byteCount: Int,
        isRegular: Bool,
        linkCount: Int,
        owner: UInt32,
        group: UInt32,
        permissions: UInt32
    ) {
        self.identity = identity
        self.byteCount = byteCount
        self.isRegular = isRegular
        self.linkCount = linkCount
        self.owner = owner
        self.group = group
        self.permissions = permissions
    }
}

extension OpenFile {
    /// Returns the bytes in `range`, or fewer if the file ends before.
    package func bytes(in range: Range<Int>) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var span = bytes.mutableSpan
        let byteCount = try read(filling: &span, at: range.lowerBound)
        bytes.removeSubrange(byteCount...)
        return bytes
    }

    /// Reads until `buffer` is full or the file ends, and returns the byte count.
    package func read(filling buffer: inout MutableSpan<UInt8>, at offset: Int) throws(FileError) -> Int {
        var byteCount = 0
        while byteCount < buffer.count {
            var rest = buffer._mutatingExtracting(byteCount...)
            do throws(FileError) {
                let readByteCount = try read(into: &rest, at: offset + byteCount)
                guard readByteCount > 0 else { return byteCount }
                byteCount += readByteCount
            } catch  where error.reason == .interrupted {
                continue
            }
        }
        return byteCount
    }

    /// Writes all of `bytes`.
    ///
    /// After an error, some of them may have been written.
    package func writeAll(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) {
        var byteCount = 0
        while byteCount < bytes.count {
            do throws(FileError) {
                let writtenByteCount = try write(bytes.extracting(byteCount...), at: offset + byteCount)
                guard writtenByteCount > 0 else { throw FileError(.write, path, reason: .diskFull) }
                byteCount += writtenByteCount
            } catch  where error.reason == .interrupted {
                continue
            }
        }
    }
}
