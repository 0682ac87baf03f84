internal import CofferBasics
internal import VaultFiles
internal import VaultStore

extension Keychain {
    /// Returns the oldest item that matches all conditions as it is now, and again after each change by any program.
    ///
    /// If the item is locked or damaged, the element is a failure, and the item is read again every two seconds. Changes
    /// that arrive together give one element. The stream ends when the task that reads it is canceled.
    ///
    /// ```swift
    /// for await login in keychain.updates(of: GenericPassword.self, where: .service("mail")) {
    ///     print(try login.get()?.modified ?? "no such item")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the item.
    ///   - conditions: The conditions that the item must match.
    /// - Returns: The states of the item; nil stands for no item.
    public func updates<Item: KeychainItem>(
        of type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...
    ) -> AsyncStream<Result<Stored<Item>?, KeychainError>> {
        states(
            isSame: { $0 == $1 },
            isReadable: { if case .success = $0 { true } else { false } },
            current: { [self] in state(of: type, where: .all(conditions)) }
        )
    }

    /// The oldest item that matches all conditions, or why it is unknown.
    func state<Item: KeychainItem>(
        of type: Item.Type,
        where condition: ItemCondition<Item>
    ) -> Result<Stored<Item>?, KeychainError> {
        do {
            return .success(try item(type, where: condition))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the current state of something in the vault, and again after each change if it is not the same.
    ///
    /// - Parameters:
    ///   - isSame: Whether a state is the one before.
    ///   - isReadable: Whether a state shows that the vault can be read.
    ///   - current: Reads the state.
    /// - Returns: The states, which are read on a thread of their own.
    func states<State: Sendable>(
        isSame: @escaping @Sendable (State, State) -> Bool,
        isReadable: @escaping @Sendable (State) -> Bool,
        current: @escaping @Sendable () -> State
    ) -> AsyncStream<State> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let watching = Watching()
            continuation.onTermination = { _ in watching.end() }
            let isStarted = DedicatedThread.startIfPossible { [self] in
                var last: State?
                watching.run(on: self) {
                    let state = current()
                    if !(last.map { isSame($0, state) } ?? false) { continuation.yield(state) }
                    last = state
                    return isReadable(state)
                }
            }
            guard !isStarted else { return }
            continuation.yield(current())
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
            while check(), (try? watch?.next(timeout: .seconds(3600))) != nil {}
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
