import Coffer
import Foundation
import Security
import Testing

@Suite("Keys of the keychain") struct SecKeyTests {
    @Test(
        arguments: [
            (["kcls": 0], true), (["kcls": "1"], true), (["type": 42], true), (["type": "42"], true),
            (["type": 105], true),
            (["kcls": 2], false), (["kcls": 3], false), (["kcls": ""], false), (["kcls": .null], false),
            (["type": 0], false), (["type": 43], false), (["type": "RSA"], false), (["type": .data([42])], false),
        ] as [([String: ItemValue], Bool)]
    )
    func `an item becomes a key if its attributes describe one`(changes: [String: ItemValue], isKey: Bool) {
        #expect((sampleKey(changes) != nil) == isKey)
    }

    @Test func `an item without data is not a key`() {
        #expect(sampleKey(data: nil) == nil)
    }

    @Test func `attributes are the item's, with class and type as Apple's strings`() throws {
        let key = try #require(sampleKey())
        let attributes = try #require(SecKeyCopyAttributes(key) as? [String: Any])
        #expect(attributes["kcls"] as? String == "1")
        #expect(attributes["type"] as? String == "73")
        #expect(attributes["bsiz"] as? Int == 256)
        #expect(attributes["klbl"] as? Data == Data([1, 2, 3]))
        #expect(attributes["labl"] as? String == "signing")
        #expect(attributes["sign"] as? Bool == true)
        #expect(attributes["cdat"] as? Date == Date(timeIntervalSinceReferenceDate: 10))
        #expect(attributes["accc"] == nil)
        #expect(key.attributes == privateKeyAttributes)
    }

    @Test func `values of every kind become Foundation objects`() throws {
        let control = try #require(AccessControl(.whenUnlocked, .userPresence))
        let key = sampleKey([
            "accc": .accessControl(control), "real": .real(1.5), "bool": .bool(true), "list": .array(["a", .null, 2]),
            "other": .other,
        ])
        let attributes = try #require(key.flatMap(SecKeyCopyAttributes) as? [String: Any])
        #expect(
            attributes["accc"] as? SecAccessControl
                == SecAccessControlCreateWithFlags(nil, "ak" as CFTypeRef, .userPresence, nil)
        )
        #expect(attributes["real"] as? Double == 1.5)
        #expect(attributes["bool"] as? Bool == true)
        #expect(attributes["bool"] as? Int == 1)
        #expect((attributes["list"] as? NSArray)?.count == 2)
        #expect(attributes["other"] == nil)
    }

    @Test func `the bytes of a key can be read`() throws {
        let key = try #require(sampleKey(["extr": 1]))
        var error: Unmanaged<CFError>?
        #expect(SecKeyCopyExternalRepresentation(key, &error) as Data? == Data([4, 5, 6]))
        #expect(error == nil)
    }

    @Test(arguments: [0, .bool(false), "0"] as [ItemValue])
    func `the bytes of a key that is not extractable cannot be read`(extractable: ItemValue) throws {
        let key = try #require(sampleKey(["extr": extractable]))
        #expect(failure { SecKeyCopyExternalRepresentation(key, $0) } == errSecKeyIsSensitive)
    }

    @Test(
        arguments: [
            (["bsiz": 256], 32), (["bsiz": 521], 66), (["type": 42, "bsiz": 2048], 256), (["bsiz": 0], 0),
            (["bsiz": -8], 0), (["bsiz": .integer(.max)], 0), (["bsiz": .integer(.min)], 0), (["bsiz": .null], 0),
            (["type": 105, "bsiz": 256], 0),
        ] as [([String: ItemValue], Int)]
    )
    func `the block size follows from the key size`(changes: [String: ItemValue], size: Int) throws {
        #expect(SecKeyGetBlockSize(try #require(sampleKey(changes))) == size)
    }

    @Test func `the public key of a public key is itself, and that of a private key is unknown`() throws {
        let publicKey = try #require(sampleKey(["kcls": 0]))
        #expect(SecKeyCopyPublicKey(publicKey) == publicKey)
        #expect(SecKeyCopyPublicKey(try #require(sampleKey())) == nil)
    }

    @Test func `keys with the same attributes and bytes are equal, also in sets`() {
        #expect(sampleKey() == sampleKey())
        #expect(sampleKey() != sampleKey(["labl": "other"]))
        #expect(sampleKey() != sampleKey(data: [4, 5, 7]))
        #expect(sampleKey()?.isEqual("key") == false)
        #expect(Set([sampleKey(), sampleKey(), sampleKey(data: [])]).count == 2)
    }
}
