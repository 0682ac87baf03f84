import Coffer
import Foundation
import Security
import TestSupport
import Testing

/// Gives each test case a default keychain of its own, over a new vault in an empty directory.
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
                try await Keychain.withDefault(DefaultKeychain(sample.keychain), operation: function)
            }
        }
    }
}

extension Trait where Self == OwnKeychain {
    /// A default keychain of a program that has declared nothing.
    static var ownKeychain: Self { OwnKeychain(groups: AccessGroups(application: "com.example.app")) }

    /// A default keychain of a program that has declared these groups.
    static func ownKeychain(_ groups: String...) -> Self { OwnKeychain(groups: AccessGroups(declared: groups)) }
}

/// The vault that the calls of a test use.
struct CallSample: Sendable {
    @TaskLocal static var ofTest: CallSample?

    let vault: Vault
    let options: VaultOptions
    private let groups: AccessGroups

    /// The sample of the test case that is running, which must have the trait `.ownKeychain`.
    static var current: CallSample {
        get throws { try #require(ofTest, "The test lacks the trait `.ownKeychain`.") }
    }

    /// A new vault in the directory of the test, which the key of the device opens.
    init(_ groups: AccessGroups, _ adapt: (inout VaultOptions) throws -> Void = { _ in }) throws {
        let directory = try TemporaryDirectory.current
        var options = VaultOptions(
            places: VaultPlaces(vault: nil, deviceKey: directory.appending(path: "device.key").path, anchors: nil)
        )
        try adapt(&options)
        self.options = options
        self.groups = groups
        vault = try Vault.create(at: directory.appending(path: "test.coffer").path, options: options)
    }

    var keychain: Keychain { vault.keychain(for: groups) }

    /// Locks the vault that the calls of the test use.
    static func lock() throws { try current.vault.lock() }

    /// Unlocks it again, with the key of the device.
    static func unlock() throws { try current.vault.unlock(with: .withoutVariables) }

    /// Makes calls as a program with other groups does.
    static func asProgram<Result>(_ groups: String..., operation: () throws -> Result) throws -> Result {
        let keychain = try current.vault.keychain(for: AccessGroups(declared: groups))
        return try Keychain.withDefault(DefaultKeychain(keychain), operation: operation)
    }
}

extension UnlockLadder {
    /// A ladder that looks at no variable of the environment.
    static var withoutVariables: UnlockLadder {
        UnlockLadder(environment: ProgramEnvironment(variables: [:], isSetUserID: false))
    }
}
