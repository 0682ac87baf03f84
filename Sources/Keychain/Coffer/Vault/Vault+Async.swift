internal import CofferBasics
internal import VaultFormat
internal import VaultStore

// Asynchronous forms of calls that may take a while. Each runs on a thread of its own, so that other tasks go on.
extension Vault {
    /// Opens the vault at `path` without blocking the calling task's thread.
    ///
    /// - Parameters:
    ///   - path: The path of the vault.
    ///   - ladder: The sources of the secrets that open the vault.
    ///   - options: The options for using the vault.
    /// - Returns: The vault.
    /// - Throws: ``VaultError`` if the vault cannot be opened; ``VaultError/unlocking`` says what was tried.
    public static func open(
        at path: String,
        with ladder: UnlockLadder = UnlockLadder(),
        options: VaultOptions = VaultOptions()
    ) async throws(VaultError) -> Vault {
        try await DedicatedThread.run { () throws(VaultError) in try open(at: path, with: ladder, options: options) }
    }

    /// Creates a vault in a new file without blocking the calling task's thread, and opens it.
    ///
    /// - Parameters:
    ///   - path: The path of the vault. Its directory is created if it does not exist.
    ///   - protection: What opens the vault.
    ///   - options: The options for using the vault.
    /// - Returns: The vault.
    /// - Throws: ``VaultError`` if the vault cannot be created. An existing file is not changed.
    public static func create(
        at path: String,
        protection: VaultProtection = VaultProtection(),
        options: VaultOptions = VaultOptions()
    ) async throws(VaultError) -> Vault {
        try await DedicatedThread.run { () throws(VaultError) in
            try create(at: path, protection: protection, options: options)
        }
    }

    /// Unlocks the vault without blocking the calling task's thread.
    ///
    /// - Parameter ladder: The sources of the secrets that open the vault.
    /// - Throws: ``VaultError`` if the vault cannot be unlocked; ``VaultError/unlocking`` says what was tried.
    public func unlock(with ladder: UnlockLadder = UnlockLadder()) async throws(VaultError) {
        try await perform { (vault) throws(VaultError) in try vault.unlock(with: ladder) }
    }

    /// Calls `body` with the vault on a thread of its own, without blocking the calling task's thread.
    ///
    /// - Parameter body: The work to do.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    public func perform<Result: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (Vault) throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await DedicatedThread.run { () throws(Failure) in try body(self) }
    }
}

extension Keychain {
    /// Calls `body` with the keychain on a thread of its own, without blocking the calling task's thread.
    ///
    /// This is the asynchronous form of every call of the keychain. If the task is canceled, `body` still ends.
    ///
    /// ```swift
    /// try await keychain.perform { try $0.passwords(service: "api").set(token, for: account) }
    /// let token = try await keychain.perform { try $0.passwords(service: "api")[account] }
    /// ```
    ///
    /// - Parameter body: The work to do.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    public func perform<Result: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (Keychain) throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await DedicatedThread.run { () throws(Failure) in try body(self) }
    }
}

/// Waits for changes to a vault by any program, one after the other.
///
/// Only one thread may wait at a time.
package final class VaultChanges: Sendable {
    private let watch: ChangeWatch

    fileprivate init(_ watch: ChangeWatch) {
        self.watch = watch
    }

    /// Waits for the next change, and returns whether there was one; compare revisions to see which items changed.
    package func next(timeout: Duration) throws(VaultError) -> Bool {
        try VaultError.converting {
            try watch.next(timeout: timeout) != nil
        }
    }

    /// Ends the wait of another thread, and all later waits.
    package func stop() { watch.stop() }
}

extension Vault {
    /// Begins to watch the vault for changes from now on.
    package func changes() throws(VaultError) -> VaultChanges {
        VaultChanges(try VaultError.converting { try store.watch() })
    }
}
