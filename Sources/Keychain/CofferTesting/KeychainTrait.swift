public import Coffer
public import Testing

/// Gives each test case its own keychain, as the default keychain of all code that it calls.
///
/// Code under test need not know: in the test and in the tasks that it starts, `SecItemAdd` and similar functions, and
/// `Keychain.default`, use ``TestKeychain/current``. Tests and test cases can run in parallel. Detached tasks, threads
/// and queues do not inherit it; pass ``TestKeychain/keychain`` to code that runs there.
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

    /// Each test of a suite gets its own keychain, rather than all tests sharing one.
    ///
    /// ```swift
    /// #expect(KeychainTrait.keychain.isRecursive)
    /// ```
    public var isRecursive: Bool { true }

    /// Runs a test case with its own keychain; Swift Testing calls this.
    ///
    /// ```swift
    /// try await KeychainTrait.keychain.provideScope(for: test, testCase: nil) { try await body() }
    /// ```
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The test case.
    ///   - function: The body of the test case.
    /// - Throws: The error of the test, or `VaultError` if the keychain cannot be created.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let keychain = try TestKeychain(groups: groups, hasPassphrase: hasPassphrase)
        try await TestKeychain.$ofTest.withValue(keychain) {
            try await Keychain.withDefault(keychain.keychain, operation: function)
        }
    }
}

extension Trait where Self == KeychainTrait {
    /// Gives each test case its own empty keychain, for a program without declared entitlements.
    ///
    /// ```swift
    /// @Test(.keychain) func `nothing is stored at first`() throws {
    ///     #expect(SecItemCopyMatching(query, nil) == errSecItemNotFound)
    /// }
    /// ```
    public static var keychain: Self { .keychain() }

    /// Gives each test case its own empty keychain.
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

    /// The keychain of the running test, which must have the trait `.keychain`.
    ///
    /// ```swift
    /// let keychain = try TestKeychain.current.keychain
    /// ```
    public static var current: TestKeychain {
        get throws { try #require(ofTest, "No keychain is available: the test lacks the trait `.keychain`.") }
    }
}
