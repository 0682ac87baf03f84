internal import VaultFiles
internal import VaultThreads

/// Waits for changes of a file whose directory may go, or be moved, and another one come in its place.
final class FileWatch: Sendable {
    /// A directory, and what waits for changes in it.
    private struct Place {
        let directory: any OpenDirectory
        let name: String
        let watcher: FileWatcher
    }

    private struct State {
        var place: Place
        var isStopped = false
    }

    /// How much rarer than where nothing tells of changes is looked where something does.
    private static let patience: UInt64 = 30

    private let path: String
    private let surroundings: PersistenceSurroundings
    private let state: Guarded<State>

    /// Watches the file at `path`, which need not exist; but its directory does.
    init(_ path: String, _ surroundings: PersistenceSurroundings) throws(FileError) {
        self.path = path
        self.surroundings = surroundings
        state = Guarded(State(place: try Self.place(of: path, surroundings)))
    }

    private static func place(of path: String, _ surroundings: PersistenceSurroundings) throws(FileError) -> Place {
        let (directory, name) = try surroundings.files.locate(path)
        let polling = surroundings.pollingNanoseconds
        return Place(
            directory: directory,
            name: name,
            watcher: try FileWatcher(watching: name, in: directory, pollingNanoseconds: polling)
        )
    }

    /// Returns when the file may have changed, somebody stops it, or it is time to look.
    func wait() throws(FileError) -> FileWatcher.Outcome {
        let place = state.withLock { $0.place }
        // That a file goes that is there is told; nobody tells that another directory has come.
        let isThere = isThere(place)
        let polling = surroundings.pollingNanoseconds
        let outcome = try place.watcher.wait(timeoutNanoseconds: isThere ? Self.patience * polling : polling)
        if outcome == .timedOut, !isThere, let fresh = try? Self.place(of: path, surroundings) {
            let isStopped = state.withLock { state in
                if !state.isStopped { state.place = fresh }
                return state.isStopped
            }
            if isStopped { return .stopped }
        }
        return outcome
    }

    /// Whether the file that is watched is the one that has the path.
    private func isThere(_ place: Place) -> Bool {
        guard let watched = try? place.directory.status(of: place.name).identity,
            let (directory, name) = try? surroundings.files.locate(path)
        else { return false }
        return (try? directory.status(of: name).identity) == watched
    }

    /// Ends the wait of another thread, and all later ones.
    func stop() {
        let place = state.withLock { state in
            state.isStopped = true
            return state.place
        }
        place.watcher.stop()
    }
}
