import Coffer
import Foundation
import Security
import Testing

@Suite("Keys of the keychain") struct SecKeyTests {
    @Test(
        arguments: [
            (["kcls": "1"], true), (["type": "73"], true), (["type": 43], true), (["bsiz": 8], true),
            (["kcls": 2], false), (["kcls": 3], false), (["kcls": ""], false),
            (["kcls": .null], false), (["type": 42], false), (["type": 105], false), (["type": 0], false),
            (["type": "EC"], false), (["type": .data([73])], false),
        ] as [([String: ItemValue], Bool)]
    )
    func `an item becomes a key if its attributes and data describe one`(changes: [String: ItemValue], isKey: Bool) {
        #expect((sampleKey(changes) != nil) == isKey)
    }

    @Test func `an item without data, or with data of another form, is not a key`() {
        #expect(sampleKey(data: nil) == nil)
        #expect(sampleKey(data: []) == nil)
        #expect(sampleKey(data: samplePublicKey) == nil)
        #expect(sampleKey(["kcls": 0], data: samplePublicKey) != nil)
        #expect(sampleKey(data: [2] + samplePrivateKey.dropFirst()) == nil)
    }

    /// `Spec/keychain-behavior.md`, section 11: exactly these 23, whatever the item says.
    @Test(arguments: [true, false]) func `attributes are those of the key`(isPrivate: Bool) throws {
        let item = sampleKey(["kcls": isPrivate ? 1 : 0], data: isPrivate ? samplePrivateKey : samplePublicKey)
        let attributes = try #require(item.flatMap(SecKeyCopyAttributes) as? [String: Any])
        #expect(attributes.count == 23)
        #expect(attributes["class"] as? String == "keys")
        #expect(attributes["kcls"] as? String == (isPrivate ? "1" : "0"))
        #expect(attributes["type"] as? String == "73")
        #expect(attributes["bsiz"] as? Int == 256)
        #expect(attributes["esiz"] as? Int == 256)
        #expect((attributes["klbl"] as? Data)?.count == 20)
        #expect(attributes["v_Data"] as? Data == Data(isPrivate ? samplePrivateKey : samplePublicKey))
        for name in ["perm", "priv", "modi", "extr"] { #expect(attributes[name] as? Bool == true) }
        for name in ["sens", "asen", "next", "snrc", "vyrc"] { #expect(attributes[name] as? Bool == false) }
        for name in ["decr", "sign", "unwp", "drve"] { #expect(attributes[name] as? Bool == isPrivate) }
        for name in ["encr", "vrfy", "wrap"] { #expect(attributes[name] as? Bool == !isPrivate) }
    }

    @Test func `the bytes of a key can be read`() throws {
        let key = try #require(sampleKey(["extr": 1]))
        var error: Unmanaged<CFError>?
        #expect(SecKeyCopyExternalRepresentation(key, &error) as Data? == Data(samplePrivateKey))
        #expect(error == nil)
    }

    @Test(arguments: [0, .bool(false), "0"] as [ItemValue])
    func `the bytes of a key that is not extractable cannot be read`(extractable: ItemValue) throws {
        let key = try #require(sampleKey(["extr": extractable]))
        #expect(failure { SecKeyCopyExternalRepresentation(key, $0) } == errSecKeyIsSensitive)
        let attributes = try #require(SecKeyCopyAttributes(key) as? [String: Any])
        #expect(attributes["extr"] as? Bool == false)
        #expect(attributes["v_Data"] == nil)
    }

    @Test func `a private key has a public half, which is its own`() throws {
        let privateKey = try #require(sampleKey())
        let publicKey = try #require(SecKeyCopyPublicKey(privateKey))
        #expect(SecKeyCopyExternalRepresentation(publicKey, nil) as Data? == Data(samplePublicKey))
        #expect(SecKeyCopyPublicKey(publicKey) == publicKey)
    }

    @Test func `keys with the same bytes are equal, also in sets`() {
        let other = SecKeyCreateRandomKey(["type": "73", "bsiz": 256] as CFDictionary, nil)
        #expect(sampleKey() == sampleKey())
        #expect(sampleKey() == sampleKey(["labl": "other"]))
        #expect(sampleKey() != sampleKey(["kcls": 0], data: samplePublicKey))
        #expect(other != nil && sampleKey() != other)
        #expect(sampleKey()?.isEqual("key") == false)
        #expect(Set([sampleKey(), sampleKey(), sampleKey(["kcls": 0], data: samplePublicKey)]).count == 2)
    }
}
