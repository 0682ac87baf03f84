import Coffer
import CofferSecurity
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

    @Test(
        arguments: [["kcls": 0], ["kcls": 2], ["priv": 0], ["kcls": "other"], ["klbl": .data("other")]]
            as [[String: CallValue]]
    )
    func `only a private key with the hash of the certificate belongs to it`(other: [String: CallValue]) {
        #expect([Call.add(.certificate("a")), Call.add(.privateKey("a").with(other.objects))] == [0, 0])
        #expect(Call.find(.idnt()) == -25300)
    }

    @Test func `one half, halves without a hash and a key that is not marked as private form no identity`() {
        var unmarked: [CFString: Any] = .privateKey("a")
        unmarked["priv"] = nil
        for items in [
            [.certificate("a")], [.privateKey("a")], [.cert(), .keys([kSecAttrKeyClass: 1, "priv": true])],
            [.certificate("a"), unmarked],
        ] as [[[CFString: Any]]] {
            for item in items { #expect(Call.add(item) == 0) }
            #expect(Call.find(.idnt()) == -25300)
            for item in items { #expect(Call.delete(item) == 0) }
        }
    }

    @Test(arguments: [false, true])
    func `every pair is an identity, the oldest certificate first`(isCompacted: Bool) async throws {
        for hash in ["b", "a"] { #expect(Call.add(.certificate(hash)) == 0) }
        for tag in ["1", "2"] {
            #expect(Call.add(.privateKey("a").with([kSecAttrApplicationTag: tag, kSecValueData: Data(tag)])) == 0)
        }
        #expect([Call.add(.privateKey("b")), Call.add(.certificate("b", named: "second of b"))] == [0, 0])
        if isCompacted { _ = try await CallSample.current.vault.compaction().report() }
        #expect(try Call.texts(kSecAttrLabel, .idnt()) == ["b", "a", "a", "second of b"])
        let query: [CFString: Any] = .idnt([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll])
        #expect(try Call.found(query) as? [Data] == ["key b", "1", "2", "key b"].map { Data($0) })
    }

    @Test(arguments: [(2, 2), (3, 3), (5, 3), ("m_LimitAll", 3)] as [(CallValue, Int)])
    func `a limit counts pairs`(limit: CallValue, count: Int) throws {
        Call.addPair("a")
        for name in ["second", "third"] { #expect(Call.add(.certificate("a", named: name)) == 0) }
        let query: [CFString: Any] = .idnt([kSecReturnPersistentRef: true, kSecMatchLimit: limit.object])
        #expect((try Call.found(query) as? [Data])?.count == count)
        #expect(Call.find(.idnt([kSecMatchLimit: 0])) == -25300)
    }

    // MARK: - Results

    @Test func `attributes come without data and class, the certificate's first`() throws {
        let certificate: [CFString: Any] = [
            kSecAttrAccessible: "ck", kSecAttrSynchronizable: true, kSecAttrSubject: Data("me"),
        ]
        Call.addPair("a", certificate, [kSecAttrKeySizeInBits: 256, "alis": "alias"])
        let one = try Call.attributes(.cert([kSecAttrSynchronizable: true]))
        let both = try Call.attributes(.idnt())
        #expect(both as NSDictionary == (try Call.attributes(.keys())).merging(one) { $1 } as NSDictionary)
        #expect(both["labl"] as? String == "a")
        #expect(both["pdmn"] as? String == "ck")
        #expect(both["bsiz"] as? Int == 256)
        #expect(both["alis"] as? String == "alias")
        #expect(Set(both.keys).isDisjoint(with: ["v_Data", "certdata", "class"]))
    }

    @Test func `an attribute that the certificate lacks is the key's`() throws {
        var bare: [CFString: Any] = .certificate("a")
        bare[kSecAttrLabel] = nil
        #expect([Call.add(bare), Call.add(.privateKey("a"))] == [0, 0])
        #expect(try Call.attributes(.idnt())["labl"] as? String == "key of a")
    }

    @Test func `an identity whose key has no data is left out of lists of data`() throws {
        var bare: [CFString: Any] = .privateKey("a")
        bare[kSecValueData] = nil
        #expect([Call.add(.certificate("a")), Call.add(bare)] == [0, 0])
        let query: [CFString: Any] = .idnt([kSecReturnData: true])
        #expect(try Call.found(query) == nil)
        #expect((try Call.found(query.with([kSecMatchLimit: kSecMatchLimitAll])) as? [Data])?.count == 0)
        let found = try Call.attributes(query)
        #expect(found["v_Data"] == nil)
        #expect(found["certdata"] as? Data == Data("certificate a"))
    }

    @Test func `the class comes back beside a reference, without data`() throws {
        fill()
        let found = try Call.attributes(.idnt([kSecReturnRef: true]))
        #expect(found["class"] as? String == "idnt")
        #expect(found["v_Ref"] is SecIdentity)
        #expect(Set(found.keys).isDisjoint(with: ["v_Data", "certdata"]))
    }

    // MARK: - Persistent references

    @Test func `a persistent reference also finds a synchronizable identity`() throws {
        Call.addPair("a", [kSecAttrSynchronizable: true], [kSecAttrSynchronizable: true])
        Call.addPair("b")
        let reference = try Call.reference(.idnt([kSecAttrSynchronizable: true]))
        #expect(try Call.text([kSecValuePersistentRef: reference]) == "key a")
        #expect(try Call.text(.idnt([kSecValuePersistentRef: reference])) == "key a")
        #expect(Call.find([kSecValuePersistentRef: reference, kSecAttrLabel: "a"]) == -50)
    }

    @Test(arguments: ["cert", "keys"]) func `a persistent reference needs both halves: errSecItemNotFound`(
        half: String
    ) throws {
        Call.addPair("a")
        let reference = try Call.reference(.idnt())
        #expect(Call.delete(.item(half)) == 0)
        #expect(Call.find([kSecValuePersistentRef: reference]) == -25300)
    }

    @Test func `the reference to a half is not that to the identity`() throws {
        Call.addPair("a")
        #expect(Call.find(.idnt([kSecValuePersistentRef: try Call.reference(.cert())])) == -25306)
        let reference = Data("idnt") + (try Call.reference(.keys())).dropFirst(4)
        #expect(Call.find([kSecValuePersistentRef: reference]) == -25300)
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
        let other = itemClass == "cert" ? "keys" : "cert"
        #expect(Call.update(.item(other), [kSecAttrLabel: "kept"]) == 0)
        #expect(Call.add(value) == 0)
        #expect(statuses == [0, 0, 0])
        #expect(try Call.texts(kSecAttrLabel, .item(other)) == ["kept"])
    }

    @Test func `an error with one half keeps out both`() throws {
        fill()
        let value: [CFString: Any] = [kSecValueRef: try identity()]
        #expect(Call.delete(.idnt()) == 0)
        #expect(Call.add(value.with([kSecAttrAccount: "x"])) == -25303)
        try CallSample.lock()
        #expect(Call.add(value) == -25308)
        #expect(statuses == [-25300, -25300, -25300])
    }

    @Test func `a program that names the halves names a certificate, then a key`() throws {
        for (one, other) in [("keys", "cert"), ("cert", "cert"), ("genp", "keys")] {
            let halves: (ItemRequest, ItemRequest) = (["class": .string(one)], ["class": .string(other)])
            #expect(throws: KeychainError.invalid(.value(of: "class"))) {
                try Keychain.default.addIdentity(certificate: halves.0, key: halves.1)
            }
        }
    }

    @Test func `the only result is a persistent reference, and only for a new certificate`() throws {
        fill()
        let value: [CFString: Any] = [kSecValueRef: try identity(), kSecReturnPersistentRef: true]
        for key in [kSecReturnData, kSecReturnAttributes, kSecReturnRef] {
            #expect(Call.delete(.idnt()) == 0)
            #expect(try Call.added([kSecValueRef: try #require(value[kSecValueRef]), key: true]) == nil)
        }
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
