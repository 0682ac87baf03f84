import Coffer
import Foundation
import KeychainTestSupport
import Security
import TestSupport
import Testing

@Suite("Adding items", .isolatedKeychain) struct KeychainAddingIdiomTests {
    @Test func `with strings as keys`() {
        #expect(KeychainCalls.addWithTextKeys("kim", "secret") == errSecSuccess)
        #expect(KeychainCalls.text("kim") == "secret")
        #expect(KeychainCalls.addWithTextKeys("kim", "other") == errSecDuplicateItem)
        #expect(KeychainCalls.text("kim") == "secret")
    }

    @Test func `with constants as keys`() {
        #expect(KeychainCalls.addWithConstantKeys("kim", "secret") == errSecSuccess)
        #expect(KeychainCalls.data("kim") == Data("secret".utf8))
        #expect(KeychainCalls.addWithTextKeys("kim", "other") == errSecDuplicateItem)
    }

    @Test func `with a mutable dictionary`() {
        #expect(KeychainCalls.addWithMutableDictionary("kim", "secret") == errSecSuccess)
        #expect(KeychainCalls.text("kim") == "secret")
    }

    @Test func `without data, ignoring the status`() {
        KeychainCalls.addAndForget("kim")
        KeychainCalls.addAndForget("kim")
        #expect(KeychainCalls.exists("kim"))
        #expect(KeychainCalls.accounts() == ["kim"])
        #expect(KeychainCalls.data("kim") == nil)
    }

    @Test func `returning a persistent reference`() throws {
        let reference = try #require(KeychainCalls.addAndReturnPersistentReference("kim"))
        #expect(reference.count == 20)
        #expect(reference.prefix(4) == Data("genp".utf8))
        #expect(KeychainCalls.addAndReturnPersistentReference("kim") == nil)
        #expect(KeychainCalls.data(at: reference) == nil)
        #expect(KeychainCalls.update("kim", "secret") == errSecSuccess)
        #expect(KeychainCalls.data(at: reference) == Data("secret".utf8))
        #expect(KeychainCalls.data(at: reference.dropLast()) == nil)
    }

    @Test func `with optional values`() {
        #expect(KeychainCalls.addWithOptionalValues("kim", label: "mail") == errSecSuccess)
        #expect(KeychainCalls.exists("kim"))
        // Nil is passed as a value, which is invalid for a label. Leaving it out would change the request.
        #expect(KeychainCalls.addWithOptionalValues("lee", label: nil) == errSecParam)
        #expect(!KeychainCalls.exists("lee"))
    }

    @Test func `an internet password`() throws {
        #expect(KeychainCalls.addInternetPassword("kim", "secret") == errSecSuccess)
        #expect(KeychainCalls.addInternetPassword("kim", "other") == errSecDuplicateItem)
        var result: AnyObject?
        let status = KeychainCalls.forward(
            ["class": kSecClassInternetPassword, "r_Attributes": true, "r_Data": true],
            &result
        )
        #expect(status == errSecSuccess)
        let item = try #require(result as? [String: Any])
        #expect(item[kSecAttrServer as String] as? String == "example.test")
        #expect(item[kSecAttrPort as String] as? Int == 443)
        #expect(item[kSecAttrProtocol as String] as? String == kSecAttrProtocolHTTPS as String)
        #expect(item[kSecAttrAccessible as String] as? String == kSecAttrAccessibleAfterFirstUnlock as String)
        #expect(item[kSecAttrSynchronizable as String] as? Bool == false)
        #expect(item[kSecValueData as String] as? Data == Data("secret".utf8))
    }

    @Test func `with keys that are not strings, without a crash`() {
        #expect(KeychainCalls.addWithKeysThatAreNotStrings() == errSecParam)
    }

    @Test func `with contradictory flags`() throws {
        let error = #expect(throws: NSError.self) { try KeychainCalls.addWithAccessControl("kim", [.or, .and]) }
        #expect(error?.code == Int(errSecParam))
        #expect(!KeychainCalls.exists("kim"))
    }

    @Test func `with a protection class that requires a passphrase, without one`() throws {
        #expect(try KeychainCalls.addWithAccessControl("kim", .userPresence) == errSecNotAvailable)
        #expect(!KeychainCalls.exists("kim"))
    }
}

@Suite("Adding protected items", .isolatedKeychainWithPassphrase) struct ProtectedAddingIdiomTests {
    @Test func `with an access control, which is returned`() throws {
        #expect(try KeychainCalls.addWithAccessControl("kim", .userPresence) == errSecSuccess)
        let access = SecAccessControlCreateWithFlags(
            nil,
            kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
            .userPresence,
            nil
        )
        #expect(AuthenticationHost.with(.willing) { KeychainCalls.accessControl("kim") } == access)
        #expect(KeychainCalls.accessControl("lee") == nil)
        #expect(try KeychainCalls.addWithAccessControl("kim", []) == errSecDuplicateItem)
    }
}
