import Coffer
import CofferSecurity
import TestSupport
import Testing

/// `Spec/keychain-behavior.md`, section 6: an identity is a certificate and the private key of its public key.
@Suite("Identities", .temporaryDirectory) struct IdentityTests {
    private func filled() throws -> Keychain {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a")
        return keychain
    }

    // MARK: - The join

    @Test func `a certificate and its private key form an identity`() throws {
        #expect(try filled().find(identity) == .notRequested)
        #expect(try filled().count(identity) == 1)
    }

    @Test(arguments: [certificate("a"), privateKey("a")])
    func `neither half alone is an identity`(item: ItemRequest) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(item)
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(identity) }
    }

    @Test func `a certificate and another key do not form an identity`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(certificate("a"))
        try keychain.add(privateKey("b"))
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(identity) }
    }

    @Test func `halves without a hash do not form an identity`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(["class": "cert"])
        try keychain.add(["class": "keys", "kcls": 1, "priv": 1])
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(identity) }
    }

    @Test(
        arguments: [
            ["kcls": 0, "priv": 1], ["kcls": 2, "priv": 1], ["kcls": 1, "priv": 0], ["kcls": "other", "priv": 1],
        ] as [ItemRequest]
    )
    func `only a private key forms an identity`(other: ItemRequest) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(certificate("a"))
        try keychain.add(privateKey("a").with(other))
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(identity) }
    }

    @Test func `a key not marked as private does not form an identity`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(certificate("a"))
        var key = privateKey("a")
        key["priv"] = nil
        try keychain.add(key)
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(identity) }
    }

    @Test(arguments: [false, true])
    func `every pair is an identity, oldest certificate first`(isCompacted: Bool) throws {
        let sample = try KeychainSample()
        let keychain = sample.keychain
        for hash in ["b", "a"] { try keychain.add(certificate(hash)) }
        for tag in ["1", "2"] { try keychain.add(privateKey("a").with(["atag": .string(tag), "v_Data": data(tag)])) }
        try keychain.add(privateKey("b"))
        try keychain.add(certificate("b", named: "second of b"))
        if isCompacted { try keychain.compact() }
        let found = try keychain.all(identity.with(["r_Attributes": true, "r_Data": true]))
        #expect(found.map { $0.values["labl"] } == ["b", "a", "a", "second of b"])
        #expect(found.map { $0.values["v_Data"] } == [data("key b"), data("1"), data("2"), data("key b")])
    }

    // MARK: - Limits

    @Test(arguments: [(ItemValue.integer(2), 2), (3, 3), (5, 3), ("m_LimitAll", 3)])
    func `a limit counts pairs`(limit: ItemValue, count: Int) throws {
        let keychain = try filled()
        for name in ["second", "third"] { try keychain.add(certificate("a", named: name)) }
        let request = identity.with(["r_PersistentRef": true, "m_Limit": limit])
        guard case .list(let answers) = try keychain.find(request) else {
            Issue.record("no list")
            return
        }
        #expect(answers.count == count)
    }

    @Test func `a limit of zero finds nothing`() throws {
        #expect(throws: KeychainError.itemNotFound) { try filled().find(identity.with(["m_Limit": 0])) }
    }

    // MARK: - Shapes

    @Test func `the data are the key's`() throws {
        #expect(try filled().text(identity) == "key a")
    }

    @Test func `the certificate's data are returned with attributes and data`() throws {
        let found = try filled().find(identity.with(["r_Data": true, "r_Attributes": true])).values
        #expect(found["v_Data"] == data("key a"))
        #expect(found["certdata"] == data("certificate a"))
    }

    @Test func `attributes are returned without data, certificate and class`() throws {
        let found = try filled().attributes(identity)
        for name in ["v_Data", "certdata", "class"] { #expect(found[name] == nil, "\(name)") }
    }

    @Test func `attributes of both are returned; the certificate's take precedence`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(certificate("a").with(["pdmn": "ck", "sync": true, "subj": data("me")]))
        try keychain.add(privateKey("a").with(["pdmn": "ak", "bsiz": 256, "alis": "alias"]))
        let one = try keychain.attributes(certificate("a").with(["sync": true]))
        let other = try keychain.attributes(["class": "keys"])
        let both = try keychain.attributes(identity)
        #expect(both == other.merging(one) { $1 })
        #expect(both["labl"] == "a" && both["pdmn"] == "ck" && both["bsiz"] == 256 && both["alis"] == "alias")
        #expect(both["sha1"] == one["sha1"])
    }

    @Test func `attributes missing from the certificate come from the key`() throws {
        let keychain = try KeychainSample().keychain
        var bare = certificate("a")
        bare["labl"] = nil
        try keychain.add(bare)
        try keychain.add(privateKey("a"))
        #expect(try keychain.attributes(identity)["labl"] == "key of a")
    }

    @Test func `an identity whose key has no data is omitted from lists of data`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(certificate("a"))
        var key = privateKey("a")
        key["v_Data"] = nil
        try keychain.add(key)
        #expect(try keychain.find(identity.with(["r_Data": true])) == .missing)
        #expect(try keychain.all(identity.with(["r_Data": true])) == [])
        let found = try keychain.find(identity.with(["r_Data": true, "r_Attributes": true])).values
        #expect(found["v_Data"] == nil)
        #expect(found["certdata"] == data("certificate a"))
    }

    @Test func `an identity is returned as its parts`() throws {
        guard case .reference(let reference) = try filled().find(identity.with(["r_Ref": true])) else {
            Issue.record("no reference")
            return
        }
        #expect(reference.itemClass == .identity)
        #expect(reference.data == Array("key a".utf8))
        #expect(reference.attributes["certdata"] == data("certificate a"))
        #expect(reference.attributes["klbl"] == data("a"))
    }

    @Test func `the class is returned beside a reference`() throws {
        let answer = try filled().find(identity.with(["r_Ref": true, "r_Attributes": true]))
        guard case .dictionary(let found) = answer else {
            Issue.record("no dictionary")
            return
        }
        #expect(found.values["class"] == "idnt")
        #expect(found.reference?.itemClass == .identity)
        #expect(found.values["v_Data"] == nil && found.values["certdata"] == nil)
    }

    // MARK: - Persistent references

    @Test func `an identity has its certificate's reference, with its own class`() throws {
        let keychain = try filled()
        guard case .data(let one) = try keychain.reference(identity),
            case .data(let other) = try keychain.reference(["class": "cert"])
        else {
            Issue.record("no references")
            return
        }
        #expect(one.starts(with: "idnt".utf8))
        #expect(one.dropFirst(4) == other.dropFirst(4))
    }

    @Test func `a reference finds an identity whether it is synchronizable or not`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a", with: ["sync": true])
        try keychain.addPair("b")
        let reference = try keychain.reference(identity.with(["sync": true]))
        #expect(try keychain.text(["v_PersistentRef": reference]) == "key a")
        #expect(try keychain.text(["v_PersistentRef": reference, "class": "idnt"]) == "key a")
    }

    @Test func `a reference finds no identity once a half is deleted`() throws {
        for half in ["cert", "keys"] {
            let keychain = try filled()
            let reference = try keychain.reference(identity)
            try keychain.delete(["class": .string(half)])
            #expect(throws: KeychainError.itemNotFound) { try keychain.find(["v_PersistentRef": reference]) }
        }
    }

    @Test func `a certificate's reference is not an identity's`() throws {
        let keychain = try filled()
        let reference = try keychain.reference(["class": "cert"])
        #expect(throws: KeychainError.noSuchClass("idnt")) {
            try keychain.find(["v_PersistentRef": reference, "class": "idnt"])
        }
    }

    @Test func `a key's reference is not an identity's`() throws {
        let keychain = try filled()
        guard case .data(let bytes) = try keychain.reference(["class": "keys"]) else {
            Issue.record("no reference")
            return
        }
        let reference = ItemValue.data(Array("idnt".utf8) + bytes.dropFirst(4))
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(["v_PersistentRef": reference]) }
    }

    @Test func `a reference excludes other attributes`() throws {
        let keychain = try filled()
        let reference = try keychain.reference(identity)
        #expect(throws: KeychainError.invalid(.referenceWithAttributes)) {
            try keychain.find(["v_PersistentRef": reference, "labl": "a"])
        }
    }
}
