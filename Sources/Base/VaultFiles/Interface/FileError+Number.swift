internal import Glibc

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
            // Somebody holds a lease on the file, or runs it as a program.
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
