public import Coffer

/// A keychain for one test: the whole engine, over a vault that exists in memory only.
///
/// It is a real vault, with encryption, transactions, access groups and locking; nothing of it is imitated but the disk.
/// No entitlements, no files and no unlocked session are needed, and it vanishes with the last who holds it. Beside that
/// it remembers each call, and can be told to let calls fail. Most tests get theirs by the trait `.keychain`:
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
    /// The keychain, for code that takes one.
    ///
    /// ```swift
    /// let store = TokenStore(keychain: try TestKeychain.current.keychain)
    /// ```
    public let keychain: Keychain
    /// The same keychain as what calls of `SecItem` use, for code on other threads.
    ///
    /// The trait makes it the default of the test and of the tasks that it starts. A thread that is none of these says
    /// itself which keychain it means:
    ///
    /// ```swift
    /// let defaultKeychain = try TestKeychain.current.defaultKeychain
    /// DispatchQueue.global().async {
    ///     Keychain.withDefault(defaultKeychain) { signOut("kim") }
    /// }
    /// ```
    public let defaultKeychain: DefaultKeychain
    let script: CallScript
    private let vault: Vault
    private let place: TestPlace

    /// Makes an empty keychain, which is unlocked.
    ///
    /// ```swift
    /// let keychain = try TestKeychain(groups: AccessGroups(declared: ["TEAM.com.example.mail"]))
    /// ```
    ///
    /// - Parameters:
    ///   - groups: The access groups of the program. Without any that is declared, all may be named, and `test` is its own.
    ///   - hasPassphrase: Whether the vault has a passphrase, as a device has a passcode: only then there are items for
    ///     `Accessibility.whenPasscodeSetThisDeviceOnly`. What the passphrase is, nobody needs to know.
    /// - Throws: That the machine does not give what a vault needs, such as memory that is locked.
    public init(
        groups: AccessGroups = AccessGroups(application: "test"),
        hasPassphrase: Bool = false
    ) throws(VaultError) {
        place = try TestPlace(groups: groups, hasPassphrase: hasPassphrase)
        vault = try place.made()
        script = CallScript(place)
        keychain = Keychain(vault.store, groups: groups, observer: script)
        defaultKeychain = DefaultKeychain(keychain)
    }

    // MARK: - Locking

    /// Locks the keychain, as a device is locked: what is protected so cannot be read until ``unlock()``.
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
    /// - Throws: What is wrong with the vault, such as that it was damaged.
    public func unlock() throws(VaultError) { try vault.unlock(with: place.ladder) }

    // MARK: - Calls

    /// The calls that were made since the beginning, or since ``forgetCalls()``, in their order.
    ///
    /// A call is here as soon as it begins, whatever comes of it. There is no secret in it.
    ///
    /// ```swift
    /// let calls = try TestKeychain.current.calls
    /// #expect(calls.map(\.operation) == [.find, .add])
    /// ```
    public var calls: [KeychainCall] { script.calls }

    /// Forgets the calls so far: the next one is number 1.
    ///
    /// ```swift
    /// try prepareAccount("kim")
    /// let keychain = try TestKeychain.current
    /// keychain.forgetCalls()
    /// try signIn("kim")
    /// #expect(keychain.calls.count == 1)
    /// ```
    public func forgetCalls() { script.forgetCalls() }

    // MARK: - Faults

    /// Lets something go wrong with the calls that `calls` describes.
    ///
    /// Of several faults that strike the same call each does, in the order in which they were given, until one is an error.
    ///
    /// ```swift
    /// let keychain = try TestKeychain.current
    /// keychain.fail(.locked, on: .call(3))
    /// keychain.fail(.diskFull, on: .calls { $0.operation == .add })
    /// keychain.fail(.slow(.seconds(2)), on: .allCalls)
    /// ```
    ///
    /// - Parameters:
    ///   - fault: What goes wrong.
    ///   - calls: Which calls it strikes: one, or all that are alike.
    public func fail(_ fault: KeychainFault, on calls: FaultyCalls = .nextCall) { script.add(fault, on: calls) }

    /// Takes back the faults that have not struck yet, and those that strike again and again.
    ///
    /// What a fault has done to the vault stays: a damaged one is damaged.
    ///
    /// ```swift
    /// let keychain = try TestKeychain.current
    /// keychain.fail(.locked, on: .allCalls)
    /// #expect(!canSignIn("kim"))
    /// keychain.removeFaults()
    /// #expect(canSignIn("kim"))
    /// ```
    public func removeFaults() { script.removeFaults() }
}
