internal import CofferBasics

extension FileError: CustomStringConvertible {
    /// What happened, to which file, and what to do next.
    package var description: String { "\(path.printable) \(operation): \(reason)" }
}

extension FileError.Operation: CustomStringConvertible {
    /// What was not done, to follow the path of a file.
    package var description: String {
        switch self {
        case .open: "could not be opened"
        case .create: "could not be made"
        case .read: "could not be read"
        case .write: "could not be written"
        case .truncate: "could not be cut"
        case .sync: "could not be made durable"
        case .lock: "could not be locked"
        case .rename: "could not be renamed"
        case .remove: "could not be removed"
        case .examine: "could not be examined"
        case .list: "could not be listed"
        case .makeDirectory: "could not be made as a directory"
        case .changeAccess: "could not be given its owner and permissions"
        case .watch: "could not be watched"
        }
    }
}

extension FileError.Reason: CustomStringConvertible {
    /// Why, and what may help.
    package var description: String {
        switch self {
        case .notFound: "it does not exist, or vanished; check the path, and whether its disk is mounted"
        case .alreadyExists: "it exists already, and is left as it is; choose another name, or move it away"
        case .permissionDenied: "permission denied; check the owner and the permissions of the file and its directories"
        case .readOnlyFileSystem: "the file system is read-only; mount it for writing, or copy the file elsewhere"
        case .diskFull: "the disk is full; free some space and try again"
        case .quotaExceeded: "the disk quota is used up; free some space or ask for more, and try again"
        case .fileTooLarge: "the file would become larger than the system allows; check the limits (ulimit -f)"
        case .inputOutput:
            "the disk reported an error; check the disk, and take a copy of the file while it can be read"
        case .staleHandle: "the network file system lost the file; mount it again, and open the file again"
        case .tooManySymbolicLinks: "the path leads through a circle of symbolic links; correct the links"
        case .danglingLink(let path):
            "it is a symbolic link, and \(path.printable) does not exist; mount the disk that it leads to, or correct the link"
        case .tooManyOpenFiles: "too many files are open; close some, or raise the limit (ulimit -n)"
        case .notADirectory: "a part of the path is not a directory; check the path"
        case .isDirectory: "it is a directory; name a file in it"
        case .notARegularFile: "it is not a regular file; name a file that is"
        case .onOtherFileSystem: "it lies on another file system, as a mount point does; use the path behind the mount"
        case .busy: "something else uses it, as a mount point does; use the path behind the mount, or try again"
        case .nameTooLong: "the name is too long; choose a shorter one"
        case .invalidName: "that is no name that a file can have here; check it for unusual characters"
        case .interrupted: "a signal interrupted it; try again"
        case .notSupported: "the file system cannot do that; use another one"
        case .unknownContent: "it is not a file of Coffer's; move it away, and try again"
        case .foreignOwner(let owner, let user):
            "it belongs to user \(owner), not to user \(user); run the program as user \(owner), or set HOME to your own home "
                + "directory"
        // EBADF: of what is opened by its path that is a mistake of ours, of what somebody hands over it is theirs.
        case .other(9): "it is closed"
        case .other(let code): "error \(code) of the system"
        }
    }
}
