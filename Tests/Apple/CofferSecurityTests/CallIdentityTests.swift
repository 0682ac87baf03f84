import Foundation
import Security
import Testing

/// Identities, and where Coffer differs from Apple (`Spec/keychain-behavior.md`, section 6).
@Suite("Calls: identities", .ownKeychain) struct CallIdentityTests {
    private static let certificate = Data(sampleCertificate)

    private func certificate(_ number: UInt8) -> [CFString: Any] {
        .cert([
            kSecAttrSerialNumber: Data([number]), kSecAttrPublicKeyHash: Data("hash"), kSecAttrLabel: "certificate",
            kSecValueData: Self.certificate,
        ])
    }

    private let key: [CFString: Any] = .keys([
        kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrKeyType: kSecAttrKeyTypeEC, "priv": true,
        kSecAttrApplicationLabel: Data("hash"), kSecAttrLabel: "key", kSecValueData: Data(samplePrivateKey),
    ])

    /// Stores a certificate and a private key that belong together.
    private func fill() { #expect([Call.add(certificate(1)), Call.add(key)] == [0, 0]) }

    private func identity() throws -> SecIdentity {
        try #require(try Call.found(.idnt([kSecReturnRef: true])) as? SecIdentity)
    }

    /// The statuses of queries for a certificate, a key and an identity.
    private var statuses: [OSStatus] { [Call.find(.cert()), Call.find(.keys()), Call.find(.idnt())] }

    // MARK: - Finding

    @Test func `a certificate and its key are found as an identity`() throws {
        fill()
        var (certificate, key) = (SecCertificate?.none, SecKey?.none)
        let identity = try identity()
        #expect(SecIdentityCopyCertificate(identity, &certificate) == 0)
        #expect(SecIdentityCopyPrivateKey(identity, &key) == 0)
        #expect(try SecCertificateCopyData(#require(certificate)) as Data == Self.certificate)
        #expect(try SecKeyCopyExternalRepresentation(#require(key), nil) as Data? == Data(samplePrivateKey))
    }

    @Test func `attributes come from both halves, the certificate's first, and data from the key`() throws {
        fill()
        let query: [CFString: Any] = .idnt([kSecReturnAttributes: true, kSecReturnData: true])
        let found = try #require(try Call.found(query) as? [String: Any])
        #expect(found["labl"] as? String == "certificate")
        #expect(found["klbl"] as? Data == Data("hash"))
        #expect(found["v_Data"] as? Data == Data(samplePrivateKey))
        #expect(found["certdata"] as? Data == Self.certificate)
    }

    @Test func `the label is the certificate's`() {
        fill()
        #expect(Call.find(.idnt([kSecAttrLabel: "certificate"])) == 0)
        #expect(Call.find(.idnt([kSecAttrLabel: "key"])) == -25300)
    }

    @Test func `a persistent reference has the certificate's bytes and finds the identity`() throws {
        fill()
        let reference = try Call.reference(.idnt())
        #expect(reference.prefix(4) == Data("idnt"))
        #expect(reference.dropFirst(4) == (try Call.reference(.cert())).dropFirst(4))
        #expect(try Call.found([kSecValuePersistentRef: reference, kSecReturnRef: true]) is SecIdentity)
        #expect(try Call.reference([kSecValueRef: try identity()]) == reference)
    }

    @Test func `all identities come back as an array`() throws {
        fill()
        #expect(Call.add(certificate(2)) == 0)
        let all: [CFString: Any] = .idnt([kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll])
        #expect((try Call.found(all) as? [SecIdentity])?.count == 2)
    }

    // MARK: - Adding

    @Test func `an identity from the keychain can be stored again; both halves exist: errSecDuplicateItem`() throws {
        fill()
        let value: [CFString: Any] = [kSecValueRef: try identity()]
        #expect(Call.add(value) == -25299)
        #expect(Call.delete(value) == 0)
        #expect(statuses == [-25300, -25300, -25300])
        #expect(Call.add(value) == 0)
        #expect(statuses == [0, 0, 0])
        #expect(Call.add(.idnt(value)) == -25299)
    }

    @Test(arguments: ["cert", "keys"]) func `one half may already exist`(itemClass: String) throws {
        fill()
        let value: [CFString: Any] = [kSecValueRef: try identity()]
        #expect(Call.delete(.item(itemClass)) == 0)
        #expect(Call.add(value) == 0)
        #expect(statuses == [0, 0, 0])
    }

    @Test func `the only result is a persistent reference, and only for a new certificate`() throws {
        fill()
        let value: [CFString: Any] = [kSecValueRef: try identity(), kSecReturnPersistentRef: true]
        #expect(Call.delete(.keys()) == 0)
        #expect(try Call.added(value) == nil)
        #expect([Call.delete(.keys()), Call.delete(.cert())] == [0, 0])
        #expect(try Call.added(value) as? Data == Call.reference(.idnt()))
    }

    // MARK: - Updating

    @Test(arguments: ["class", "reference", "persistent reference"])
    func `an update changes both halves, however it names the identity`(name: String) throws {
        fill()
        let query: [CFString: Any] =
            switch name {
            case "class": .idnt()
            case "reference": [kSecValueRef: try identity()]
            default: [kSecValuePersistentRef: try Call.reference(.idnt())]
            }
        #expect(Call.update(query, [kSecAttrLabel: "new"]) == 0)
        #expect(Call.find(.cert([kSecAttrLabel: "new"])) == 0)
        #expect(Call.find(.keys([kSecAttrLabel: "new"])) == 0)
    }

    @Test func `data in the changes, which both halves would get: errSecParam`() {
        fill()
        #expect(Call.update(.idnt(), [kSecValueData: Data("x")]) == -50)
    }

    @Test func `an attribute that only one half has: errSecNoSuchAttr, and nothing changes`() {
        fill()
        #expect(Call.update(.idnt(), [kSecAttrLabel: "new", kSecAttrApplicationTag: "x"]) == -25303)
        #expect(Call.find(.keys([kSecAttrLabel: "new"])) == -25300)
    }

    // MARK: - Deleting

    @Test(arguments: ["class", "reference", "persistent reference"])
    func `a deletion removes both halves, however it names the identity`(name: String) throws {
        fill()
        let query: [CFString: Any] =
            switch name {
            case "class": .idnt()
            case "reference": [kSecValueRef: try identity()]
            default: [kSecValuePersistentRef: try Call.reference(.idnt())]
            }
        #expect(Call.delete(query) == 0)
        #expect(statuses == [-25300, -25300, -25300])
        #expect(Call.delete(query) == -25300)
    }

    @Test func `a key stays if another certificate uses it`() throws {
        fill()
        #expect(Call.add(certificate(2)) == 0)
        #expect(Call.delete(.idnt([kSecAttrSerialNumber: Data([1])])) == 0)
        #expect(try Call.count(.cert()) == 1)
        #expect(statuses == [0, 0, 0])
        #expect(Call.delete(.idnt()) == 0)
        #expect(statuses == [-25300, -25300, -25300])
    }

    @Test func `items outside identities stay: errSecItemNotFound`() {
        #expect([Call.add(.cert()), Call.add(.keys()), Call.delete(.idnt())] == [0, 0, -25300])
        #expect(statuses == [0, 0, -25300])
    }
}
