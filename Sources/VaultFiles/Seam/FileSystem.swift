/// The files of a machine, as far as a vault needs them: the seam at which tests put a disk that fails.
///
/// Each operation is one call of the operating system, and may do less than it was asked, as that call may. What retries
/// and completes stands in extensions, so that it is tested with the rest.
package protocol FileSystem: Sendable {
    /// The directory that holds the file at `path`, and the name of the file in it, which need not exist.
    ///
    /// Symbolic links are followed here, once: what happens to them later does not matter.
    func locate(_ path: String) throws(FileError) -> (directory: any OpenDirectory, name: String)

    /// The directory in which a file can be made at `path`, and the name of the file in it.
    ///
    /// The directory may belong to anybody, but symbolic links are followed as by ``ownDirectory(_:)``: another user must
    /// not choose where a program of this user makes files.
    func locateForCreating(
        _ path: String,
        makesDirectories: Bool
    ) throws(FileError) -> (directory: any OpenDirectory, name: String)

    /// The directory at `path`, in which lie files of the user of this process.
    ///
    /// It must belong to the user or to root, and so must each symbolic link on the way, with the directory that it is in.
    func ownDirectory(_ path: String) throws(FileError) -> any OpenDirectory

    /// The directory of ``ownDirectory(_:)``, which is made, with those that it lies in, where it does not exist.
    ///
    /// Directories that are made are for their owner only, and durable.
    func makeDirectory(_ path: String) throws(FileError) -> any OpenDirectory

    /// A file that somebody else has opened, for reading.
    func adopt(descriptor: Int32) throws(FileError) -> any OpenFile
}

/// Of files that all have the same owner, without links.
extension FileSystem {
    /// The directory in which a file can be made at `path`, and the name of the file in it.
    package func locateForCreating(
        _ path: String,
        makesDirectories: Bool
    ) throws(FileError) -> (directory: any OpenDirectory, name: String) {
        if makesDirectories { _ = try makeDirectory(path.directoryAndName.0) }
        return try locate(path)
    }

    /// The directory at `path`.
    package func ownDirectory(_ path: String) throws(FileError) -> any OpenDirectory {
        // A name in it need not exist.
        try locate(path + "/file").directory
    }
}

/// A directory that stays the same one even if it is moved.
package protocol OpenDirectory: AnyObject, Sendable {
    /// How people call it.
    var path: String { get }

    /// Opens a file that exists.
    func open(_ name: String, for access: FileAccess) throws(FileError) -> any OpenFile

    /// Makes a file that did not exist, for its owner only, and opens it for writing.
    func create(_ name: String) throws(FileError) -> any OpenFile

    /// What is known of the file, or the symbolic link, with this name.
    func status(of name: String) throws(FileError) -> FileStatus

    /// Gives a file another name; a file that has it already goes.
    func rename(_ name: String, to newName: String) throws(FileError)

    /// Gives a file another name that no file may have yet.
    func renameWithoutReplacing(_ name: String, to newName: String) throws(FileError)

    /// Takes the name from a file, which goes when nobody has it open.
    func remove(_ name: String) throws(FileError)

    /// The names of all files in the directory, except those that are no UTF-8.
    func names() throws(FileError) -> [String]

    /// Returns when the names of the files are durable.
    func sync() throws(FileError)

    /// How many bytes the disk still takes.
    func availableByteCount() throws(FileError) -> Int
}

extension OpenDirectory {
    /// Opens a file that lies beside a vault: a regular one, which belongs to `user` or to root.
    package func openOwn(_ name: String, for access: FileAccess, user: UInt32) throws(FileError) -> any OpenFile {
        let file = try open(name, for: access)
        let status = try file.status()
        guard status.isRegular else { throw FileError(.open, file.path, reason: .notARegularFile) }
        guard [user, 0].contains(status.owner) else {
            throw FileError(.open, file.path, reason: .foreignOwner(status.owner, user: user))
        }
        return file
    }
}

/// A file that is open, and is closed when the last one lets go of it.
package protocol OpenFile: AnyObject, Sendable {
    /// How people call it.
    var path: String { get }

    func status() throws(FileError) -> FileStatus

    /// What the file is now, to compare later; nil if a change might not show.
    func changeMark() throws(FileError) -> ChangeMark?

    /// Reads into `buffer` and tells how many bytes: fewer than fit if it likes, none at the end of the file.
    func read(into buffer: inout MutableSpan<UInt8>, at offset: Int) throws(FileError) -> Int

    /// Writes the first of `bytes` and tells how many.
    func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) -> Int

    /// Makes the file end at `byteCount`.
    func truncate(to byteCount: Int) throws(FileError)

    /// Returns when the content is durable, and so much about the file that it can be read.
    ///
    /// After an error nobody knows which bytes are durable, and another call may succeed without them.
    func sync() throws(FileError)

    /// Gives the file the owner, the group and the permissions that another has.
    func takeAccess(of other: FileStatus) throws(FileError)

    /// Tries to get the one lock of the file, which no other open file may have, in this process or another.
    ///
    /// The file must be open for writing.
    func tryLock() throws(FileError) -> Bool

    /// Gives the lock back.
    func unlock() throws(FileError)

    /// The process that has the lock, as far as the system tells.
    func lockHolder() -> Int32?
}

extension OpenFile {
    /// Nothing that could be compared.
    package func changeMark() throws(FileError) -> ChangeMark? { nil }
}

/// What a file is opened for.
package enum FileAccess: Equatable, Sendable {
    case reading
    case writing
}

/// What the system knows of a file.
package struct FileStatus: Equatable, Sendable {
    /// Which file it is: two paths with the same identity lead to the same bytes.
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
    /// How many names the file has.
    package var linkCount: Int
    package var owner: UInt32
    package var group: UInt32
    /// The nine bits of who may do what.
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
