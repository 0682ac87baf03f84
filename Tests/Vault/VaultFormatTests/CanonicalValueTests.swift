import CofferBasics
import KeyedArchive
import Testing
import VaultFormat

/// The table of section 9.2.
@Suite("Canonical values") struct CanonicalValueTests {
    private func bytes(_ value: ArchiveValue?, _ kind: AttributeKind) throws(Fault) -> [UInt8] {
        try CanonicalValue.bytes(of: value, kind: kind)
    }

    private static func integer(_ number: Int64) -> [UInt8] { [1] + littleEndian(number) }
    private static func real(_ number: Double) -> [UInt8] { [2] + littleEndian(number.bitPattern) }
    private static func text(_ text: String) -> [UInt8] { [3] + Array(text.utf8) }

    // MARK: - Numbers

    @Test(arguments: [
        ("42", integer(42)), ("+1", integer(1)), ("-7", integer(-7)), ("080", integer(80)), ("-0", integer(0)),
        ("", text("")), ("9223372036854775807", integer(.max)), ("-9223372036854775808", integer(.min)),
        ("00000000000000000000000000000001", integer(1)), ("9223372036854775808", text("9223372036854775808")),
        ("-9223372036854775809", text("-9223372036854775809")), ("+", text("+")), ("-", text("-")), (" 1", text(" 1")),
        ("1 ", text("1 ")), ("1.0", text("1.0")), ("0x10", text("0x10")), ("1e3", text("1e3")), ("+-1", text("+-1")),
        ("1_000", text("1_000")), ("\u{661}", text("\u{661}")), ("\u{FF11}", text("\u{FF11}")), ("1\0", text("1\0")),
        ("http", text("http")),
    ])
    func `a text that is a whole number is that number`(value: String, expected: [UInt8]) throws {
        #expect(try bytes(.string(value), .number) == expected)
    }

    @Test(
        arguments: [
            (80.0, integer(80)), (-3.0, integer(-3)), (0.0, integer(0)), (-0.0, integer(0)),
            (0x1p53, integer(9_007_199_254_740_992)), (-0x1p53, integer(-9_007_199_254_740_992)),
            (0x1p53 + 2, real(0x1p53 + 2)), (-0x1p53 - 2, real(-0x1p53 - 2)), (1e300, real(1e300)), (0.5, real(0.5)),
            (.infinity, real(.infinity)), (-.infinity, real(-.infinity)), (.nan, real(.nan)),
            (.leastNonzeroMagnitude, real(.leastNonzeroMagnitude)),
        ] as [(Double, [UInt8])]
    )
    func `a real with a whole value is that integer`(value: Double, expected: [UInt8]) throws {
        #expect(try bytes(.real(value), .number) == expected)
    }

    @Test func `every NaN keeps its bits`() throws {
        let value = Double(nan: 5, signaling: false)
        #expect(try bytes(.real(value), .number) == [2] + littleEndian(value.bitPattern))
    }

    @Test(
        arguments: [
            (0, integer(0)), (-1, integer(-1)), (Int128(Int64.max), integer(.max)), (Int128(Int64.min), integer(.min)),
            (9_007_199_254_740_994, integer(9_007_199_254_740_994)),
        ] as [(Int128, [UInt8])]
    )
    func `an integer is its 64 bits`(value: Int128, expected: [UInt8]) throws {
        #expect(try bytes(.integer(value), .number) == expected)
    }

    @Test(arguments: [Int128(Int64.max) + 1, Int128(Int64.min) - 1, .max, .min])
    func `an integer beyond 64 bits is rejected`(value: Int128) {
        #expect(throws: Fault(.badValue)) { try bytes(.integer(value), .number) }
    }

    // MARK: - Blobs, data and texts

    @Test func `a text and the data of its UTF-8 are the same blob`() throws {
        #expect(try bytes("türen", .blob) == Array("türen".utf8))
        #expect(try bytes(.data(Array("türen".utf8)), .blob) == Array("türen".utf8))
        #expect(try bytes("u\u{308}", .blob) != (try bytes("\u{FC}", .blob)))
        #expect(try bytes("a\0b", .blob) == [0x61, 0, 0x62])
    }

    @Test(
        arguments: [
            (0, [0, 0, 0, 0]), (1, [1, 0, 0, 0]), (-1, [255, 255, 255, 255]),
            (0x1_2345_6789, [0x89, 0x67, 0x45, 0x23]),
            (-0x1_0000_0000, [0, 0, 0, 0]), (Int128.min, [0, 0, 0, 0]), (Int128.max, [255, 255, 255, 255]),
        ] as [(Int128, [UInt8])]
    )
    func `an integer blob is its lowest 32 bits`(value: Int128, expected: [UInt8]) throws {
        #expect(try bytes(.integer(value), .blob) == expected)
    }

    // MARK: - Dates

    @Test func `a date is its seconds, and both zeros are equal`() throws {
        func date(_ seconds: Double) throws -> [UInt8] { try bytes(.date(secondsSinceReferenceDate: seconds), .date) }
        #expect(try date(1.5) == littleEndian((1.5).bitPattern))
        #expect(try date(-0.0) == [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(try date(-1) == littleEndian((-1.0).bitPattern))
    }

    // MARK: - Defaults and kinds

    @Test(
        arguments: [
            (AttributeKind.blob, []), (.data, []), (.string, []), (.number, integer(0)),
            (.date, [0, 0, 0, 0, 0, 0, 0, 0]),
            (.accessControl, []),
        ] as [(AttributeKind, [UInt8])]
    )
    func `an absent attribute has the value of its default`(kind: AttributeKind, expected: [UInt8]) throws {
        #expect(try bytes(nil, kind) == expected)
    }

    private static let everyForm: [(form: String, value: ArchiveValue)] = [
        ("null", .null), ("bool", true), ("integer", 1), ("real", 1.5), ("string", "a"), ("data", .data([1])),
        ("date", .date(secondsSinceReferenceDate: 1)), ("uuid", .uuid(1)), ("url", .url(ArchiveURL("a:b"))),
        ("array", []), ("set", .set(CanonicalSet([ArchiveValue]()))), ("dictionary", [:]),
        ("access control", ["flags": 1]),
    ]

    @Test(arguments: [
        (AttributeKind.blob, ["integer", "string", "data"]), (.data, ["data"]), (.string, ["string"]),
        (.number, ["integer", "real", "string"]), (.date, ["date"]), (.accessControl, ["access control"]),
    ])
    func `a value of the wrong kind is rejected`(kind: AttributeKind, forms: [String]) {
        let accepted = Self.everyForm.filter { (try? bytes($0.value, kind)) != nil }
        #expect(accepted.map(\.form) == forms)
    }

    @Test(
        arguments: [
            (["flags": 0], true), (["flags": 4_294_967_287], true), (["flags": 4_294_967_296], false),
            (["flags": 4_294_967_295], false),
            (["flags": 8, "enrolled": .data([UInt8](repeating: 1, count: 32))], true),
            (["flags": 8, "enrolled": .data([1])], false), (["flags": 8, "enrolled": "text"], false),
            (["flags": 1, "enrolled": .data([UInt8](repeating: 1, count: 32))], false),
            (["flags": -1], false), (["flags": "1"], false), (["flags": true], false),
            (["flags": 1, "more": 1], false),
            (["Flags": 1], false),
        ] as [(ArchiveValue, Bool)]
    )
    func `access control is the flags, and for one of them a hash`(value: ArchiveValue, isAccepted: Bool) {
        #expect(((try? bytes(value, .accessControl)) != nil) == isAccepted)
    }
}
