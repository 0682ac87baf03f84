import Coffer
import Foundation
import Security
import TestSupport
import Testing

/// Certificates as objects; their attributes in the keychain are tested in `CallCertificateTests`.
@Suite("Certificates") struct SecCertificateTests {
    @Test func `a certificate returns its bytes`() throws {
        let certificate = try #require(sampleSecCertificate())
        #expect(SecCertificateCopyData(certificate) as Data == Data(sampleCertificate))
        #expect(certificate.attributes == nil)
    }

    @Test func `bytes after a certificate are ignored, other bytes are none`() throws {
        let certificate = try #require(sampleSecCertificate(sampleCertificate + [1, 2, 3]))
        #expect(SecCertificateCopyData(certificate) as Data == Data(sampleCertificate))
        #expect(certificate == sampleSecCertificate())
        #expect(sampleSecCertificate([]) == nil)
        #expect(sampleSecCertificate([0x30, 7, 0x30, 0, 0x30, 0, 3, 1, 0]) == nil)
        #expect(sampleSecCertificate([UInt8]("-----BEGIN CERTIFICATE-----".utf8)) == nil)
        for count in 0..<sampleCertificate.count {
            #expect(sampleSecCertificate(Array(sampleCertificate.prefix(count))) == nil)
        }
    }

    // The expected values come from Python's `cryptography`.
    @Test func `names, serial number and validity can be read`() throws {
        let certificate = try #require(sampleSecCertificate())
        #expect(SecCertificateCopySubjectSummary(certificate) as String? == "example.test")
        var name: CFString?
        #expect(SecCertificateCopyCommonName(certificate, &name) == errSecSuccess)
        #expect(name as String? == "example.test")
        let serialNumber = Data([
            0x28, 0xAC, 0x70, 0x0A, 0x36, 0xA4, 0xD1, 0x19, 0x9F, 0x07, 0x84, 0xE9, 0x8C, 0x50, 0xA6, 0x03, 0xDD, 0x68,
            0x78, 0x9F,
        ])
        #expect(SecCertificateCopySerialNumberData(certificate, nil) as Data? == serialNumber)
        let sequence = Data([0x30, 0x17, 0x31, 0x15, 0x30, 0x13, 6, 3, 0x55, 4, 3, 0x0C, 0x0C] + "example.test".utf8)
        #expect(SecCertificateCopyNormalizedSubjectSequence(certificate) as Data? == sequence)
        #expect(SecCertificateCopyNormalizedIssuerSequence(certificate) as Data? == sequence)
        let dates = [
            SecCertificateCopyNotValidBeforeDate(certificate), SecCertificateCopyNotValidAfterDate(certificate),
        ]
        #expect(dates.map { ($0 as Date?)?.formatted(.iso8601) } == ["2026-11-21T23:52:53Z", "2126-10-28T23:52:53Z"])
    }

    @Test func `a certificate without a common name has other names`() throws {
        let certificate = try certificateFixture("emails")
        #expect(SecCertificateCopySubjectSummary(certificate) as String? == "one@example.com")
        var name: CFString? = "unchanged"
        #expect(SecCertificateCopyCommonName(certificate, &name) == -26276)
        #expect(name as String? == "unchanged")
        var addresses: CFArray?
        #expect(SecCertificateCopyEmailAddresses(certificate, &addresses) == errSecSuccess)
        #expect(addresses as? [String] == ["one@example.com", "two@example.com", "subject@example.com"])
        #expect(SecCertificateCopyEmailAddresses(try #require(sampleSecCertificate()), &addresses) == errSecSuccess)
        #expect(addresses as? [String] == [])
    }

    @Test func `the older functions for the key return the same`() throws {
        let certificate = try #require(sampleSecCertificate())
        let key = try #require(SecCertificateCopyKey(certificate))
        #expect(SecCertificateCopyPublicKey(certificate) == key)
        var copied: SecKey?
        #expect(SecCertificateCopyPublicKey(certificate, &copied) == errSecSuccess)
        #expect(copied == key)
        let unknown = try certificateFixture("key_secp256k1")
        #expect(SecCertificateCopyPublicKey(unknown) == nil)
        #expect(SecCertificateCopyPublicKey(unknown, &copied) == errSecUnsupportedKeyFormat)
        #expect(copied == key)
    }

    // The expected values come from Python's `cryptography` and `hashlib`.
    @Test func `the key of a certificate has the attributes of a public key`() throws {
        let certificate = try #require(sampleSecCertificate())
        let key = try #require(SecCertificateCopyKey(certificate))
        let bytes = try #require(SecKeyCopyExternalRepresentation(key, nil) as Data?)
        #expect(bytes.count == 65)
        #expect(bytes.prefix(5) == Data([4, 0xCD, 0xEA, 0xB1, 0xE6]))
        let attributes = try #require(SecKeyCopyAttributes(key) as? [String: Any])
        #expect(attributes[kSecAttrKeyClass as String] as? String == kSecAttrKeyClassPublic as String)
        #expect(attributes[kSecAttrKeyType as String] as? String == kSecAttrKeyTypeECSECPrimeRandom as String)
        #expect(attributes[kSecAttrKeySizeInBits as String] as? Int == 256)
        #expect(attributes[kSecAttrCanVerify as String] as? Bool == true)
        #expect(attributes[kSecAttrCanDecrypt as String] as? Bool == false)
        let hash = try #require(attributes[kSecAttrApplicationLabel as String] as? Data)
        #expect(hash.prefix(4) == Data([0x16, 0xBC, 0xDB, 0xA1]))
        #expect(SecKeyGetBlockSize(key) == 32)
        #expect(SecKeyCopyPublicKey(key) == key)
    }

    @Test(arguments: [
        ("rsa_2048", "42", 2048, 270), ("rsa_4096_sha512", "42", 4096, 526), ("p192", "73", 192, 49),
        ("p224", "73", 224, 57), ("p384", "73", 384, 97), ("p521", "73", 521, 133), ("ed25519", "105", 256, 32),
    ])
    func `each kind of key is told apart`(name: String, type: String, bitCount: Int, byteCount: Int) throws {
        let certificate = try certificateFixture(name)
        let key = try #require(SecCertificateCopyKey(certificate))
        let attributes = try #require(SecKeyCopyAttributes(key) as? [String: Any])
        #expect(attributes[kSecAttrKeyType as String] as? String == type)
        #expect(attributes[kSecAttrKeySizeInBits as String] as? Int == bitCount)
        #expect(SecKeyCopyExternalRepresentation(key, nil)?.length == byteCount)
    }

    @Test(arguments: ["key_dsa", "key_secp256k1", "key_x25519", "ed448"])
    func `an unsupported key is nil`(name: String) throws {
        #expect(SecCertificateCopyKey(try certificateFixture(name)) == nil)
    }

    @Test func `certificates with the same bytes are equal, also in sets`() {
        #expect(sampleSecCertificate() == sampleSecCertificate())
        #expect(sampleSecCertificate() != sampleSecCertificate(otherCertificate))
        #expect(sampleSecCertificate()?.isEqual("certificate") == false)
        #expect(
            Set([sampleSecCertificate(), sampleSecCertificate(), sampleSecCertificate(otherCertificate)]).count == 2
        )
    }

    @Test func `a keychain item is a certificate if its data is one`() {
        func certificate(_ data: [UInt8]?) -> SecCertificate? {
            SecCertificate(ItemReference(itemClass: .certificate, attributes: ["labl": "example"], data: data))
        }
        #expect(certificate(sampleCertificate)?.attributes == ["labl": "example"])
        #expect(certificate(sampleCertificate) == sampleSecCertificate())
        #expect(certificate([1, 2, 3]) == nil)
        #expect(certificate(nil) == nil)
    }
}
