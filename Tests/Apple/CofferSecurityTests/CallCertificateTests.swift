import Foundation
import Security
import Testing

/// Certificates that are stored as objects (`Spec/keychain-behavior.md`, section 10).
@Suite("Calls: certificates", .ownKeychain) struct CallCertificateTests {
    private func certificate(_ bytes: [UInt8] = sampleCertificate) throws -> SecCertificate {
        try #require(sampleSecCertificate(bytes))
    }

    private func attributes(_ query: [CFString: Any]) throws -> [String: Any] {
        try #require(try Call.found(query.with([kSecReturnAttributes: true])) as? [String: Any])
    }

    // The expected values come from Python's `cryptography` and `hashlib`.
    @Test func `an added certificate has the attributes of its bytes`() throws {
        #expect(Call.add([kSecValueRef: try certificate()]) == 0)
        let found = try attributes(.cert())
        #expect(found[kSecAttrLabel as String] as? String == "example.test")
        #expect(found[kSecAttrCertificateType as String] as? Int == 3)
        #expect(found[kSecAttrCertificateEncoding as String] as? Int == 3)
        let name = Data([0x31, 0x15, 0x30, 0x13, 6, 3, 0x55, 4, 3, 0x0C, 0x0C] + "example.test".utf8)
        #expect(found[kSecAttrSubject as String] as? Data == name)
        #expect(found[kSecAttrIssuer as String] as? Data == name)
        let serialNumber = found[kSecAttrSerialNumber as String] as? Data
        #expect(serialNumber?.count == 20)
        #expect(serialNumber?.prefix(4) == Data([0x28, 0xAC, 0x70, 0x0A]))
        let hash = Data([
            0x16, 0xBC, 0xDB, 0xA1, 0x94, 0xE5, 0x03, 0x00, 0x24, 0x7B, 0xE1, 0x9F, 0x07, 0x14, 0x68, 0xBA, 0xE4, 0xC4,
            0x1B, 0x1C,
        ])
        #expect(found[kSecAttrPublicKeyHash as String] as? Data == hash)
        #expect(found[kSecAttrSubjectKeyID as String] as? Data == hash, "this one was made of the same hash")
        #expect(try Call.found(.cert([kSecReturnData: true])) as? Data == Data(sampleCertificate))
    }

    @Test func `what the caller says wins, and the class may be left out`() throws {
        let item: [CFString: Any] = [kSecValueRef: try certificate(), kSecAttrLabel: "mine"]
        #expect(Call.add(item) == 0)
        #expect(try attributes(.cert())[kSecAttrLabel as String] as? String == "mine")
        #expect(Call.add(item.with([kSecAttrLabel: "other"])) == -25299)
        #expect(Call.add([kSecClass: kSecClassCertificate, kSecValueRef: try certificate(otherCertificate)]) == 0)
        #expect(try Call.count(.cert()) == 2)
    }

    @Test func `a certificate finds, changes and deletes its item`() throws {
        #expect(Call.add([kSecValueRef: try certificate()]) == 0)
        #expect(Call.add([kSecValueRef: try certificate(otherCertificate)]) == 0)
        let query: [CFString: Any] = [kSecValueRef: try certificate()]
        #expect(try Call.found(query.with([kSecReturnRef: true])) as? SecCertificate == certificate())
        #expect(Call.update(query, [kSecAttrLabel: "renamed"]) == 0)
        #expect(try attributes(.cert([kSecAttrLabel: "renamed"]))[kSecAttrIssuer as String] != nil)
        #expect(Call.delete(query) == 0)
        #expect(Call.delete(query) == -25300)
        #expect(try Call.count(.cert()) == 1)
    }

    @Test func `each kind of result is returned`() throws {
        let item: [CFString: Any] = [kSecValueRef: try certificate(), kSecReturnRef: true]
        #expect(try Call.added(item) as? SecCertificate == certificate())
        #expect(Call.delete(.cert()) == 0)
        let persistent = try #require(
            try Call.added([kSecValueRef: try certificate(), kSecReturnPersistentRef: true]) as? Data
        )
        let found = try Call.found([kSecValuePersistentRef: persistent, kSecReturnData: true])
        #expect(found as? Data == Data(sampleCertificate))
    }

    @Test func `a certificate whose names are malformed cannot be a value: errSecParam`() throws {
        // The subject is the second name; another tag in place of its SET leaves a certificate with a malformed name.
        let name: [UInt8] = [0x31, 0x15, 0x30, 0x13, 6, 3, 0x55, 4, 3]
        var bytes = sampleCertificate
        let place = bytes.indices.last { bytes[$0...].starts(with: name) }
        bytes[try #require(place)] = 0x32
        let malformed = try certificate(bytes)
        #expect(SecCertificateCopyNormalizedSubjectSequence(malformed) == nil)
        #expect(SecCertificateCopyNormalizedIssuerSequence(malformed) != nil)
        #expect(Call.all([kSecValueRef: malformed]) == .four(-50))
    }

    @Test func `bytes alone are stored without attributes`() throws {
        #expect(Call.add(.cert([kSecValueData: Data(sampleCertificate)])) == 0)
        let found = try attributes(.cert())
        #expect(found[kSecAttrSubject as String] == nil)
        #expect(found[kSecAttrPublicKeyHash as String] == nil)
        #expect(found[kSecAttrSubjectKeyID as String] == nil)
        #expect(found[kSecAttrCertificateEncoding as String] == nil)
        #expect(Call.find([kSecValueRef: try certificate()]) == -25300)
    }
}
