import Foundation
import Security
import Testing

@Suite("Using keys from the keychain", .isolatedKeychain) struct KeychainKeyIdiomTests {
    private let privateKey: SecKey
    private let publicKey: SecKey

    init() throws {
        privateKey = try SecKey.make()
        publicKey = try #require(SecKeyCopyPublicKey(privateKey))
    }

    private func key(_ keyClass: CFString, tagged tag: String) throws -> SecKey {
        let bytes = try #require((keyClass == kSecAttrKeyClassPublic ? publicKey : privateKey).stored)
        let attributes: [String: Any] = [
            kSecClass as String: kSecClassKey,
            kSecAttrKeyClass as String: keyClass,
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits as String: 256,
            kSecAttrApplicationTag as String: Data(tag.utf8),
            kSecValueData as String: bytes,
        ]
        try #require(SecItemAdd(attributes as CFDictionary, nil) == errSecSuccess)
        return try #require(KeychainCalls.key(tagged: tag))
    }

    @Test func `keys are found by tag`() throws {
        let key = try key(kSecAttrKeyClassPrivate, tagged: "com.example.signing")
        #expect(CFGetTypeID(key) == SecKeyGetTypeID())
        #expect(KeychainCalls.key(tagged: "com.example.signing") == key)
        #expect(KeychainCalls.key(tagged: "com.example") == nil)
        #expect(Set([key, try #require(KeychainCalls.key(tagged: "com.example.signing"))]).count == 1)
    }

    @Test func `attributes of keys can be compared with constants`() throws {
        let signing = try key(kSecAttrKeyClassPrivate, tagged: "signing")
        let verifying = try key(kSecAttrKeyClassPublic, tagged: "verifying")
        #expect(!signing.isPublic && verifying.isPublic)
        let attributes = try #require(SecKeyCopyAttributes(signing) as? [String: Any])
        #expect(attributes[kSecAttrKeyType as String] as? String == kSecAttrKeyTypeEC as String)
        #expect(attributes[kSecAttrKeySizeInBits as String] as? Int == 256)
        #expect(SecKeyGetBlockSize(signing) == 32)
        #expect(SecKeyCopyPublicKey(verifying) == verifying)
        #expect(SecKeyCopyPublicKey(signing) == verifying)
    }

    @Test func `the bytes of a key can be read`() throws {
        let key = try key(kSecAttrKeyClassPrivate, tagged: "signing")
        #expect(key.stored == privateKey.stored)
    }

    @Test func `unsupported operations return an error that can be thrown`() throws {
        let key = try key(kSecAttrKeyClassPublic, tagged: "verifying")
        #expect(throws: CFError.self) { try key.signature(of: Data("message".utf8)) }
        var error: Unmanaged<CFError>?
        let message = Data("message".utf8) as CFData
        #expect(SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, &error) == nil)
        #expect(error.map { CFErrorGetCode($0.takeRetainedValue()) } == CFIndex(errSecParam))
    }

    @Test func `keys can be found and deleted by reference`() throws {
        let signing = try key(kSecAttrKeyClassPrivate, tagged: "signing")
        let verifying = try key(kSecAttrKeyClassPublic, tagged: "verifying")
        #expect(SecItemCopyMatching([kSecValueRef: signing] as CFDictionary, nil) == errSecSuccess)
        #expect(SecItemDelete([kSecValueRef: signing] as CFDictionary) == errSecSuccess)
        #expect(KeychainCalls.key(tagged: "signing") == nil)
        #expect(KeychainCalls.key(tagged: "verifying") == verifying)
        #expect(SecItemAdd([kSecValueRef: signing, kSecAttrLabel: "again"] as CFDictionary, nil) == errSecSuccess)
    }
}
