internal import VaultFiles

/// Waits for changes of a file whose directory may go, and another one come in its place.
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

    /// Returns when the file may have changed, or somebody stops it.
    ///
    /// As long as the file is there, so is the directory, and that it goes is told. Otherwise nobody tells what comes in the
    /// place of the directory, so that it is time to look again and again.
    func wait() throws(FileError) -> FileWatcher.Outcome {
        let isThere = (try? directory.status(of: name)) != nil
        return try watcher.wait(timeoutNanoseconds: isThere ? .max : pollingNanoseconds)
    }

    /// Ends the wait of another thread, and all later ones.
    func stop() { watcher.stop() }
}
