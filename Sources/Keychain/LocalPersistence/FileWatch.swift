internal import VaultFiles

/// Waits for changes of a file whose directory may be removed, moved or replaced.
final class FileWatch: Sendable {
    /// How many times longer the polling interval is while the file exists than while it is missing.
    private static let existingFileIntervalFactor: UInt64 = 30

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

    /// Returns when the file may have changed, the watch is stopped, or the polling interval has passed.
    ///
    /// The system does not report that another directory has taken the path. If the file is missing, its directory may
    /// be removed next; if it is there, only moving the directory can leave it there.
    func wait() throws(FileError) -> FileWatcher.Outcome {
        let isThere = (try? directory.status(of: name)) != nil
        let factor = isThere ? Self.existingFileIntervalFactor : 1
        return try watcher.wait(timeoutNanoseconds: factor * pollingNanoseconds)
    }

    /// Ends the wait of another thread, and all later ones.
    func stop() { watcher.stop() }
}
