internal import CofferBasics
internal import Foundation
internal import KeyedArchive
internal import VaultFiles

/// Somebody who is told of changes of a setting, as long as this is held.
public final class DefaultsObservation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }
}

/// Who is told of changes of one setting.
struct DefaultsObserver: Sendable {
    let name: String
    /// The value that was told last.
    var last: PropertyList?
    let tell: @Sendable (PropertyList?) -> Void
}

/// All who are told of changes of settings, and the thread that waits for those that other processes make.
final class DefaultsObservers: Sendable {
    private struct State {
        var observers: [Int: DefaultsObserver] = [:]
        var nextID = 0
        var watch: FileWatch?
        /// Whether somebody tells observers now, who looks again before it is done.
        var isTelling = false
    }

    private let state = Guarded(State())

    /// Adds an observer of a file; the first lets a thread wait, which calls `look` after each change.
    func add(
        _ observer: DefaultsObserver,
        in files: KeptFiles,
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
        if let watch, !OwnThread.startIfPossible({ self.wait(with: watch, look) }) {
            remove(id)
            forget(watch)
            throw PersistenceError(FileError(.watch, files.path + "/" + name, reason: .other(EAGAIN)))
        }
        // What was changed between the reading of the value and the watching.
        look()
        return id
    }

    /// Calls `look` after each change, until nobody observes any more.
    private func wait(with watch: FileWatch, _ look: () -> Void) {
        while let outcome = try? watch.wait(), outcome != .stopped { look() }
        // Where the system does not let anybody wait any more, the next observer tries again.
        forget(watch)
    }

    /// Lets the next observer wait for changes, if nobody does instead of `watch`.
    private func forget(_ watch: FileWatch) {
        state.withLock { state in
            if state.watch === watch { state.watch = nil }
        }
    }

    func remove(_ id: Int) {
        // The observer goes outside of the lock: its end may be the end of another one.
        let (_, watch) = state.withLock { state -> (DefaultsObserver?, FileWatch?) in
            let observer = state.observers.removeValue(forKey: id)
            guard state.observers.isEmpty else { return (observer, nil) }
            defer { state.watch = nil }
            return (observer, state.watch)
        }
        watch?.stop()
    }

    /// Tells each observer whose value is another one than it was told last.
    ///
    /// One thread at a time does that, one observer after the other, each with the value that there is then: so nobody is
    /// told an older value behind a newer one.
    ///
    /// - Parameter read: Gives the values as they are now.
    func tell(_ read: () -> CanonicalDictionary<String, PropertyList>?) {
        let begins = state.withLock { state in
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard begins else { return }
        while let (tell, value) = next(read) { tell(value) }
    }

    /// Who is to be told what; nil if nobody is, and then nobody tells any more.
    private func next(
        _ read: () -> CanonicalDictionary<String, PropertyList>?
    ) -> (tell: @Sendable (PropertyList?) -> Void, value: PropertyList?)? {
        state.withLock { state in
            if !state.observers.isEmpty, let values = read() {
                for (id, observer) in state.observers.sorted(by: { $0.key < $1.key })
                where observer.last != values[observer.name] {
                    state.observers[id]?.last = values[observer.name]
                    return (observer.tell, values[observer.name])
                }
            }
            state.isTelling = false
            return nil
        }
    }
}
