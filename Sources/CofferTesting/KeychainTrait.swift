public import Coffer
public import Testing

/// Gives each test case a keychain of its own, as the default of all that it calls.
///
/// Code under test needs to know nothing of it: in the test, and in the tasks that it starts, `SecItemAdd` and its kin, and
/// `Keychain.default`, mean ``TestKeychain/current``. Tests may run in parallel, the cases of one as well. Detached
/// tasks, threads and queues inherit nothing; what runs there is given ``TestKeychain/defaultKeychain``.
///
/// ```swift
/// @Suite(.keychain) struct SignInTests {
///     @Test func `a token is kept`() throws {
///         signIn("kim")
///         #expect(try TestKeychain.current.calls.map(\.operation) == [.add])
///     }
/// }
/// ```
public struct KeychainTrait: TestTrait, SuiteTrait, TestScoping {
    let groups: AccessGroups
    let hasPassphrase: Bool

    /// Each test of a suite gets its own, and not the suite one for all.
    ///
    /// ```swift
    /// #expect(KeychainTrait.keychain.isRecursive)
    /// ```
    public var isRecursive: Bool { true }

    /// Runs a test case with a keychain of its own; Swift Testing calls this.
    ///
    /// ```swift
    /// try await KeychainTrait.keychain.provideScope(for: test, testCase: nil) { try await body() }
    /// ```
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The case.
    ///   - function: Runs it.
    /// - Throws: What the test throws, or why there is no keychain.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let keychain = try TestKeychain(groups: groups, hasPassphrase: hasPassphrase)
        try await TestKeychain.$ofTest.withValue(keychain) {
            try await Keychain.withDefault(keychain.defaultKeychain, operation: function)
        }
    }
}

extension Trait where Self == KeychainTrait {
    /// Gives each test case an empty keychain of its own, of a program that has declared nothing.
    ///
    /// ```swift
    /// @Test(.keychain) func `nothing is stored at first`() throws {
    ///     #expect(SecItemCopyMatching(query, nil) == errSecItemNotFound)
    /// }
    /// ```
    public static var keychain: Self { .keychain() }

    /// Gives each test case an empty keychain of its own.
    ///
    /// ```swift
    /// @Test(.keychain(groups: AccessGroups(declared: ["TEAM.com.example.mail"]), hasPassphrase: true))
    /// func `the widget may not read mail`() throws {}
    /// ```
    ///
    /// - Parameters:
    ///   - groups: The access groups of the program.
    ///   - hasPassphrase: Whether the vault has a passphrase, as a device has a passcode.
    /// - Returns: The trait.
    public static func keychain(
        groups: AccessGroups = AccessGroups(application: "test"),
        hasPassphrase: Bool = false
    ) -> Self {
        KeychainTrait(groups: groups, hasPassphrase: hasPassphrase)
    }
}

extension TestKeychain {
    @TaskLocal fileprivate static var ofTest: TestKeychain?

    /// The keychain of the test that is running, which must have the trait `.keychain`.
    ///
    /// ```swift
    /// let keychain = try TestKeychain.current.keychain
    /// ```
    public static var current: TestKeychain {
        get throws { try #require(ofTest, "There is no keychain here: the test lacks the trait `.keychain`.") }
    }
}
