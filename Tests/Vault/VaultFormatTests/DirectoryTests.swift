import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Section 5.1: each possible defect of an entry is rejected on its own.
@Suite("Directory") struct DirectoryTests {
    private let keys: KeySample

    init() throws {
        keys = try KeySample()
    }

    /// An entry as encoded in the file; offsets and sizes are in units.
    private struct RawSection: Sendable {
        var kind: UInt8
        var flags: UInt8 = 0
        var epoch: UInt32 = 1
        var id: UInt8
        var group: UInt8 = 1
        var offset: UInt32
        var byteCount: UInt32
        var fence: UInt32 = 0
        var count: UInt32 = 1

        var bytes: [UInt8] {
            var bytes = [kind, flags, 0, 0] + littleEndian(epoch)
            bytes += [UInt8](repeating: id, count: 16) + [UInt8](repeating: group, count: 8)
            for number in [offset, byteCount, fence, count] { bytes += littleEndian(number) }
            return bytes + [UInt8](repeating: id, count: 32)
        }
    }

    /// A snapshot of 138 units: a directory of 4, a group section of 132 and a run of 2.
    private struct RawSnapshot: Sendable {
        var sections = [
            RawSection(kind: 1, id: 0xA1, offset: 4, byteCount: 132, fence: 1),
            RawSection(kind: 2, id: 0xA2, offset: 136, byteCount: 2),
        ]
        var unitCount = 138
    }

    private func directory(_ snapshot: RawSnapshot, count: Int? = nil) throws -> Directory {
        let head = littleEndian(UInt32(count ?? snapshot.sections.count)) + [UInt8](repeating: 0, count: 20)
        let content = head + snapshot.sections.flatMap(\.bytes)
        let generation = try GenerationKeys.sample(keys.cipher)
        let box = Box.sealed(
            content.span,
            key: generation.snapshot,
            associatedData: Label.directory.bytes,
            cipher: keys.cipher
        )
        let byteCount = snapshot.unitCount * 64
        return try Directory(opening: box, snapshotByteCount: byteCount, baseSequence: 0, keys: generation)
    }

    @Test func `sections that follow one another are read`() throws {
        let directory = try directory(RawSnapshot())
        #expect(directory.sections.map(\.kind) == [.group, .run])
        #expect(directory.sections.map(\.range) == [256..<8704, 8704..<8832])
        #expect(directory.sections[0].fence.range == 8384..<8448)
        #expect(directory.sections[0].check == [UInt8](repeating: 0xA1, count: 32))
    }

    // A count of 500,000 made readers reserve 70 MB before they looked at the only page.
    @Test func `memory is reserved for no more entries than the section has room for`() throws {
        var snapshot = RawSnapshot()
        #expect(try directory(snapshot).sections[0].entryCapacity == 1)
        snapshot.sections[0].count = 500_000
        // An entry takes at least 98 of the 8,448 bytes.
        #expect(try directory(snapshot).sections[0].entryCapacity == 86)
        snapshot.sections[0].count = 0
        #expect(try directory(snapshot).sections[0].entryCapacity == 0)
    }

    // MARK: - Defects

    /// A change that only one check notices.
    private struct Defect: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fault: Fault
        var edit: @Sendable (inout RawSnapshot) -> Void

        init(_ testDescription: String, _ fault: Fault, _ edit: @escaping @Sendable (inout RawSnapshot) -> Void) {
            self.testDescription = testDescription
            self.fault = fault
            self.edit = edit
        }
    }

    private static let group = Fault(.badLength, at: 24)
    private static let run = Fault(.badLength, at: 104)
    private static let runPlace = Fault(.badLength, at: 136)

    private static let places: [Defect] = [
        Defect("a gap between sections", runPlace) {
            $0.sections[1].offset += 1
            $0.sections[1].byteCount -= 1
        },
        Defect("an empty section", runPlace) {
            $0.sections[0].byteCount += 2
            $0.sections[1].offset += 2
            $0.sections[1].byteCount = 0
        },
        Defect("a section that ends after the snapshot", runPlace) { $0.sections[1].byteCount += 1 },
        Defect("a snapshot that continues", Fault(.badLength, at: 137 * 64)) { $0.sections[1].byteCount -= 1 },
        Defect("two sections of the same group and epoch", Fault(.duplicate, at: 0)) {
            $0.sections[1] = $0.sections[0]
            $0.sections[1].id = 0xA2
            $0.sections[1].offset += 132
            $0.unitCount = 268
        },
        Defect("two sections with the same id", Fault(.duplicate, at: 0)) { $0.sections[1].id = 0xA1 },
        Defect("more items than a vault may have", Fault(.limitExceeded(.items, value: 1_000_001), at: 0)) {
            $0.sections[0].count = 1_000_000
            $0.sections[1] = $0.sections[0]
            $0.sections[1].id = 0xA2
            $0.sections[1].epoch = 2
            $0.sections[1].offset += 132
            $0.sections[1].count = 1
            $0.unitCount = 268
        },
    ]

    private static let groups: [Defect] = [
        Defect("a critical group section", group) { $0.sections[0].flags = 1 },
        Defect("a group section without a group", group) { $0.sections[0].group = 0 },
        Defect("no fence", group) { $0.sections[0].fence = 0 },
        Defect("a fence longer than its section", group) { $0.sections[0].fence = 133 },
        Defect(
            "a fence beyond its limit",
            Fault(.limitExceeded(.fence, value: 16_777_280), at: 64)
        ) {
            $0.sections[0].fence = 262_145
            $0.sections[0].byteCount += 262_144
            $0.sections[1].offset += 262_144
            $0.unitCount += 262_144
        },
    ]

    private static let runs: [Defect] = [
        Defect("a critical run", run) { $0.sections[1].flags = 1 },
        Defect("a run without records", run) { $0.sections[1].count = 0 },
        Defect("a run with a fence", run) { $0.sections[1].fence = 1 },
        Defect("an epoch without a group", run) { $0.sections[1].group = 0 },
        Defect(
            "a run beyond its limit",
            // pad(44 + 33,554,432), and one unit more.
            Fault(.limitExceeded(.run, value: 34_603_072), at: 140)
        ) {
            $0.sections[1].byteCount = 540_673
            $0.unitCount = 136 + 540_673
        },
        Defect("a critical section of unknown kind", Fault(.unsupported(.section(kind: 9)), at: 104)) {
            $0.sections[1].kind = 9
            $0.sections[1].flags = 1
        },
        Defect("a section of unknown kind with a fence", Fault(.reservedNotZero, at: 144)) {
            $0.sections[1].kind = 3
            $0.sections[1].fence = 1
        },
        Defect("an unassigned flag", Fault(.reservedNotZero, at: 105)) { $0.sections[1].flags = 2 },
    ]

    @Test(arguments: places + groups + runs)
    private func `each defect is rejected by its own check`(defect: Defect) throws {
        var snapshot = RawSnapshot()
        defect.edit(&snapshot)
        #expect(throws: defect.fault) { try directory(snapshot) }
    }

    @Test func `a directory of the greatest possible size is read`() throws {
        var snapshot = RawSnapshot()
        snapshot.sections[0].count = 1_000_000
        snapshot.sections[0].fence = 262_144
        snapshot.sections[0].byteCount += 262_143
        snapshot.sections[1].offset += 262_143
        snapshot.sections[1].byteCount = 540_672
        snapshot.unitCount += 262_143 + 540_670
        #expect(try directory(snapshot).sections.count == 2)
    }

    @Test func `the number of sections is checked against its limit first`() {
        #expect(throws: Fault(.limitExceeded(.sections, value: 65_537), at: 0)) {
            try directory(RawSnapshot(), count: 65_537)
        }
        #expect(throws: Fault(.tooShort, at: 184)) { try directory(RawSnapshot(), count: 65_536) }
        #expect(throws: Fault(.badLength, at: 104)) { try directory(RawSnapshot(), count: 1) }
    }
}
