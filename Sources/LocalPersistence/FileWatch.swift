internal import VaultFiles

/// Waits for changes of a file whose directory may go, and come again.
final class FileWatch: Sendable {
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

    /// Returns when the file may have changed, somebody stops it, or it is time to look whether the directory is another one.
    ///
    /// As long as the file is there, so is its directory, and that it goes is told. Otherwise nobody tells.
    func wait() throws(FileError) -> FileWatcher.Outcome {
        let isThere = (try? directory.status(of: name)) != nil
        return try watcher.wait(timeoutNanoseconds: isThere ? .max : pollingNanoseconds)
    }

    /// Ends the wait of another thread, and all later ones.
    func stop() { watcher.stop() }
}
