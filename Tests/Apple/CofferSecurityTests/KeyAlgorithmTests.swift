import Foundation
import Security
import Testing

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
