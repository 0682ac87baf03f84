internal import CofferBasics
internal import VaultFiles
internal import VaultStore

extension ConfigurationSecrets {
    /// Returns the configuration as it is now, and again after each change that any program makes to it.
    ///
    /// The elements do not change. Changes that arrive together are one element; a value that is locked or damaged
    /// is an error of the element, and watching goes on. The stream ends when the task that reads it is canceled.
    ///
    /// ```swift
    /// for await current in secrets.updates(of: ["database", "password"]) {
    ///     try await reconnect(current.value(for: ["database", "password"]))
    /// }
    /// ```
    ///
    /// - Parameter key: The components of the key whose changes count; nil for all keys.
    /// - Returns: The configurations.
    public func updates(of key: [String]? = nil) -> AsyncStream<ConfigurationSecrets> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let watching = Watching()
            continuation.onTermination = { _ in watching.end() }
            let isStarted = DedicatedThread.startIfPossible {
                var last: ConfigurationSecrets?
                watching.run(on: keychain) {
                    let current = frozen()
                    if !(last?.isSame(as: current, for: key) ?? false) { continuation.yield(current) }
                    last = current
                    return current.isReadable
                }
            }
            guard !isStarted else { return }
            continuation.yield(frozen())
            continuation.finish()
        }
    }
}

/// Watches a vault on the thread that calls ``run(on:_:)``, until another one calls ``end()``.
private final class Watching: Sendable {
    /// How often a vault is checked that does not exist yet, or cannot be read.
    private static let pauseNanoseconds: UInt64 = 2_000_000_000

    private enum State {
        case watching(ChangeWatch?)
        case ended
    }

    private let state = Guarded(State.watching(nil))

    /// Calls `check`, which returns whether the vault can be read, at once and after each change.
    func run(on keychain: Keychain, _ check: () -> Bool) {
        while true {
            // Watch before checking, so that no change in between is missed.
            let watch = try? keychain.openedStore()?.watch()
            guard take(watch) else { return }
            while check(), let change = try? watch?.next(timeout: .seconds(3600)), !change.isFailure {}
            guard take(nil) else { return }
            MachineTime().sleep(nanoseconds: Self.pauseNanoseconds)
        }
    }

    private func take(_ watch: ChangeWatch?) -> Bool {
        state.withLock { state in
            guard case .watching = state else { return false }
            state = .watching(watch)
            return true
        }
    }

    func end() {
        state.withLock { state in
            if case .watching(let watch) = state { watch?.stop() }
            state = .ended
        }
    }
}

extension VaultChange {
    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}
