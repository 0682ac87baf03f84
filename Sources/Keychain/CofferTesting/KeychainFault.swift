public import Coffer
internal import Testing
internal import VaultFiles

/// A failure to inject into a call of a keychain.
///
/// Faults are as real as possible: a full disk or a damaged file is simulated, and the engine finds the error itself.
///
/// ```swift
/// let keychain = try TestKeychain.current
/// keychain.fail(.locked)
/// #expect(SecItemCopyMatching(query, nil) == errSecInteractionNotAllowed)
/// ```
public struct KeychainFault: Sendable {
    private enum Effect: Sendable {
        case error(KeychainError)
        case wait(@Sendable () -> Void)
        case fullDisk
        case damage
        case change(@Sendable (Keychain) throws -> Void)
    }

    private let effect: Effect

    /// The item is locked: `KeychainError.locked`, `errSecInteractionNotAllowed` (-25308).
    ///
    /// It affects one call. ``TestKeychain/lock()`` locks the keychain as a device is locked, which does not affect
    /// items of some protection classes.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.locked, on: .call(1))
    /// ```
    public static var locked: Self { .error(.locked) }

    /// The user cannot be prompted for the item: the same as ``locked``, since Apple's keychain uses one code for both.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.interactionNotAllowed, on: .calls { $0.operation == .find })
    /// ```
    public static var interactionNotAllowed: Self { .locked }

    /// Another item has the same primary key: `KeychainError.duplicateItem`, `errSecDuplicateItem` (-25299).
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.duplicate, on: .firstCall { $0.operation == .add })
    /// ```
    public static var duplicate: Self { .error(.duplicateItem) }

    /// The item is damaged, but not the rest of the vault: kind `damagedItem`, `errSecDecode` (-26275).
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.damagedItem, on: .firstCall { $0.operation == .readSecret })
    /// ```
    public static var damagedItem: Self {
        .error(.vault(VaultError(kind: .damagedItem, description: "the item is damaged: simulated by the test")))
    }

    /// Throws an error of your choice instead of making the call.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.error(.notEntitled(.anyGroup)))  // errSecMissingEntitlement, -34018
    /// ```
    public static func error(_ error: KeychainError) -> Self { Self(effect: .error(error)) }

    /// The call runs after a delay, during which the caller's thread sleeps.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.slow(.milliseconds(200)), on: .calls { $0.operation == .readSecret })
    /// ```
    public static func slow(_ duration: Duration) -> Self { .slow(duration, wait: sleep) }

    /// The call runs after a delay that `wait` provides.
    ///
    /// ```swift
    /// let clock = TestClock()
    /// try TestKeychain.current.fail(.slow(.seconds(5)) { clock.advance(by: $0) }, on: .allCalls)
    /// ```
    ///
    /// - Parameters:
    ///   - duration: The length of the delay.
    ///   - wait: A closure that delays the caller's thread: it advances a test's clock, or returns when the test has
    ///     seen what it needs.
    /// - Returns: The fault.
    public static func slow(_ duration: Duration, wait: @escaping @Sendable (Duration) -> Void) -> Self {
        Self(effect: .wait { wait(duration) })
    }

    /// The disk is full when the call writes: kind `diskFull`, `errSecNotAvailable` (-25291).
    ///
    /// The disk has space again for the next call, unless that is part of the same transaction.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.diskFull, on: .firstCall { $0.operation == .add })
    /// ```
    public static var diskFull: Self { Self(effect: .fullDisk) }

    /// The vault file is damaged before the call, permanently: kind `damaged`, `errSecNotAvailable` (-25291).
    ///
    /// Bits are flipped throughout the file; the engine finds the damage itself, in this call and in all that follow.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.corrupt)
    /// ```
    public static var corrupt: Self { Self(effect: .damage) }

    /// Another process changes something before the call, which may make earlier results outdated.
    ///
    /// Calls within a transaction are not affected, since no other process can write then. If `change` throws, the
    /// error is recorded as an issue of the test.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(
    ///     .changedByOther { other in try other.deleteAll(GenericPassword.self, where: .account("kim")) },
    ///     on: .firstCall { $0.operation == .update }
    /// )
    /// ```
    ///
    /// - Parameter change: A closure that makes changes through the other process's keychain, which has the same access
    ///   groups and is unlocked; its calls are not recorded.
    /// - Returns: The fault.
    public static func changedByOther(_ change: @escaping @Sendable (Keychain) throws -> Void) -> Self {
        Self(effect: .change(change))
    }

    @Sendable private static func sleep(_ duration: Duration) {
        let time = MachineTime()
        let end = ContinuousClock.now + duration
        // A signal can end a sleep early.
        while ContinuousClock.now < end {
            let (seconds, attoseconds) = ContinuousClock.now.duration(to: end).components
            guard seconds >= 0, attoseconds >= 0 else { return }
            time.sleep(nanoseconds: UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000 + 1)
        }
    }

    /// Whether the fault can affect `call`.
    func canAffect(in call: KeychainCall) -> Bool {
        if case .change = effect { !call.isInTransaction } else { true }
    }

    /// Makes the fault happen.
    func apply(at place: TestVaultSetup) throws(KeychainError) {
        switch effect {
        case .error(let error): throw error
        case .wait(let wait): wait()
        case .fullDisk: place.files.isFull = true
        case .damage: reporting { try place.damageVault() }
        case .change(let change): reporting { try change(place.otherKeychain()) }
        }
    }

    /// Records errors while simulating a fault as issues of the test, since the caller does not know of them.
    private func reporting(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            Issue.record(error, "could not simulate the fault in a keychain call")
        }
    }
}
