import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Section 13.3 of `store.md`: the head of an index file.
@Suite("Head of an index file") struct IndexHeadTests {
    private static let logOffset = 4096
    private static let groupBytes: [UInt8] = [7, 0, 0, 0, 0, 0, 0, 0]

    private let keys: GenerationKeys

    init() throws {
        keys = try GenerationKeys.sample(try KeySample().cipher)
    }

    /// The content of a head, by the table of the specification.
    private struct RawHead {
        var end: UInt64 = 8192
        var sequence: UInt64 = 12
        var balance: Int64 = -3
        var garbage = Int64.max
        var settings = [UInt8](repeating: 9, count: 120)
        var kind: UInt8 = 4
        var removed: [UInt8] = [1, 2]
        var reserved: UInt32 = 0
        /// The section, its fence, and the number of items.
        var sizes: [UInt32] = [12_480, 128, 40]
        var rest: [UInt8] = []

        var bytes: [UInt8] {
            var bytes = countingBytes(from: 1, count: 32) + littleEndian(end) + littleEndian(sequence)
            bytes += countingBytes(from: 2, count: 32) + countingBytes(from: 3, count: 16)
            bytes += littleEndian(balance) + littleEndian(Int64(1_000_000)) + littleEndian(garbage)
            for count in [1, UInt32(removed.count), 1, reserved] { bytes += littleEndian(count) }
            bytes += littleEndian(UInt64(11)) + littleEndian(Int64(999))
            bytes += [kind, 0, 0, 0] + littleEndian(UInt32(settings.count)) + settings
            for number in removed {
                bytes += IndexHeadTests.groupBytes + [UInt8](repeating: number, count: 16)
            }
            bytes += [UInt8](repeating: 5, count: 16) + IndexHeadTests.groupBytes + littleEndian(UInt32(3))
            for size in sizes { bytes += littleEndian(size) }
            return bytes + rest
        }
    }

    /// A head with this content, in a file that also has room for the section.
    private func opened(_ content: [UInt8], sectionByteCount: Int = 12_480) throws -> IndexHead {
        let box = Box.sealed(
            content.span,
            key: keys.snapshot,
            associatedData: Array("coffer1.index".utf8) + [0, 0, 0],
            cipher: keys.cipher
        )
        let head = Array("COFI".utf8) + littleEndian(UInt32(box.count)) + [UInt8](repeating: 0, count: 56) + box
        #expect(IndexHead.byteCount(prefix: head.span) == head.count)
        return try IndexHead(
            opening: head.span,
            fileByteCount: head.count + sectionByteCount,
            logOffset: Self.logOffset,
            keys: keys
        )
    }

    @Test func `it has the bytes of the table`() throws {
        let head = try opened(RawHead().bytes)
        #expect(head.start.bytes == countingBytes(from: 1, count: 32))
        let chain = ChainValue(bytes: countingBytes(from: 2, count: 32))
        #expect(head.end == LogPosition(offset: 8192, sequence: 12, chain: chain))
        #expect(head.tag == countingBytes(from: 3, count: 16))
        #expect(head.itemBalance == -3)
        #expect(head.lastTime.microseconds == 1_000_000)
        #expect(head.oldestGarbageTime == nil)
        #expect(head.records.map(\.sequence) == [11])
        #expect(head.records.map(\.record) == [.settings(body: RawHead().settings)])
        let group = GroupID(Self.groupBytes.span)
        #expect(head.removed.map(\.group) == [group, group])
        #expect(head.removed.map { $0.item.bytes[0] } == [1, 2])
        let section = try #require(head.sections.first)
        #expect(section.group == GroupEpoch(group: group, epoch: 3))
        #expect([section.byteCount, section.fenceByteCount, section.count] == [12_480, 128, 40])
        let sealed = head.sealed(keys: keys)
        #expect(section.offset == sealed.count, "the section follows the head")
        let again = try IndexHead(
            opening: sealed.span,
            fileByteCount: sealed.count + 12_480,
            logOffset: Self.logOffset,
            keys: keys
        )
        #expect(again == head)
    }

    @Test func `each defect is refused`() throws {
        func expect(_ fault: Fault.Reason, _ change: (inout RawHead) -> Void) {
            var raw = RawHead()
            change(&raw)
            let error = #expect(throws: Fault.self, "\(fault)") { try opened(raw.bytes) }
            #expect(error?.reason == fault)
        }
        expect(.badValue) { $0.end = UInt64(Self.logOffset) - 64 }
        expect(.badValue) { $0.end = .max }
        expect(.badValue) { $0.sequence = 1 << 43 }
        expect(.badValue) { $0.balance = 1_000_001 }
        expect(.badValue) { $0.kind = 77 }
        expect(.outOfOrder) { $0.removed = [2, 1] }
        expect(.outOfOrder) { $0.removed = [1, 1] }
        expect(.reservedNotZero) { $0.reserved = 1 }
        expect(.badLength) { $0.sizes[1] = 0 }
        expect(.badLength) { $0.sizes[1] = 12_481 }
        expect(.badLength) { $0.sizes[0] = 12_481 }
        expect(.badLength) { $0.rest = [0] }
        #expect(throws: Fault.self) { try opened(Array(RawHead().bytes.dropLast())) }
        let error = #expect(throws: Fault.self) { try opened(RawHead().bytes, sectionByteCount: 12_416) }
        #expect(error?.reason == .badLength, "the section is not in the file")
    }

    @Test func `whatever a holder of the keys writes is refused or read as it is`() throws {
        var generator = SeededGenerator(seed: 22)
        var readCount = 0
        for _ in 0..<2000 {
            var content = RawHead().bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let offset = Int.random(in: content.indices, using: &generator)
                content[offset] = Bool.random(using: &generator) ? 0xFF : .random(in: 0 ... .max, using: &generator)
            }
            guard let head = try? opened(content) else { continue }
            readCount += 1
            let box = head.sealed(keys: keys).span.extracting(IndexHead.prefixByteCount...)
            let associatedData = Array("coffer1.index".utf8) + [0, 0, 0]
            #expect(try Box.opened(box, key: keys.snapshot, associatedData: associatedData) == content)
        }
        #expect(readCount > 500)
    }

    @Test func `other bytes are no head`() {
        #expect(IndexHead.byteCount(prefix: [UInt8](repeating: 0, count: 64).span) == nil)
        #expect(IndexHead.byteCount(prefix: Array("COFI".utf8).span) == nil)
    }
}
