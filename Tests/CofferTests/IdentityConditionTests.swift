import Coffer
import CofferSecurity
import TestSupport
import Testing

/// Section 11.3 of Apple's behaviour: which half of an identity a condition is about.
@Suite("Conditions on identities", .temporaryDirectory) struct IdentityConditionTests {
    /// A pair of which each half has its own value of an attribute, as far as it has the attribute.
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
    func `some are about the certificate`(name: String, one: ItemValue, other: ItemValue?) throws {
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
    func `others are about the key`(name: String, one: ItemValue?, other: ItemValue) throws {
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

    @Test(arguments: ["cdat", "mdat", "sha1"]) func `dates and digests are those of the key`(name: String) throws {
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
    func `what no identity is, is not found`(name: String, value: ItemValue) throws {
        let keychain = try pair("labl", ofCertificate: nil, ofKey: nil)
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(identity.with([name: value])) }
    }

    @Test(arguments: [("kcls", ItemValue.string("1")), ("kcls", 1), ("priv", true), ("priv", 1)])
    func `what every identity is may be said`(name: String, value: ItemValue) throws {
        #expect(try pair("labl", ofCertificate: nil, ofKey: nil).count(identity.with([name: value])) == 1)
    }

    @Test func `conditions on both halves must hold at once`() throws {
        let keychain = try KeychainSample().keychain
        for hash in ["a", "b"] { try keychain.addPair(hash, with: ["alis": .string("alias \(hash)")]) }
        #expect(try keychain.count(identity.with(["labl": "a", "alis": "alias a"])) == 1)
        #expect(try keychain.count(identity.with(["labl": "a", "alis": "alias b"])) == 0)
    }

    @Test func `renaming the certificate renames the identity, renaming the key does not`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a")
        try keychain.update(["class": "keys"], with: ["labl": "new"])
        #expect(try keychain.count(identity.with(["labl": "a"])) == 1)
        try keychain.update(["class": "cert"], with: ["labl": "new"])
        #expect(try keychain.count(identity.with(["labl": "a"])) == 0)
        #expect(try keychain.count(identity.with(["labl": "new"])) == 1)
    }

    @Test(arguments: ["acct", "svce", "srvr", "desc", "icmt", "invi", "abcd"])
    func `an attribute of neither half is none`(name: String) throws {
        #expect(throws: KeychainError.noSuchAttribute(name)) {
            try KeychainSample().keychain.find(identity.with([name: "x"]))
        }
    }

    @Test(arguments: [("subj", ItemValue.bool(true)), ("klbl", .null), ("sdat", 5), ("issr", "text")])
    func `a value is of the kind that its half takes`(name: String, value: ItemValue) throws {
        #expect(throws: KeychainError.invalid(.value(of: name))) {
            try KeychainSample().keychain.find(identity.with([name: value]))
        }
    }

    @Test func `a protection is that of the key`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a")
        #expect(try keychain.count(identity.with(["pdmn": "ak"])) == 1)
        #expect(try keychain.count(identity.with(["pdmn": "dk"])) == 0)
    }

    @Test func `whether it is synchronizable, the key says`() throws {
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

    @Test(arguments: ["cert", "keys"]) func `what is marked as deleted makes none`(half: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a")
        try keychain.update(["class": .string(half)], with: ["tomb": 1])
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(identity) }
    }

    @Test(arguments: ["m_HostOrSubdomainOfHost", "m_EmailAddressIfPresent"])
    func `what cannot be judged is an error`(key: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a")
        #expect(throws: KeychainError.unsupportedCondition(key)) { try keychain.find(identity.with([key: "x"])) }
    }

    // MARK: - Groups

    @Test func `its halves may be in two groups of the program`() throws {
        let keychain = try KeychainSample(AccessGroups(declared: ["T.one", "T.two"])).keychain
        try keychain.add(certificate("a"))
        try keychain.add(privateKey("a").with(["agrp": "T.two"]))
        #expect(try keychain.count(identity) == 1)
        #expect(try keychain.count(identity.with(["agrp": "T.two"])) == 1)
        #expect(try keychain.count(identity.with(["agrp": "T.one"])) == 0)
        #expect(try keychain.attributes(identity)["agrp"] == "T.one")
    }

    @Test(arguments: ["cert", "keys"]) func `both halves are in groups of the program`(half: String) throws {
        let sample = try KeychainSample(AccessGroups(declared: ["T.one"]))
        let other = sample.keychain(AccessGroups(declared: ["T.two"]))
        try (half == "cert" ? other : sample.keychain).add(certificate("a"))
        try (half == "keys" ? other : sample.keychain).add(privateKey("a"))
        #expect(throws: KeychainError.itemNotFound) { try sample.keychain.find(identity) }
        #expect(throws: KeychainError.itemNotFound) { try other.find(identity) }
        #expect(try sample.keychain(AccessGroups(declared: ["*"])).count(identity) == 1)
    }

    @Test func `a group that is not the program's is refused`() throws {
        let keychain = try KeychainSample(AccessGroups(declared: ["T.one"])).keychain
        let error = KeychainError.notEntitled(.group("T.two"))
        let request = identity.with(["agrp": "T.two"])
        #expect(throws: error) { try keychain.find(request) }
        #expect(throws: error) { try keychain.update(request, with: [:]) }
        #expect(throws: error) { try keychain.delete(request) }
    }

    @Test func `who has declared nothing finds it in the group that it names`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a", with: ["agrp": "elsewhere"])
        #expect(try keychain.count(identity) == 0)
        #expect(try keychain.count(identity.with(["agrp": "elsewhere"])) == 1)
    }

    // MARK: - Locking

    /// A pair with these protections, in a keychain that is locked.
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
    func `one whose half is locked is locked, whatever is asked`(halves: (String, String), returns: [String]) throws {
        let keychain = try locked(certificate: halves.0, key: halves.1)
        let request = returns.reduce(identity) { $0.with([$1: true]) }
        #expect(throws: KeychainError.locked) { try keychain.find(request) }
        #expect(throws: KeychainError.locked) { try keychain.find(request.with(["m_Limit": "m_LimitAll"])) }
    }

    @Test func `one whose halves are open is found while the keychain is locked`() throws {
        #expect(try locked(certificate: "dk", key: "ck").text(identity) == "key a")
    }

    @Test(arguments: [("dk", "ak"), ("ak", "dk")])
    func `what the digests exclude is not found, locked or not`(halves: (String, String)) throws {
        let keychain = try locked(certificate: halves.0, key: halves.1)
        for condition in [["klbl": data("b")], ["kcls": 0], ["issr": data("b")], ["pdmn": "cku"]] as [ItemRequest] {
            #expect(throws: KeychainError.itemNotFound) { try keychain.find(identity.with(condition)) }
        }
    }

    @Test func `a locked certificate without any private key is no identity`() throws {
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

    @Test func `a reference to a locked one finds it locked`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.addPair("a")
        let reference = try keychain.reference(identity)
        keychain.lock()
        #expect(throws: KeychainError.locked) { try keychain.find(["v_PersistentRef": reference, "r_Data": true]) }
    }
}
