import CofferBasics
import KeyedArchive
import TestSupport
import VaultCrypto
import VaultFormat

/// A group section with many items, as the writer makes it.
struct SectionSample {
    let items: ItemSample
    let contents: [Content]
    let section: Section
    let bytes: [UInt8]
    private let dictionary: MetadataDictionary

    /// An item as it was added to the section.
    struct Content {
        var revision: Revision
        var match: ItemMatch
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
        var contents: [Content] = []
        for number in 0..<count {
            let attributes = try Self.attributes(mixed ? ItemClass.allCases[number % 4] : .genericPassword, key(number))
            let revision = Revision(item: cipher.random.identifier(), number: 1, salt: UInt64(number + 1))
            let match = ItemMatch(
                itemClass: attributes.itemClass,
                flags: flags(number),
                order: items.provenance.origin.place,
                written: Time(microseconds: Int64(number)),
                digests: MatchDigests(attributes, keys: items.match)
            )
            let secret = number % 3 == 0 ? [] : items.secret(littleEndian(number), of: revision)
            contents.append(
                Content(revision: revision, match: match, metadata: try ItemMetadata(attributes), secret: secret)
            )
        }
        self.contents = contents
        dictionary = MetadataDictionary(
            of: contents.prefix(1).map(\.metadata),
            handle: items.handle,
            random: cipher.random
        )
        (section, bytes) = try Self.section(contents, dictionary, items)
    }

    private static func attributes(_ itemClass: ItemClass, _ key: Int) throws -> ItemAttributes {
        let name = itemClass.primaryKey[itemClass == .key ? 1 : 0]
        let value: ArchiveValue = itemClass == .certificate ? .integer(Int128(key)) : .data(littleEndian(key))
        return try ItemAttributes(itemClass, [.string(name): value, "labl": "label"])
    }

    private static func section(
        _ contents: [Content],
        _ dictionary: MetadataDictionary,
        _ items: ItemSample
    ) throws -> (Section, [UInt8]) {
        var writer = GroupSectionWriter(items.group, keys: items.match, at: 0, to: MemorySink())
        let number = writer.append(dictionary.sealed(keys: items.data))
        let compressor = try dictionary.compressor()
        let sorted = contents.map { content in
            let (origin, sizes) = (items.provenance.origin, BoxSizes(metadata: 0, secret: content.secret.count))
            return (content, MatchEntry(content.revision, origin, content.match, sizes: sizes, sequence: 1))
        }.sorted { $0.1.precedes($1.1) }
        for (content, entry) in sorted {
            var entry = entry
            let deflated = try content.metadata.deflated(
                of: content.revision,
                dictionary.id,
                compressor,
                keys: items.data
            )
            let metadata = deflated ?? content.metadata.sealed(of: content.revision, keys: items.data)
            entry.dictionary = deflated == nil ? 0 : number
            entry.sizes.metadata = metadata.count
            writer.append(entry, handle: items.handle, metadata: metadata.span, secret: content.secret.span)
        }
        let section = writer.finish(seen: SeenPlaces())
        return (section, writer.sink.bytes)
    }

    /// A reader of the section at `offset` of a snapshot that begins at `snapshotOffset` of the file.
    func reader(snapshotOffset: Int = 0, offset: Int = 0) throws -> GroupSectionReader<MemorySource> {
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

    /// The metadata and the secret box of an entry.
    func content(
        of entry: MatchEntry,
        _ reader: GroupSectionReader<MemorySource>
    ) throws -> (metadata: ItemMetadata, secret: [UInt8]) {
        let box = try reader.bytes(of: entry.metadata)
        let needed = entry.dictionary == 0 ? nil : dictionary
        let metadata = try ItemMetadata(opening: box.span, of: entry.revision, dictionary: needed, keys: items.data)
        return (metadata, try entry.secret.map(reader.bytes(of:)) ?? [])
    }
}

extension GroupSectionReader {
    /// The entries with a digest, looked up as section 5.4 says.
    func entries(withPrimaryKey digest: PrimaryKeyDigest) throws -> [MatchEntry] {
        try Fence.candidates(for: digest, in: fence.live.keys).flatMap { number in
            let leaf = try leaf(number)
            return leaf[leaf.firstIndex(notBefore: digest)...].prefix { $0.digests.primaryKey == digest }
        }
    }

    /// The entries of an item, looked up by the first bytes of its id.
    func entries(withID item: ItemID) throws -> [MatchEntry] {
        let prefix = IDPrefix(item)
        return try Fence.candidates(for: prefix, in: fence.ids.keys).flatMap { number in
            try idPage(number).filter { $0.prefix == prefix }
                .map { try entry(at: $0, in: leaf($0.leaf), idPage: number) }
                .filter { $0.revision.item == item }
        }
    }
}
