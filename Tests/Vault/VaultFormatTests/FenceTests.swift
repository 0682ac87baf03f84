import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Section 5.4.
@Suite("Fence") struct FenceTests {
    private let sample: ItemSample

    init() throws {
        sample = try ItemSample()
    }

    /// A section with two of everything.
    private func section() throws -> RawSection {
        func leaf(_ number: UInt8, isPast: Bool = false) -> [RawSection.Entry] {
            var entry = RawSection.Entry()
            (entry.digest[0], entry.item[0]) = (number, number)
            if isPast { entry.rest = littleEndian(UInt64(9)) + littleEndian(Int64(9)) }
            return [entry]
        }
        var section = try RawSection(
            sample,
            live: [leaf(0x10), leaf(0x11)],
            past: [leaf(0x12, isPast: true), leaf(0x13, isPast: true)]
        )
        section.handles.append(countingBytes(from: 1, count: 8))
        section.dictionaries = [
            RawSection.Dictionary(), RawSection.Dictionary(id: countingBytes(from: 2, count: 8), dataKey: 1),
        ]
        section.flags = 63
        section.writers.append(([UInt8](repeating: 0xF0, count: 8), 5))
        section.idPages = [0x10, 0x11].enumerated().map { number, byte in
            [RawSection.Item(prefix: [byte, 0x20, 0x20, 0x20], leaf: number)]
        }
        return section
    }

    /// Where the parts of the content begin.
    private enum Offset {
        static let handles = 28
        static let dictionaries = handles + 2 * 8
        static let writers = dictionaries + 2 * 16
        static let live = writers + 2 * 16
        static let past = live + 2 * 24
        static let ids = past + 2 * 24
        static let end = ids + 2 * 8
    }

    @Test func `a fence is laid out as the table says`() throws {
        let section = try section()
        let fence = try section.reader().fence
        #expect(fence.dataKeys.map(\.bytes) == section.handles)
        #expect(fence.dictionaries.map(\.id.bytes) == section.dictionaries.map(\.id))
        #expect(fence.dictionaries.map(\.dataKey) == [0, 1])
        #expect(fence.flags.rawValue == 31 && fence.pastEntryCount == 2, "bit 5 is about the entry, not the item")
        #expect(fence.seen.origins.map(\.writer.bytes) == section.writers.map(\.id))
        #expect(fence.seen.origins.map(\.place) == [1 << 30, 5])
        #expect(fence.live.keys.map(\.bytes) == section.live.map { $0.entries[0].digest })
        #expect(fence.past.keys.map(\.bytes) == section.past.map { $0.entries[0].item })
        #expect(fence.ids.count == 2)
        // Dictionaries of 64 bytes, pages of one entry, which are 192 bytes, with boxes of 64, and small id pages.
        #expect((0..<2).map { fence.dictionaryPart($0).range } == [0..<64, 64..<128])
        #expect((0..<2).map { fence.leafPart($0, of: .live).page.range } == [128..<320, 384..<576])
        #expect((0..<2).map { fence.leafPart($0, of: .live).boxes.range } == [320..<384, 576..<640])
        #expect((0..<2).map { fence.leafPart($0, of: .past).page.range } == [640..<832, 896..<1088])
        #expect((0..<2).map { fence.leafPart($0, of: .past).boxes.range } == [832..<896, 1088..<1152])
        #expect((0..<2).map { fence.idPagePart($0).range } == [1152..<1216, 1216..<1280])
        #expect(fence.pastByteCount == 512)
        let content = try opened(section.section)
        #expect(content.count == Offset.end)
    }

    /// The content of a fence.
    private func opened(_ made: (section: Section, bytes: [UInt8])) throws -> [UInt8] {
        let data = Array("coffer1.fence".utf8) + [0, 0, 0] + VaultID.sample.bytes + made.section.group.bytes
        let box = Array(made.bytes[made.section.fence.range])
        return try Box.opened(box.span, key: sample.match.page, associatedData: data + made.section.id.bytes)
    }

    @Test func `a fence that was read is written with the same content`() throws {
        let raw = try section()
        let reader = try raw.reader()
        var writer = GroupSectionWriter(sample.group, keys: sample.match, at: 0, to: MemorySink())
        for number in 0..<2 { _ = writer.append(try reader.sealedDictionary(number)) }
        func boxes(_ entry: MatchEntry) throws -> (metadata: [UInt8], secret: [UInt8]) {
            (try reader.bytes(of: entry.metadata), try entry.secret.map(reader.bytes(of:)) ?? [])
        }
        for number in 0..<2 {
            for entry in try reader.leaf(number) {
                let boxes = try boxes(entry)
                let handle = reader.fence.dataKeys[entry.dataKey]
                writer.append(entry, handle: handle, metadata: boxes.metadata.span, secret: boxes.secret.span)
            }
        }
        for number in 0..<2 {
            for entry in try reader.leaf(number, of: .past) {
                let boxes = try boxes(entry)
                let handle = reader.fence.dataKeys[entry.dataKey]
                writer.append(past: entry, handle: handle, metadata: boxes.metadata.span, secret: boxes.secret.span)
            }
        }
        let written = writer.finish(seen: reader.fence.seen)
        // The writer makes one leaf of each list and one id page, which the text allows.
        var expected = try RawSection(
            sample,
            live: [raw.live.flatMap(\.entries)],
            past: [raw.past.flatMap(\.entries)]
        )
        (expected.handles, expected.dictionaries, expected.writers) = (raw.handles, raw.dictionaries, raw.writers)
        let content = try opened((written, writer.sink.bytes))
        #expect(content == (try opened(expected.section)))
        #expect(written.byteCount == expected.section.section.byteCount)
        #expect((written.count, written.fenceByteCount) == (2, expected.section.section.fenceByteCount))
    }

    // MARK: - Defects

    private func expectRefused(
        _ fault: Fault.Reason,
        at offset: Int,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ edit: (inout RawSection) -> Void
    ) throws {
        var section = try section()
        edit(&section)
        let start = section.section.section.fence.offset
        #expect(
            throws: VaultFormatError.snapshotFailure(fault, offset: start + offset),
            sourceLocation: sourceLocation
        ) { try section.reader() }
    }

    private func replace(_ offset: Int, _ bytes: [UInt8]) -> (inout RawSection) -> Void {
        { section in section.editFence = { $0.replaceSubrange(offset..<offset + bytes.count, with: bytes) } }
    }

    private func swap(_ start: Int, _ byteCount: Int, _ fieldByteCount: Int) -> (inout RawSection) -> Void {
        { section in
            section.editFence = { content in
                let (one, other) = (
                    start..<start + fieldByteCount, start + byteCount..<start + byteCount + fieldByteCount
                )
                let bytes = Array(content[one])
                content.replaceSubrange(one, with: content[other])
                content.replaceSubrange(other, with: bytes)
            }
        }
    }

    @Test(arguments: [64, 128, 255] as [UInt8]) func `an unassigned flag is rejected`(flag: UInt8) throws {
        try expectRefused(.reservedNotZero, at: 4) { $0.flags = flag }
    }

    @Test func `reserved bytes are zero`() throws {
        for offset in [5, 6, 7] { try expectRefused(.reservedNotZero, at: offset, replace(offset, [1])) }
        for start in [Offset.dictionaries + 14, Offset.live + 22, Offset.past + 46] {
            for offset in [start, start + 1] { try expectRefused(.reservedNotZero, at: offset, replace(offset, [1])) }
        }
    }

    @Test func `a fence has as many bytes as its numbers say`() throws {
        for number in [0, 2, 8, 12, 16, 20] { try expectRefused(.badLength, at: 0, replace(number, [3])) }
        for number in [0, 2, 8, 12, 16, 20] { try expectRefused(.badLength, at: 0, replace(number, [1])) }
        try expectRefused(.badLength, at: 0) { $0.editFence = { $0.append(0) } }
        try expectRefused(.badLength, at: 0) { $0.editFence = { $0.removeLast() } }
    }

    @Test func `numbers beyond their limits are reported`() throws {
        for (offset, number, limit) in [(8, 262_145, Limit.writers), (24, 4_194_305, .pastEntries)] {
            var section = try section()
            replace(offset, littleEndian(UInt32(number)))(&section)
            #expect(throws: VaultFormatError.limitExceeded(limit, value: UInt64(number))) { try section.reader() }
        }
        var section = try section()
        replace(24, littleEndian(UInt32(4_194_304)))(&section)
        #expect(try section.reader().fence.pastEntryCount == 4_194_304)
    }

    @Test func `data keys, dictionaries and writers occur once`() throws {
        try expectRefused(.duplicate, at: Offset.handles) { $0.handles[1] = $0.handles[0] }
        try expectRefused(.duplicate, at: Offset.dictionaries + 16) { $0.dictionaries[1].id = $0.dictionaries[0].id }
        try expectRefused(.outOfOrder, at: Offset.writers + 16) { $0.writers[1].id = $0.writers[0].id }
        try expectRefused(.outOfOrder, at: Offset.writers + 16) { $0.writers.swapAt(0, 1) }
    }

    @Test func `a dictionary has a data key, and a size in units`() throws {
        try expectRefused(.badValue, at: Offset.dictionaries + 12) { $0.dictionaries[0].dataKey = 2 }
        try expectRefused(.badLength, at: Offset.dictionaries + 8, replace(Offset.dictionaries + 8, [63]))
        try expectRefused(.badLength, at: Offset.dictionaries + 8, replace(Offset.dictionaries + 8, [0]))
        try expectRefused(.badLength, at: Offset.dictionaries + 24, replace(Offset.dictionaries + 24, [64]))
    }

    @Test func `what was seen of a writer is a place`() throws {
        for place in [0, 1 << 63] as [UInt64] {
            try expectRefused(.badValue, at: Offset.writers) { $0.writers[0].place = place }
        }
    }

    @Test func `the floor is less than each place, and leaves room for others`() throws {
        let none = [UInt8](repeating: 0, count: 8)
        try expectRefused(.badValue, at: Offset.writers) { $0.writers[0] = (none, 1 << 62 + 1) }
        try expectRefused(.badValue, at: Offset.writers) { $0.writers[0] = (none, 0) }
        try expectRefused(.badValue, at: Offset.writers + 16) { $0.writers[0] = (none, $0.writers[1].place) }
    }

    @Test func `first entries do not descend`() throws {
        try expectRefused(.outOfOrder, at: Offset.live + 24, swap(Offset.live, 24, 16))
        try expectRefused(.outOfOrder, at: Offset.past + 24, swap(Offset.past, 24, 16))
        try expectRefused(.outOfOrder, at: Offset.ids + 8, swap(Offset.ids, 8, 4))
        // They may be equal.
        for (start, byteCount, field) in [(Offset.live, 24, 16), (Offset.past, 24, 16), (Offset.ids, 8, 4)] {
            var section = try section()
            section.editFence = { content in
                let first = Array(content[start..<start + field])
                content.replaceSubrange(start + byteCount..<start + byteCount + field, with: first)
            }
            _ = try section.reader()
        }
    }

    @Test func `a leaf ends after the one before, and after its page`() throws {
        // The first ends at 384 and has a page of 192 bytes from 128 on.
        let end = Offset.live + 16
        try expectRefused(.badLength, at: end, replace(end, littleEndian(UInt32(128))))
        try expectRefused(.badLength, at: Offset.live, replace(end, littleEndian(UInt32(319))))
        var section = try section()
        replace(end, littleEndian(UInt32(320)))(&section)
        #expect(try section.reader().fence.leafPart(0, of: .live).boxes.byteCount == 0)
        try expectRefused(.badLength, at: end + 24, replace(end, littleEndian(UInt32(640))))
        try expectRefused(.badLength, at: Offset.past, replace(Offset.past + 16, littleEndian(UInt32(831))))
    }

    @Test(arguments: [(0, false), (1, true), (3, true), (4, true), (5, false), (64, false), (65, false)])
    func `a page fits into its leaf`(unitCount: Int, isRead: Bool) throws {
        // The leaf has four units.
        var section = try section()
        replace(Offset.live + 20, littleEndian(UInt16(unitCount)))(&section)
        #expect(((try? section.reader()) != nil) == isRead)
    }

    @Test(arguments: [(4096, true), (4160, false)])
    func `a page has at most 4,096 bytes`(byteCount: Int, isRead: Bool) throws {
        var section = try section()
        section.live[0].boxesByteCount = 4096
        replace(Offset.live + 20, littleEndian(UInt16(byteCount / 64)))(&section)
        #expect(((try? section.reader()) != nil) == isRead)
    }

    @Test func `an id page ends by units after the one before`() throws {
        // The first ends at 1216.
        let end = Offset.ids + 4
        for byteCount in [1152, 1200, 1217] {
            try expectRefused(.badLength, at: end, replace(end, littleEndian(UInt32(byteCount))))
        }
        try expectRefused(.badLength, at: end + 8, replace(end, littleEndian(UInt32(1280))))
    }

    @Test func `an id page has at most 4,096 bytes`() throws {
        func reader(_ count: Int) throws -> GroupSectionReader<MemorySource> {
            var section = try section()
            let item = RawSection.Item(prefix: [0x11, 0x20, 0x20, 0x20])
            section.idPages?[1] = [RawSection.Item](repeating: item, count: count)
            return try section.reader()
        }
        #expect(try reader(506).fence.ids.count == 2)
        #expect(throws: VaultFormatError.self) { try reader(507) }
    }

    @Test func `fewer than 64 bytes without meaning stand before the fence`() throws {
        // One leaf with a box that makes the section end inside a unit.
        func spaced(_ filler: [UInt8]?) throws -> RawSection {
            var section = try section()
            section.live[0].entries[0].metadata = 3
            section.zeros = filler
            return section
        }
        #expect(try spaced(nil).reader().fence.live.count == 2)
        let zeros = [UInt8](repeating: 0, count: 48)
        #expect(try spaced(zeros).reader().fence.live.count == 2)
        let start = try spaced(zeros).section.section.fence.offset
        #expect(throws: VaultFormatError.snapshotFailure(.badLength, offset: start + 64)) {
            try spaced(zeros + [UInt8](repeating: 0, count: 64)).reader()
        }
        #expect(try spaced([UInt8](repeating: 7, count: 48)).reader().fence.live.count == 2)
        var short = try section()
        replace(Offset.ids + 12, littleEndian(UInt32(1344)))(&short)
        #expect(throws: VaultFormatError.self) { try short.reader() }
    }

    @Test func `live leaves, id pages and live entries are there together`() throws {
        try expectRefused(.badLength, at: 0) { $0.liveCount = 0 }
        try expectRefused(.badLength, at: 0) { $0.idPages = [] }
        try expectRefused(.badLength, at: 0) { section in
            (section.live, section.liveCount, section.idPages) = ([], 1, [])
        }
        try expectRefused(.badLength, at: 0) { section in
            (section.live, section.idPages) = ([], [[RawSection.Item(prefix: [0, 0, 0, 0])]])
        }
        var section = try section()
        (section.live, section.idPages) = ([], [])
        #expect(try section.reader().fence.past.count == 2)
    }

    @Test func `past leaves and past entries are there together`() throws {
        try expectRefused(.badLength, at: 0) { $0.pastCount = 0 }
        try expectRefused(.badLength, at: 0) { section in (section.past, section.pastCount) = ([], 1) }
        var section = try section()
        section.past = []
        #expect(try section.reader().fence.past.count == 0)
    }

    // MARK: - Lookups

    @Test(arguments: UInt64(0)..<200)
    func `the candidates for a key are the leaves that may hold it`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func randomKey() -> ItemID {
            ItemID([UInt8](repeating: .random(in: 0...9, using: &generator), count: 16).span)
        }
        let fences = (0..<Int.random(in: 0...12, using: &generator)).map { _ in randomKey() }.sorted()
        let key = randomKey()
        // A leaf may hold what is between its first entry and that of the next, both included.
        let expected = fences.indices.filter { number in
            fences[number] <= key && (number + 1 == fences.count || key <= fences[number + 1])
        }
        #expect(Array(Fence.candidates(for: key, in: fences)) == expected)
    }
}
