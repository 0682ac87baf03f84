import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Sections 5.2 to 5.4: every item is found, and no other, wherever the section lies.
@Suite("Group section") struct GroupSectionTests {
    /// 36 generic passwords fill a page of 4,048 bytes with entries of 110; 37 need a second one.
    @Test(arguments: [(1, 1), (36, 1), (37, 2), (72, 2), (73, 3)])
    func `a page holds as many entries as fit`(count: Int, pageCount: Int) throws {
        let sample = try SectionSample(count: count, mixed: false)
        #expect(sample.section.digestPageCount == pageCount)
        #expect(sample.section.itemPageCount == 1)
        #expect(sample.section.count == count)
        try expectEverythingFound(sample, step: 1)
    }

    @Test(arguments: [(1, 1), (202, 1), (203, 2)])
    func `an item page holds 202 entries`(count: Int, pageCount: Int) throws {
        #expect(try SectionSample(count: count, mixed: false).section.itemPageCount == pageCount)
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
            #expect(entry.revision == content.revision && entry.digests == content.match.digests)
            #expect(entry.order == content.match.order && entry.itemClass == content.match.itemClass)
            let found = try reader.entries(withPrimaryKey: content.match.digests.primaryKey)
            #expect(found == [entry], "item \(number)")
            // Blocks are opened only for some items, since many items share a block.
            guard number % 10 == 0 else { continue }
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

    /// Two devices may give their items the same primary key; here enough items share one to fill pages.
    @Test(arguments: [2, 45, 120, 200])
    func `all items with the same digest are found, even across pages`(twinCount: Int) throws {
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
        if twinCount > 78 { #expect(reader.fence.digests.contains(digest)) }
    }

    @Test(arguments: [(0, 64), (4096, 128), (576, 64 * 1001)])
    func `a section that was moved reads the same`(snapshotOffset: Int, offset: Int) throws {
        let sample = try SectionSample(count: 100)
        let original = try sample.reader()
        let moved = try sample.reader(snapshotOffset: snapshotOffset, offset: offset)
        #expect(moved.fence == original.fence)
        for page in 0..<sample.section.digestPageCount {
            #expect(try Array(moved.digestPage(page)) == Array(original.digestPage(page)))
        }
        let content = sample.contents[99]
        let entry = try #require(try moved.entries(withID: content.revision.item).first)
        #expect(try sample.content(of: entry, moved) == (content.metadata, content.secret))
    }

    @Test func `every byte of a section belongs to a part of the block list`() throws {
        let sample = try SectionSample(count: 500)
        let section = sample.section
        let box = Array(sample.bytes[..<section.blockListByteCount])
        let list = try BlockList(opening: box, of: section, keys: sample.keys)
        var end = section.blockListByteCount
        for entry in list.entries {
            #expect(entry.part.offset == end)
            let bytes = sample.bytes[entry.part.range]
            #expect(entry.check == BlockList.check(of: Array(bytes).span))
            end = entry.part.range.upperBound
        }
        #expect(end == sample.bytes.count && section.byteCount == end)
        func count(_ kind: BlockList.Kind) -> Int { list.entries.reduce(0) { $0 + ($1.kind == kind ? $1.count : 0) } }
        #expect((count(.fence), count(.metadata)) == (1, 500))
        #expect((count(.digestPages), count(.itemPages)) == (section.digestPageCount, section.itemPageCount))
        #expect(count(.secrets) == sample.contents.count { !$0.secret.isEmpty })
    }

    @Test func `a page opens only in its own place`() throws {
        let sample = try SectionSample(count: 100, mixed: false)
        var section = sample.section
        let pages = section.digestPagesRange
        var bytes = sample.bytes
        let first = pages.lowerBound..<pages.lowerBound + 4096
        let second = first.upperBound..<first.upperBound + 4096
        bytes.replaceSubrange(first, with: sample.bytes[second])
        bytes.replaceSubrange(second, with: sample.bytes[first])
        func reader() throws -> GroupSectionReader<MemorySource> {
            try GroupSectionReader(section, in: MemorySource(bytes), snapshotOffset: 0, keys: sample.items.match)
        }
        let swapped = try reader()
        #expect(throws: VaultFormatError.snapshotFailure(.notAuthentic, offset: first.lowerBound)) {
            try swapped.digestPage(0)
        }
        section.id = SectionID(countingBytes(from: 4, count: 16).span)
        #expect(throws: VaultFormatError.snapshotFailure(.notAuthentic, offset: section.blockListByteCount)) {
            try reader()
        }
    }

    // MARK: - Flags of the fence

    @Test(
        arguments: [[], [.synchronizable], [.extendedKey, .tombstone], [.hasConditions, .synchronizable]]
            as [MatchFlags]
    )
    func `the fence has the flags of all items, and no others`(flags: MatchFlags) throws {
        // Two items on different pages have half of the flags each.
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

    @Test func `an entry with a flag that the fence lacks is rejected with its page`() throws {
        let sample = try SectionSample(count: 200, flags: { $0 == 77 ? [.synchronizable, .tombstone] : [] })
        let item = sample.contents[77]
        #expect(try sample.reader(fence: { $0[2] = 5 }).entries(withID: item.revision.item) != [])
        let reader = try sample.reader(fence: { $0[2] = 4 })
        var refusedPages = 0
        for number in 0..<sample.section.digestPageCount {
            do throws(VaultFormatError) {
                _ = try reader.digestPage(number)
            } catch {
                refusedPages += 1
                let page = sample.section.digestPagesRange.lowerBound + number * 4096
                guard case .snapshotFailure(.disagrees, let offset) = error else { throw error }
                #expect((page..<page + 4096).contains(offset))
            }
        }
        #expect(refusedPages == 1)
        #expect(throws: VaultFormatError.self) { try reader.entries(withID: item.revision.item) }
        #expect(throws: VaultFormatError.self) {
            try reader.entries(withPrimaryKey: item.match.digests.primaryKey)
        }
    }

    @Test(arguments: [32, 64, 128] as [UInt8])
    func `an unassigned flag in the fence is rejected`(flag: UInt8) throws {
        let sample = try SectionSample(count: 1)
        let offset = sample.section.fenceRange.lowerBound + 2
        #expect(throws: VaultFormatError.snapshotFailure(.reservedNotZero, offset: offset)) {
            try sample.reader(fence: { $0[2] = flag })
        }
    }

    // MARK: - The rest of the fence

    @Test func `fences that are out of order are rejected before a page is read`() throws {
        // 280 passwords take eight digest pages and two item pages; the fence has a data key and a writer before them.
        let sample = try SectionSample(count: 280, mixed: false)
        let start = sample.section.fenceRange.lowerBound
        func expectRefused(_ first: Int, fault offset: Int) throws {
            #expect(throws: VaultFormatError.snapshotFailure(.outOfOrder, offset: start + offset)) {
                try sample.reader { content in
                    let fence = Array(content[first..<first + 16])
                    content.removeSubrange(first..<first + 16)
                    content.insert(contentsOf: fence, at: first + 16)
                }
            }
        }
        #expect(sample.section.digestPageCount == 8 && sample.section.itemPageCount == 2)
        try expectRefused(32, fault: 48)
        try expectRefused(32 + 6 * 16, fault: 48 + 6 * 16)
        try expectRefused(32 + 8 * 16, fault: 48 + 8 * 16)
        // Digests and item ids may repeat across pages.
        _ = try sample.reader { $0.replaceSubrange(48..<64, with: $0[32..<48]) }
        _ = try sample.reader { $0.replaceSubrange(176..<192, with: $0[160..<176]) }
    }

    @Test func `a fence has as many bytes as its counts say`() throws {
        let sample = try SectionSample(count: 1)
        let start = sample.section.fenceRange.lowerBound
        let refusal = VaultFormatError.snapshotFailure(.badLength, offset: start)
        #expect(throws: refusal) { try sample.reader { $0 += [UInt8](repeating: 0, count: 8) } }
        #expect(throws: refusal) { try sample.reader { $0.removeLast() } }
        #expect(throws: refusal) { try sample.reader { $0[0] = 2 } }
        #expect(throws: refusal) {
            try sample.reader { content in
                content[0] = 0
                content.removeSubrange(8..<16)
            }
        }
    }

    // MARK: - Pages that point to the wrong place

    /// A lookup opens one page and never sees the rest of the section, so the page must be enough to refuse it.
    @Test func `an entry that points outside its part is rejected with its page`() throws {
        // One of two entries, of 110 bytes each, has a secret.
        let sample = try SectionSample(count: 2, mixed: false)
        let section = sample.section
        let start = try #require(try sample.reader().digestPage(0).firstIndex { $0.secret != nil }) * 110 + 4
        let end = UInt32(section.byteCount / 64)
        let blocks = UInt32(section.blocksOffset / 64)
        func expectRefused(_ offset: Int, _ field: [UInt8]) throws {
            let reader = try sample.reader(firstPageOf: .digests) { content in
                content.replaceSubrange(start + offset..<start + offset + field.count, with: field)
            }
            let place = section.digestPagesRange.lowerBound + start
            #expect(throws: VaultFormatError.snapshotFailure(.badLength, offset: place)) { try reader.digestPage(0) }
        }
        try expectRefused(56, littleEndian(blocks - 1))
        try expectRefused(56, littleEndian(end) + littleEndian(UInt16(1)))
        try expectRefused(56, littleEndian(blocks) + littleEndian(UInt16(end - blocks + 1)))
        try expectRefused(60, littleEndian(UInt16(0)))
        try expectRefused(64, littleEndian(blocks - 1))
        try expectRefused(64, littleEndian(end))
        try expectRefused(68, littleEndian(UInt16(2)))
        try expectRefused(70, littleEndian(UInt16(1)))
    }

    @Test(arguments: [1, 2, 255] as [UInt8])
    func `an item page that points to another item, or to none, is rejected`(number: UInt8) throws {
        let sample = try SectionSample(count: 2, mixed: false)
        let item = try #require(try sample.reader().digestPage(0).first).revision.item
        let reader = try sample.reader(firstPageOf: .items) { content in
            // Each entry is an id, and gets the number of another entry.
            for start in [4, 24] where Array(content[start..<start + 16]) == item.bytes { content[start + 16] = number }
        }
        let page = sample.section.itemPagesRange.lowerBound
        #expect(throws: VaultFormatError.snapshotFailure(.disagrees, offset: page)) { try reader.entries(withID: item) }
    }

    @Test func `an item page that points to a missing digest page is rejected`() throws {
        let sample = try SectionSample(count: 1)
        let reader = try sample.reader(firstPageOf: .items) { $0[21] = 1 }
        let place = sample.section.itemPagesRange.lowerBound + 4
        #expect(throws: VaultFormatError.snapshotFailure(.badLength, offset: place)) { try reader.itemPage(0) }
    }
}
