import Foundation
import Security
import Testing

/// The half of an identity to which a condition applies (`Spec/keychain-behavior.md`, section 6).
@Suite("Calls: conditions on identities", .ownKeychain) struct CallIdentityConditionTests {
    /// Stores a pair whose halves have different values of an attribute, if they have the attribute.
    private func fill(_ name: String, ofCertificate one: CallValue? = nil, ofKey other: CallValue? = nil) {
        let name = name as CFString
        Call.addPair("a", one.map { [name: $0.object] } ?? [:], other.map { [name: $0.object] } ?? [:])
    }

    @Test(
        arguments: [
            ("labl", "one", "other"), ("issr", .data("one"), nil), ("slnr", .data("one"), nil),
            ("skid", .data("one"), nil), ("tkid", "one", "other"), ("subj", .data("one"), nil), ("ctyp", 3, nil),
            ("cenc", 3, nil), ("pkhh", .data("a"), nil),
        ] as [(String, CallValue, CallValue?)]
    )
    func `some attributes are the certificate's`(name: String, one: CallValue, other: CallValue?) {
        fill(name, ofCertificate: one, ofKey: other)
        #expect(Call.find(.idnt([name as CFString: one.object])) == 0)
        let wrong = other?.object ?? (one.object is Int ? 4 : Data("wrong"))
        #expect(Call.find(.idnt([name as CFString: wrong])) == -25300)
    }

    @Test(
        arguments: [
            ("klbl", nil, .data("a")), ("atag", nil, "tag"), ("bsiz", nil, 256), ("esiz", nil, 256), ("type", nil, 73),
            ("crtr", nil, 7), ("sign", nil, 1), ("alis", "one", "other"), ("perm", nil, 1), ("sdat", nil, .date(5)),
            ("vwht", "one", "other"),
        ] as [(String, CallValue?, CallValue)]
    )
    func `other attributes are the key's`(name: String, one: CallValue?, other: CallValue) {
        fill(name, ofCertificate: one, ofKey: other)
        #expect(Call.find(.idnt([name as CFString: other.object])) == 0)
        let wrong: Any =
            switch other.object {
            case is Int: 3
            case is Date: Date.distantPast
            default: one?.object ?? Data("wrong")
            }
        #expect(Call.find(.idnt([name as CFString: wrong])) == -25300)
    }

    @Test(arguments: ["cdat", "mdat", "sha1"]) func `dates and digests are the key's`(name: String) throws {
        Call.addPair("a")
        let one = try #require(try Call.attributes(.cert())[name])
        let other = try #require(try Call.attributes(.keys())[name])
        #expect(Call.find(.idnt([name as CFString: other])) == 0)
        #expect(Call.find(.idnt([name as CFString: one])) == -25300)
    }

    @Test(
        arguments: [
            ("kcls", 0, false), ("kcls", 2, false), ("priv", 0, false), ("klbl", .data("b"), false),
            ("pkhh", .data("b"), false), ("kcls", "1", true), ("kcls", 1, true), ("priv", true, true),
            ("priv", 1, true),
        ] as [(String, CallValue, Bool)]
    )
    func `what every identity has is allowed as a condition`(name: String, value: CallValue, isMet: Bool) {
        Call.addPair("a")
        #expect(Call.find(.idnt([name as CFString: value.object])) == (isMet ? 0 : -25300))
    }

    @Test func `conditions on both halves must hold for the same identity`() {
        for hash in ["a", "b"] { Call.addPair(hash, [:], ["alis": "alias \(hash)"]) }
        #expect(Call.find(.idnt([kSecAttrLabel: "a", "alis": "alias a"])) == 0)
        #expect(Call.find(.idnt([kSecAttrLabel: "a", "alis": "alias b"])) == -25300)
    }

    @Test func `renaming the certificate renames the identity; renaming the key does not`() {
        Call.addPair("a")
        #expect(Call.update(.keys(), [kSecAttrLabel: "new"]) == 0)
        #expect(Call.find(.idnt([kSecAttrLabel: "a"])) == 0)
        #expect(Call.update(.cert(), [kSecAttrLabel: "new"]) == 0)
        #expect(Call.find(.idnt([kSecAttrLabel: "a"])) == -25300)
        #expect(Call.find(.idnt([kSecAttrLabel: "new"])) == 0)
    }

    @Test(arguments: ["acct", "svce", "srvr", "desc", "icmt", "invi", "abcd"])
    func `an attribute of neither half: errSecNoSuchAttr`(name: String) {
        #expect(Call.find(.idnt([name as CFString: "x"])) == -25303)
    }

    @Test(arguments: [("subj", true), ("klbl", .null), ("sdat", 5), ("issr", "text")] as [(String, CallValue)])
    func `a value must have the type that its half expects: errSecParam`(name: String, value: CallValue) {
        #expect(Call.find(.idnt([name as CFString: value.object])) == -50)
    }

    @Test func `the protection class is the key's`() {
        Call.addPair("a")
        #expect(Call.find(.idnt([kSecAttrAccessible: "ak"])) == 0)
        #expect(Call.find(.idnt([kSecAttrAccessible: "dk"])) == -25300)
    }

    @Test func `the key determines whether an identity is synchronizable`() throws {
        Call.addPair("a", [kSecAttrSynchronizable: true])
        Call.addPair("b", [:], [kSecAttrSynchronizable: true])
        #expect(try Call.text(.idnt()) == "key a")
        #expect(try Call.text(.idnt([kSecAttrSynchronizable: true])) == "key b")
        #expect(try Call.count(.idnt([kSecAttrSynchronizable: kSecAttrSynchronizableAny])) == 2)
        #expect(try Call.count(.idnt([kSecAttrSynchronizable: false])) == 1)
    }

    @Test(arguments: ["cert", "keys"]) func `a half marked as deleted does not form an identity`(half: String) {
        Call.addPair("a")
        #expect(Call.update(.item(half), ["tomb": true]) == 0)
        #expect(Call.find(.idnt()) == -25300)
    }

    // MARK: - Groups

    @Test func `the halves can be in two groups of the program, and the group is the key's`() throws {
        try CallSample.asProgram("T.one", "T.two") { () throws in
            Call.addPair("a", [:], [kSecAttrAccessGroup: "T.two"])
            #expect(try Call.count(.idnt()) == 1)
            #expect(Call.find(.idnt([kSecAttrAccessGroup: "T.two"])) == 0)
            #expect(Call.find(.idnt([kSecAttrAccessGroup: "T.one"])) == -25300)
            #expect(try Call.attributes(.idnt())["agrp"] as? String == "T.one")
        }
    }

    @Test(arguments: [("T.one", "T.two"), ("T.two", "T.one")])
    func `both halves must be in groups of the program`(certificate: String, key: String) throws {
        try CallSample.asProgram(certificate) { #expect(Call.add(.certificate("a")) == 0) }
        try CallSample.asProgram(key) { #expect(Call.add(.privateKey("a")) == 0) }
        for group in ["T.one", "T.two"] { try CallSample.asProgram(group) { #expect(Call.find(.idnt()) == -25300) } }
        try CallSample.asProgram("*") { #expect(Call.find(.idnt()) == 0) }
    }

    @Test func `a group of another program: errSecMissingEntitlement`() throws {
        try CallSample.asProgram("T.one") {
            let query: [CFString: Any] = .idnt([kSecAttrAccessGroup: "T.two"])
            #expect([Call.find(query), Call.update(query), Call.delete(query)] == [-34018, -34018, -34018])
        }
    }

    @Test func `a program without declared groups finds an identity in a named group`() {
        Call.addPair("a", [kSecAttrAccessGroup: "elsewhere"], [kSecAttrAccessGroup: "elsewhere"])
        #expect(Call.find(.idnt()) == -25300)
        #expect(Call.find(.idnt([kSecAttrAccessGroup: "elsewhere"])) == 0)
    }

    // MARK: - Locked halves

    /// Stores a pair with these protection classes, and locks the keychain.
    private func lock(certificate one: String, key other: String) throws {
        Call.addPair("a", [kSecAttrAccessible: one], [kSecAttrAccessible: other])
        try CallSample.lock()
    }

    @Test(
        arguments: [("dk", "ak"), ("ak", "dk"), ("ak", "ak"), ("dk", "aku")],
        [nil, "r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"]
    )
    func `an identity with a locked half, whatever is asked of it: errSecInteractionNotAllowed`(
        halves: (certificate: String, key: String),
        key: String?
    ) throws {
        try lock(certificate: halves.certificate, key: halves.key)
        let query: [CFString: Any] = .idnt(key.map { [$0 as CFString: true] } ?? [:])
        #expect(Call.find(query) == -25308)
        #expect(Call.find(query.with([kSecMatchLimit: kSecMatchLimitAll])) == -25308)
    }

    @Test func `an identity with unlocked halves is found while the keychain is locked`() throws {
        try lock(certificate: "dk", key: "ck")
        #expect(try Call.text(.idnt()) == "key a")
    }

    @Test(
        arguments: [("dk", "ak"), ("ak", "dk")],
        [("klbl", .data("b")), ("kcls", 0), ("issr", .data("b")), ("pdmn", "cku")] as [(String, CallValue)]
    )
    func `an identity excluded by digests is not found, even if locked`(
        halves: (certificate: String, key: String),
        condition: (name: String, value: CallValue)
    ) throws {
        try lock(certificate: halves.certificate, key: halves.key)
        #expect(Call.find(.idnt([condition.name as CFString: condition.value.object])) == -25300)
    }

    @Test func `a locked certificate without any private key is not an identity`() throws {
        #expect(Call.add(.certificate("a").with([kSecAttrAccessible: "ak"])) == 0)
        #expect(Call.add(.keys([kSecAttrKeyClass: 0, kSecAttrApplicationLabel: Data("a")])) == 0)
        try CallSample.lock()
        #expect(Call.find(.idnt()) == -25300)
    }

    @Test func `a locked key of another certificate does not matter`() throws {
        Call.addPair("a", [:], [kSecAttrAccessible: "dk"])
        #expect(Call.add(.privateKey("b")) == 0)
        try CallSample.lock()
        #expect(try Call.count(.idnt()) == 1)
    }

    @Test func `a reference to a locked identity: errSecInteractionNotAllowed`() throws {
        Call.addPair("a")
        let reference = try Call.reference(.idnt())
        try CallSample.lock()
        #expect(Call.find([kSecValuePersistentRef: reference, kSecReturnData: true]) == -25308)
    }
}

extension [CFString: Any] {
    /// A certificate with a public key hash, named after the hash by default; its data is text.
    static func certificate(_ hash: String, named name: String? = nil) -> [CFString: Any] {
        let name = name ?? hash
        return .cert([
            kSecAttrLabel: name, kSecAttrIssuer: Data("issuer of \(name)"), kSecAttrSerialNumber: Data("1"),
            kSecAttrPublicKeyHash: Data(hash), kSecValueData: Data("certificate \(name)"),
        ])
    }

    /// A private key with a public key hash; its data is text.
    static func privateKey(_ hash: String) -> [CFString: Any] {
        .keys([
            kSecAttrLabel: "key of \(hash)", kSecAttrKeyClass: kSecAttrKeyClassPrivate, "priv": true,
            kSecAttrApplicationLabel: Data(hash), kSecValueData: Data("key \(hash)"),
        ])
    }
}

extension Call {
    /// Adds a certificate and then its key.
    static func addPair(_ hash: String, _ certificate: [CFString: Any] = [:], _ key: [CFString: Any] = [:]) {
        #expect(add(.certificate(hash).with(certificate)) == 0)
        #expect(add(.privateKey(hash).with(key)) == 0)
    }
}
