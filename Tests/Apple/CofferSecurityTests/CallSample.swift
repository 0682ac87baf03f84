import Coffer
import Foundation
import Security
import TestSupport
import Testing
import VaultCrypto
import VaultFormat
import VaultStore

/// Gives each test case its own default keychain, with a new vault in an empty directory.
struct OwnKeychain: TestTrait, SuiteTrait, TestScoping {
    let groups: AccessGroups
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let groups = groups
        try await TemporaryDirectory.temporaryDirectory.provideScope(for: test, testCase: testCase) {
            let sample = try CallSample(groups)
            try await CallSample.$ofTest.withValue(sample) {
                // Another test installs a host for the whole process.
                try await AuthenticationHost.with(nil) {
                    try await Keychain.withDefault(sample.keychain, operation: function)
                }
            }
        }
    }
}

extension Trait where Self == OwnKeychain {
    /// A default keychain for a program without declared groups.
    static var ownKeychain: Self { OwnKeychain(groups: AccessGroups(application: "com.example.app")) }

    /// A default keychain for a program that declares these groups.
    static func ownKeychain(_ groups: String...) -> Self { OwnKeychain(groups: AccessGroups(declared: groups)) }
}

/// The vault that the calls of a test use.
struct CallSample: Sendable {
    @TaskLocal static var ofTest: CallSample?

    let vault: Vault
    let options: VaultOptions
    private let groups: AccessGroups

    /// The sample of the running test case, which must have the trait `.ownKeychain`.
    static var current: CallSample {
        get throws { try #require(ofTest, "The test lacks the trait `.ownKeychain`.") }
    }

    /// Creates a vault in the directory of the test, which the device key opens.
    init(_ groups: AccessGroups, _ adapt: (inout VaultOptions) throws -> Void = { _ in }) throws {
        let directory = try TemporaryDirectory.current
        var options = VaultOptions(
            locations: VaultLocations(vault: nil, deviceKey: directory.appending(path: "device.key").path, anchors: nil)
        )
        options.passphraseCost = PassphraseCost(Argon2Parameters(operations: 1, memoryKiB: 8192), .reader)
        try adapt(&options)
        self.options = options
        self.groups = groups
        let name = "\(UUID().uuidString).coffer"
        vault = try Vault.create(at: directory.appending(path: name).path, options: options)
    }

    var keychain: Keychain { vault.keychain(for: groups) }

    /// Locks the vault that the calls of the test use.
    static func lock() throws { try current.vault.lock() }

    /// Unlocks the vault again, with the device key.
    static func unlock() throws { try current.vault.unlock(with: .withoutVariables) }

    /// Makes calls on a machine whose clock moves only on request.
    static func withTime(_ operation: (ManualTime) throws -> Void) throws {
        let time = ManualTime()
        let sample = try CallSample(AccessGroups(application: "com.example.app")) { options in
            options.environment = StoreEnvironment(time: time, random: try SystemRandom())
        }
        try Keychain.withDefault(sample.keychain) { try operation(time) }
    }

    /// Makes calls as a program with other groups.
    static func asProgram<Result>(_ groups: String..., operation: () throws -> Result) throws -> Result {
        let keychain = try current.vault.keychain(for: AccessGroups(declared: groups))
        return try Keychain.withDefault(keychain, operation: operation)
    }
}

extension UnlockLadder {
    /// A ladder that ignores environment variables.
    static var withoutVariables: UnlockLadder {
        UnlockLadder(environment: ProgramEnvironment(variables: [:], isSetUserID: false))
    }
}
