import CofferBasics
import KeyedArchive
import TestSupport
import Testing
import VaultFormat

/// Sections 8.2 and 8.3: match content and metadata before they are sealed.
@Suite("Match content and metadata") struct ItemMetadataTests {
    private let values: CanonicalDictionary<ArchiveValue, ArchiveValue> = [
        "acct": "kim", "svce": 258, "labl": .data([0, 255]), "cdat": .date(secondsSinceReferenceDate: 1.5),
    ]

    private func archive(_ metadata: ItemMetadata) -> [UInt8] { metadata.withArchive { $0 } }

    private func attributes(_ archive: [UInt8], of itemClass: ItemClass = .genericPassword) throws -> ItemAttributes {
        try ItemMetadata(archive: archive).attributes(of: itemClass)
    }

    // MARK: - Metadata

    @Test func `metadata is the archive of the attributes alone`() throws {
        let attributes = try ItemAttributes(.genericPassword, values)
        let archive = archive(try ItemMetadata(attributes))
        #expect(archive == (try ArchiveValue.dictionary(values).archived()))
        #expect(try self.attributes(archive) == attributes)
    }

    @Test(arguments: ItemClass.allCases) func `an item may have no attributes at all`(itemClass: ItemClass) throws {
        let attributes = try ItemAttributes(itemClass, [:])
        #expect(try self.attributes(archive(ItemMetadata(attributes)), of: itemClass) == attributes)
    }

    private func refuses(
        _ fault: Fault.Reason,
        _ bytes: [UInt8],
        of itemClass: ItemClass = .genericPassword,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: Fault.self, sourceLocation: sourceLocation) {
            try attributes(bytes, of: itemClass)
        }
        #expect(error?.reason == fault, sourceLocation: sourceLocation)
    }

    @Test func `metadata that is no canonical archive of attributes of the class is rejected`() throws {
        let bytes = archive(try ItemMetadata(ItemAttributes(.genericPassword, values)))
        refuses(.archive, [])
        refuses(.archive, Array(bytes.dropLast()))
        refuses(.archive, bytes + [0])
        refuses(.archive, try ArchiveValue.array([]).archived())
        refuses(.badValue, bytes, of: .key)
    }

    @Test func `metadata that contradicts its entry is rejected`() throws {
        let keys = try ItemSample().match
        let attributes = try ItemAttributes(.genericPassword, values)
        let metadata = try ItemMetadata(attributes)
        let match = ItemMatch(
            itemClass: .genericPassword,
            flags: MatchFlags(attributes),
            order: 1,
            written: Time(microseconds: 0),
            digests: MatchDigests(attributes, keys: keys)
        )
        #expect(try metadata.attributes(matching: match, keys: keys) == attributes)
        var changed = match
        changed.flags.insert(.synchronizable)
        #expect(throws: Fault(.disagrees)) { try metadata.attributes(matching: changed, keys: keys) }
        changed = match
        changed.digests = MatchDigests(try ItemAttributes(.genericPassword, ["acct": "kit"]), keys: keys)
        #expect(throws: Fault(.disagrees)) { try metadata.attributes(matching: changed, keys: keys) }
    }

    @Test func `metadata has at most 65,536 bytes`() throws {
        func attributes(_ byteCount: Int) throws -> ItemAttributes {
            try ItemAttributes(.genericPassword, ["gena": .data([UInt8](repeating: 1, count: byteCount))])
        }
        let overhead = try ItemMetadata(attributes(60_000)).byteCount - 60_000
        let greatest = try ItemMetadata(attributes(65_536 - overhead))
        #expect(greatest.byteCount == 65_536)
        #expect(try self.attributes(archive(greatest)) == attributes(65_536 - overhead))
        // The number is that of the values, if they alone are too many bytes.
        #expect(throws: Fault(.limitExceeded(.metadata, value: 0))) {
            try ItemMetadata(attributes(65_537 - overhead))
        }
        #expect(throws: Fault(.limitExceeded(.metadata, value: 65_537))) { try ItemMetadata(attributes(65_537)) }
        refuses(.badLength, archive(greatest) + [0])
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
