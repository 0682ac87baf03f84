internal import CofferBasics
internal import Synchronization
internal import VaultFiles

extension Keychain {
    /// The keychain that `SecItem` calls use.
    ///
    /// It is that of the innermost enclosing ``withDefault(_:operation:)-(_,()->Result)``, else the one that the
    /// program has set, else the one in the vault that ``VaultLocations/standard`` names. Setting it affects the whole
    /// program, and is best done before the first `SecItem` call.
    public static var `default`: Keychain {
        get { DefaultChoice.ofTask ?? DefaultChoice.ofProcess.value.keychain }
        set { DefaultChoice.ofProcess.value.set(newValue) }
    }

    /// Makes `keychain` the default while `operation` runs, for its task and the tasks that it starts.
    public static func withDefault<Result>(
        _ keychain: Keychain,
        operation: () throws -> Result
    ) rethrows -> Result {
        try DefaultChoice.$ofTask.withValue(keychain, operation: operation)
    }

    /// Makes `keychain` the default while `operation` runs, for its task and the tasks that it starts.
    nonisolated(nonsending) public static func withDefault<Result>(
        _ keychain: Keychain,
        operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await DefaultChoice.$ofTask.withValue(keychain, operation: operation)
    }
}

/// The default keychain of a process.
private final class DefaultChoice: Sendable {
    @TaskLocal static var ofTask: Keychain?

    static let ofProcess = PerProcess<DefaultChoice> { former in
        DefaultChoice(former?.latest.load(ordering: .acquiring).takeUnretainedValue() ?? Keychain())
    }

    private let chosen: Guarded<Keychain>
    /// The same keychain, for a process that is forked while another thread holds the lock; it is not retained.
    private let latest: Atomic<Unmanaged<Keychain>>

    private init(_ keychain: Keychain) {
        chosen = Guarded(keychain)
        latest = Atomic(.passUnretained(keychain))
    }

    var keychain: Keychain { chosen.withLock { $0 } }

    func set(_ keychain: Keychain) {
        chosen.withLock { chosen in
            latest.store(.passUnretained(keychain), ordering: .releasing)
            chosen = keychain
        }
    }
}
