import Coffer
import CofferSecurity
import TestSupport
import Testing
import VaultStore

/// `Spec/keychain-behavior.md`, section 4: limits, shapes, conditions.
@Suite("Finding", .temporaryDirectory) struct KeychainFindingTests {
    /// A keychain with passwords of kim, lee and max; max's has no data.
    private func filled() throws -> Keychain {
        let keychain = try KeychainSample().keychain
        for (name, secret) in [("kim", "1"), ("lee", "2")] {
            try keychain.add(password.with(["acct": .string(name), "v_Data": data(secret)]))
        }
        try keychain.add(password.with(["acct": "max"]))
        return keychain
    }

    // MARK: - Limits

    @Test(arguments: [ItemValue?.none, "m_LimitOne", 1, .real(1)])
    func `a single item is returned bare`(limit: ItemValue?) throws {
        var request = password.with(["r_Data": true])
        request["m_Limit"] = limit
        #expect(try filled().find(request) == .data([0x31]))
    }

    @Test(arguments: [ItemValue.string("m_LimitAll"), -1, .real(-1)])
    func `all items are returned as a list, oldest first`(
        limit: ItemValue
    ) throws {
        let keychain = try filled()
        try keychain.update(password.with(["acct": "kim"]), with: ["labl": "changed"])
        #expect(
            try keychain.find(password.with(["r_Data": true, "m_Limit": limit]))
                == .list([.data([0x31]), .data([0x32])])
        )
    }

    @Test(arguments: [(2, 2), (3, 3), (100, 3)]) func `a numeric limit returns at most that many items as a list`(
        limit: Int64,
        count: Int
    ) throws {
        let request = password.with(["r_PersistentRef": true, "m_Limit": .integer(limit)])
        guard case .list(let answers) = try filled().find(request) else {
            Issue.record("no list")
            return
        }
        #expect(answers.count == count)
    }

    @Test func `a list is returned even for a single item`() throws {
        let request = password.with(["acct": "kim", "r_Data": true, "m_Limit": 5])
        #expect(try filled().find(request) == .list([.data([0x31])]))
    }

    @Test func `a limit of zero finds nothing`() throws {
        #expect(throws: KeychainError.itemNotFound) { try filled().find(password.with(["m_Limit": 0])) }
    }

    @Test(arguments: [
        ItemValue.string("5"), .bool(true), .real(1.5), .real(.infinity), .real(.nan), -2, .null, data("x"),
    ])
    func `a limit must be a whole number or one of two names`(limit: ItemValue) throws {
        #expect(throws: KeychainError.invalid(.value(of: "m_Limit"))) {
            try filled().find(password.with(["m_Limit": limit]))
        }
    }

    // MARK: - Shapes

    @Test func `a query without return keys tells whether an item exists`() throws {
        let keychain = try filled()
        #expect(try keychain.find(password) == .notRequested)
        #expect(try keychain.find(password.with(["m_Limit": "m_LimitAll"])) == .list([]))
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(password.with(["acct": "zoe"])) }
    }

    @Test(arguments: ["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"])
    func `a return key that is false is ignored`(key: String) throws {
        #expect(try filled().find(password.with([key: false])) == .notRequested)
    }

    @Test func `an item without data returns nothing and is omitted from lists`() throws {
        let keychain = try filled()
        #expect(try keychain.find(password.with(["acct": "max", "r_Data": true])) == .missing)
        #expect(try keychain.all(password.with(["r_Data": true])).count == 2)
        #expect(try keychain.all(password.with(["acct": "max", "r_Data": true])) == [])
    }

    @Test func `attributes are returned as a dictionary without data and class`() throws {
        let attributes = try filled().attributes(password.with(["acct": "kim"]))
        let names: Set = ["acct", "svce", "agrp", "pdmn", "accc", "cdat", "mdat", "sync", "sha1", "tomb", "musr"]
        #expect(Set(attributes.keys) == names)
        #expect(attributes["tomb"] == 0)
        #expect(attributes["musr"] == .data([]))
    }

    @Test(arguments: ["genp", "inet"]) func `passwords have no references, and lists of them are empty`(
        itemClass: String
    ) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(["class": .string(itemClass)])
        let request: ItemRequest = ["class": .string(itemClass), "r_Ref": true]
        #expect(try keychain.find(request) == .missing)
        #expect(try keychain.all(request) == [])
    }

    @Test(arguments: ["cert", "keys"]) func `certificates and keys are returned as their parts`(
        itemClass: String
    ) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(["class": .string(itemClass), "labl": "L", "v_Data": data("der")])
        guard case .reference(let reference) = try keychain.find(["class": .string(itemClass), "r_Ref": true]) else {
            Issue.record("no reference")
            return
        }
        #expect(reference.itemClass.rawValue == itemClass)
        #expect(reference.data == Array("der".utf8))
        #expect(reference.attributes["labl"] == "L")
    }

    /// The return keys, and the keys in the dictionary besides the attributes; without attributes there are none of
    /// these.
    static let shapes: [([String], extra: Set<String>, hasAttributes: Bool)] = [
        (["r_Data", "r_Attributes"], ["v_Data"], true),
        (["r_Data", "r_PersistentRef"], ["v_Data", "v_PersistentRef"], true),
        (["r_Attributes", "r_PersistentRef"], ["v_PersistentRef"], true),
        (["r_Data", "r_Attributes", "r_PersistentRef"], ["v_Data", "v_PersistentRef"], true),
        (["r_Data", "r_Ref"], ["v_Data", "class"], true),
        (["r_Attributes", "r_Ref"], ["class"], true),
        (["r_PersistentRef", "r_Ref"], ["v_PersistentRef", "class"], true),
        (["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"], ["v_Data", "v_PersistentRef", "class"], true),
    ]

    @Test(arguments: shapes) func `several results are returned as a dictionary`(
        keys: [String],
        extra: Set<String>,
        hasAttributes: Bool
    ) throws {
        let keychain = try filled()
        let request = keys.reduce(password.with(["acct": "kim"])) { $0.with([$1: true]) }
        guard case .dictionary(let found) = try keychain.find(request) else {
            Issue.record("no dictionary")
            return
        }
        let outer = found.values.filter { $0.key.hasPrefix("v_") || $0.key == "class" }
        #expect(Set(outer.keys) == extra)
        #expect((found.values["acct"] != nil) == hasAttributes)
        #expect(found.reference == nil)
        guard case .list(let list) = try keychain.find(request.with(["m_Limit": "m_LimitAll"])) else {
            Issue.record("no list")
            return
        }
        #expect(list == [.dictionary(found)])
    }

    @Test func `a dictionary has no data for an item without data`() throws {
        let request = password.with(["acct": "max", "r_Data": true, "r_Attributes": true])
        guard case .dictionary(let found) = try filled().find(request) else {
            Issue.record("no dictionary")
            return
        }
        #expect(found.values["v_Data"] == nil)
    }

    @Test func `returned attributes find their item and no other`() throws {
        let keychain = try filled()
        var request = ItemRequest(try keychain.attributes(password.with(["acct": "lee"])))
        request["class"] = "genp"
        #expect(try keychain.all(request.with(["r_Data": true])) == [.data([0x32])])
    }

    // MARK: - Conditions

    @Test func `all attributes must be equal`() throws {
        let keychain = try filled()
        try keychain.update(password.with(["acct": "kim"]), with: ["labl": "L", "icmt": "C"])
        #expect(try keychain.count(password.with(["labl": "L", "icmt": "C"])) == 1)
        #expect(try keychain.count(password.with(["labl": "L", "icmt": "D"])) == 0)
        #expect(try keychain.count(password.with(["acct": "lee", "labl": "L"])) == 0)
        #expect(try keychain.count(password.with(["acct": "kim", "svce": "", "labl": "L"])) == 1)
    }

    @Test func `data are not a condition`() throws {
        #expect(try filled().text(password.with(["acct": "kim", "v_Data": data("other")])) == "1")
    }

    @Test func `a protection is a condition`() throws {
        let keychain = try filled()
        try keychain.add(password.with(["acct": "zoe", "pdmn": "ck"]))
        #expect(try keychain.count(password.with(["pdmn": "ck"])) == 1)
        #expect(try keychain.count(password.with(["pdmn": "ak"])) == 3)
        #expect(try keychain.count(password.with(["acct": "zoe", "pdmn": "ak"])) == 0)
    }

    @Test func `an access control is not a condition`() throws {
        let control = try #require(AccessControl(.afterFirstUnlock, []))
        #expect(try filled().count(password.with(["accc": .accessControl(control)])) == 3)
    }

    @Test(arguments: ["cdat", "mdat", "sha1"]) func `dates and digests are conditions`(name: String) throws {
        let keychain = try filled()
        let attributes = try keychain.attributes(password.with(["acct": "kim"]))
        let value = try #require(attributes[name])
        #expect(try keychain.count(password.with(["acct": "kim", name: value])) == 1)
        let other: ItemValue =
            name == "sha1" ? .data([UInt8](repeating: 0, count: 20)) : .date(secondsSinceReferenceDate: 1)
        #expect(try keychain.count(password.with(["acct": "kim", name: other])) == 0)
    }

    @Test(arguments: [19, 21, 0]) func `a digest must have 20 bytes`(count: Int) throws {
        #expect(throws: KeychainError.invalid(.value(of: "sha1"))) {
            try filled().find(password.with(["sha1": .data([UInt8](repeating: 0, count: count))]))
        }
    }

    @Test(arguments: ["m_ItemList", "m_SearchList", "m_CaseInsensitive", "m_SubjectContains", "m_Whatever"])
    func `conditions unknown to Apple's keychain are ignored`(key: String) throws {
        #expect(try filled().count(password.with(["acct": "kim", key: "x"])) == 1)
        #expect(try filled().count(password.with(["acct": "KIM", key: true])) == 0)
    }

    @Test func `a list of items to use is rejected`() throws {
        #expect(throws: KeychainError.invalid(.keyNotAllowedHere("u_ItemList"))) {
            try filled().find(password.with(["u_ItemList": .array([])]))
        }
    }

    @Test func `an item marked as deleted is found only by a query with the mark`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["tomb": true]))
        #expect(try keychain.count(password) == 0)
        #expect(try keychain.count(password.with(["tomb": 0])) == 0)
        #expect(try keychain.count(password.with(["tomb": 1])) == 1)
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(password) }
    }

    @Test(arguments: [false, true]) func `an attribute that extends the primary key makes another item`(
        isCompacted: Bool
    ) throws {
        let sample = try KeychainSample()
        let item = password.with(["acct": "kim", "svce": "mail"])
        for view in [nil, "Home", "Health"] as [ItemValue?] {
            var request = item
            request["vwht"] = view
            try sample.keychain.add(request)
            #expect(throws: KeychainError.duplicateItem) { try sample.keychain.add(request) }
        }
        if isCompacted { try sample.store.compact() }
        #expect(try sample.keychain.count(item) == 3)
        #expect(try sample.keychain.count(item.with(["vwht": "Home"])) == 1)
        #expect(try sample.keychain.count(item.with(["vwht": ""])) == 1)
    }

    // MARK: - Hosts

    @Test(arguments: [
        ("example.com", ["example.com", "www.example.com", "a.b.example.com"]),
        ("www.example.com", ["www.example.com"]),
        ("com", ["example.com", "www.example.com", "a.b.example.com", "notexample.com", "WWW.EXAMPLE.com"]),
        ("xample.com", []),
        ("EXAMPLE.com", ["WWW.EXAMPLE.com"]), (".example.com", []),
    ])
    func `a host matches its subdomains too`(host: String, servers: [String]) throws {
        let keychain = try KeychainSample().keychain
        let all = ["notexample.com", "example.com", "www.example.com", "a.b.example.com", "WWW.EXAMPLE.com"]
        for server in all { try keychain.add(["class": "inet", "srvr": .string(server), "v_Data": data(server)]) }
        try keychain.add(["class": "inet", "srvr": data("example.com"), "acct": "bytes"])
        let request: ItemRequest = ["class": "inet", "m_HostOrSubdomainOfHost": .string(host), "r_Data": true]
        let expected = all.filter(servers.contains).map { ItemAnswer.data(Array($0.utf8)) }
        #expect(try keychain.all(request) == expected)
        // The limit counts matching items.
        if let first = expected.first { #expect(try keychain.find(request) == first) }
    }

    @Test func `classes are separate`() throws {
        let keychain = try filled()
        try keychain.add(["class": "inet", "acct": "kim"])
        #expect(try keychain.count(password.with(["acct": "kim"])) == 1)
        #expect(try keychain.count(["class": "inet"]) == 1)
        #expect(try keychain.count(["class": "cert"]) == 0)
    }

    // MARK: - Synchronizable

    @Test func `a query without the synchronizable key finds items that are not synchronizable`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["v_Data": data("local")]))
        try keychain.add(password.with(["sync": true, "v_Data": data("shared")]))
        #expect(try keychain.text(password) == "local")
        #expect(try keychain.text(password.with(["sync": false])) == "local")
        #expect(try keychain.text(password.with(["sync": 0])) == "local")
        #expect(try keychain.text(password.with(["sync": true])) == "shared")
        #expect(try keychain.text(password.with(["sync": "1"])) == "shared")
        #expect(try keychain.count(password.with(["sync": "syna"])) == 2)
        #expect(try keychain.count(password.with(["sync": "other"])) == 0)
        #expect(try keychain.attributes(password.with(["sync": true]))["sync"] == 1)
    }

    // MARK: - Persistent references

    @Test func `a reference finds its item after every kind of change`() throws {
        let sample = try KeychainSample()
        let keychain = sample.keychain
        try keychain.add(password.with(["acct": "kim", "v_Data": data("1")]))
        let reference = try keychain.reference(password)
        guard case .data(let bytes) = reference else {
            Issue.record("no bytes")
            return
        }
        #expect(bytes.count == 20 && bytes.starts(with: "genp".utf8))
        try keychain.update(password, with: ["acct": "lee", "v_Data": data("2")])
        try sample.store.compact()
        try keychain.update(password, with: ["sync": true])
        #expect(try keychain.text(["v_PersistentRef": reference]) == "2")
        #expect(try keychain.reference(password.with(["sync": true])) == reference)
    }

    @Test func `a deleted item's reference stays invalid even if an equal item is added`() throws {
        let keychain = try filled()
        let reference = try keychain.reference(password.with(["acct": "kim"]))
        try keychain.delete(password.with(["acct": "kim"]))
        try keychain.add(password.with(["acct": "kim"]))
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(["v_PersistentRef": reference]) }
    }

    @Test func `a reference can be combined with its own class only`() throws {
        let keychain = try filled()
        let reference = try keychain.reference(password.with(["acct": "kim"]))
        #expect(try keychain.text(["v_PersistentRef": reference, "class": "genp"]) == "1")
        #expect(throws: KeychainError.noSuchClass("inet")) {
            try keychain.find(["v_PersistentRef": reference, "class": "inet"])
        }
    }

    @Test(arguments: [0, 3, 4, 11, 12, 13, 19, 21, 24]) func `a reference must have 20 bytes`(count: Int) throws {
        let bytes = ItemValue.data(Array(("genp".utf8 + [UInt8](repeating: 0, count: 20)).prefix(count)))
        #expect(throws: KeychainError.invalid(.persistentReference)) { try filled().find(["v_PersistentRef": bytes]) }
    }

    @Test(arguments: ["GENP", "abcd", "tkpr"]) func `a reference must begin with a class`(name: String) throws {
        let bytes = ItemValue.data(name.utf8 + [UInt8](repeating: 0, count: 16))
        #expect(throws: KeychainError.invalid(.persistentReference)) { try filled().find(["v_PersistentRef": bytes]) }
    }

    @Test func `a reference of shared passwords has no known class`() throws {
        let bytes = ItemValue.data("apls".utf8 + [UInt8](repeating: 0, count: 16))
        #expect(throws: KeychainError.noSuchClass("apls")) { try filled().find(["v_PersistentRef": bytes]) }
    }

    @Test(arguments: [ItemValue.string("genp"), 1, .null]) func `a reference must be bytes`(value: ItemValue) throws {
        #expect(throws: KeychainError.invalid(.persistentReference)) { try filled().find(["v_PersistentRef": value]) }
    }

    @Test(arguments: [
        ["acct": ItemValue.string("kim")], ["agrp": .string("com.example.app")], ["sync": .bool(false)],
        ["sync": .bool(true)], ["pdmn": .string("ak")],
    ])
    func `a reference excludes attributes in a query`(attributes: [String: ItemValue]) throws {
        let keychain = try filled()
        var request = ItemRequest(attributes)
        request["v_PersistentRef"] = try keychain.reference(password.with(["acct": "kim"]))
        #expect(throws: KeychainError.invalid(.referenceWithAttributes)) { try keychain.find(request) }
    }

    @Test func `a reference can be combined with keys that are not attributes`() throws {
        let keychain = try filled()
        let reference = try keychain.reference(password.with(["acct": "kim"]))
        let request: ItemRequest = [
            "v_PersistentRef": reference, "class": "genp", "sync": "syna", "r_Data": true, "m_Limit": "m_LimitAll",
        ]
        #expect(try keychain.find(request) == .list([.data([0x31])]))
    }
}
