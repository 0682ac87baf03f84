import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Section 8: records in a frame.
@Suite("Record") struct RecordTests {
    private let sample: LogSample

    init() throws {
        sample = try LogSample()
    }

    private func fault(_ bytes: [UInt8]) throws -> Fault.Reason? {
        guard case .malformed(let kept, let error)? = try sample.record(bytes) else { return nil }
        #expect(kept == bytes)
        return error.reason
    }

    private func head(_ kind: UInt8, _ byteCount: Int, flags: UInt8 = 0, reserved: [UInt8] = [0, 0]) -> [UInt8] {
        [kind, flags] + reserved + littleEndian(UInt32(byteCount))
    }

    // MARK: - Round trips

    @Test func `records of each kind are read back`() throws {
        let items = sample.items
        let keys = try KeySample()
        let group = try GroupSample(.always, maker: keys.maker(), sample: keys)
        let delete = Delete(ending: items.revision(), group: items.group, keys: items.match)
        let origins = [Origin(writer: .none, place: 7), Origin(writer: WriterID([UInt8](1...8).span), place: 8)]
        let records: [Record] =
            [
                .put(try items.put()), .put(try items.put(secret: nil)), .delete(delete),
                .settings(body: [UInt8](repeating: 7, count: 80)),
                .seen(Seen([], group: items.group, keys: items.match)),
                .seen(Seen(origins, group: items.group, keys: items.match)),
            ]
            + group.entries.map(Record.key) + [.unknown(kind: 9, body: [7]), .unknown(kind: 0, body: [])]
        for record in records { #expect(try sample.record(record.encoded) == record) }
    }

    @Test func `a put is laid out as the table says`() throws {
        let put = try sample.items.put()
        var expected = put.revision.item.bytes + littleEndian(put.revision.number) + littleEndian(put.revision.salt)
        expected += put.dataKey.bytes + put.provenance.origin.writer.bytes + littleEndian(put.provenance.origin.place)
        expected += littleEndian(put.provenance.previousPlace) + littleEndian(put.provenance.replacedSalt)
        expected += littleEndian(UInt32(176)) + littleEndian(UInt32(put.metadata.count))
        expected += littleEndian(UInt32(put.secret.count)) + [0, 0, 0, 0] + put.match + put.metadata + put.secret
        #expect(Record.put(put).encoded == head(1, expected.count) + expected)
    }

    // MARK: - Unknown and critical

    @Test(arguments: [0, 6, 200] as [UInt8]) func `an unknown record is carried, unless it is critical`(kind: UInt8)
        throws
    {
        #expect(try sample.record(head(kind, 2) + [1, 2]) == .unknown(kind: kind, body: [1, 2]))
        #expect(throws: VaultFormatError.unsupported(.record(kind: Int(kind)))) {
            try sample.record(head(kind, 2, flags: 1) + [1, 2])
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 9] as [UInt8])
    func `nonzero flags and reserved bytes invalidate only one record`(kind: UInt8) throws {
        #expect(try fault(head(kind, 1, flags: 2) + [1]) == .reservedNotZero)
        #expect(try fault(head(kind, 1, reserved: [0, 1]) + [1]) == .reservedNotZero)
        if kind < 6 { #expect(try fault(head(kind, 1, flags: 1) + [1]) == .reservedNotZero) }
    }

    /// A record that a reader refused must not become valid by being carried.
    @Test func `a malformed record is written back unchanged`() throws {
        let good = Record.put(try sample.items.put()).encoded
        for offset in [1, 2, 3] {
            var bytes = good
            bytes[offset] = 2
            let record = try #require(try sample.record(bytes))
            #expect(record.encoded == bytes)
            #expect(try sample.record(record.encoded) == record)
        }
    }

    @Test func `the other records of a frame remain valid`() throws {
        let good = Record.unknown(kind: 9, body: [1])
        let bytes = good.encoded + head(2, 3) + [1, 2, 3] + good.encoded
        var reader = sample.reader(sample.frame(records: bytes, count: 3))
        let records = try #require(try reader.next()).records
        #expect(records.count == 3)
        #expect((records[0], records[2]) == (good, good))
    }

    // MARK: - Invalid puts and deletes

    @Test(arguments: [
        (16, littleEndian(UInt64(0)), Fault.Reason.badValue), (16, littleEndian(UInt64(1) << 63), .badValue),
        (24, littleEndian(UInt64(0)), .badValue), (40, littleEndian(UInt64(0)), .badValue),
        (48, littleEndian(UInt64(0)), .badValue), (48, littleEndian(UInt64(1) << 63), .badValue),
        (72, littleEndian(UInt32(160)), .badLength), (72, littleEndian(UInt32(192)), .badLength),
        (76, littleEndian(UInt32(0)), .badLength), (76, littleEndian(UInt32(16)), .badLength),
        (76, littleEndian(UInt32(40)), .badLength), (76, littleEndian(UInt32(65_584)), .badLength),
        (76, littleEndian(UInt32.max), .badLength), (80, littleEndian(UInt32(16)), .badLength),
        (80, littleEndian(UInt32(48)), .badLength), (80, littleEndian(UInt32(1_052_736)), .badLength),
        (80, littleEndian(UInt32(0)), .badLength), (80, littleEndian(UInt32(64)), .tooShort),
        (84, [2, 0, 0, 0], .badValue), (84, [0, 0, 0, 1], .badValue),
    ])
    func `a put with an invalid field is a malformed record`(offset: Int, field: [UInt8], expected: Fault.Reason) throws
    {
        var bytes = Record.put(try sample.items.put()).encoded
        bytes.replaceSubrange(8 + offset..<8 + offset + field.count, with: field)
        #expect(try fault(bytes) == expected)
    }

    @Test func `the greatest revision and the largest boxes are read`() throws {
        var put = try sample.items.put()
        put.revision.number = UInt64(1) << 63 - 1
        put.metadata = [UInt8](repeating: 1, count: 65_568)
        put.secret = [UInt8](repeating: 2, count: 1_052_704)
        #expect(try sample.record(Record.put(put).encoded) == .put(put))
    }

    @Test(arguments: [79, 81]) func `a delete has 80 bytes`(byteCount: Int) throws {
        let body = sample.items.revision().bytes + [UInt8](repeating: 0, count: 49)
        let expected: Fault.Reason = byteCount < 80 ? .tooShort : .badLength
        #expect(try fault(head(2, byteCount) + body.prefix(byteCount)) == expected)
    }

    @Test func `a delete has zeros where the table says`() throws {
        let body = sample.items.revision().bytes + [UInt8](repeating: 0, count: 48)
        var bytes = head(2, 80) + body
        bytes[8 + 47] = 1
        #expect(try fault(bytes) == .reservedNotZero)
    }

    // MARK: - Key records

    @Test func `a key record holds one entry of a type that the log may hold`() throws {
        let keys = try KeySample()
        let entry = try #require(try keys.maker().structureKey().entries.first).encoded
        #expect(try fault(head(3, entry.count + 1) + entry + [0]) == .badLength)
        let slot = try keys.passphraseSlot().encoded
        #expect(try fault(head(3, slot.count) + slot) == .badValue)
        let unknown = KeybagEntry.unknown(type: 99, body: []).encoded
        #expect(try fault(head(3, unknown.count) + unknown) == .badValue)
        var critical = unknown
        critical[2] = 1
        #expect(try fault(head(3, critical.count) + critical) == .unsupported(.keybagEntry(type: 99)))
    }
}
