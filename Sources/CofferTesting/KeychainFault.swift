public import Coffer
internal import Testing
internal import VaultFiles

/// Something that goes wrong with a call of a keychain.
///
/// A fault is as real as can be: for a full disk or a damaged file nobody makes up an error, but the engine meets one.
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
    /// It is for one call. ``TestKeychain/lock()`` locks the keychain as a device is locked, which items of some protections
    /// do not mind.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.locked, on: .call(1))
    /// ```
    public static var locked: Self { .error(.locked) }

    /// Nobody can be asked for what the item demands: the same as ``locked``, which is how Apple's keychain says it.
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

    /// The item is damaged, and the rest of the vault is not: kind `damagedItem`, `errSecDecode` (-26275).
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.damagedItem, on: .firstCall { $0.operation == .readSecret })
    /// ```
    public static var damagedItem: Self {
        .error(.vault(VaultError(kind: .damagedItem, description: "the item is damaged, as the test wants it")))
    }

    /// Any other error, instead of the call.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.error(.notEntitled(.anyGroup)))  // errSecMissingEntitlement, -34018
    /// ```
    public static func error(_ error: KeychainError) -> Self { Self(effect: .error(error)) }

    /// The call takes so long, and is done then: the thread of the caller sleeps.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.slow(.milliseconds(200)), on: .calls { $0.operation == .readSecret })
    /// ```
    public static func slow(_ duration: Duration) -> Self { .slow(duration, wait: sleep) }

    /// The call takes so long, and is done then, as `wait` has it.
    ///
    /// ```swift
    /// let clock = TestClock()
    /// try TestKeychain.current.fail(.slow(.seconds(5)) { clock.advance(by: $0) }, on: .allCalls)
    /// ```
    ///
    /// - Parameters:
    ///   - duration: How long.
    ///   - wait: Waits so long, on the thread of the caller: it moves the clock of a test on, or returns when the test has
    ///     seen what it wants to.
    /// - Returns: The fault.
    public static func slow(_ duration: Duration, wait: @escaping @Sendable (Duration) -> Void) -> Self {
        Self(effect: .wait { wait(duration) })
    }

    /// There is no room on the disk for what the call writes: kind `diskFull`, `errSecNotAvailable` (-25291).
    ///
    /// The next call, other than those in a transaction that was struck, finds room again.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.diskFull, on: .firstCall { $0.operation == .add })
    /// ```
    public static var diskFull: Self { Self(effect: .fullDisk) }

    /// The file of the vault is damaged before the call goes on, for good: kind `damaged`, `errSecNotAvailable` (-25291).
    ///
    /// Bits are flipped all over the file; the engine finds that by itself, in this call and in all that follow.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(.corrupt)
    /// ```
    public static var corrupt: Self { Self(effect: .damage) }

    /// Another process changes something before the call goes on: what it knew before may be wrong now.
    ///
    /// A call within a transaction is not struck, since nobody else can write then. What `change` throws is an issue of the
    /// test.
    ///
    /// ```swift
    /// try TestKeychain.current.fail(
    ///     .changedByOther { other in try other.deleteAll(GenericPassword.self, where: .account("kim")) },
    ///     on: .firstCall { $0.operation == .update }
    /// )
    /// ```
    ///
    /// - Parameter change: Changes something with the keychain of the other process, which has the same access groups, and
    ///   is unlocked; its calls are not recorded.
    /// - Returns: The fault.
    public static func changedByOther(_ change: @escaping @Sendable (Keychain) throws -> Void) -> Self {
        Self(effect: .change(change))
    }

    @Sendable private static func sleep(_ duration: Duration) {
        let time = MachineTime()
        let end = ContinuousClock.now + duration
        // A signal ends a sleep before its time.
        while ContinuousClock.now < end {
            let (seconds, attoseconds) = ContinuousClock.now.duration(to: end).components
            guard seconds >= 0, attoseconds >= 0 else { return }
            time.sleep(nanoseconds: UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000 + 1)
        }
    }

    /// Whether it can strike a call.
    func isPossible(in call: KeychainCall) -> Bool {
        if case .change = effect { !call.isInTransaction } else { true }
    }

    /// Happens.
    func strike(at place: TestPlace) throws(KeychainError) {
        switch effect {
        case .error(let error): throw error
        case .wait(let wait): wait()
        case .fullDisk: place.files.isFull = true
        case .damage: reporting { try place.damageVault() }
        case .change(let change): reporting { try change(place.otherKeychain()) }
        }
    }

    /// Makes what goes wrong with going wrong an issue of the test: the caller knows nothing of it.
    private func reporting(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            Issue.record(error, "what was to go wrong with a call of the keychain could not be done")
        }
    }
}
