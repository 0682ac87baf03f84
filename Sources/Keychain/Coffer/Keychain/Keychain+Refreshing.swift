internal import CofferBasics
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// A type in which a secret can be read: a `String`, an array of bytes, or a `Passphrase`, which is wiped.
///
/// ```swift
/// let fresh: String = try await keychain.refresh(token, when: { $0.isEmpty }) { old in try await renew(old) }
/// ```
public protocol SecretValue: SecretSource, Equatable, Sendable {
    /// Creates a copy of the bytes of a secret.
    ///
    /// - Throws: ``KeychainError/cannotDecode(_:)`` if the bytes are no such value.
    init(secretBytes bytes: Span<UInt8>) throws(KeychainError)
}

extension String: SecretValue {
    /// Creates a copy of the bytes of a secret, which must be UTF-8.
    public init(secretBytes bytes: Span<UInt8>) throws(KeychainError) { self = try String(secret: bytes) }
}

extension [UInt8]: SecretValue {
    /// Creates a copy of the bytes of a secret.
    public init(secretBytes bytes: Span<UInt8>) throws(KeychainError) { self = [UInt8](copying: bytes) }
}

extension Passphrase: SecretValue {
    /// Creates a copy of the bytes of a secret, which is wiped when it is released.
    public init(secretBytes bytes: Span<UInt8>) throws(KeychainError) { self.init(bytes) }

    /// Lends the bytes to `body`.
    public func withSecretBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes(body)
    }

    /// Whether both have the same bytes.
    public static func == (one: Passphrase, other: Passphrase) -> Bool {
        one.secret == other.secret
    }
}

// Secrets that are replaced now and then, such as tokens that can be used only once to get the next one.
extension Keychain {
    /// Returns the secret of an item, after replacing it if it is older than `age`.
    ///
    /// Of all threads and processes of this machine that find the secret too old, one calls its closure; the others wait
    /// and return what it stored. If that one dies or its closure throws, another one calls its own. A process that is
    /// killed after its closure has got a new secret, and before that is stored, loses the new secret: nothing can undo
    /// that.
    ///
    /// ```swift
    /// let token = try await keychain.refresh(login.reference, ifOlderThan: .seconds(3000)) { (old: String) in
    ///     try await renew(old)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - reference: The reference to the item, which must have a secret.
    ///   - age: The age from which on the secret is replaced. It counts from the last change to the item, by the clock of
    ///     the machine; a change that is as far in the future counts too, since the clock must have been set back.
    ///   - timeout: How long to wait for others.
    ///   - replace: A closure that returns a new secret in exchange for the old one.
    /// - Returns: The secret.
    /// - Throws: The error of `replace`, `CancellationError`, or a ``KeychainError``: ``KeychainError/revisionDiffers`` if
    ///   the item was changed otherwise while `replace` ran, and the secret is too old still.
    @discardableResult
    nonisolated(nonsending) public func refresh<Item: KeychainItem, Value: SecretValue>(
        _ reference: KeychainReference<Item>,
        ifOlderThan age: Duration,
        timeout: Duration = .seconds(60),
        _ replace: nonisolated(nonsending) (_ old: Value) async throws -> Value
    ) async throws -> Value {
        try await refresh(reference, timeout, isStale: { $0.isOlder(than: age, at: $1) }, replace)
    }

    /// Returns the secret of an item, after replacing it if it is stale.
    ///
    /// This is like ``refresh(_:ifOlderThan:timeout:_:)``, with another way to decide.
    ///
    /// ```swift
    /// let token = try await keychain.refresh(login.reference, when: { $0.hasSuffix("expired") }) { old in
    ///     try await renew(old)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - reference: The reference to the item, which must have a secret.
    ///   - isStale: A closure that returns whether a secret is to be replaced.
    ///   - timeout: How long to wait for others.
    ///   - replace: A closure that returns a new secret in exchange for the old one.
    /// - Returns: The secret.
    /// - Throws: The error of `replace`, `CancellationError`, or a ``KeychainError``.
    @discardableResult
    nonisolated(nonsending) public func refresh<Item: KeychainItem, Value: SecretValue>(
        _ reference: KeychainReference<Item>,
        when isStale: (_ secret: Value) -> Bool,
        timeout: Duration = .seconds(60),
        _ replace: nonisolated(nonsending) (_ old: Value) async throws -> Value
    ) async throws -> Value {
        try await refresh(reference, timeout, isStale: { state, _ in isStale(state.value) }, replace)
    }

    nonisolated(nonsending) private func refresh<Item: KeychainItem, Value: SecretValue>(
        _ reference: KeychainReference<Item>,
        _ timeout: Duration,
        isStale: (RefreshState<Value>, _ now: Int64) -> Bool,
        _ replace: nonisolated(nonsending) (Value) async throws -> Value
    ) async throws -> Value {
        var attempt = try RefreshAttempt<Item, Value>(sharingAuthentication, reference, timeout)
        defer { attempt.end() }
        while true {
            switch try attempt.step(isStale) {
            case .done(let value): return value
            case .wait(let pause): try await Task.sleep(for: pause)
            case .replace(let old): return try attempt.finish(with: await replace(old), isStale)
            }
        }
    }

    /// Does the same as ``refresh(_:ifOlderThan:timeout:_:)``, and blocks the caller's thread.
    package func refreshBlocking<Item: KeychainItem, Value: SecretValue>(
        _ reference: KeychainReference<Item>,
        ifOlderThan age: Duration,
        timeout: Duration,
        _ replace: (_ old: Value) throws -> Value
    ) throws -> Value {
        let isStale = { (state: RefreshState<Value>, now: Int64) in state.isOlder(than: age, at: now) }
        var attempt = try RefreshAttempt<Item, Value>(sharingAuthentication, reference, timeout)
        defer { attempt.end() }
        while true {
            switch try attempt.step(isStale) {
            case .done(let value): return value
            case .wait(let pause): MachineTime().sleep(nanoseconds: UInt64(pause / .nanoseconds(1)))
            case .replace(let old): return try attempt.finish(with: replace(old), isStale)
            }
        }
    }

    /// This keychain, for several calls that ask the user at most once.
    private var sharingAuthentication: Keychain {
        guard authentication.context == nil else { return self }
        var call = authentication
        call.context = AuthenticationContext()
        return authenticating(call)
    }

    fileprivate func refreshState<Item: KeychainItem, Value: SecretValue>(
        of reference: KeychainReference<Item>
    ) throws(KeychainError) -> RefreshState<Value> {
        let state = try read(.readSecret, ItemTarget(reference), returning: .data) { (search, vault, authentication) in
            guard let found = try search.items(in: &vault, authentication, limit: 1).first else {
                throw KeychainError.itemNotFound
            }
            let secret = try authentication.secret(of: found.item, in: &vault)
            let value = try secret.lent { (bytes) in try Value(secretBytes: bytes) }
            guard let value else { throw KeychainError.itemNotFound }
            return RefreshState(
                value: value,
                revision: ItemRevision(found.item.revision),
                written: found.item.written.time.microseconds
            )
        }
        guard let state else { throw .itemNotFound }
        return state
    }

    fileprivate func refreshLock<Item: KeychainItem>(
        of reference: KeychainReference<Item>
    ) throws(KeychainError) -> RefreshLock {
        guard let store = try openedStore() else { throw .itemNotFound }
        return try KeychainError.converting { try store.refreshLock(of: reference.item) }
    }
}

/// The steps of one caller of `refresh`: it finds the secret fresh, waits for others, or replaces it.
private struct RefreshAttempt<Item: KeychainItem, Value: SecretValue> {
    typealias Staleness = (RefreshState<Value>, _ now: Int64) -> Bool

    /// What to do next.
    enum Step {
        case done(Value)
        case wait(Duration)
        case replace(Value)
    }

    private let keychain: Keychain
    private let reference: KeychainReference<Item>
    private let timeout: Duration
    private let deadline: ContinuousClock.Instant
    private let first: RefreshState<Value>
    private var pause = Duration.milliseconds(1)
    private var lock: RefreshLock?
    private var isTaken = false
    private var revision: ItemRevision?

    init(_ keychain: Keychain, _ reference: KeychainReference<Item>, _ timeout: Duration) throws(KeychainError) {
        self.keychain = keychain
        self.reference = reference
        self.timeout = timeout
        deadline = .now + timeout
        first = try keychain.refreshState(of: reference)
    }

    mutating func step(_ isStale: Staleness) throws -> Step {
        if lock == nil, !isStale(first, keychain.wallMicroseconds) { return .done(first.value) }
        let lock = if let lock { lock } else { try keychain.refreshLock(of: reference) }
        self.lock = lock
        isTaken = try KeychainError.converting { try lock.tryTake() }
        let state: RefreshState<Value> = try keychain.refreshState(of: reference)
        if isDone(state, isStale) { return .done(state.value) }
        revision = state.revision
        if isTaken { return .replace(state.value) }
        guard ContinuousClock.now < deadline else { throw KeychainError.refreshing(by: lock.holder, after: timeout) }
        defer { pause = min(pause * 2, .milliseconds(50)) }
        return .wait(pause)
    }

    /// Whether others have replaced the secret; then it is fresh, even if it looks stale because the clock was set.
    private func isDone(_ state: RefreshState<Value>, _ isStale: Staleness) -> Bool {
        state.value != first.value || !isStale(state, keychain.wallMicroseconds)
    }

    /// Stores the new secret; if others have stored another fresh one meanwhile, that is returned.
    func finish(with new: Value, _ isStale: Staleness) throws(KeychainError) -> Value {
        do {
            try keychain.setSecret(new, of: reference, ifRevision: revision)
        } catch .revisionDiffers {
            let now: RefreshState<Value> = try keychain.refreshState(of: reference)
            guard isDone(now, isStale) else { throw .revisionDiffers }
            return now.value
        }
        return new
    }

    /// Lets others replace the secret.
    func end() {
        if isTaken { lock?.release() }
    }
}

/// The secret of an item that may have to be replaced.
private struct RefreshState<Value: SecretValue>: Sendable {
    let value: Value
    let revision: ItemRevision
    /// When the item was last changed, in microseconds since 1970.
    let written: Int64

    /// Whether the last change was `age` ago, or is as far in the future.
    func isOlder(than age: Duration, at now: Int64) -> Bool {
        let past = Duration.microseconds(now) - .microseconds(written)
        return max(past, .zero - past) >= age
    }
}

extension KeychainError {
    /// The error if another process refreshes an item for too long.
    fileprivate static func refreshing(by process: Int32?, after timeout: Duration) -> KeychainError {
        let holder = process.map { "process \($0)" } ?? "another process"
        return .vault(
            VaultError(
                kind: .busy,
                description: "timed out after \(timeout.components.seconds) s waiting for \(holder) to refresh the item"
            )
        )
    }
}
