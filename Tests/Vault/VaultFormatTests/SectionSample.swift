import CofferBasics
import KeyedArchive
import TestSupport
import VaultCrypto
import VaultFormat

/// A group section with many items.
struct SectionSample {
    let items: ItemSample
    let keys: GenerationKeys
    let contents: [Content]
    let section: Section
    let bytes: [UInt8]

    /// An item as it was added to the section.
    struct Content {
        var revision: Revision
        var match: MatchContent
        var metadata: ItemMetadata
        var secret: [UInt8]
    }

    /// `count` items, of all classes or only passwords; items with the same `key` have the same primary key.
    init(
        count: Int,
        mixed: Bool = true,
        key: (Int) -> Int = { $0 },
        flags: (Int) -> MatchFlags = { _ in [] }
    ) throws {
        items = try ItemSample(seed: "section")
        let cipher = items.cipher
        keys = try GenerationKeys.sample(cipher)
        var contents: [Content] = []
        for number in 0..<count {
            let attributes = try Self.attributes(mixed ? ItemClass.allCases[number % 4] : .genericPassword, key(number))
            let revision = Revision(item: cipher.random.identifier(), number: 1, salt: UInt64(number + 1))
            let match = MatchContent(
                itemClass: attributes.itemClass,
                flags: flags(number),
                order: UInt64(number),
                written: Time(microseconds: Int64(number)),
                digests: MatchDigests(attributes, keys: items.match),
                recordHash: []
            )
            let secret = number % 3 == 0 ? [] : items.secret(littleEndian(number), of: revision)
            contents.append(
                Content(revision: revision, match: match, metadata: try ItemMetadata(attributes), secret: secret)
            )
        }
        self.contents = contents
        (section, bytes) = try Self.section(contents, items, keys)
    }

    private static func attributes(_ itemClass: ItemClass, _ key: Int) throws -> ItemAttributes {
        let name = itemClass.primaryKey[itemClass == .key ? 1 : 0]
        let value: ArchiveValue = itemClass == .certificate ? .integer(Int128(key)) : .data(littleEndian(key))
        return try ItemAttributes(itemClass, [.string(name): value, "labl": "label"])
    }

    private static func section(
        _ contents: [Content],
        _ items: ItemSample,
        _ keys: GenerationKeys
    ) throws -> (Section, [UInt8]) {
        var builder = GroupSectionBuilder(group: items.group, keys: items.match)
        let sorted = contents.map { content in
            (
                content,
                MetadataBlock.Item(revision: content.revision, metadata: content.metadata)
            )
        }.sorted { $0.1.precedes($1.1) }
        for start in stride(from: 0, to: sorted.count, by: 60) {
            let part = sorted[start..<min(start + 60, sorted.count)]
            let block = try MetadataBlock(items: part.map(\.1)).sealed(
                handle: items.handle,
                keys: items.data,
                mayCompress: false
            )
            let blockItems = part.enumerated().map { number, item in
                GroupSectionBuilder.Item(
                    entry: builder.add(
                        item.0.revision,
                        items.provenance.origin,
                        ItemMatch(item.0.match),
                        sequence: 1
                    ),
                    number: number,
                    secret: item.0.secret.isEmpty ? nil : .bytes(item.0.secret)
                )
            }
            builder.append(
                block: .bytes(block),
                handle: items.handle,
                itemCount: blockItems.count,
                items: blockItems
            )
        }
        let id = SectionID(countingBytes(from: 3, count: 16).span)
        var sink = MemorySink()
        let section = builder.write(id: id, keys: keys, at: 0, to: &sink)
        return (section, sink.bytes)
    }

    /// A reader of the section at `offset` of a snapshot that begins at `snapshotOffset` of the file.
    func reader(
        snapshotOffset: Int = 0,
        offset: Int = 0
    ) throws -> GroupSectionReader<MemorySource> {
        var section = section
        section.offset = offset
        let before = [UInt8](repeating: 0xEE, count: snapshotOffset + offset)
        return try GroupSectionReader(
            section,
            in: MemorySource(before + bytes),
            snapshotOffset: snapshotOffset,
            keys: items.match
        )
    }

    /// A reader of the section after `edit` has changed the content of the fence.
    func reader(
        fence edit: (inout [UInt8]) -> Void
    ) throws -> GroupSectionReader<MemorySource> {
        let fence = try reader().fence
        var content = littleEndian(UInt16(fence.dataKeys.count)) + [fence.flags.rawValue, 0]
        content += littleEndian(UInt32(fence.origins.count)) + fence.dataKeys.flatMap(\.bytes)
        content +=
            fence.origins.flatMap { $0.writer.bytes + littleEndian($0.place) } + fence.digests.flatMap(\.bytes)
            + fence.items.flatMap(\.bytes)
        edit(&content)
        let box = Box.sealed(
            content.span,
            key: items.match.page,
            associatedData: Label.fence.bytes + VaultID.sample.bytes + section.group.bytes + section.id.bytes,
            cipher: items.cipher
        )
        var bytes = bytes
        bytes.replaceSubrange(section.fenceRange, with: box)
        return try reader(of: bytes)
    }

    /// A reader of the section after `edit` has changed the content of the first page of `list`.
    func reader(
        firstPageOf list: MatchPage.List,
        _ edit: (inout [UInt8]) -> Void
    ) throws -> GroupSectionReader<MemorySource> {
        let start = (list == .digests ? section.digestPagesRange : section.itemPagesRange).lowerBound
        let range = start..<start + MatchPage.byteCount
        let place = Label.page.bytes + VaultID.sample.bytes + section.group.bytes + section.id.bytes
        let data = place + littleEndian(list.rawValue) + littleEndian(UInt32(0))
        let page = Array(bytes[range])
        var content = try Box.opened(page.span, key: items.match.page, associatedData: data)
        edit(&content)
        let box = Box.sealed(content.span, key: items.match.page, associatedData: data, cipher: items.cipher)
        var bytes = bytes
        bytes.replaceSubrange(range, with: box)
        return try reader(of: bytes)
    }

    private func reader(of bytes: [UInt8]) throws -> GroupSectionReader<MemorySource> {
        try GroupSectionReader(section, in: MemorySource(bytes), snapshotOffset: 0, keys: items.match)
    }

    /// The metadata and the secret that a match entry points to.
    func content(
        of entry: MatchEntry,
        _ reader: GroupSectionReader<MemorySource>
    ) throws -> (metadata: ItemMetadata, secret: [UInt8]) {
        let block = try reader.block(
            at: entry.block.part,
            handle: reader.fence.dataKeys[entry.dataKey],
            keys: items.data
        )
        let item = block.items[entry.block.number]
        return (item.metadata, try entry.secret.map(reader.secretBox(at:)) ?? [])
    }
}
