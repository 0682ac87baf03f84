internal import CofferBasics
internal import Glibc

/// A failed operation on a file.
package struct FileError: Error, Equatable, Sendable {
    /// What was attempted.
    package enum Operation: Equatable, Sendable {
        case open
        case create
        case read
        case write
        case truncate
        case sync
        case lock
        case rename
        case remove
        case examine
        case list
        case makeDirectory
        case changeAccess
        case watch
    }

    /// Why it failed.
    package enum Reason: Equatable, Sendable {
        case notFound
        case alreadyExists
        case permissionDenied
        case readOnlyFileSystem
        case diskFull
        case quotaExceeded
        case fileTooLarge
        case inputOutput
        case staleHandle
        case tooManySymbolicLinks
        /// The path is a symbolic link, and the directory that it leads through is missing.
        case danglingLink(String)
        case tooManyOpenFiles
        case notADirectory
        case isDirectory
        case notARegularFile
        case onOtherFileSystem
        case busy
        case nameTooLong
        case invalidName
        case interrupted
        case notSupported
        /// The file does not hold what Coffer keeps there.
        case unknownContent
        /// The file belongs to another user, whom a program of this user must not trust.
        case foreignOwner(UInt32, user: UInt32)
        /// Another error number of the system.
        case other(Int32)
    }

    package let operation: Operation
    package let path: String
    package let reason: Reason

    package init(_ operation: Operation, _ path: String, reason: Reason) {
        self.operation = operation
        self.path = path
        self.reason = reason
    }
}

extension FileError: CustomStringConvertible {
    /// What failed, for which file, and what to do next.
    package var description: String { "\(path.printable) \(operation): \(reason)" }
}

extension FileError.Operation: CustomStringConvertible {
    /// What failed, worded to follow the path of the file.
    package var description: String {
        switch self {
        case .open: "could not be opened"
        case .create: "could not be created"
        case .read: "could not be read"
        case .write: "could not be written"
        case .truncate: "could not be truncated"
        case .sync: "could not be synced to disk"
        case .lock: "could not be locked"
        case .rename: "could not be renamed"
        case .remove: "could not be removed"
        case .examine: "could not be examined"
        case .list: "could not be listed"
        case .makeDirectory: "could not be created as a directory"
        case .changeAccess: "could not be given its owner and permissions"
        case .watch: "could not be watched"
        }
    }
}

extension FileError.Reason: CustomStringConvertible {
    /// Why, and what may help.
    package var description: String {
        switch self {
        case .notFound: "not found; check the path, and that its disk is mounted"
        case .alreadyExists: "it already exists; choose another name, or move it away"
        case .permissionDenied: "permission denied; check the owner and permissions of the file and its directories"
        case .readOnlyFileSystem: "the file system is read-only; mount it for writing, or copy the file elsewhere"
        case .diskFull: "the disk is full; free some space and try again"
        case .quotaExceeded: "disk quota exceeded; free some space or raise the quota, and try again"
        case .fileTooLarge: "the file would be too large for the system; check the limit (ulimit -f)"
        case .inputOutput:
            "the disk reported an I/O error; check the disk, and copy the file while it can still be read"
        case .staleHandle: "stale file handle on a network file system; mount it again, then reopen the file"
        case .tooManySymbolicLinks: "too many symbolic links, probably a loop; fix the links"
        case .danglingLink(let path):
            "broken symbolic link: \(path.printable) does not exist; mount the disk that it leads to, or fix the link"
        case .tooManyOpenFiles: "too many open files; close some, or raise the limit (ulimit -n)"
        case .notADirectory: "part of the path is not a directory; check the path"
        case .isDirectory: "it is a directory; name a file in it"
        case .notARegularFile: "it is not a regular file; use a regular file instead"
        case .onOtherFileSystem: "it is on another file system, perhaps a mount point; use the path behind the mount"
        case .busy: "it is in use, perhaps as a mount point; try again, or use the path behind the mount"
        case .nameTooLong: "the name is too long; choose a shorter one"
        case .invalidName: "invalid file name; check it for unusual characters"
        case .interrupted: "interrupted by a signal; try again"
        case .notSupported: "not supported by the file system; use another one"
        case .unknownContent: "it is not a Coffer file; move it away and try again"
        case .foreignOwner(let owner, let user):
            "it belongs to user \(owner), not to user \(user); run the program as user \(owner), set HOME to your own home "
                + "directory, or give another path"
        // EBADF: a bug in Coffer if Coffer opened the file, a mistake of the caller if the caller passed a descriptor.
        case .other(9): "it is closed"
        case .other(let code): "system error \(code)"
        }
    }
}

extension FileError {
    /// The error of the last failed system call.
    package static func last(_ operation: Operation, _ path: @autoclosure () -> String) -> FileError {
        // Building the path may allocate memory, which may change `errno`.
        let reason = Reason(number: errno)
        return FileError(operation, path(), reason: reason)
    }
}

extension FileError.Reason {
    /// The reason for an error number of the system.
    package init(number: Int32) {
        self =
            switch number {
            case ENOENT: .notFound
            case EEXIST: .alreadyExists
            case EACCES, EPERM: .permissionDenied
            case EROFS: .readOnlyFileSystem
            case ENOSPC: .diskFull
            case EDQUOT: .quotaExceeded
            case EFBIG: .fileTooLarge
            case EIO: .inputOutput
            case ESTALE: .staleHandle
            case ELOOP: .tooManySymbolicLinks
            case EMFILE, ENFILE: .tooManyOpenFiles
            case ENOTDIR: .notADirectory
            case EISDIR: .isDirectory
            // ENXIO comes from opening a socket, ESPIPE from reading a pipe at an offset.
            case ENXIO, ESPIPE: .notARegularFile
            case EXDEV: .onOtherFileSystem
            // Another process holds a lease on the file, or runs it as a program.
            case EBUSY, EAGAIN, ETXTBSY: .busy
            case ENAMETOOLONG: .nameTooLong
            case EINTR: .interrupted
            // ENOLCK comes from network file systems without locks.
            case ENOTSUP, ENOSYS, ENOLCK: .notSupported
            default: .other(number)
            }
    }

    /// The error number of the system.
    package var number: Int32 {
        switch self {
        case .notFound, .danglingLink: ENOENT
        case .alreadyExists: EEXIST
        case .permissionDenied: EACCES
        case .readOnlyFileSystem: EROFS
        case .diskFull: ENOSPC
        case .quotaExceeded: EDQUOT
        case .fileTooLarge: EFBIG
        case .inputOutput: EIO
        case .staleHandle: ESTALE
        case .tooManySymbolicLinks: ELOOP
        case .tooManyOpenFiles: EMFILE
        case .notADirectory: ENOTDIR
        case .isDirectory: EISDIR
        case .notARegularFile: ENXIO
        case .onOtherFileSystem: EXDEV
        case .busy: EBUSY
        case .nameTooLong: ENAMETOOLONG
        case .invalidName, .unknownContent: EINVAL
        case .interrupted: EINTR
        case .notSupported: ENOTSUP
        case .foreignOwner: EPERM
        case .other(let number): number
        }
    }
}

/// Returns what `body` does, or nil if a file or directory that it needs does not exist.
@discardableResult
package func ifPresent<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
        return try body()
    } catch let error as FileError where error.reason == .notFound {
        return nil
    }
}
