import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Section 5.3: leaves and id pages.
@Suite("Leaf") struct LeafTests {
    private let sample: ItemSample

    init() throws {
        sample = try ItemSample()
    }

    /// For each class, how many digests an entry has, and the place of the leading one among all of them.
    private static let classes: [(ItemClass, count: Int, leading: Int)] = [
        (.genericPassword, 1, 1), (.internetPassword, 6, 2), (.certificate, 2, 1), (.key, 8, 1),
    ]

    /// An entry in which each field has another value.
    private func entry(_ number: Int) -> RawSection.Entry {
        let (itemClass, count, _) = Self.classes[number]
        return RawSection.Entry(
            digest: countingBytes(from: 0x10, count: 16),
            item: countingBytes(from: 0x20, count: 16),
            revision: 0x3132_3334_3536_3738,
            salt: 0x4142_4344_4546_4748,
            place: 0x0001_0203_0405_0607,
            sequence: 0x6162_6364_6566_6768,
            time: 0x7172_7374_7576_7778,
            metadata: 3,
            secret: 2,
            itemClass: itemClass.rawValue,
            flags: 5,
            digests: (0..<UInt64(count)).map { 0x8182_8384_8586_8700 + $0 }
        )
    }

    /// A section with one leaf of a list.
    private func section(_ entries: [RawSection.Entry], _ list: PageList = .live) throws -> RawSection {
        var section = try RawSection(
            sample,
            live: list == .past ? [] : [entries],
            past: list == .past ? [entries] : []
        )
        section.isIndex = list == .indexed
        section.flags = 63
        section.writers = [(RawSection.writer, .max >> 1)]
        return section
    }

    // MARK: - Entries

    @Test(arguments: 0..<4, [false, true]) func `an entry is laid out as the table says`(number: Int, hasOrder: Bool)
        throws
    {
        for (list, tail) in [
            (PageList.live, [] as [UInt8]), (.past, littleEndian(UInt64(1000)) + littleEndian(Int64(-1001))),
            (.indexed, littleEndian(UInt64(4096)) + littleEndian(UInt32(1024)) + littleEndian(UInt32(17))),
        ] {
            var raw = entry(number)
            if hasOrder { (raw.flags, raw.rest) = (raw.flags | 32, littleEndian(UInt64(0x9192))) }
            raw.rest += tail
            #expect(raw.bytes.count == 90 + 8 * Self.classes[number].count + (hasOrder ? 8 : 0) + tail.count)
            let reader = try section([raw], list).reader()
            let read = try reader.leaf(0, of: list)[0]
            try expect(read, raw, number, order: hasOrder ? 0x9192 : raw.place)
            switch list {
            case .past: #expect(read.ended == Run.Ending(sequence: 1000, time: Time(microseconds: -1001)))
            case .indexed:
                #expect(read.tail == .frame(FramePlace(offset: 4096, byteCount: 1024, record: 17)))
            default: #expect(read.tail == .none)
            }
            #expect(try written(read, list) == [1, 0, 0, 0] + raw.bytes)
        }
    }

    private func expect(_ read: MatchEntry, _ raw: RawSection.Entry, _ number: Int, order: UInt64) throws {
        let (itemClass, _, leading) = Self.classes[number]
        #expect(read.digests.primaryKey.bytes == raw.digest)
        var digests = raw.digests
        digests.insert(0x1716_1514_1312_1110, at: leading)
        #expect(Array(read.digests.attributes) == digests)
        #expect(read.revision.item.bytes == raw.item)
        #expect((read.revision.number, read.revision.salt) == (raw.revision, raw.salt))
        #expect((read.origin.writer.bytes, read.origin.place) == (raw.writer, raw.place))
        #expect((read.order, read.sequence, read.written.microseconds) == (order, raw.sequence, raw.time))
        #expect(read.sizes == BoxSizes(metadata: 48, secret: 64))
        #expect((read.itemClass, read.flags) == (itemClass, [.synchronizable, .tombstone]))
        #expect((read.dataKey, read.dictionary) == (0, 0))
    }

    /// The content of the page that the writer makes of an entry.
    private func written(_ entry: MatchEntry, _ list: PageList) throws -> [UInt8] {
        var writer = GroupSectionWriter(
            sample.group,
            keys: sample.match,
            isIndex: list == .indexed,
            at: 0,
            to: MemorySink()
        )
        let isIndex = list == .indexed
        let metadata = [UInt8](repeating: 1, count: isIndex ? 0 : 48)
        let secret = [UInt8](repeating: 1, count: isIndex ? 0 : 64)
        if list == .past {
            writer.append(past: entry, handle: sample.handle, metadata: metadata.span, secret: secret.span)
        } else {
            writer.append(entry, handle: sample.handle, metadata: metadata.span, secret: secret.span)
        }
        let section = writer.finish(seen: SeenPlaces())
        let source = MemorySource(writer.sink.bytes)
        let reader = try GroupSectionReader(section, in: source, snapshotOffset: 0, keys: sample.match)
        #expect(try Array(reader.leaf(0, of: list)).map(\.revision) == [entry.revision])
        let page = try reader.bytes(of: reader.fence.leafPart(0, of: list).page)
        var data = Array("coffer1.page".utf8) + [0, 0, 0, 0] + VaultID.sample.bytes + sample.group.group.bytes
        data += littleEndian(sample.group.epoch) + section.id.bytes + littleEndian(list.rawValue) + [0, 0, 0, 0]
        return try Box.opened(page.span, key: sample.match.page, associatedData: data)
    }

    private struct Defect: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var offset: Int
        var fault: Fault.Reason
        var lists: [PageList] = [.live, .past]
        var edit: @Sendable (inout RawSection.Entry) -> Void
    }

    private static let defects: [Defect] = [
        Defect(testDescription: "no revision", offset: 32, fault: .badValue) { $0.revision = 0 },
        Defect(testDescription: "a revision too large", offset: 32, fault: .badValue) { $0.revision = 1 << 63 },
        Defect(testDescription: "no salt", offset: 40, fault: .badValue) { $0.salt = 0 },
        Defect(testDescription: "no writer", offset: 48, fault: .badValue) {
            $0.writer = .init(repeating: 0, count: 8)
        },
        Defect(testDescription: "no place", offset: 48, fault: .badValue) { $0.place = 0 },
        Defect(testDescription: "a place too large", offset: 48, fault: .badValue) { $0.place = 1 << 63 },
        Defect(testDescription: "a metadata box too small", offset: 80, fault: .badLength) { $0.metadata = 1 },
        Defect(testDescription: "a metadata box too large", offset: 80, fault: .badLength) { $0.metadata = 4099 },
        Defect(testDescription: "a secret box too large", offset: 80, fault: .badLength) { $0.secret = 32_898 },
        Defect(testDescription: "another data key", offset: 0, fault: .badLength) { $0.dataKey = 2 },
        Defect(testDescription: "another dictionary", offset: 0, fault: .badLength) { $0.dictionary = 2 },
        Defect(testDescription: "the dictionary of another data key", offset: 0, fault: .badLength) {
            ($0.dictionary, $0.dataKey) = (1, 1)
        },
        Defect(testDescription: "no class", offset: 88, fault: .badValue) { $0.itemClass = 0 },
        Defect(testDescription: "an unknown class", offset: 88, fault: .badValue) { $0.itemClass = 5 },
        Defect(testDescription: "an unknown flag", offset: 89, fault: .reservedNotZero) { $0.flags = 64 },
        Defect(testDescription: "a contested past entry", offset: 89, fault: .reservedNotZero, lists: [.past]) {
            $0.flags = 16
        },
        Defect(testDescription: "a flag that the fence lacks", offset: 0, fault: .disagrees, lists: [.live]) {
            $0.flags = 2
        },
        Defect(testDescription: "a place that was not seen", offset: 0, fault: .disagrees, lists: [.live]) {
            $0.place += 1
        },
        Defect(testDescription: "a writer that was not seen", offset: 0, fault: .disagrees, lists: [.live]) {
            $0.writer[0] = 0x50
        },
        Defect(testDescription: "a creation order that is the place", offset: 98, fault: .badValue) {
            ($0.flags, $0.rest) = (32, littleEndian($0.place) + $0.rest)
        },
    ]

    @Test(arguments: defects) private func `each defect of an entry is rejected`(defect: Defect) throws {
        for list in [PageList.live, .past] {
            var entry = RawSection.Entry()
            if list == .past { entry.rest = littleEndian(UInt64(9)) + littleEndian(Int64(9)) }
            func reader(_ entry: RawSection.Entry) throws -> GroupSectionReader<MemorySource> {
                var section = try section([entry], list)
                section.handles.append(countingBytes(from: 1, count: 8))
                section.dictionaries = [RawSection.Dictionary()]
                section.flags = 32
                section.writers = [(RawSection.writer, 1 << 20)]
                return try section.reader()
            }
            #expect(try reader(entry).leaf(0, of: list).count == 1)
            defect.edit(&entry)
            let reader = try reader(entry)
            guard defect.lists.contains(list) else { continue }
            let place = reader.fence.leafPart(0, of: list).page.offset + 4 + defect.offset
            #expect(throws: VaultFormatError.snapshotFailure(defect.fault, offset: place)) {
                try reader.leaf(0, of: list)
            }
        }
    }

    @Test func `past entries need not be among what the fence has and has seen`() throws {
        var entry = RawSection.Entry()
        (entry.flags, entry.writer[0]) = (2, 0x50)
        entry.rest = littleEndian(UInt64(9)) + littleEndian(Int64(9))
        var section = try section([entry], .past)
        (section.flags, section.writers) = (0, [])
        #expect(try section.reader().leaf(0, of: .past)[0].flags == .extendedKey)
    }

    @Test func `the largest boxes are read`() throws {
        var entry = RawSection.Entry()
        (entry.metadata, entry.secret) = (4098, 32_897)
        let reader = try section([entry]).reader()
        #expect(try reader.leaf(0)[0].sizes == BoxSizes(metadata: 65_568, secret: 1_052_704))
    }

    @Test(arguments: [(32, 1), (33, 0)]) func `an index names a place in a file of up to 4 GiB`(
        bit: Int,
        excess: UInt64
    ) throws {
        var entry = RawSection.Entry()
        func tail(_ offset: UInt64) -> [UInt8] { littleEndian(offset) + [0, 4, 0, 0] + [1, 0, 0, 0] }
        entry.rest = tail(1 << 32)
        #expect(try section([entry], .indexed).reader().leaf(0, of: .indexed).count == 1)
        entry.rest = tail(UInt64(1) << UInt64(bit) + excess)
        let reader = try section([entry], .indexed).reader()
        #expect(throws: VaultFormatError.snapshotFailure(.badValue, offset: 4 + 98)) {
            try reader.leaf(0, of: .indexed)
        }
    }

    // MARK: - Leaves

    private func expectRefused(
        _ fault: Fault.Reason,
        _ section: RawSection,
        _ list: PageList = .live,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let reader = try section.reader()
        let error = #expect(throws: VaultFormatError.self, sourceLocation: sourceLocation) {
            try reader.leaf(0, of: list)
        }
        guard case .snapshotFailure(let reason, _) = error else { return }
        #expect(reason == fault, sourceLocation: sourceLocation)
    }

    private func entries(_ count: Int) -> [RawSection.Entry] {
        (0..<count).map { number in
            var entry = RawSection.Entry()
            entry.digest[15] = UInt8(number)
            return entry
        }
    }

    @Test func `a page names as many entries as fill it`() throws {
        // No more than 41 of the smallest entries fit.
        var section = try section(entries(41))
        #expect(try section.reader().leaf(0).count == 41)
        for (count, fault) in [(0, Fault.Reason.badValue), (40, .badLength), (42, .badValue), (65_535, .badValue)] {
            section.live[0].count = UInt16(count)
            try expectRefused(fault, section)
        }
        section.live[0].count = nil
        section.live[0].rest = [0]
        try expectRefused(.badLength, section)
    }

    @Test func `reserved bytes of a page are zero`() throws {
        let section = try section([RawSection.Entry()])
        let (whole, bytes) = section.section
        let page = try section.reader().fence.leafPart(0, of: .live).page
        var data = Array("coffer1.page".utf8) + [0, 0, 0, 0] + VaultID.sample.bytes + sample.group.group.bytes
        data += littleEndian(sample.group.epoch) + RawSection.id + [1, 0, 0, 0, 0, 0, 0, 0]
        for offset in [2, 3] {
            var content = section.live[0].page
            content[offset] = 1
            let box = Box.sealed(content.span, key: sample.match.page, associatedData: data, cipher: sample.cipher)
            var bytes = bytes
            bytes.replaceSubrange(page.range, with: box)
            let reader = try GroupSectionReader(whole, in: MemorySource(bytes), snapshotOffset: 0, keys: sample.match)
            #expect(throws: VaultFormatError.snapshotFailure(.reservedNotZero, offset: offset)) { try reader.leaf(0) }
        }
    }

    @Test func `the boxes of a leaf end where it ends`() throws {
        var section = try section(entries(2))
        #expect(try section.reader().leaf(0).map(\.boxesOffset) == [256, 320])
        for byteCount in [0, 112, 127, 129, 144] {
            section.live[0].boxesByteCount = byteCount
            try expectRefused(.disagrees, section)
        }
    }

    /// Each pair in ascending order: by digest, item id, revision, and salt as bytes.
    private static let pairs: [@Sendable (inout RawSection.Entry) -> Void] = [
        { $0.digest[0] += 1 }, { $0.digest[15] += 1 }, { $0.item[0] += 1 }, { $0.item[15] += 1 },
        { $0.revision += 1 }, { $0.revision += 1 << 40 }, { $0.salt += 1 },
        // The first byte is the lowest, and counts most.
        { $0.salt += 1 << 56 },
    ]

    @Test(arguments: pairs.indices) func `the entries of a leaf are in order`(number: Int) throws {
        let one = RawSection.Entry()
        var other = one
        Self.pairs[number](&other)
        #expect(try section([one, other]).reader().leaf(0).count == 2)
        try expectRefused(.outOfOrder, section([other, one]))
        try expectRefused(.outOfOrder, section([one, one]))
        func past(_ entries: RawSection.Entry...) throws -> RawSection {
            try section(
                entries.map { entry in
                    var entry = entry
                    entry.rest = littleEndian(UInt64(9)) + littleEndian(Int64(9))
                    return entry
                },
                .past
            )
        }
        // Digests do not count there.
        guard number > 1 else { return try expectRefused(.outOfOrder, past(one, other), .past) }
        #expect(try past(one, other).reader().leaf(0, of: .past).count == 2)
        try expectRefused(.outOfOrder, past(other, one), .past)
    }

    @Test func `salts are compared as bytes`() throws {
        let (one, other) = (RawSection.Entry(salt: 0x0200), RawSection.Entry(salt: 0x0001))
        #expect(try section([one, other]).reader().leaf(0).count == 2)
        try expectRefused(.outOfOrder, section([other, one]))
    }

    @Test func `past leaves are sorted by item id alone`() throws {
        var one = RawSection.Entry()
        one.rest = littleEndian(UInt64(9)) + littleEndian(Int64(9))
        var other = one
        other.item[3] += 1
        other.digest[0] = 0
        let leaf = try section([one, other], .past).reader().leaf(0, of: .past)
        #expect(leaf.map(\.revision.item.bytes) == [one.item, other.item])
        #expect(leaf[0].precedes(leaf[1], in: .past) && !leaf[0].precedes(leaf[1], in: .live))
    }

    @Test func `order goes on across leaves`() throws {
        let entries = entries(4)
        let raw = try RawSection(sample, live: [Array(entries[..<2]), Array(entries[2...])])
        let reader = try raw.reader()
        var found: [MatchEntry] = []
        try reader.forEachEntry { found.append($0) }
        #expect(found.map(\.digests.primaryKey.bytes) == entries.map(\.digest))
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.precedes($1) })
        // The second leaf may begin with the digest that the first one ends with, but not before it.
        #expect(throws: VaultFormatError.self) {
            try RawSection(sample, live: [Array(entries[2...]), Array(entries[..<2])]).reader()
        }
    }

    @Test func `a leaf begins with the entry that the fence names`() throws {
        var section = try section(entries(2))
        // Behind the head and the data key, and a writer.
        for offset in [28 + 8 + 16, 28 + 8 + 16 + 15] {
            section.editFence = { $0[offset] ^= 1 }
            try expectRefused(.outOfOrder, section)
        }
        var past = RawSection.Entry()
        past.rest = littleEndian(UInt64(9)) + littleEndian(Int64(9))
        var other = try self.section([past], .past)
        other.editFence = { $0[28 + 8 + 16] ^= 1 }
        try expectRefused(.outOfOrder, other, .past)
    }

    // MARK: - Lookups in a leaf

    @Test func `a leaf finds the first entry of a digest`() throws {
        var entries = entries(6)
        for number in 0..<6 { entries[number].digest[15] = UInt8(number / 2 * 2) }
        for number in stride(from: 1, to: 6, by: 2) { entries[number].item[0] += 1 }
        let leaf = try section(entries).reader().leaf(0)
        func index(_ last: UInt8) -> Int {
            leaf.firstIndex(notBefore: PrimaryKeyDigest(([UInt8](repeating: 0x10, count: 15) + [last]).span))
        }
        #expect((0...5).map { index($0) } == [0, 2, 2, 4, 4, 6])
        #expect(leaf.digest(at: 4).bytes == entries[4].digest)
    }

    // MARK: - Id pages

    /// A section of three leaves with two items each, whose ids all begin with the same four bytes.
    private func collidingSection() throws -> RawSection {
        let entries = (0..<6).map { number in
            var entry = RawSection.Entry()
            entry.digest[15] = UInt8(number)
            // The order of the ids is not that of the digests.
            entry.item[4] = UInt8(6 - number)
            return entry
        }
        return try RawSection(sample, live: [0, 2, 4].map { Array(entries[$0..<$0 + 2]) })
    }

    @Test func `items whose ids begin with the same bytes are told apart`() throws {
        let section = try collidingSection()
        let reader = try section.reader()
        let page = try reader.idPage(0)
        #expect(page.map { [$0.leaf, $0.number] } == [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]])
        for entry in section.live.flatMap(\.entries) {
            let found = try reader.entries(withID: ItemID(entry.item.span))
            #expect(found.map(\.digests.primaryKey.bytes) == [entry.digest])
        }
        #expect(try reader.entries(withID: ItemID([UInt8](repeating: 0x20, count: 16).span)) == [])
    }

    @Test func `the writer lists items with the same first bytes by their places`() throws {
        let read = try collidingSection().reader()
        var writer = GroupSectionWriter(sample.group, keys: sample.match, at: 0, to: MemorySink())
        var entries: [MatchEntry] = []
        try read.forEachEntry { entries.append($0) }
        for entry in entries {
            let boxes = try read.bytes(of: entry.boxes)
            writer.append(
                entry,
                handle: sample.handle,
                metadata: boxes.span.extracting(..<32),
                secret: boxes.span.extracting(32...)
            )
        }
        let section = writer.finish(seen: SeenPlaces())
        let source = MemorySource(writer.sink.bytes)
        let reader = try GroupSectionReader(section, in: source, snapshotOffset: 0, keys: sample.match)
        #expect(try reader.idPage(0).map { [$0.leaf, $0.number] } == (0..<6).map { [0, $0] })
        for entry in entries { #expect(try reader.entries(withID: entry.revision.item).count == 1) }
    }

    @Test func `one item can be on several id pages`() throws {
        var section = try collidingSection()
        let items = (0..<3).map { leaf in
            (0..<2).map { RawSection.Item(prefix: .init(repeating: 0x20, count: 4), leaf: leaf, number: $0) }
        }
        section.idPages = items
        let reader = try section.reader()
        let prefix = IDPrefix(ItemID([UInt8](repeating: 0x20, count: 16).span))
        #expect(Fence.candidates(for: prefix, in: reader.fence.ids.keys) == 0..<3)
        for entry in section.live.flatMap(\.entries) {
            #expect(try reader.entries(withID: ItemID(entry.item.span)).count == 1)
        }
    }

    @Test func `the entries of an id page are in order and exist`() throws {
        func expectRefused(
            _ fault: Fault.Reason,
            at offset: Int = 0,
            sourceLocation: SourceLocation = #_sourceLocation,
            _ edit: (inout [RawSection.Item]) -> Void
        ) throws {
            var section = try collidingSection()
            var items = (0..<6).map { number in
                RawSection.Item(prefix: .init(repeating: 0x20, count: 4), leaf: number / 2, number: number % 2)
            }
            edit(&items)
            section.idPages = [items]
            let reader = try section.reader()
            let place = reader.fence.idPagePart(0).offset + offset
            #expect(throws: VaultFormatError.snapshotFailure(fault, offset: place), sourceLocation: sourceLocation) {
                for entry in try reader.idPage(0) {
                    _ = try reader.entry(at: entry, in: reader.leaf(entry.leaf), idPage: 0)
                }
            }
        }
        try expectRefused(.outOfOrder, at: 12) { $0.swapAt(0, 1) }
        try expectRefused(.outOfOrder, at: 12) { $0[1] = $0[0] }
        try expectRefused(.outOfOrder, at: 12) { $0[1].prefix[3] = 0x1F }
        // A leaf that does not exist, an entry that does not, and another item.
        try expectRefused(.badLength, at: 44) { $0[5].leaf = 3 }
        try expectRefused(.disagrees) { $0[5].number = 2 }
        try expectRefused(.disagrees) { $0[5].number = 63 }
        try expectRefused(.disagrees) { $0[5].prefix[3] = 0x21 }
    }

    @Test func `an id page begins with the bytes that the fence names`() throws {
        var section = try collidingSection()
        // The last entry of the fence.
        section.editFence = { $0[$0.count - 8] ^= 1 }
        let reader = try section.reader()
        #expect(throws: VaultFormatError.self) { try reader.idPage(0) }
    }
}
