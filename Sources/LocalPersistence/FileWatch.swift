internal import VaultFiles

/// Waits for changes of a file whose directory may go, or be moved, and another one come in its place.
final class FileWatch: Sendable {
    /// How much rarer it is time to look where a file is, than where none is.
    private static let patience: UInt64 = 30

    private let name: String
    private let directory: any OpenDirectory
    private let watcher: FileWatcher
    private let pollingNanoseconds: UInt64

    init(_ name: String, in directory: any OpenDirectory, pollingNanoseconds: UInt64) throws(FileError) {
        self.name = name
        self.directory = directory
        self.pollingNanoseconds = pollingNanoseconds
        watcher = try FileWatcher(watching: name, in: directory, pollingNanoseconds: pollingNanoseconds)
    }

    /// Returns when the file may have changed, somebody stops it, or it is time to look.
    ///
    /// Nobody tells that another directory has the path. Where a file goes, its directory may go next; where one is, only
    /// somebody who moves the directory leaves it there.
    func wait() throws(FileError) -> FileWatcher.Outcome {
        let isThere = (try? directory.status(of: name)) != nil
        return try watcher.wait(timeoutNanoseconds: isThere ? Self.patience * pollingNanoseconds : pollingNanoseconds)
    }

    /// Ends the wait of another thread, and all later ones.
    func stop() { watcher.stop() }
}
