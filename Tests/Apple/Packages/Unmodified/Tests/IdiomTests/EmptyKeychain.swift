import Foundation
import Security
import Testing

/// Empties the keychain before each test; the tests must run one after another.
struct EmptyKeychain: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
            let status = SecItemDelete([kSecClass: itemClass] as CFDictionary)
            try #require(status == errSecSuccess || status == errSecItemNotFound)
        }
        try await function()
    }
}

extension Trait where Self == EmptyKeychain {
    /// Empties the keychain before each test.
    static var isolatedKeychain: Self { EmptyKeychain() }
}
