import Foundation
import Security
import Testing

/// Certificates and keys as values, and their use in queries (`Spec/keychain-behavior.md`, section 10).
@Suite("Calls: references as values", .ownKeychain) struct CallValueReferenceTests {
    private static let certificate = Data(sampleCertificate)

    private let certificateItem: [CFString: Any] = .cert([
        kSecAttrSerialNumber: Data([1]), kSecAttrIssuer: Data("issuer"), kSecAttrLabel: "L",
        kSecValueData: certificate,
    ])
    private let keyItem: [CFString: Any] = .keys([
        kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrKeyType: kSecAttrKeyTypeEC,
        kSecAttrApplicationLabel: Data("hash"), kSecAttrCanSign: true, kSecAttrIsPermanent: true,
        "priv": true, kSecAttrLabel: "L", kSecValueData: Data(samplePrivateKey),
    ])

    private func reference(_ item: [CFString: Any]) throws -> CFTypeRef {
        #expect(Call.add(item) == 0)
        return try #require(try Call.found([kSecClass: item[kSecClass] as Any, kSecReturnRef: true]))
    }

    // MARK: - Results

    @Test func `an addition and a query return a certificate`() throws {
        let added = try #require(try Call.added(certificateItem.with([kSecReturnRef: true])) as? SecCertificate)
        #expect(SecCertificateCopyData(added) as Data == Self.certificate)
        let found = try #require(try Call.found(.cert([kSecReturnRef: true])) as? SecCertificate)
        #expect(SecCertificateCopyData(found) as Data == Self.certificate)
    }

    @Test func `an addition and a query return a key`() throws {
        let added = try #require(try Call.added(keyItem.with([kSecReturnRef: true])) as? SecKey)
        let found = try #require(try Call.found(.keys([kSecReturnRef: true])) as? SecKey)
        #expect(SecKeyCopyExternalRepresentation(added, nil) as Data? == Data(samplePrivateKey))
        #expect(SecKeyCopyExternalRepresentation(found, nil) as Data? == Data(samplePrivateKey))
        let all: [CFString: Any] = .keys([kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll])
        #expect((try Call.found(all) as? [SecKey])?.count == 1)
    }

    @Test func `a dictionary of results contains the reference itself`() throws {
        #expect(Call.add(certificateItem) == 0)
        let query: [CFString: Any] = .cert([kSecReturnRef: true, kSecReturnAttributes: true])
        let found = try #require(try Call.found(query) as? [String: Any])
        #expect(found[kSecValueRef as String] is SecCertificate)
        #expect(found[kSecClass as String] as? String == "cert")
        #expect(found[kSecAttrLabel as String] as? String == "L")
    }

    @Test(arguments: ["cert", "keys"]) func `an item that cannot become an object has no reference: nil, with success`(
        itemClass: String
    ) throws {
        #expect(try Call.added(.item(itemClass, [kSecValueData: Data("x"), kSecReturnRef: true])) == nil)
        #expect(try Call.found(.item(itemClass, [kSecReturnRef: true])) == nil)
    }

    // MARK: - Values

    @Test(arguments: ["x", 1, true, .data("x"), .null, .date(0)] + CallValue.others + [.accessControl])
    func `a value that is not a reference: errSecParam`(value: CallValue) {
        #expect(Call.all(.genp([kSecValueRef: value.object])) == .four(-50))
        #expect(Call.all([kSecValueRef: value.object]) == .four(-50))
    }

    @Test func `a reference in a change: errSecNoSuchAttr`() throws {
        let reference = try reference(keyItem)
        #expect(Call.update(.keys(), [kSecValueRef: reference]) == -25303)
    }

    /// Keys that are stored as data have no derived label, so Apple's keychain would not find them by a reference.
    @Test func `a reference to a key without a label does not match other such keys`() throws {
        let item: [CFString: Any] = .keys([
            kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrKeyType: kSecAttrKeyTypeEC,
            kSecAttrApplicationTag: Data("one"), kSecValueData: Data(samplePrivateKey),
        ])
        let query: [CFString: Any] = [kSecValueRef: try reference(item)]
        #expect(Call.add(item.with([kSecAttrApplicationTag: Data("other")])) == 0)
        #expect(Call.delete(query) == 0)
        #expect(Call.delete(query) == -25300)
        #expect(try Call.count(.keys([kSecAttrApplicationTag: Data("other")])) == 1)
    }

    @Test(arguments: ["cert", "keys"])
    func `a reference to an item without a name does not match items in other groups`(
        itemClass: String
    ) throws {
        try CallSample.asProgram("T.first", "T.second") { () throws in
            let item: [CFString: Any] = .item(
                itemClass,
                itemClass == "cert"
                    ? [kSecValueData: Self.certificate]
                    : [kSecAttrKeyClass: "1", kSecAttrKeyType: "73", kSecValueData: Data(samplePrivateKey)]
            )
            let query: [CFString: Any] = [kSecValueRef: try reference(item)]
            #expect(Call.add(item.with([kSecAttrAccessGroup: "T.second"])) == 0)
            #expect(Call.delete(query) == 0)
            #expect(Call.delete(query) == -25300)
            #expect(try Call.count(.item(itemClass, [kSecAttrAccessGroup: "T.second"])) == 1)
        }
    }

    @Test(arguments: ["cert", "keys"]) func `a reference finds, updates and deletes its item without a class`(
        itemClass: String
    ) throws {
        let item = itemClass == "cert" ? certificateItem : keyItem
        let query: [CFString: Any] = [kSecValueRef: try reference(item)]
        let other: [CFString: Any] =
            itemClass == "cert" ? [kSecAttrSerialNumber: Data([2])] : [kSecAttrApplicationLabel: Data("other")]
        #expect(Call.add(item.with(other)) == 0)
        #expect(try Call.count(query) == 1)
        #expect(try Call.reference(query) == Call.reference(.item(itemClass)))
        #expect(Call.update(query, [kSecAttrLabel: "M"]) == 0)
        #expect(try Call.count(.item(itemClass, [kSecAttrLabel: "M"])) == 1)
        #expect(Call.delete(query) == 0)
        #expect(Call.find(query) == -25300)
        #expect(try Call.count(.item(itemClass)) == 1)
    }

    @Test(arguments: ["cert", "keys"]) func `a reference from the keychain can be stored again without a class`(
        itemClass: String
    ) throws {
        let item = itemClass == "cert" ? certificateItem : keyItem
        let value: [CFString: Any] = [kSecValueRef: try reference(item)]
        let data = try #require(try Call.found(.item(itemClass, [kSecReturnData: true])) as? Data)
        #expect(Call.add(value) == -25299)
        #expect(Call.delete(value) == 0)
        #expect(Call.add(value) == 0)
        #expect(try Call.found(.item(itemClass, [kSecReturnData: true])) as? Data == data)
        #expect(Call.find(value) == 0)
    }

    @Test func `values from the caller take precedence over the reference`() throws {
        let value: [CFString: Any] = [kSecValueRef: try reference(certificateItem), kSecAttrLabel: "mine"]
        #expect(Call.add(value.with([kSecAttrSerialNumber: Data([9])])) == 0)
        let found = try Call.attributes(.cert([kSecAttrSerialNumber: Data([9])]))
        #expect(found["labl"] as? String == "mine")
        #expect(found["issr"] as? Data == Data("issuer"))
    }

    @Test func `a class from the caller takes precedence and lacks the attributes: errSecNoSuchAttr`() throws {
        let reference = try reference(certificateItem)
        #expect(Call.all(.genp([kSecValueRef: reference])) == .four(-25303))
    }

    @Test func `the allowed uses of a key are not a condition, since they differ between systems`() throws {
        let query: [CFString: Any] = [kSecValueRef: try reference(keyItem)]
        #expect(Call.update(.keys(), [kSecAttrCanSign: false, kSecAttrIsPermanent: false]) == 0)
        #expect(Call.find(query) == 0)
    }
}
