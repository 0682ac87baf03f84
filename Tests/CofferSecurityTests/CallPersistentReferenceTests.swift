import Foundation
import Security
import Testing

/// Section 4.6 of Apple's behaviour: persistent references.
@Suite("Calls: persistent references", .ownKeychain("T.one", "T.two"))
struct CallPersistentReferenceTests {
    /// A query by the reference of a new item.
    private func added(_ item: [CFString: Any] = .genp("kim", [kSecValueData: Data("1")])) throws -> [CFString: Any] {
        let reference = try #require(try Call.added(item.with([kSecReturnPersistentRef: true])) as? Data)
        return [kSecValuePersistentRef: reference]
    }

    @Test(arguments: ["genp", "inet", "cert", "keys"])
    func `a reference is the class and 16 bytes, and enough to find the item`(itemClass: String) throws {
        let query = try added(.item(itemClass, [kSecValueData: Data("1")]))
        let bytes = try #require(query[kSecValuePersistentRef] as? Data)
        #expect(bytes.count == 20)
        #expect(bytes.prefix(4) == Data(itemClass))
        #expect(try Call.text(query) == "1")
        #expect(Call.update(query, [kSecAttrLabel: "x"]) == 0)
        #expect(Call.delete(query) == 0)
        #expect(Call.find(query) == -25300)
    }

    @Test func `a reference finds what is synchronizable, too`() throws {
        let query = try added(.genp([kSecAttrSynchronizable: true, kSecValueData: Data("1")]))
        #expect(try Call.text(query) == "1")
        #expect(Call.update(query, [kSecAttrLabel: "x"]) == 0)
        #expect(Call.delete(query) == 0)
    }

    @Test(arguments: [0, 3, 4, 11, 12, 13, 19, 21, 24]) func `a reference has 20 bytes: errSecParam`(count: Int) throws
    {
        _ = try added()
        let bytes = (Data("genp") + Data(count: 20)).prefix(count)
        #expect(Call.all([kSecValuePersistentRef: bytes]) == .four(-50))
    }

    @Test(arguments: ["apls", "GENP", "abcd", "tkpr"]) func `a reference begins with a class: errSecParam`(name: String)
    {
        #expect(Call.all([kSecValuePersistentRef: Data(name) + Data(count: 16)]) == .four(-50))
    }

    @Test(arguments: ["genp1234567890123456", 1, .null, true] + CallValue.others)
    func `a reference is bytes: errSecParam`(value: CallValue) {
        #expect(Call.all([kSecValuePersistentRef: value.object]) == .four(-50))
    }

    @Test(arguments: ["genp", "inet", "cert", "keys", "idnt"])
    func `a reference of an item that is not there: errSecItemNotFound`(itemClass: String) throws {
        let query: [CFString: Any] = [kSecValuePersistentRef: Data(itemClass) + Data(repeating: 7, count: 16)]
        #expect(Call.find(query) == -25300)
        #expect(Call.update(query) == -25300)
        #expect(Call.delete(query) == -25300)
    }

    @Test func `a reference of an item in a group of others: errSecItemNotFound`() throws {
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
            ("tomb", 0), ("cdat", .date(0)),
        ] as [(String, CallValue)]
    )
    func `an attribute beside a reference in a query: errSecParam`(name: String, value: CallValue) throws {
        #expect(Call.find(try added().with([name as CFString: value.object])) == -50)
    }

    @Test(
        arguments: [
            ("r_Data", true), ("r_Attributes", true), ("m_Limit", "m_LimitAll"), ("class", "genp"), ("sync", "syna"),
            ("u_AuthUI", "u_AuthUIA"), ("nleg", true), ("v_Data", .data("x")),
        ] as [(String, CallValue)]
    )
    func `what is no attribute may stand beside a reference`(name: String, value: CallValue) throws {
        #expect(Call.find(try added().with([name as CFString: value.object])) == 0)
    }

    @Test func `an update and a deletion take a reference and attributes together`() throws {
        let query = try added()
        #expect(Call.update(query.with([kSecAttrAccount: "lee"]), [kSecAttrLabel: "x"]) == -25300)
        #expect(Call.update(query.with([kSecAttrAccount: "kim"]), [kSecAttrLabel: "x"]) == 0)
        #expect(Call.delete(query.with([kSecAttrAccount: "lee"])) == -25300)
        #expect(Call.delete(query.with([kSecAttrAccount: "kim", kSecAttrLabel: "x"])) == 0)
    }

    @Test func `a reference stays through all changes`() throws {
        let query = try added()
        let reference = try #require(query[kSecValuePersistentRef] as? Data)
        let changes: [[CFString: Any]] = [
            [kSecAttrAccount: "lee"], [kSecValueData: Data("2")], [kSecAttrSynchronizable: true],
            [kSecAttrAccessible: "ck"], [kSecAttrAccessGroup: "T.two"],
        ]
        for change in changes { #expect(Call.update(query, change) == 0) }
        #expect(try Call.text(query) == "2")
        #expect(try Call.reference(.genp("lee", [kSecAttrSynchronizable: true])) == reference)
    }

    @Test func `the reference of a deleted item is dead, also if an equal one is added`() throws {
        let query = try added()
        #expect(Call.delete(.genp("kim")) == 0)
        #expect(Call.find(query) == -25300)
        #expect(try added()[kSecValuePersistentRef] as? Data != query[kSecValuePersistentRef] as? Data)
        #expect(Call.find(query) == -25300)
    }
}
