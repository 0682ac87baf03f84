internal import CofferBasics
internal import Synchronization
internal import VaultFiles

extension Keychain {
    /// The keychain that calls of `SecItem` use.
    ///
    /// It is that of the innermost ``withDefault(_:operation:)-(_,()->Result)`` around, else the one that the program has
    /// set, else the one in the vault that ``VaultPlaces/standard`` names. To set it is for the whole program, and best
    /// done before the first call of `SecItem`.
    public static var `default`: DefaultKeychain {
        get { DefaultChoice.ofTask ?? DefaultChoice.ofProcess.value.keychain }
        set { DefaultChoice.ofProcess.value.set(newValue) }
    }

    /// Makes `keychain` the default while `operation` runs, for the task that runs it and the tasks that it starts.
    public static func withDefault<Result>(
        _ keychain: DefaultKeychain,
        operation: () throws -> Result
    ) rethrows -> Result {
        try DefaultChoice.$ofTask.withValue(keychain, operation: operation)
    }

    /// Makes `keychain` the default while `operation` runs, for the task that runs it and the tasks that it starts.
    nonisolated(nonsending) public static func withDefault<Result>(
        _ keychain: DefaultKeychain,
        operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await DefaultChoice.$ofTask.withValue(keychain, operation: operation)
    }
}

/// Which keychain is the default of a process.
private final class DefaultChoice: Sendable {
    @TaskLocal static var ofTask: DefaultKeychain?

    static let ofProcess = PerProcess<DefaultChoice> { former in
        DefaultChoice(former?.latest.load(ordering: .acquiring).takeUnretainedValue() ?? DefaultKeychain())
    }

    private let chosen: Guarded<DefaultKeychain>
    /// The same again, for a process that is forked while somebody has the lock; it keeps nothing alive.
    private let latest: Atomic<Unmanaged<DefaultKeychain>>

    private init(_ keychain: DefaultKeychain) {
        chosen = Guarded(keychain)
        latest = Atomic(.passUnretained(keychain))
    }

    var keychain: DefaultKeychain { chosen.withLock { $0 } }

    func set(_ keychain: DefaultKeychain) {
        chosen.withLock { chosen in
            latest.store(.passUnretained(keychain), ordering: .releasing)
            chosen = keychain
        }
    }
}
