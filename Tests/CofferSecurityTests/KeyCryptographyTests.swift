import Foundation
import Security
import Testing

@Suite("Unsupported cryptography with keys") struct KeyCryptographyTests {
    private let key: SecKey
    private let bytes = Data([1, 2, 3]) as CFData
    private let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256

    init() throws {
        key = try #require(sampleKey())
    }

    @Test func `no key is created`() {
        #expect(failure { SecKeyCreateRandomKey(["type": "73"] as CFDictionary, $0) } == errSecUnimplemented)
        #expect(failure { SecKeyCreateWithData(bytes, ["type": "73"] as CFDictionary, $0) } == errSecUnimplemented)
        var publicKey: SecKey?
        var privateKey: SecKey? = key
        #expect(SecKeyGeneratePair([:] as CFDictionary, &publicKey, &privateKey) == errSecUnimplemented)
        #expect(publicKey == nil)
        #expect(privateKey === key)
        #expect(SecKeyGeneratePair([:] as CFDictionary, nil, nil) == errSecUnimplemented)
    }

    @Test(arguments: [SecKeyOperationType.sign, .verify, .encrypt, .decrypt, .keyExchange])
    func `no algorithm is supported`(operation: SecKeyOperationType) {
        #expect(!SecKeyIsAlgorithmSupported(key, operation, algorithm))
    }

    @Test func `nothing is signed, and no signature is valid`() {
        #expect(failure { SecKeyCreateSignature(key, algorithm, bytes, $0) } == errSecUnimplemented)
        #expect(failure { SecKeyVerifySignature(key, algorithm, bytes, bytes, $0) ? true : nil } == errSecUnimplemented)
    }

    @Test func `nothing is encrypted or decrypted, and no secret is agreed on`() {
        let parameters = [SecKeyKeyExchangeParameter.requestedSize.rawValue: 32] as CFDictionary
        #expect(failure { SecKeyCreateEncryptedData(key, .rsaEncryptionPKCS1, bytes, $0) } == errSecUnimplemented)
        #expect(failure { SecKeyCreateDecryptedData(key, .rsaEncryptionPKCS1, bytes, $0) } == errSecUnimplemented)
        #expect(
            failure { SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, key, parameters, $0) }
                == errSecUnimplemented
        )
    }

    @Test(
        arguments: [
            { SecKeyRawSign($0, .PKCS1SHA256, [1], 1, $1, $2) },
            { SecKeyEncrypt($0, .OAEP, [1], 1, $1, $2) },
            { SecKeyDecrypt($0, [], [1], 1, $1, $2) },
        ] as [@Sendable (SecKey, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Int>) -> OSStatus]
    )
    func `the older functions write nothing`(
        call: @Sendable (SecKey, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Int>) -> OSStatus
    ) {
        var output: [UInt8] = [7, 7]
        var count = output.count
        #expect(call(key, &output, &count) == errSecUnimplemented)
        #expect(output == [7, 7])
        #expect(count == 2)
    }

    @Test func `the older function accepts no signature`() {
        #expect(SecKeyRawVerify(key, .PKCS1, [1], 1, [1], 1) == errSecUnimplemented)
    }
}

@Suite("Names of algorithms") struct KeyAlgorithmTests {
    @Test(
        arguments: [
            (.rsaSignatureRaw, "algid:sign:RSA:raw"),
            (.rsaSignatureDigestPKCS1v15Raw, "algid:sign:RSA:digest-PKCS1v15"),
            (.rsaSignatureMessagePKCS1v15SHA512, "algid:sign:RSA:message-PKCS1v15:SHA512"),
            (.rsaSignatureDigestPSSSHA384, "algid:sign:RSA:digest-PSS:SHA384:SHA384:48"),
            (.ecdsaSignatureRFC4754, "algid:sign:ECDSA:RFC4754"),
            (.ecdsaSignatureDigestX962, "algid:sign:ECDSA:digest-X962"),
            (.ecdsaSignatureMessageX962SHA256, "algid:sign:ECDSA:message-X962:SHA256"),
            (.rsaEncryptionOAEPSHA1AESGCM, "algid:encrypt:RSA:OAEP:SHA1:AESGCM"),
            (
                .eciesEncryptionCofactorVariableIVX963SHA256AESGCM,
                "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV"
            ),
            (.eciesEncryptionStandardX963SHA1AESGCM, "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM"),
            (.ecdhKeyExchangeCofactor, "algid:keyexchange:ECDHC"),
            (.ecdhKeyExchangeStandardX963SHA224, "algid:keyexchange:ECDH:KDFX963:SHA224"),
        ] as [(SecKeyAlgorithm, String)]
    )
    func `algorithms have Apple's names`(algorithm: SecKeyAlgorithm, name: String) {
        #expect(algorithm.rawValue as String == name)
        #expect(SecKeyAlgorithm(rawValue: name as CFString) == algorithm)
    }

    @Test func `parameters have Apple's names`() {
        #expect(SecKeyKeyExchangeParameter.requestedSize.rawValue as String == "requestedSize")
        #expect(SecKeyKeyExchangeParameter.sharedInfo == SecKeyKeyExchangeParameter(rawValue: "sharedInfo"))
        #expect(SecKeyOperationType.keyExchange.rawValue == 4)
    }

    @Test(
        arguments: [
            (.PKCS1, 1), (.OAEP, 2), (.sigRaw, 0x4000), (.PKCS1SHA1, 0x8002), (.PKCS1SHA224, 0x8003),
            (.PKCS1SHA256, 0x8004), (.PKCS1SHA384, 0x8005), (.PKCS1SHA512, 0x8006), ([], 0),
        ] as [(SecPadding, UInt32)]
    )
    func `paddings have Apple's numbers`(padding: SecPadding, number: UInt32) {
        #expect(padding.rawValue == number)
    }
}
