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
