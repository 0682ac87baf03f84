import Coffer
import Foundation
import Security
import Testing

/// Persistent references (`Spec/keychain-behavior.md`, section 4).
@Suite("Calls: persistent references", .ownKeychain("T.one", "T.two"))
struct CallPersistentReferenceTests {
    /// Adds an item and returns a query for its reference.
    private func added(_ item: [CFString: Any] = .genp("kim", [kSecValueData: Data("1")])) throws -> [CFString: Any] {
        let reference = try #require(try Call.added(item.with([kSecReturnPersistentRef: true])) as? Data)
        return [kSecValuePersistentRef: reference]
    }

    @Test(arguments: ["genp", "inet", "cert", "keys"])
    func `a reference is the class and 16 bytes, and suffices to find the item`(itemClass: String) throws {
        let query = try added(.item(itemClass, [kSecValueData: Data("1")]))
        let bytes = try #require(query[kSecValuePersistentRef] as? Data)
        #expect(bytes.count == 20)
        #expect(bytes.prefix(4) == Data(itemClass))
        #expect(try Call.text(query) == "1")
        #expect(Call.update(query, [kSecAttrLabel: "x"]) == 0)
        #expect(Call.delete(query) == 0)
        #expect(Call.find(query) == -25300)
    }

    @Test func `a reference also finds a synchronizable item`() throws {
        let query = try added(.genp([kSecAttrSynchronizable: true, kSecValueData: Data("1")]))
        #expect(try Call.text(query) == "1")
        #expect(Call.update(query, [kSecAttrLabel: "x"]) == 0)
        #expect(Call.delete(query) == 0)
    }

    @Test(arguments: [0, 3, 4, 11, 12, 13, 19, 21, 24])
    func `a reference whose length is not 20 bytes: errSecParam`(count: Int) throws {
        _ = try added()
        let bytes = (Data("genp") + Data(count: 20)).prefix(count)
        #expect(Call.all([kSecValuePersistentRef: bytes]) == .four(-50))
    }

    @Test(arguments: ["GENP", "abcd", "tkpr"])
    func `a reference that does not begin with a class: errSecParam`(name: String) {
        #expect(Call.all([kSecValuePersistentRef: Data(name) + Data(count: 16)]) == .four(-50))
    }

    @Test func `a reference to a shared password: errSecNoSuchClass`() {
        #expect(Call.all([kSecValuePersistentRef: Data("apls") + Data(count: 16)]) == .four(-25306))
    }

    @Test(arguments: ["genp1234567890123456", 1, .null, true] + CallValue.others)
    func `a reference that is not data: errSecParam`(value: CallValue) {
        #expect(Call.all([kSecValuePersistentRef: value.object]) == .four(-50))
    }

    @Test(arguments: ["genp", "inet", "cert", "keys", "idnt"])
    func `a reference to a missing item: errSecItemNotFound`(itemClass: String) throws {
        let query: [CFString: Any] = [kSecValuePersistentRef: Data(itemClass) + Data(repeating: 7, count: 16)]
        #expect(Call.find(query) == -25300)
        #expect(Call.update(query) == -25300)
        #expect(Call.delete(query) == -25300)
    }

    @Test(arguments: ["inet", "cert", "keys", "idnt"])
    func `the reference to an item, with another class: errSecItemNotFound`(itemClass: String) throws {
        let bytes = try #require(try added()[kSecValuePersistentRef] as? Data)
        let query: [CFString: Any] = [kSecValuePersistentRef: Data(itemClass) + bytes.dropFirst(4)]
        #expect([Call.find(query), Call.update(query), Call.delete(query)] == [-25300, -25300, -25300])
        #expect(Call.find(.genp()) == 0)
    }

    @Test func `no two items have the same reference`() throws {
        let references = try (0..<20).map { try added(.genp("\($0)"))[kSecValuePersistentRef] as? Data }
        #expect(Set(references).count == 20)
    }

    @Test(arguments: [false, true])
    func `a reference does not mean the item that differs only in being synchronizable`(flag: Bool) throws {
        let queries = try [flag, !flag].map { flag in
            try added(.genp([kSecAttrSynchronizable: flag, kSecValueData: Data("\(flag)")]))
        }
        let labelled: [CFString: Any] = .genp([kSecAttrSynchronizable: kSecAttrSynchronizableAny, kSecAttrLabel: "L"])
        #expect(try queries.map(Call.text) == ["\(flag)", "\(!flag)"])
        #expect(Call.update(queries[0], [kSecAttrLabel: "L"]) == 0)
        #expect(try Call.count(labelled) == 1)
        #expect(Call.delete(queries[0]) == 0)
        #expect(try Call.count(labelled) == 0)
        #expect(try Call.text(queries[1]) == "\(!flag)")
    }

    @Test func `a reference to an item in another program's group: errSecItemNotFound`() throws {
        let query = try added()
        try CallSample.asProgram("T.other") { () throws in
            #expect(Call.find(query) == -25300)
            #expect(Call.update(query) == -25300)
            #expect(Call.delete(query) == -25300)
        }
        #expect(Call.find(query) == 0)
    }

    @Test(
        arguments: [
            ("acct", "kim"), ("labl", "L"), ("agrp", "T.one"), ("sync", true), ("sync", false), ("pdmn", "ak"),
            ("tomb", 0), ("cdat", .date(0)), ("musr", .data([])), ("UUID", "x"), ("vwht", ""), ("type", 7),
            ("sha1", .data([UInt8](repeating: 0, count: 20))),
        ] as [(String, CallValue)]
    )
    func `an attribute next to a reference in a query: errSecParam`(name: String, value: CallValue) throws {
        #expect(Call.find(try added().with([name as CFString: value.object])) == -50)
    }

    @Test(
        arguments: [
            ("r_Data", true), ("r_Attributes", true), ("m_Limit", "m_LimitAll"), ("class", "genp"), ("sync", "syna"),
            ("u_AuthUI", "u_AuthUIA"), ("nleg", true), ("v_Data", .data("x")),
        ] as [(String, CallValue)]
    )
    func `keys that are not attributes can accompany a reference`(name: String, value: CallValue) throws {
        #expect(Call.find(try added().with([name as CFString: value.object])) == 0)
    }

    @Test func `updates and deletions accept a reference together with attributes`() throws {
        let query = try added()
        #expect(Call.update(query.with([kSecAttrAccount: "lee"]), [kSecAttrLabel: "x"]) == -25300)
        #expect(Call.update(query.with([kSecAttrAccount: "kim"]), [kSecAttrLabel: "x"]) == 0)
        for other in [[kSecAttrAccount: "lee"], [kSecAttrLabel: "y"], [kSecAttrAccount: "kim", kSecAttrLabel: "y"]] {
            #expect(Call.delete(query.with(other)) == -25300)
        }
        #expect(Call.delete(query.with([kSecAttrAccount: "kim", kSecAttrLabel: "x"])) == 0)
    }

    @Test func `a reference stays valid through all changes, a compaction, and for other processes`() async throws {
        let query = try added()
        let reference = try #require(query[kSecValuePersistentRef] as? Data)
        let changes: [[CFString: Any]] = [
            [kSecAttrAccount: "lee"], [kSecValueData: Data("2")], [kSecAttrSynchronizable: true],
            [kSecAttrAccessible: "ck"], [kSecAttrAccessGroup: "T.two"],
        ]
        for change in changes { #expect(Call.update(query, change) == 0) }
        #expect(try Call.text(query) == "2")
        #expect(try Call.reference(.genp("lee", [kSecAttrSynchronizable: true])) == reference)
        let sample = try CallSample.current
        _ = try await sample.vault.compaction().report()
        #expect(Call.update(query, [kSecAttrAccessGroup: "T.one", kSecValueData: Data("3")]) == 0)
        let vault = try await Vault.open(at: sample.vault.path, with: .withoutVariables, options: sample.options)
        try Keychain.withDefault(vault.keychain(for: AccessGroups(declared: ["T.one"]))) { () throws in
            #expect(try Call.text(query) == "3")
        }
    }

    @Test func `the reference to a deleted item stays invalid even if an equal item is added`() throws {
        let query = try added()
        #expect(Call.delete(.genp("kim")) == 0)
        #expect(Call.find(query) == -25300)
        #expect(try added()[kSecValuePersistentRef] as? Data != query[kSecValuePersistentRef] as? Data)
        #expect(Call.find(query) == -25300)
    }
}
