import Coffer
import CofferSecurity
import TestSupport
import Testing

/// `Spec/keychain-behavior.md`, section 2: which values an attribute accepts, and when two of them are equal.
@Suite("Kinds of values", .temporaryDirectory) struct ValueKindTests {
    /// A value, and the value that is returned for it; nil if it is rejected.
    struct Case: Sendable {
        let itemClass: String
        let name: String
        let value: ItemValue
        let result: ItemValue?

        init(_ itemClass: String, _ name: String, _ value: ItemValue, _ result: ItemValue?) {
            (self.itemClass, self.name, self.value, self.result) = (itemClass, name, value, result)
        }
    }

    private static let sixteen = ItemValue.data([UInt8](repeating: 7, count: 16))
    private static let refusedEverywhere: [ItemValue] = [.array([]), .other]

    static let blobs =
        [
            Case("genp", "acct", "kim", "kim"),
            Case("genp", "acct", data("kim"), data("kim")),
            Case("genp", "acct", 42, 42),
            Case("genp", "acct", true, nil),
            Case("genp", "acct", .date(secondsSinceReferenceDate: 1), nil),
            Case("genp", "acct", .null, nil),
            Case("genp", "labl", "é", "é"),
        ] + refusedEverywhere.map { Case("genp", "acct", $0, nil) }

    static let bytes =
        [
            Case("keys", "klbl", "ab", data("ab")),
            Case("keys", "klbl", data("ab"), data("ab")),
            Case("keys", "klbl", 258, .data([2, 1, 0, 0])),
            Case("keys", "klbl", -1, .data([255, 255, 255, 255])),
            Case("keys", "klbl", true, nil),
            Case("keys", "klbl", .null, nil),
        ] + refusedEverywhere.map { Case("keys", "klbl", $0, nil) }

    static let texts =
        [
            Case("genp", "vwht", "Home", "Home"),
            Case("genp", "vwht", data("Home"), "Home"),
            Case("genp", "vwht", .data([0xFF]), nil),
            Case("genp", "vwht", 1, nil),
            Case("genp", "vwht", true, nil),
            Case("genp", "vwht", .null, nil),
        ] + refusedEverywhere.map { Case("genp", "vwht", $0, nil) }

    static let numbers =
        [
            Case("inet", "port", 80, 80),
            Case("inet", "port", .real(1.5), .real(1.5)),
            Case("inet", "port", "80", 80),
            Case("inet", "port", "-5", -5),
            Case("inet", "port", "080", "080"),
            Case("inet", "port", "+1", "+1"),
            Case("inet", "port", "1.0", "1.0"),
            Case("inet", "port", "2147483648", "2147483648"),
            Case("inet", "port", "http", "http"),
            Case("inet", "port", "", ""),
            Case("inet", "port", data("80"), nil),
            Case("inet", "port", .null, nil),
            Case("genp", "invi", true, 1),
            Case("genp", "nega", false, 0),
            Case("keys", "kcls", "1", 1),
            Case("keys", "type", "42", 42),
        ] + refusedEverywhere.map { Case("inet", "port", $0, nil) }

    static let dates =
        [
            Case("keys", "sdat", .date(secondsSinceReferenceDate: -0.25), .date(secondsSinceReferenceDate: -0.25)),
            Case("keys", "sdat", "2001", nil),
            Case("keys", "sdat", 0, nil),
            Case("keys", "sdat", data("x"), nil),
            Case("keys", "sdat", .null, nil),
        ] + refusedEverywhere.map { Case("keys", "sdat", $0, nil) }

    @Test(arguments: blobs + bytes + texts + numbers + dates)
    func `a value is stored as its kind requires, or rejected`(example: Case) throws {
        let keychain = try KeychainSample().keychain
        let item: ItemRequest = ["class": .string(example.itemClass), example.name: example.value]
        guard let result = example.result else {
            #expect(throws: KeychainError.invalid(.value(of: example.name))) { try keychain.add(item) }
            #expect(throws: KeychainError.invalid(.value(of: example.name))) { try keychain.find(item) }
            let change: ItemRequest = [example.name: example.value]
            #expect(throws: KeychainError.invalid(.value(of: example.name))) {
                try keychain.update(["class": .string(example.itemClass)], with: change)
            }
            return
        }
        try keychain.add(item)
        #expect(try keychain.attributes(["class": .string(example.itemClass)])[example.name] == result)
        #expect(try keychain.count(item) == 1)
    }

    @Test(arguments: [ItemValue.string("a"), 1, .bool(true), .null, .array([]), .other])
    func `data must be bytes`(value: ItemValue) throws {
        let keychain = try KeychainSample().keychain
        #expect(throws: KeychainError.invalid(.value(of: "v_Data"))) {
            try keychain.add(password.with(["v_Data": value]))
        }
        #expect(throws: KeychainError.invalid(.value(of: "v_Data"))) {
            try keychain.find(password.with(["v_Data": value]))
        }
        #expect(throws: KeychainError.invalid(.value(of: "v_Data"))) {
            try keychain.update(password, with: ["v_Data": value])
        }
    }

    @Test(arguments: [data("kim"), .string("kim")])
    func `a text and its bytes are equal`(value: ItemValue) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["acct": "kim"]))
        #expect(try keychain.count(password.with(["acct": value])) == 1)
        #expect(throws: KeychainError.duplicateItem) { try keychain.add(password.with(["acct": value])) }
    }

    @Test func `a number and its four bytes are equal`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["acct": 258]))
        #expect(try keychain.count(password.with(["acct": .data([2, 1, 0, 0])])) == 1)
        #expect(try keychain.count(password.with(["acct": .integer(258 + 1 << 32)])) == 1)
    }

    @Test(arguments: [("Kim", "kim"), (" kim", "kim"), ("kim", "ki"), ("\u{E9}", "e\u{301}")])
    func `values are compared byte by byte`(one: String, other: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["acct": .string(one), "labl": .string(one)]))
        #expect(try keychain.count(password.with(["acct": .string(other)])) == 0)
        #expect(try keychain.count(password.with(["labl": .string(other)])) == 0)
        try keychain.add(password.with(["acct": .string(other)]))
        #expect(try keychain.count(password) == 2)
    }

    @Test func `text that looks like a number equals the number`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(["class": "inet", "port": "080"])
        #expect(try keychain.count(["class": "inet", "port": 80]) == 1)
        #expect(try keychain.count(["class": "inet", "port": .real(80)]) == 1)
        #expect(throws: KeychainError.duplicateItem) { try keychain.add(["class": "inet", "port": 80]) }
    }

    @Test func `an empty port and a missing one are two passwords`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(["class": "inet", "srvr": "mail"])
        try keychain.add(["class": "inet", "srvr": "mail", "port": ""])
        #expect(throws: KeychainError.duplicateItem) {
            try keychain.add(["class": "inet", "srvr": "mail", "port": 0])
        }
        #expect(try keychain.count(["class": "inet", "port": ""]) == 1)
        #expect(try keychain.count(["class": "inet", "port": 0]) == 1)
        #expect(try keychain.count(["class": "inet"]) == 2)
    }

    @Test(arguments: [1e19, -1e19, .infinity, .nan])
    func `a number whose whole part is too large is rejected`(number: Double) throws {
        let keychain = try KeychainSample().keychain
        for (itemClass, name) in [("genp", "acct"), ("cert", "slnr")] {
            #expect(throws: KeychainError.invalid(.value(of: name))) {
                try keychain.add(["class": .string(itemClass), name: .real(number)])
            }
        }
    }

    @Test(arguments: [ItemValue.string(""), .data([])])
    func `empty and missing are equal in the primary key`(empty: ItemValue) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["svce": "mail"]))
        #expect(throws: KeychainError.duplicateItem) {
            try keychain.add(password.with(["svce": "mail", "acct": empty]))
        }
        #expect(try keychain.count(password.with(["acct": empty])) == 1)
    }

    @Test(arguments: ["labl", "desc", "icmt", "gena"])
    func `empty and missing differ outside the primary key`(name: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password)
        #expect(try keychain.count(password.with([name: ""])) == 0)
        #expect(try keychain.attributes(password)[name] == nil)
        try keychain.update(password, with: [name: ""])
        #expect(try keychain.count(password.with([name: ""])) == 1)
    }

    @Test(arguments: [
        ("genp", ["acct": ItemValue.string(""), "svce": .string("")]),
        ("inet", ["acct": .string(""), "ptcl": .integer(0), "port": .integer(0), "path": .string("")]),
        ("cert", ["ctyp": .integer(0), "issr": .data([]), "slnr": .data([])]),
        (
            "keys",
            ["kcls": .integer(0), "klbl": .data([]), "atag": .string(""), "sdat": .date(secondsSinceReferenceDate: 0)]
        ),
    ])
    func `missing parts of the primary key are returned as defaults`(
        itemClass: String,
        defaults: [String: ItemValue]
    ) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(["class": .string(itemClass)])
        let attributes = try keychain.attributes(["class": .string(itemClass)])
        for (name, value) in defaults { #expect(attributes[name] == value, "\(name)") }
    }
}
