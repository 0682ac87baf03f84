internal import Glibc

extension FileError {
    /// The error that the last call of the system left.
    static func last(_ operation: Operation, _ path: String) -> FileError {
        FileError(operation, path, reason: Reason(number: errno))
    }
}

extension FileError.Reason {
    /// What an error number of the system means.
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
            case EXDEV: .onOtherFileSystem
            case EBUSY: .busy
            case ENAMETOOLONG: .nameTooLong
            case EINTR: .interrupted
            case ENOTSUP, ENOSYS: .notSupported
            default: .other(number)
            }
    }

    /// The error number of the system.
    package var number: Int32 {
        switch self {
        case .notFound: ENOENT
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
        case .notARegularFile: EINVAL
        case .onOtherFileSystem: EXDEV
        case .busy: EBUSY
        case .nameTooLong: ENAMETOOLONG
        case .interrupted: EINTR
        case .notSupported: ENOTSUP
        case .other(let number): number
        }
    }
}
