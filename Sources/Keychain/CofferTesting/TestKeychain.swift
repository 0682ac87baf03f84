public import Coffer

/// A keychain for one test: the whole engine, with a vault in memory only.
///
/// It is a real vault, with encryption, transactions, access groups and locking; only the disk is simulated. It needs
/// no entitlements, files or unlocked session, and disappears when it is no longer referenced. It records each call,
/// and can make calls fail on request. Most tests create it with the trait `.keychain`:
///
/// ```swift
/// @Test(.keychain) func `signing out forgets the token`() throws {
///     let keychain = try TestKeychain.current.keychain
///     try keychain.add(GenericPassword(service: "api", account: "kim"), secret: "t0k3n")
///     signOut("kim")
///     #expect(try keychain.count(GenericPassword.self) == 0)
/// }
/// ```
public final class TestKeychain: Sendable {
    /// The keychain, to pass to the code under test.
    ///
    /// The trait makes it the default of the test and of the tasks that the test starts. Other threads must select it
    /// themselves:
    ///
    /// ```swift
    /// let keychain = try TestKeychain.current.keychain
    /// DispatchQueue.global().async {
    ///     Keychain.withDefault(keychain) { signOut("kim") }
    /// }
    /// ```
    public let keychain: Keychain
    let faultInjector: FaultInjector
    private let vault: Vault
    private let place: TestVaultSetup

    /// Creates an empty, unlocked keychain.
    ///
    /// ```swift
    /// let keychain = try TestKeychain(groups: AccessGroups(declared: ["TEAM.com.example.mail"]))
    /// ```
    ///
    /// - Parameters:
    ///   - groups: The access groups of the program. If none is declared, all groups are allowed; its own is `test`.
    ///   - hasPassphrase: Whether the vault has a passphrase, as a device has a passcode. Items with
    ///     `Accessibility.whenPasscodeSetThisDeviceOnly` require one. The test does not need to know the passphrase.
    /// - Throws: `VaultError` if the machine lacks what a vault needs, such as locked memory.
    public init(
        groups: AccessGroups = AccessGroups(application: "test"),
        hasPassphrase: Bool = false
    ) throws(VaultError) {
        place = try TestVaultSetup(groups: groups, hasPassphrase: hasPassphrase)
        vault = try place.made()
        faultInjector = FaultInjector(place)
        vault.declare(groups)
        keychain = Keychain(vault.store, groups: groups, observer: faultInjector.willCall)
    }

    // MARK: - Locking

    /// Locks the keychain, as a device is locked: protected items cannot be read until ``unlock()``.
    ///
    /// ```swift
    /// let keychain = try TestKeychain.current
    /// keychain.lock()
    /// #expect(SecItemCopyMatching(query, nil) == errSecInteractionNotAllowed)
    /// try keychain.unlock()
    /// ```
    public func lock() { vault.lock() }

    /// Unlocks the keychain.
    ///
    /// ```swift
    /// try TestKeychain.current.unlock()
    /// ```
    ///
    /// - Throws: `VaultError` if the vault cannot be unlocked, for example because it is damaged.
    public func unlock() throws(VaultError) { try vault.unlock(with: place.ladder) }

    // MARK: - Calls

    /// The calls since the start, or since ``forgetCalls()``, in order.
    ///
    /// A call is recorded when it begins, whatever its outcome. Secrets are not recorded.
    ///
    /// ```swift
    /// let calls = try TestKeychain.current.calls
    /// #expect(calls.map(\.operation) == [.find, .add])
    /// ```
    public var calls: [KeychainCall] { faultInjector.calls }

    /// Discards the recorded calls; the next one is number 1.
    ///
    /// ```swift
    /// try prepareAccount("kim")
    /// let keychain = try TestKeychain.current
    /// keychain.forgetCalls()
    /// try signIn("kim")
    /// #expect(keychain.calls.count == 1)
    /// ```
    public func forgetCalls() { faultInjector.forgetCalls() }

    // MARK: - Faults

    /// Injects a fault into the calls that match `calls`.
    ///
    /// If several faults match a call, they apply in the order in which they were added, up to the first that throws.
    ///
    /// ```swift
    /// let keychain = try TestKeychain.current
    /// keychain.fail(.locked, on: .call(3))
    /// keychain.fail(.diskFull, on: .calls { $0.operation == .add })
    /// keychain.fail(.slow(.seconds(2)), on: .allCalls)
    /// ```
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - calls: The calls that it affects: one, or all that match.
    public func fail(_ fault: KeychainFault, on calls: FaultyCalls = .nextCall) { faultInjector.add(fault, on: calls) }

    /// Removes the faults that have not happened yet, and those that happen repeatedly.
    ///
    /// The effects of earlier faults remain: a damaged vault stays damaged.
    ///
    /// ```swift
    /// let keychain = try TestKeychain.current
    /// keychain.fail(.locked, on: .allCalls)
    /// #expect(!canSignIn("kim"))
    /// keychain.removeFaults()
    /// #expect(canSignIn("kim"))
    /// ```
    public func removeFaults() { faultInjector.removeFaults() }
}
