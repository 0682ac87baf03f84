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
    public convenience init(secretBytes bytes: Span<UInt8>) throws(KeychainError) { self.init(bytes) }

    /// Lends the bytes to `body`.
    public func withSecretBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes(body)
    }

    /// Whether both have the same bytes.
    public static func == (one: Passphrase, other: Passphrase) -> Bool {
        one.withBytes { bytes in other.withBytes { bytes.hasSameBytes(as: $0) } }
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
        let keychain = sharingAuthentication
        let first: RefreshState<Value> = try keychain.refreshState(of: reference)
        guard isStale(first, wallMicroseconds) else { return first.value }
        // A secret that was replaced meanwhile is fresh, even if it looks stale because the clock was set.
        func isDone(_ state: RefreshState<Value>) -> Bool {
            state.value != first.value || !isStale(state, wallMicroseconds)
        }

        let lock = try keychain.refreshLock(of: reference)
        let deadline = ContinuousClock.now + timeout
        var pause = Duration.milliseconds(1)
        while try !translating(KeychainError.init, lock.tryTake()) {
            guard ContinuousClock.now < deadline else {
                throw KeychainError.refreshing(by: lock.holder, after: timeout)
            }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
            let state: RefreshState<Value> = try keychain.refreshState(of: reference)
            if isDone(state) { return state.value }
        }
        defer { lock.release() }
        let state: RefreshState<Value> = try keychain.refreshState(of: reference)
        if isDone(state) { return state.value }
        let new = try await replace(state.value)
        do throws(KeychainError) {
            try keychain.setSecret(new, of: reference, ifRevision: state.revision)
        } catch {
            guard error == .revisionDiffers else { throw error }
            let now: RefreshState<Value> = try keychain.refreshState(of: reference)
            guard isDone(now) else { throw error }
            return now.value
        }
        return new
    }

    /// This keychain, for several calls that ask the user at most once.
    private var sharingAuthentication: Keychain {
        guard authentication.context == nil else { return self }
        var call = authentication
        call.context = AuthenticationContext()
        return authenticating(call)
    }

    private func refreshState<Item: KeychainItem, Value: SecretValue>(
        of reference: KeychainReference<Item>
    ) throws(KeychainError) -> RefreshState<Value> {
        try calls.announce(.readSecret) { reference.request }
        let search = try secretSearch(reference)
        return try read { (vault, authentication) throws(KeychainError) in
            guard let found = try search.items(in: &vault, authentication, limit: 1).first else { throw .itemNotFound }
            let written = try translating(KeychainError.init, vault.metadata(of: found.item)).time
            let secret = try translating(KeychainError.init, authentication.secret(of: found.item, in: &vault))
            let value = try secret.lent { (bytes) throws(KeychainError) in try Value(secretBytes: bytes) }
            guard let value else { throw .itemNotFound }
            return RefreshState(
                value: value,
                revision: ItemRevision(found.item.revision),
                written: written.microseconds
            )
        }
    }

    private func refreshLock<Item: KeychainItem>(
        of reference: KeychainReference<Item>
    ) throws(KeychainError) -> RefreshLock {
        guard let store = try openedStore() else { throw .itemNotFound }
        return try translating(KeychainError.init, store.refreshLock(of: reference.item))
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
