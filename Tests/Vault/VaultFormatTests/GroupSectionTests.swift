import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Sections 5.2 to 5.4: every item is found, and no other, wherever the section lies.
@Suite("Group section") struct GroupSectionTests {
    /// 41 entries of 98 bytes fill a page of 4,048 bytes; 42 need a second one.
    @Test(arguments: [(1, 1), (41, 1), (42, 2), (82, 2), (83, 3)])
    func `a leaf holds as many entries as fit into its page`(count: Int, leafCount: Int) throws {
        let sample = try SectionSample(count: count, mixed: false)
        let fence = try sample.reader().fence
        #expect((fence.live.count, fence.ids.count, sample.section.count) == (leafCount, 1, count))
        try expectEverythingFound(sample, step: 1)
    }

    @Test(arguments: [(1, 1), (506, 1), (507, 2)])
    func `an id page holds 506 entries`(count: Int, pageCount: Int) throws {
        #expect(try SectionSample(count: count, mixed: false).reader().fence.ids.count == pageCount)
    }

    @Test(arguments: [(4, 1), (44, 1), (45, 1), (500, 1), (5000, 7)])
    func `every item of mixed classes is found by digest and by id`(count: Int, step: Int) throws {
        let sample = try SectionSample(count: count)
        try expectEverythingFound(sample, step: step)
    }

    private func expectEverythingFound(_ sample: SectionSample, step: Int) throws {
        let reader = try sample.reader()
        for number in stride(from: 0, to: sample.contents.count, by: step) {
            let content = sample.contents[number]
            let entries = try reader.entries(withID: content.revision.item)
            let entry = try #require(entries.first, "item \(number)")
            #expect(entries.count == 1)
            #expect(entry.revision == content.revision && ItemMatch(entry) == content.match)
            let found = try reader.entries(withPrimaryKey: content.match.digests.primaryKey)
            #expect(found == [entry], "item \(number)")
            let (metadata, secret) = try sample.content(of: entry, reader)
            #expect(metadata == content.metadata && secret == content.secret)
        }
    }

    @Test(arguments: [1, 45, 500]) func `missing items are not found`(count: Int) throws {
        let sample = try SectionSample(count: count)
        let reader = try sample.reader()
        let extremes = [[UInt8](repeating: 0, count: 16), [UInt8](repeating: 255, count: 16)]
        let absent = extremes + (0..<200).map { _ in sample.items.cipher.random.bytes(16) }
        for bytes in absent {
            #expect(try reader.entries(withID: ItemID(bytes.span)) == [])
            #expect(try reader.entries(withPrimaryKey: PrimaryKeyDigest(bytes.span)) == [])
        }
        // Neighbors of existing ids and digests.
        for content in sample.contents.prefix(50) {
            var bytes = content.revision.item.bytes
            bytes[15] ^= 1
            #expect(try reader.entries(withID: ItemID(bytes.span)) == [])
            var digest = content.match.digests.primaryKey.bytes
            digest[15] ^= 1
            #expect(try reader.entries(withPrimaryKey: PrimaryKeyDigest(digest.span)) == [])
        }
    }

    /// Two devices may give their items the same primary key; here enough items share one to fill leaves.
    @Test(arguments: [2, 45, 120, 200])
    func `all items with the same digest are found, even across leaves`(twinCount: Int) throws {
        let sample = try SectionSample(count: 200, mixed: false) { $0 < twinCount ? -1 : $0 }
        let reader = try sample.reader()
        let duplicates = sample.contents.prefix(twinCount)
        let digest = try #require(duplicates.first).match.digests.primaryKey
        let found = try reader.entries(withPrimaryKey: digest)
        #expect(found.map(\.revision.item) == duplicates.map(\.revision.item).sorted())
        for content in sample.contents.dropFirst(twinCount) {
            let found = try reader.entries(withPrimaryKey: content.match.digests.primaryKey)
            #expect(found.map(\.revision.item) == [content.revision.item])
        }
        if twinCount > 82 { #expect(reader.fence.live.keys.contains(digest)) }
    }

    @Test(arguments: [(0, 64), (4096, 128), (576, 64 * 1001)])
    func `a section that was moved reads the same`(snapshotOffset: Int, offset: Int) throws {
        let sample = try SectionSample(count: 100)
        let original = try sample.reader()
        let moved = try sample.reader(snapshotOffset: snapshotOffset, offset: offset)
        #expect(moved.fence == original.fence)
        for number in 0..<original.fence.live.count {
            #expect(try Array(moved.leaf(number)) == Array(original.leaf(number)))
        }
        let content = sample.contents[99]
        let entry = try #require(try moved.entries(withID: content.revision.item).first)
        #expect(try sample.content(of: entry, moved) == (content.metadata, content.secret))
    }

    @Test func `every byte of a section belongs to one part`() throws {
        let sample = try SectionSample(count: 600)
        let (section, fence) = (sample.section, try sample.reader().fence)
        var end = 0
        func expect(_ part: SectionPart) {
            #expect(part.offset == end)
            end = part.range.upperBound
        }
        expect(fence.dictionaryPart(0))
        for number in 0..<fence.live.count {
            expect(fence.leafPart(number, of: .live).page)
            expect(fence.leafPart(number, of: .live).boxes)
        }
        for number in 0..<fence.ids.count { expect(fence.idPagePart(number)) }
        #expect(fence.ids.count == 2)
        #expect(section.fence.offset - end < 64 && section.fence.range.upperBound == section.byteCount)
        #expect(sample.bytes.count == section.byteCount && section.byteCount % 64 == 0)
        #expect(section.check == Label.file.hash(32, sample.bytes))
    }

    @Test func `pages open only in their own places`() throws {
        let entries = (0..<2 as Range<UInt8>).map { number in
            var entry = RawSection.Entry()
            (entry.digest[15], entry.item[15], entry.salt) = (number, number, 7)
            return [entry]
        }
        let raw = try RawSection(ItemSample(), live: entries, past: [[Self.pastEntry]])
        let (section, bytes) = raw.section
        let reader = try raw.reader()
        for number in 0..<2 { #expect(try reader.leaf(number).count == 1) }
        #expect(try reader.leaf(0, of: .past).count == 1)
        let pages = [
            reader.fence.leafPart(0, of: .live).page, reader.fence.leafPart(1, of: .live).page,
            reader.fence.leafPart(0, of: .past).page,
        ]
        for (page, other) in [(0, 1), (1, 0), (0, 2), (2, 0)] {
            var bytes = bytes
            bytes.replaceSubrange(pages[page].range, with: bytes[pages[other].range])
            let reader = try GroupSectionReader(
                section,
                in: MemorySource(bytes),
                snapshotOffset: 0,
                keys: raw.sample.match
            )
            #expect(throws: VaultFormatError.snapshotFailure(.notAuthentic, offset: pages[page].offset)) {
                _ = page == 2 ? try reader.leaf(0, of: .past) : try reader.leaf(page)
            }
        }
    }

    private static var pastEntry: RawSection.Entry {
        var entry = RawSection.Entry()
        entry.rest = littleEndian(UInt64(9)) + littleEndian(Int64(10))
        return entry
    }

    @Test func `a fence opens only in its section`() throws {
        let raw = try RawSection(ItemSample())
        let (section, bytes) = raw.section
        var others = [section, section, section]
        others[0].id = SectionID(countingBytes(from: 4, count: 16).span)
        others[1].group.epoch += 1
        others[2].group.group = GroupID(countingBytes(from: 4, count: 8).span)
        for other in others {
            #expect(throws: VaultFormatError.snapshotFailure(.notAuthentic, offset: 0)) {
                try GroupSectionReader(other, in: MemorySource(bytes), snapshotOffset: 0, keys: raw.sample.match)
            }
        }
    }

    // MARK: - The writer

    @Test func `a section of no items is a fence`() throws {
        let items = try ItemSample()
        var writer = GroupSectionWriter(items.group, keys: items.match, at: 0, to: MemorySink())
        var seen = SeenPlaces()
        seen.insert(items.provenance.origin)
        let section = writer.finish(seen: seen)
        #expect((section.count, section.byteCount) == (0, section.fenceByteCount))
        let reader = try GroupSectionReader(
            section,
            in: MemorySource(writer.sink.bytes),
            snapshotOffset: 0,
            keys: items.match
        )
        #expect(reader.fence.seen == seen)
        #expect((reader.fence.live.count, reader.fence.past.count, reader.fence.ids.count) == (0, 0, 0))
    }

    @Test func `what the copy has seen is that of its entries and more`() throws {
        let sample = try SectionSample(count: 3)
        #expect(try sample.reader().fence.seen.origins == [sample.items.provenance.origin])
    }

    /// A writer need not have all boxes of a leaf in memory, if they are large.
    @Test func `items with large secrets are written and read`() throws {
        let items = try ItemSample()
        var writer = GroupSectionWriter(items.group, keys: items.match, at: 0, to: MemorySink())
        let attributes = try (0..<5).map { try items.attributes("\($0)") }
        var entries = attributes.enumerated().map { number, attributes in
            let match = ItemMatch(
                itemClass: .genericPassword,
                flags: [],
                order: 1,
                written: Time(microseconds: 0),
                digests: MatchDigests(attributes, keys: items.match)
            )
            let sizes = BoxSizes(metadata: 32, secret: 1_048_608)
            return MatchEntry(items.revision(number), items.provenance.origin, match, sizes: sizes, sequence: 1)
        }
        entries.sort { $0.precedes($1) }
        for entry in entries {
            let byte = entry.revision.item.bytes[2]
            writer.append(
                entry,
                handle: items.handle,
                metadata: [UInt8](repeating: byte, count: 32).span,
                secret: [UInt8](repeating: byte, count: 1_048_608).span
            )
        }
        let section = writer.finish(seen: SeenPlaces())
        let source = MemorySource(writer.sink.bytes)
        let reader = try GroupSectionReader(section, in: source, snapshotOffset: 0, keys: items.match)
        var found: [MatchEntry] = []
        try reader.forEachEntry { found.append($0) }
        #expect(found.map(\.revision) == entries.map(\.revision))
        for entry in found {
            let boxes = try reader.bytes(of: entry.boxes)
            #expect(boxes.count == 1_048_640 && Set(boxes) == [entry.revision.item.bytes[2]])
        }
    }

    // MARK: - Flags of the fence

    @Test(
        arguments: [[], [.synchronizable], [.extendedKey, .tombstone], [.hasConditions, .synchronizable]]
            as [MatchFlags]
    )
    func `the fence has the flags of all items, and no others`(flags: MatchFlags) throws {
        // Two items in different leaves have half of the flags each.
        let sample = try SectionSample(
            count: 200,
            mixed: false,
            flags: { number in
                switch number {
                case 20: flags.intersection([.synchronizable, .extendedKey])
                case 120: flags.subtracting([.synchronizable, .extendedKey])
                default: []
                }
            }
        )
        #expect(try sample.reader().fence.flags == flags)
        try expectEverythingFound(sample, step: 20)
    }

    // MARK: - Contested items

    @Test func `entries of an item say whether there are several`() throws {
        func entry(_ salt: UInt64, isContested: Bool) throws -> MatchEntry {
            var raw = RawSection.Entry()
            raw.salt = salt
            raw.flags = isContested ? 16 : 0
            var section = try RawSection(ItemSample(), live: [[raw]])
            section.flags = raw.flags
            return try section.reader().leaf(0)[0]
        }
        let (one, other) = (try entry(7, isContested: true), try entry(8, isContested: true))
        #expect([one, other].flagsContestedItems)
        #expect(try [entry(7, isContested: false)].flagsContestedItems)
        #expect(![one].flagsContestedItems)
        #expect(try ![one, entry(8, isContested: false)].flagsContestedItems)
        #expect(![one, one].flagsContestedItems, "salts differ")
        let reader = try RawSection(ItemSample()).reader()
        #expect(throws: VaultFormatError.self) { try reader.checkContested([one]) }
        try reader.checkContested([one, other])
    }
}
