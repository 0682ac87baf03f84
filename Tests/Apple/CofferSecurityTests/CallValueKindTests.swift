import Foundation
import Security
import Testing

/// The values that attributes accept, and how they are stored (`Spec/keychain-behavior.md`, sections 2 and 10).
@Suite("Calls: kinds of values", .ownKeychain) struct CallValueKindTests {
    /// An attribute of each kind: its class, its name, and the values that it accepts.
    static let attributes: [(itemClass: String, name: String, values: [CallValue])] = [
        ("genp", "acct", ["x", "", .data("x"), .data([]), 7, -1, 0]),
        ("genp", "labl", ["x", "", .data("x"), 7]),
        ("cert", "subj", ["x", "", .data("x"), .data([]), 7]),
        ("keys", "klbl", ["x", "", .data("x"), .data([]), 7]),
        ("genp", "vwht", ["x", "", .data("x")]),
        ("genp", "type", ["x", "", "42", "080", 7, 1.5, true, false]),
        ("inet", "port", ["x", "", "42", 7, true]),
        ("keys", "kcls", ["1", 1, true]),
        ("genp", "sync", ["1", "0", 1, 0, true, false]),
        ("genp", "pdmn", ["ck", .data("ck")]),
        ("keys", "sdat", [.date(0), .date(-1.5), .date(1e9)]),
    ]

    private static func digest(_ count: Int) -> CallValue { .data([UInt8](repeating: 0, count: count)) }

    /// The values that attributes of each kind refuse.
    static let refusals: [(itemClass: String, name: String, values: [CallValue])] = [
        ("genp", "acct", [true, false, .date(0), .null, .accessControl]),
        ("genp", "gena", [true, .date(0), .null]),
        ("cert", "subj", [true, .date(0), .null, .accessControl]),
        ("genp", "vwht", [1, 1.5, true, .date(0), .null, .data([0xFF])]),
        ("genp", "type", [.data("x"), .data([]), .date(0), .null]),
        ("inet", "port", [.data([0, 80]), .date(0), .null]),
        ("genp", "sync", [.data("1"), .date(0), .null]),
        ("genp", "tomb", [.data("1"), .date(0), .null]),
        ("genp", "pdmn", [1, true, .date(0), .null, .data([0xFF])]),
        ("keys", "sdat", ["today", .data("x"), 5, true, .null]),
        ("genp", "cdat", ["today", .data("x"), 5, true, .null]),
        ("genp", "mdat", ["today", .data("x"), 5, true, .null]),
        ("genp", "sha1", ["x", .data([]), digest(19), digest(21), 5, true, .null]),
        ("genp", "v_Data", ["x", "", 1, true, .date(0), .null]),
    ]

    @Test(arguments: attributes.flatMap { row in row.values.map { (row.itemClass, row.name, $0) } })
    func `accepted values work in additions, queries and changes`(
        itemClass: String,
        name: String,
        value: CallValue
    ) {
        let item: [CFString: Any] = .item(itemClass, [name as CFString: value.object])
        #expect(Call.all(item) == .four(0))
        #expect(Call.add(.item(itemClass)) == 0)
        #expect(Call.update(.item(itemClass), [name as CFString: value.object]) == 0)
    }

    @Test(arguments: refusals.flatMap { row in (row.values + CallValue.others).map { (row.itemClass, row.name, $0) } })
    func `a value that an attribute refuses: errSecParam`(itemClass: String, name: String, value: CallValue) {
        #expect(Call.all(.item(itemClass, [name as CFString: value.object])) == .four(-50))
        #expect(Call.add(.item(itemClass)) == 0)
        #expect(Call.update(.item(itemClass), [name as CFString: value.object]) == -50)
    }

    @Test(arguments: ["x", .data("x"), 5, true, .date(0)] + CallValue.others)
    func `an invalid user identifier: errSecParam; ignored in a change`(value: CallValue) {
        #expect(Call.all(.genp(["musr": value.object])) == .four(-50))
        #expect(Call.add(.genp()) == 0)
        #expect(Call.update(.genp(), ["musr": value.object]) == 0)
    }

    @Test(arguments: [.null, .data([])] as [CallValue])
    func `an empty user identifier matches all items`(value: CallValue) {
        #expect(Call.all(.genp(["musr": value.object])) == .four(0))
    }

    // MARK: - Conversions

    @Test func `attributes that accept strings, data and numbers return the value as it was given`() throws {
        #expect(Call.add(.genp([kSecAttrAccount: "t", kSecAttrLabel: Data("x"), kSecAttrGeneric: 7])) == 0)
        let found = try Call.attributes(.genp())
        #expect(found["acct"] as? String == "t")
        #expect(found["labl"] as? Data == Data("x"))
        #expect(found["labl"] as? String == nil)
        #expect(found["gena"] as? Int == 7)
        #expect(found["gena"] as? String == nil)
    }

    @Test(
        arguments: [("x", [0x78]), (.data("y"), [0x79]), (258, [2, 1, 0, 0]), (-1, [255, 255, 255, 255])]
            as [(CallValue, [UInt8])]
    )
    func `attributes that accept data convert strings and numbers to data`(value: CallValue, bytes: [UInt8]) throws {
        #expect(Call.add(.keys([kSecAttrApplicationLabel: value.object])) == 0)
        #expect(try Call.attributes(.keys())["klbl"] as? Data == Data(bytes))
        #expect(Call.find(.keys([kSecAttrApplicationLabel: Data(bytes)])) == 0)
    }

    @Test(arguments: ["subj", "slnr", "skid", "pkhh"])
    func `a string in an attribute of certificates stands for its bytes`(name: String) throws {
        #expect(Call.add(.cert([name as CFString: "x"])) == 0)
        #expect(try Call.attributes(.cert())[name] as? Data == Data("x"))
        #expect(Call.find(.cert([name as CFString: Data("x")])) == 0)
    }

    @Test(arguments: [("genp", "acct"), ("cert", "slnr")], [1e19, -1e19, .infinity, .nan])
    func `a number whose integer part needs more than 64 bits, where strings are accepted: errSecParam`(
        attribute: (itemClass: String, name: String),
        number: Double
    ) {
        #expect(Call.add(.item(attribute.itemClass, [attribute.name as CFString: number])) == -50)
    }

    @Test func `attributes that accept strings convert data to a string`() throws {
        #expect(Call.add(.genp([kSecAttrSyncViewHint: Data("é")])) == 0)
        #expect(try Call.attributes(.genp())["vwht"] as? String == "é")
    }

    @Test(arguments: [("42", 42), ("1", 1), ("-5", -5), ("0", 0), ("2147483647", 2_147_483_647)])
    func `a string in the canonical form of a 32-bit number becomes that number`(text: String, number: Int) throws {
        #expect(Call.add(.genp([kSecAttrType: text])) == 0)
        #expect(try Call.attributes(.genp())["type"] as? Int == number)
        #expect(Call.find(.genp([kSecAttrType: number])) == 0)
    }

    @Test(arguments: ["", "http", "080", "+1", "1.0", "2147483678", " 1", "1 "])
    func `any other string stays a string where a number is expected`(text: String) throws {
        #expect(Call.add(.genp([kSecAttrType: text])) == 0)
        #expect(try Call.attributes(.genp())["type"] as? String == text)
    }

    @Test func `a string of digits equals its number and comes back as a string`() throws {
        #expect(Call.add(.inet([kSecAttrPort: "080"])) == 0)
        #expect(Call.add(.inet([kSecAttrPort: 80])) == -25299)
        #expect(Call.find(.inet([kSecAttrPort: 80])) == 0)
        #expect(Call.find(.inet([kSecAttrPort: 80.0])) == 0)
        #expect(try Call.attributes(.inet())["port"] as? String == "080")
    }

    @Test func `an empty port is not 0: a password with it and one without a port are two`() throws {
        let mail: [CFString: Any] = .inet([kSecAttrServer: "mail"])
        let (empty, zero) = (mail.with([kSecAttrPort: ""]), mail.with([kSecAttrPort: 0]))
        #expect([mail, empty, zero].map(Call.add) == [0, 0, -25299])
        #expect(try [mail, empty, zero].map(Call.count) == [2, 1, 1])
    }

    @Test(arguments: [true, false]) func `a boolean comes back as a number`(flag: Bool) throws {
        #expect(Call.add(.genp([kSecAttrIsInvisible: flag, kSecAttrSynchronizable: flag])) == 0)
        let found = try Call.attributes(.genp([kSecAttrSynchronizable: kSecAttrSynchronizableAny]))
        #expect(found["invi"] as? Int == (flag ? 1 : 0))
        #expect(found["sync"] as? Int == (flag ? 1 : 0))
    }

    // MARK: - Equality

    @Test func `a string, data and a number with the same bytes are equal`() {
        #expect(Call.add(.genp([kSecAttrAccount: "abcd"])) == 0)
        for same in [Data("abcd"), 0x6463_6261] as [Any] {
            #expect(Call.add(.genp([kSecAttrAccount: same])) == -25299)
            #expect(Call.find(.genp([kSecAttrAccount: same])) == 0)
        }
    }

    @Test func `a number is compared by its lower 32 bits where strings and data are allowed`() {
        #expect(Call.add(.genp([kSecAttrAccount: 0x1_0000_0007])) == 0)
        #expect(Call.find(.genp([kSecAttrAccount: 7])) == 0)
    }

    @Test(arguments: ["Kim", "kim ", " kim", "ki", "kimm", "KIM"])
    func `strings that differ in case or spaces are different`(text: String) {
        #expect(Call.add(.genp("kim", [kSecAttrLabel: "kim"])) == 0)
        #expect(Call.find(.genp(text)) == -25300)
        #expect(Call.find(.genp([kSecAttrLabel: text])) == -25300)
        #expect(Call.add(.genp(text)) == 0)
    }

    @Test func `composed and decomposed letters are different`() {
        #expect(Call.add(.genp("\u{E9}", [kSecAttrLabel: "\u{E9}"])) == 0)
        #expect(Call.find(.genp("e\u{301}")) == -25300)
        #expect(Call.find(.genp([kSecAttrLabel: "e\u{301}"])) == -25300)
        #expect(Call.add(.genp("e\u{301}")) == 0)
    }

    @Test(arguments: ["", .data([])] as [CallValue])
    func `missing and empty are equal in the primary key`(empty: CallValue) {
        #expect(Call.add(.genp([kSecAttrService: "s"])) == 0)
        #expect(Call.add(.genp([kSecAttrService: "s", kSecAttrAccount: empty.object])) == -25299)
        #expect(Call.find(.genp([kSecAttrAccount: empty.object])) == 0)
    }

    @Test(arguments: ["labl", "desc", "icmt", "gena"])
    func `missing and empty are different outside the primary key`(name: String) throws {
        #expect(Call.add(.genp("kim")) == 0)
        #expect(Call.find(.genp([name as CFString: ""])) == -25300)
        #expect(try Call.attributes(.genp())[name] == nil)
        #expect(Call.update(.genp(), [name as CFString: ""]) == 0)
        #expect(Call.find(.genp([name as CFString: ""])) == 0)
    }

    @Test func `defaults of the primary key are returned`() throws {
        #expect(Call.add(.inet()) == 0)
        let password = try Call.attributes(.inet())
        for name in ["acct", "sdmn", "srvr", "atyp", "path"] { #expect(password[name] as? String == "", "\(name)") }
        for name in ["ptcl", "port", "sync"] { #expect(password[name] as? Int == 0, "\(name)") }
        #expect(Call.add(.keys()) == 0)
        let key = try Call.attributes(.keys())
        for name in ["kcls", "type", "crtr", "bsiz", "esiz"] { #expect(key[name] as? Int == 0, "\(name)") }
        for name in ["sdat", "edat"] {
            #expect(key[name] as? Date == Date(timeIntervalSinceReferenceDate: 0), "\(name)")
        }
        #expect(key["klbl"] as? Data == Data())
        #expect(key["atag"] as? String == "")
        #expect(Call.add(.cert()) == 0)
        let certificate = try Call.attributes(.cert())
        #expect(certificate["ctyp"] as? Int == 0)
        for name in ["issr", "slnr"] { #expect(certificate[name] as? Data == Data(), "\(name)") }
        #expect(Call.add(.genp()) == 0)
        for name in ["acct", "svce"] { #expect(try Call.attributes(.genp())[name] as? String == "", "\(name)") }
    }
}
