import CofferBasics
import KeyedArchive
import TestSupport
import Testing
import VaultFormat

/// Sections 8.2 and 8.3: match content and metadata before they are sealed.
@Suite("Match content and metadata") struct ItemMetadataTests {
    private func metadata(_ bytes: [UInt8]) throws -> ItemMetadata {
        try ItemMetadata(parsing: bytes)
    }

    private let values: CanonicalDictionary<ArchiveValue, ArchiveValue> = [
        "acct": "kim", "svce": 258, "labl": .data([0, 255]), "cdat": .date(secondsSinceReferenceDate: 1.5),
    ]

    // MARK: - Metadata

    @Test func `metadata consists of class, columns and archive`() throws {
        let attributes = try ItemAttributes(.genericPassword, values)
        let bytes = try ItemMetadata(attributes).bytes
        let archive = try ArchiveValue.dictionary(values).archived()
        #expect(bytes == [1, 0, 0, 0, 4, 0, 0, 0, 2, 1, 0, 0, 3, 0, 0, 0] + Array("kim".utf8) + archive)
        #expect(try metadata(bytes).bytes == bytes)
        #expect(try metadata(bytes).attributes() == attributes)
    }

    @Test(arguments: [
        (ItemClass.genericPassword, "svce", "acct"), (.internetPassword, "srvr", "acct"),
        (.certificate, "issr", "slnr"), (.key, "klbl", "atag"),
    ])
    func `the columns are those of the class`(itemClass: ItemClass, first: String, second: String) throws {
        let attributes = try ItemAttributes(itemClass, [.string(first): .data([1]), .string(second): .data([2, 3])])
        let metadata = try ItemMetadata(attributes)
        #expect((metadata.firstColumn, metadata.secondColumn) == ([1], [2, 3]))
    }

    @Test func `an item may have no attributes at all`() throws {
        for itemClass in ItemClass.allCases {
            let attributes = try ItemAttributes(itemClass, [:])
            #expect(try metadata(ItemMetadata(attributes).bytes).attributes() == attributes)
        }
    }

    private func refuses(
        _ fault: Fault.Reason,
        _ bytes: [UInt8],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: Fault.self, sourceLocation: sourceLocation) { try metadata(bytes).attributes() }
        #expect(error?.reason == fault, sourceLocation: sourceLocation)
    }

    @Test func `metadata that does not parse or contradicts itself is rejected`() throws {
        let bytes = try ItemMetadata(ItemAttributes(.genericPassword, values)).bytes
        func changed(_ offset: Int, _ byte: UInt8) -> [UInt8] {
            var bytes = bytes
            bytes[offset] = byte
            return bytes
        }
        refuses(.tooShort, [])
        refuses(.badValue, changed(0, 0))
        refuses(.badValue, changed(0, 5))
        refuses(.reservedNotZero, changed(3, 1))
        refuses(.tooShort, changed(7, 255))
        refuses(.disagrees, changed(8, 3))
        refuses(.disagrees, changed(16, UInt8(ascii: "K")))
        refuses(.archive, Array(bytes.dropLast()))
        refuses(.archive, bytes + [0])
        refuses(.badValue, changed(0, ItemClass.key.rawValue))
        let noDictionary = try ArchiveValue.array([]).archived()
        refuses(.archive, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + noDictionary)
    }

    @Test func `metadata has at most 65,536 bytes`() throws {
        func attributes(_ byteCount: Int) throws -> ItemAttributes {
            try ItemAttributes(.genericPassword, ["gena": .data([UInt8](repeating: 1, count: byteCount))])
        }
        let overhead = try ItemMetadata(attributes(60_000)).byteCount - 60_000
        let greatest = try ItemMetadata(attributes(65_536 - overhead))
        #expect(greatest.byteCount == 65_536)
        #expect(try metadata(greatest.bytes) == greatest)
        #expect(throws: Fault(.limitExceeded(.metadata, value: 65_537))) {
            try ItemMetadata(attributes(65_537 - overhead))
        }
        refuses(.badLength, greatest.bytes + [0])
    }

    // MARK: - Match content

    private let content = MatchContent(
        itemClass: .certificate,
        flags: [.tombstone, .hasConditions],
        order: 0x0102_0304,
        written: Time(microseconds: -2),
        digests: MatchDigests(
            primaryKey: PrimaryKeyDigest(countingBytes(from: 1, count: 16).span),
            attributes: [1, 0x0807_0605_0403_0201, 3]
        ),
        recordHash: countingBytes(from: 0x80, count: 32)
    )

    @Test func `match content has 136 bytes with zeros for the attributes that the class lacks`() throws {
        var expected: [UInt8] = [3, 12, 0, 0, 0, 0, 0, 0] + littleEndian(UInt64(0x0102_0304))
        expected += [0xFE] + [UInt8](repeating: 0xFF, count: 7) + countingBytes(from: 1, count: 16)
        for digest in [1, 3] { expected += littleEndian(UInt64(digest)) }
        expected += [UInt8](repeating: 0, count: 48) + countingBytes(from: 0x80, count: 32)
        #expect(expected.count == 136)
        #expect(content.bytes == expected)
        #expect(try MatchContent(parsing: expected) == content)
    }

    @Test(arguments: [
        (0, 0, Fault.Reason.badValue, 0), (0, 5, .badValue, 0), (1, 16, .reservedNotZero, 1),
        (1, 128, .reservedNotZero, 1),
        (2, 1, .reservedNotZero, 2), (7, 1, .reservedNotZero, 7), (56, 1, .reservedNotZero, 56),
        (103, 1, .reservedNotZero, 103),
    ])
    func `an invalid field of match content is reported`(offset: Int, byte: UInt8, fault: Fault.Reason, at: Int) {
        var bytes = content.bytes
        bytes[offset] = byte
        #expect(throws: Fault(fault, at: at)) { try MatchContent(parsing: bytes) }
    }

    @Test(arguments: [0, 135, 137]) func `match content of the wrong size is rejected`(byteCount: Int) {
        let bytes = Array((content.bytes + [0]).prefix(byteCount))
        #expect(throws: Fault(.badLength, at: 0)) { try MatchContent(parsing: bytes) }
    }
}
