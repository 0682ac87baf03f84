import Coffer
import CofferSecurity
import TestSupport
import Testing

/// `Spec/keychain-behavior.md`, section 6: which half of an identity a condition applies to.
@Suite("Conditions on identities", .temporaryDirectory) struct IdentityConditionTests {
    /// A pair whose halves have different values of an attribute, if they have the attribute.
    private func pair(_ name: String, ofCertificate one: ItemValue?, ofKey other: ItemValue?) throws -> Keychain {
        let keychain = try KeychainSample().keychain
        var halves = (certificate("a"), privateKey("a"))
        if let one { halves.0[name] = one }
        if let other { halves.1[name] = other }
        try keychain.add(halves.0)
        try keychain.add(halves.1)
        return keychain
    }

    @Test(
        arguments: [
            ("labl", "one", "other"), ("issr", data("one"), nil), ("slnr", data("one"), nil),
            ("skid", data("one"), nil), ("tkid", "one", "other"), ("subj", data("one"), nil), ("ctyp", 3, nil),
            ("cenc", 3, nil), ("pkhh", data("a"), nil),
        ] as [(String, ItemValue, ItemValue?)]
    )
    func `some attributes are the certificate's`(name: String, one: ItemValue, other: ItemValue?) throws {
        let keychain = try pair(name, ofCertificate: one, ofKey: other)
        #expect(try keychain.count(identity.with([name: one])) == 1)
        let wrong: ItemValue = other ?? (one == 3 ? 4 : data("wrong"))
        #expect(try keychain.count(identity.with([name: wrong])) == 0)
    }

    @Test(
        arguments: [
            ("klbl", nil, data("a")), ("atag", nil, "tag"), ("bsiz", nil, 256), ("esiz", nil, 256), ("type", nil, 73),
            ("crtr", nil, 7), ("sign", nil, 1), ("alis", "one", "other"), ("perm", nil, 1),
            ("sdat", nil, .date(secondsSinceReferenceDate: 5)), ("vwht", "one", "other"),
        ] as [(String, ItemValue?, ItemValue)]
    )
    func `other attributes are the key's`(name: String, one: ItemValue?, other: ItemValue) throws {
        let keychain = try pair(name, ofCertificate: one, ofKey: other)
        #expect(try keychain.count(identity.with([name: other])) == 1)
        let wrong: ItemValue =
            switch other {
            case .integer: 3
            case .date: .date(secondsSinceReferenceDate: 6)
            default: one ?? data("wrong")
            }
        #expect(try keychain.count(identity.with([name: wrong])) == 0)
    }

    @Test(arguments: ["cdat", "mdat", "sha1"]) func `dates and digests are the key's`(name: String) throws {
        let sample = try KeychainSample()
        try sample.keychain.add(certificate("a"))
        sample.time.advance(nanoseconds: 1_000_000_000)
        try sample.keychain.add(privateKey("a"))
        let one = try #require(try sample.keychain.attributes(["class": "cert"])[name])
        let other = try #require(try sample.keychain.attributes(["class": "keys"])[name])
        #expect(try sample.keychain.count(identity.with([name: other])) == 1)
        #expect(try sample.keychain.count(identity.with([name: one])) == 0)
    }

    @Test(arguments: [
        ("kcls", ItemValue.integer(0)), ("kcls", 2), ("priv", 0), ("klbl", data("b")), ("pkhh", data("b")),
    ])
    func `a condition that no identity can meet finds nothing`(name: String, value: ItemValue) throws {
        let keychain = try pair("labl", ofCertificate: nil, ofKey: nil)
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(identity.with([name: value])) }
    }

    @Test(arguments: [("kcls", ItemValue.string("1")), ("kcls", 1), ("priv", true), ("priv", 1)])
    func `a condition that every identity meets is allowed`(name: String, value: ItemValue) throws {
        #expect(try pair("labl", ofCertificate: nil, ofKey: nil).count(identity.with([name: value])) == 1)
    }

    @Test func `conditions on both halves must hold for the same identity`() throws {
        let keychain = try KeychainSample().keychain
        for hash in ["a", "b"] { try keychain.addPair(hash, with: ["alis": .string("alias \(hash)")]) }
        #expect(try keychain.count(identity.with(["labl": "a", "alis": "alias a"])) == 1)
        #expect(try keychain.count(identity.with(["labl": "a", "alis": "alias b"])) == 0)
    }

    @Test func `renaming the certificate renames the identity; renaming the key does not`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a")
        try keychain.update(["class": "keys"], with: ["labl": "new"])
        #expect(try keychain.count(identity.with(["labl": "a"])) == 1)
        try keychain.update(["class": "cert"], with: ["labl": "new"])
        #expect(try keychain.count(identity.with(["labl": "a"])) == 0)
        #expect(try keychain.count(identity.with(["labl": "new"])) == 1)
    }

    @Test(arguments: ["acct", "svce", "srvr", "desc", "icmt", "invi", "abcd"])
    func `an attribute of neither half is rejected`(name: String) throws {
        #expect(throws: KeychainError.noSuchAttribute(name)) {
            try KeychainSample().keychain.find(identity.with([name: "x"]))
        }
    }

    @Test(arguments: [("subj", ItemValue.bool(true)), ("klbl", .null), ("sdat", 5), ("issr", "text")])
    func `a value must have the type that its half expects`(name: String, value: ItemValue) throws {
        #expect(throws: KeychainError.invalid(.value(of: name))) {
            try KeychainSample().keychain.find(identity.with([name: value]))
        }
    }

    @Test func `the protection is the key's`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a")
        #expect(try keychain.count(identity.with(["pdmn": "ak"])) == 1)
        #expect(try keychain.count(identity.with(["pdmn": "dk"])) == 0)
    }

    @Test func `the key determines whether an identity is synchronizable`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(certificate("a").with(["sync": true]))
        try keychain.add(privateKey("a"))
        try keychain.add(certificate("b"))
        try keychain.add(privateKey("b").with(["sync": true]))
        #expect(try keychain.text(identity) == "key a")
        #expect(try keychain.text(identity.with(["sync": true])) == "key b")
        #expect(try keychain.count(identity.with(["sync": "syna"])) == 2)
        #expect(try keychain.count(identity.with(["sync": false])) == 1)
    }

    @Test(arguments: ["cert", "keys"]) func `a half marked as deleted does not form an identity`(half: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a")
        try keychain.update(["class": .string(half)], with: ["tomb": 1])
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(identity) }
    }

    @Test func `an identity has no host`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a")
        let key = "m_HostOrSubdomainOfHost"
        #expect(throws: KeychainError.unsupportedCondition(key)) { try keychain.find(identity.with([key: "x"])) }
    }

    // MARK: - Groups

    @Test func `the halves can be in two groups of the program`() throws {
        let keychain = try KeychainSample(AccessGroups(declared: ["T.one", "T.two"])).keychain
        try keychain.add(certificate("a"))
        try keychain.add(privateKey("a").with(["agrp": "T.two"]))
        #expect(try keychain.count(identity) == 1)
        #expect(try keychain.count(identity.with(["agrp": "T.two"])) == 1)
        #expect(try keychain.count(identity.with(["agrp": "T.one"])) == 0)
        #expect(try keychain.attributes(identity)["agrp"] == "T.one")
    }

    @Test(arguments: ["cert", "keys"]) func `both halves must be in groups of the program`(half: String) throws {
        let sample = try KeychainSample(AccessGroups(declared: ["T.one"]))
        let other = sample.keychain(AccessGroups(declared: ["T.two"]))
        try (half == "cert" ? other : sample.keychain).add(certificate("a"))
        try (half == "keys" ? other : sample.keychain).add(privateKey("a"))
        #expect(throws: KeychainError.itemNotFound) { try sample.keychain.find(identity) }
        #expect(throws: KeychainError.itemNotFound) { try other.find(identity) }
        #expect(try sample.keychain(AccessGroups(declared: ["*"])).count(identity) == 1)
    }

    @Test func `a group that the program may not use is rejected`() throws {
        let keychain = try KeychainSample(AccessGroups(declared: ["T.one"])).keychain
        let error = KeychainError.notEntitled(.group("T.two"))
        let request = identity.with(["agrp": "T.two"])
        #expect(throws: error) { try keychain.find(request) }
        #expect(throws: error) { try keychain.update(request, with: [:]) }
        #expect(throws: error) { try keychain.delete(request) }
    }

    @Test func `a program without declarations finds an identity in a named group`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a", with: ["agrp": "elsewhere"])
        #expect(try keychain.count(identity) == 0)
        #expect(try keychain.count(identity.with(["agrp": "elsewhere"])) == 1)
    }

    // MARK: - Locking

    /// A pair with these protections in a locked keychain.
    private func locked(certificate one: String, key other: String) throws -> Keychain {
        let keychain = try KeychainSample().keychain
        try keychain.add(certificate("a").with(["pdmn": .string(one)]))
        try keychain.add(privateKey("a").with(["pdmn": .string(other)]))
        keychain.lock()
        return keychain
    }

    @Test(
        arguments: [("dk", "ak"), ("ak", "dk"), ("ak", "ak"), ("dk", "aku")],
        [[], ["r_Data"], ["r_Attributes"], ["r_Ref"], ["r_PersistentRef"]]
    )
    func `an identity with a locked half is locked for every request`(
        halves: (String, String),
        returns: [String]
    ) throws {
        let keychain = try locked(certificate: halves.0, key: halves.1)
        let request = returns.reduce(identity) { $0.with([$1: true]) }
        #expect(throws: KeychainError.locked) { try keychain.find(request) }
        #expect(throws: KeychainError.locked) { try keychain.find(request.with(["m_Limit": "m_LimitAll"])) }
    }

    @Test func `an identity with unlocked halves is found while the keychain is locked`() throws {
        #expect(try locked(certificate: "dk", key: "ck").text(identity) == "key a")
    }

    @Test(arguments: [("dk", "ak"), ("ak", "dk")])
    func `an identity excluded by digests is not found, even if locked`(halves: (String, String)) throws {
        let keychain = try locked(certificate: halves.0, key: halves.1)
        for condition in [["klbl": data("b")], ["kcls": 0], ["issr": data("b")], ["pdmn": "cku"]] as [ItemRequest] {
            #expect(throws: KeychainError.itemNotFound) { try keychain.find(identity.with(condition)) }
        }
    }

    @Test func `a locked certificate without any private key is not an identity`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(certificate("a").with(["pdmn": "ak"]))
        try keychain.add(["class": "keys", "kcls": 0, "klbl": data("a")])
        keychain.lock()
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(identity) }
    }

    @Test func `a locked key of another certificate does not matter`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(certificate("a"))
        try keychain.add(privateKey("a").with(["pdmn": "dk"]))
        try keychain.add(privateKey("b"))
        keychain.lock()
        #expect(try keychain.count(identity) == 1)
    }

    @Test func `a reference to a locked identity reports it as locked`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a")
        let reference = try keychain.reference(identity)
        keychain.lock()
        #expect(throws: KeychainError.locked) { try keychain.find(["v_PersistentRef": reference, "r_Data": true]) }
    }
}
