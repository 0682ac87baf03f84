import CofferBasics
import Testing
import VaultCrypto
import VaultFormat

/// Section 5.7: a reader without any keys of a group must still see that the parts cover the section.
@Suite("Block list") struct BlockListTests {
    private let sample: SectionSample
    private let section: Section
    private let list: BlockList

    init() throws {
        // On two digest pages and one item page, in one block.
        sample = try SectionSample(count: 50, mixed: false)
        section = sample.section
        let box = Array(sample.bytes[..<section.blockListByteCount])
        list = try BlockList(opening: box, of: section, keys: sample.keys)
    }

    /// Opens `content` as the block list of `section`.
    private func open(_ content: [UInt8], of section: Section) throws -> BlockList {
        let box = Box.sealed(
            content.span,
            key: sample.keys.snapshot,
            associatedData: Label.blockList.bytes + section.id.bytes,
            cipher: sample.items.cipher
        )
        return try BlockList(opening: box, of: section, keys: sample.keys)
    }

    private func content(_ entries: [BlockList.Entry]) -> [UInt8] {
        var bytes: [UInt8] = []
        for entry in entries {
            bytes += [entry.kind.rawValue, 0, 0, 0]
            for number in [entry.count, entry.part.offset / 64, entry.part.byteCount / 64] {
                bytes += littleEndian(UInt32(number))
            }
            bytes += entry.dataKey.bytes + entry.check
        }
        return bytes
    }

    @Test func `a list that a builder wrote is read back`() throws {
        #expect(list.entries.map(\.kind) == [.fence, .digestPages, .itemPages, .metadata, .secrets])
        #expect(try open(content(list.entries), of: section) == list)
    }

    // MARK: - Parts

    /// A change of the entries that only one check notices; before it is made, offsets are set from the sizes.
    private struct Defect: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fault: Fault
        /// A change made before the offsets are set.
        var resize: @Sendable (inout [BlockList.Entry]) -> Void = { _ in }
        var edit: @Sendable (inout [BlockList.Entry]) -> Void = { _ in }
    }

    private static let defects: [Defect] = [
        Defect(
            testDescription: "a part that overlaps the previous one",
            fault: Fault(.badLength, at: 120),
            edit: { $0[3].part.offset -= 64 }
        ),
        Defect(testDescription: "a part without bytes", fault: Fault(.badLength, at: 200)) {
            $0.append($0[4])
            $0[5].part.byteCount = 0
        },
        Defect(testDescription: "item pages before digest pages", fault: Fault(.badLength, at: 80)) {
            $0.swapAt(1, 2)
        },
        Defect(testDescription: "a fence in two parts", fault: Fault(.disagrees, at: 0)) {
            $0.insert($0[0], at: 1)
            $0[0].part.byteCount = 64
            $0[1].part.byteCount -= 64
        },
        Defect(testDescription: "a second fence", fault: Fault(.disagrees, at: 0)) {
            $0.insert($0[0], at: 1)
            $0[1].part.byteCount = 64
            $0[4].part.byteCount -= 64
        },
        Defect(testDescription: "digest pages that end early", fault: Fault(.disagrees, at: 44)) {
            $0[1].part.byteCount -= 64
            $0[3].part.byteCount += 64
        },
        Defect(testDescription: "item pages that end late", fault: Fault(.disagrees, at: 84)) {
            $0[2].part.byteCount += 64
            $0[3].part.byteCount -= 64
        },
        Defect(testDescription: "fewer items in blocks than in pages", fault: Fault(.disagrees, at: 0)) {
            $0[3].count -= 1
        },
        Defect(testDescription: "parts that end before the section does", fault: Fault(.badLength, at: 200)) {
            $0[4].part.byteCount -= 64
        },
        Defect(testDescription: "parts that end after the section", fault: Fault(.badLength, at: 200)) {
            $0[4].part.byteCount += 64
        },
        Defect(testDescription: "a fence with a key handle", fault: Fault(.reservedNotZero, at: 16)) {
            $0[0].dataKey = $0[3].dataKey
        },
    ]

    @Test(arguments: defects) private func `parts that do not cover the section are rejected`(defect: Defect) throws {
        var entries = list.entries
        defect.resize(&entries)
        var end = section.blockListByteCount
        for index in entries.indices {
            entries[index].part.offset = end
            end = entries[index].part.range.upperBound
        }
        defect.edit(&entries)
        #expect(throws: defect.fault) { try open(content(entries), of: section) }
    }

    // MARK: - The number of entries

    @Test func `an incomplete entry is rejected`() {
        #expect(throws: Fault(.badLength, at: 0)) { try open(content(list.entries) + [0], of: section) }
    }

    @Test func `more entries than a vault may have are rejected before they are read`() {
        let content = [UInt8](repeating: 0, count: 262_145 * 40)
        #expect(throws: Fault(.limitExceeded(.blockListEntries, value: 262_145), at: 0)) {
            try open(content, of: section)
        }
        #expect(throws: Fault(.badValue, at: 0)) { try open(Array(content.dropFirst(40)), of: section) }
    }
}
