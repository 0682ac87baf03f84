internal import CofferBasics
internal import Foundation
internal import KeyedArchive
internal import VaultFiles

/// The observation of a setting, which lasts as long as this object is held.
public final class DefaultsObservation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }
}

/// An observer of one setting.
struct DefaultsObserver: Sendable {
    let name: String
    /// The value that the observer was last called with.
    var last: PropertyList?
    let notify: @Sendable (PropertyList?) -> Void
}

/// The observers of one file of settings, and the thread that waits for changes by other processes.
final class DefaultsObservers: Sendable {
    private struct State {
        var observers: [Int: DefaultsObserver] = [:]
        var nextID = 0
        var watch: FileWatch?
        /// Whether a thread is calling observers now; it checks for further changes before it stops.
        var isNotifying = false
    }

    private let state = Guarded(State())

    /// Adds an observer of a file; the first one starts a thread that calls `look` after each change.
    func add(
        _ observer: DefaultsObserver,
        in files: AtomicFiles,
        _ name: String,
        _ look: @escaping @Sendable () -> Void
    ) throws(PersistenceError) -> Int {
        let (id, watch) = try state.withLock { state throws(PersistenceError) -> (Int, FileWatch?) in
            let isFirst = state.watch == nil
            if isFirst { state.watch = try files.watch(of: name) }
            state.observers[state.nextID] = observer
            state.nextID += 1
            return (state.nextID - 1, isFirst ? state.watch : nil)
        }
        if let watch, !DedicatedThread.startIfPossible({ self.wait(with: watch, look) }) {
            remove(id)
            forget(watch)
            throw PersistenceError(FileError(.watch, files.path + "/" + name, reason: .other(EAGAIN)))
        }
        // The value may have changed after it was read and before the watch began.
        look()
        return id
    }

    /// Calls `look` after each change until there is no observer left.
    private func wait(with watch: FileWatch, _ look: () -> Void) {
        while let outcome = try? watch.wait(), outcome != .stopped { look() }
        // If the system cannot watch the file any longer, the next observer tries again.
        forget(watch)
    }

    /// Makes the next observer start a new watch, unless another one has already replaced `watch`.
    private func forget(_ watch: FileWatch) {
        state.withLock { state in
            if state.watch === watch { state.watch = nil }
        }
    }

    func remove(_ id: Int) {
        // The observer is released outside the lock: its release may release another observation.
        let (_, watch) = state.withLock { state -> (DefaultsObserver?, FileWatch?) in
            let observer = state.observers.removeValue(forKey: id)
            guard state.observers.isEmpty else { return (observer, nil) }
            defer { state.watch = nil }
            return (observer, state.watch)
        }
        watch?.stop()
    }

    /// Calls each observer whose value has changed since its last call.
    ///
    /// One thread at a time does this, one observer after the other, each with the value that is current then. So no
    /// observer receives an older value after a newer one.
    ///
    /// - Parameter read: A function that returns the current values.
    func notify(_ read: () -> CanonicalDictionary<String, PropertyList>?) {
        let begins = state.withLock { state in
            defer { state.isNotifying = true }
            return !state.isNotifying
        }
        guard begins else { return }
        while let (notify, value) = next(read) { notify(value) }
    }

    /// The next observer to call and its value; nil if none exists, which ends the round.
    private func next(
        _ read: () -> CanonicalDictionary<String, PropertyList>?
    ) -> (notify: @Sendable (PropertyList?) -> Void, value: PropertyList?)? {
        state.withLock { state in
            if !state.observers.isEmpty, let values = read() {
                for (id, observer) in state.observers.sorted(by: { $0.key < $1.key })
                where observer.last != values[observer.name] {
                    state.observers[id]?.last = values[observer.name]
                    return (observer.notify, values[observer.name])
                }
            }
            state.isNotifying = false
            return nil
        }
    }
}

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
