import Coffer
import Foundation
import LocalAuthentication
import Security
import KeychainTestSupport
import TestSupport
import Testing

/// Private keys whose access control demands the user when they are used.
@Suite("Calls: private keys demand the user", .ownKeychain) struct KeyAuthenticationTests {
    private let digest = Data(repeating: 7, count: 32) as CFData
    private let algorithm = SecKeyAlgorithm.ecdsaSignatureDigestX962SHA256
    private let query: [CFString: Any] = .keys([kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecReturnRef: true])

    /// Creates a private key with an access control, and stores it.
    @discardableResult
    private func create(
        _ flags: SecAccessControlCreateFlags,
        _ more: [CFString: Any] = [:],
        context: LAContext? = nil
    ) throws -> SecKey {
        let control = try #require(SecAccessControlCreateWithFlags(nil, "ak" as CFString, flags, nil))
        var attributes: [CFString: Any] = [kSecAttrIsPermanent: true, kSecAttrAccessControl: control]
        attributes[kSecUseAuthenticationContext] = context
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecPrivateKeyAttrs: attributes,
        ]
        return try #require(SecKeyCreateRandomKey(parameters.with(more) as CFDictionary, nil))
    }

    /// The code of the error with which signing fails; 0 if it succeeds.
    private func signature(_ key: SecKey) -> Int {
        var error: Unmanaged<CFError>?
        let signature = SecKeyCreateSignature(key, algorithm, digest, &error)
        return signature == nil ? error?.takeRetainedValue().code ?? 1 : 0
    }

    private func found(_ more: [CFString: Any] = [:]) throws -> SecKey {
        let object = try Call.found(query.with(more))
        return try #require(object as? SecKey)
    }

    @Test(arguments: [[:], [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]] as [[String: String]])
    func `finding does not ask, signing does`(more: [String: String]) throws {
        try create(
            [.privateKeyUsage, .userPresence],
            Dictionary(uniqueKeysWithValues: more.map { ($0 as CFString, $1) })
        )
        let key = try found()
        #expect(try Call.attributes(query)["accc"] != nil)
        #expect(LAHost.with(nil) { signature(key) } == -25308)
        #expect(ScriptedHost(.failure(.userCancel)).run { signature(key) } == -128)
        #expect(ScriptedHost(.failure(.authenticationFailed)).run { signature(key) } == -25293)
        let host = ScriptedHost(.success, .success)
        host.run {
            #expect(signature(key) == 0)
            #expect(signature(key) == 0)
        }
        #expect(host.requests == [.user(.passphrase), .user(.passphrase)])
    }

    @Test func `the public half asks nothing`() throws {
        try create([.privateKeyUsage, .userPresence])
        let key = try found()
        let signature = try #require(
            ScriptedHost(.success).run { SecKeyCreateSignature(key, algorithm, digest, nil) }
        )
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        #expect(SecKeyVerifySignature(publicKey, algorithm, digest, signature, nil))
    }

    @Test func `a new key asks too`() throws {
        let key = try create([.privateKeyUsage, .biometryAny])
        #expect(LAHost.with(nil) { signature(key) } == -25308)
        #expect(ScriptedHost(.success, biometryType: .faceID).run { signature(key) } == 0)
    }

    @Test func `such a key cannot be read`() throws {
        let key = try create([.privateKeyUsage])
        #expect(signature(key) == 0)
        #expect(SecKeyCopyExternalRepresentation(key, nil) == nil)
        let found = try found()
        #expect(signature(found) == 0)
        #expect(SecKeyCopyExternalRepresentation(found, nil) == nil)
        #expect((SecKeyCopyAttributes(found) as? [String: Any])?["v_Data"] == nil)
        #expect(try Call.found(.keys([kSecReturnData: true])) == nil)
    }

    @Test func `a key without that flag is asked for when it is found, and used freely`() throws {
        try create([.userPresence])
        LAHost.with(nil) { #expect(Call.find(query) == -25308) }
        let key = try AuthenticationHost.with(.willing) { try found() }
        #expect(LAHost.with(nil) { signature(key) } == 0)
    }

    @Test func `the context of the query is that of the key`() throws {
        try create([.privateKeyUsage, .userPresence])
        let key = try found([kSecUseAuthenticationContext: LAContext()])
        let host = ScriptedHost(.success)
        host.run {
            #expect(signature(key) == 0)
            #expect(signature(key) == 0)
        }
        #expect(host.requests.count == 1)
    }

    @Test func `decrypting, agreeing and the older functions ask`() throws {
        try create([.privateKeyUsage, .userPresence])
        let key = try found()
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let encryption = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
        let ciphertext = try #require(SecKeyCreateEncryptedData(publicKey, encryption, Data("x") as CFData, nil))
        LAHost.with(nil) {
            #expect(SecKeyCreateDecryptedData(key, encryption, ciphertext, nil) == nil)
            #expect(
                SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, publicKey, [:] as CFDictionary, nil) == nil
            )
            var signature = [UInt8](repeating: 0, count: 100)
            var count = signature.count
            let bytes = [UInt8](digest as Data)
            #expect(SecKeyRawSign(key, .PKCS1, bytes, bytes.count, &signature, &count) == -25308)
        }
        AuthenticationHost.with(.willing) {
            #expect(SecKeyCreateDecryptedData(key, encryption, ciphertext, nil) as Data? == Data("x"))
            #expect(
                SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, publicKey, [:] as CFDictionary, nil) != nil
            )
        }
    }

    @Test func `the key of an identity asks too`() throws {
        let certificate: [CFString: Any] = .cert([
            kSecAttrPublicKeyHash: Data("hash"), kSecValueData: Data(sampleCertificate),
        ])
        let control = SecAccessControlCreateWithFlags(nil, "ak" as CFString, [.privateKeyUsage, .userPresence], nil)
        let key: [CFString: Any] = .keys([
            kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrKeyType: kSecAttrKeyTypeEC, "priv": true,
            kSecAttrApplicationLabel: Data("hash"), kSecValueData: Data(samplePrivateKey),
            kSecAttrAccessControl: try #require(control),
        ])
        #expect([Call.add(certificate), Call.add(key)] == [0, 0])
        let identity = try #require(try Call.found(.idnt([kSecReturnRef: true])) as? SecIdentity)
        var found: SecKey?
        SecIdentityCopyPrivateKey(identity, &found)
        let privateKey = try #require(found)
        #expect(LAHost.with(nil) { signature(privateKey) } == -25308)
        #expect(ScriptedHost(.success).run { signature(privateKey) } == 0)
    }
}
