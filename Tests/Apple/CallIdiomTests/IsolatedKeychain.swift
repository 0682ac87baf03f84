import Coffer
import TestSupport
import Testing

/// Gives each test case its own default keychain, and removes it afterwards.
struct IsolatedKeychain: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    fileprivate let hasPassphrase: Bool

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await TemporaryDirectory.temporaryDirectory.provideScope(for: test, testCase: testCase) {
            try await Keychain.withDefault(try keychain(in: TemporaryDirectory.current.path), operation: function)
        }
    }

    private func keychain(in directory: String) throws -> Keychain {
        var options = VaultOptions(
            locations: VaultLocations(
                vault: directory + "/idioms.coffer",
                deviceKey: directory + "/device.key",
                anchors: directory + "/anchors"
            )
        )
        options.passphraseCost = try PassphraseCost(memoryMiB: 64, passes: 2)
        var ladder = UnlockLadder(environment: ProgramEnvironment(variables: [:], isSetUserID: false))
        ladder.usesKernelKeyring = false
        if hasPassphrase { ladder.secret = .passphrase(Passphrase("correct horse")) }
        return Keychain(
            options: options,
            ladder: ladder,
            groups: AccessGroups(application: "com.example.idioms"),
            notices: { _ in }
        )
    }
}

extension Trait where Self == IsolatedKeychain {
    /// Gives each test case its own default keychain, which opens without a passphrase.
    static var isolatedKeychain: Self { IsolatedKeychain(hasPassphrase: false) }

    /// Gives each test case its own default keychain, which has a passphrase.
    static var isolatedKeychainWithPassphrase: Self { IsolatedKeychain(hasPassphrase: true) }
}
