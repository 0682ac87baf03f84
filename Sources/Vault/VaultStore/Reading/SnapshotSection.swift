internal import VaultCrypto
internal import VaultFormat

/// A data key to which an entry of a section refers.
enum EntryKey: Sendable {
    case known(KeyHandle, ProtectionClass, Keyring.Presence)
    /// The key was destroyed, so the item does not exist.
    case destroyed
    /// The key belongs to another group, which no writer does.
    case foreign
}

/// The section of a group in a snapshot or index; its pages and blocks are opened when they are needed, and cached.
struct SnapshotSection: Sendable {
    typealias Reader = GroupSectionReader<FileSource>

    let reader: Reader
    /// Where the log begins that takes the place of the blocks; nil for a section of a snapshot.
    private let logOffset: Int?
    /// Enough for a million items, whose pages take 100 MiB: nothing is dropped below half of the limit.
    private var pages = PieceCache<Int, DigestPage>(byteCountLimit: 256 << 20)
    private var itemPages = PieceCache<Int, [ItemEntry]>(byteCountLimit: 8 << 20)
    private static let blocksByteCountLimit = 32 << 20
    private var blocks = PieceCache<SectionPart, MetadataBlock>(byteCountLimit: blocksByteCountLimit)
    /// What was read of the secrets, sealed as it is in the file.
    private var sealed = PieceCache<Int, [UInt8]>(byteCountLimit: 8 << 20)
    private static let pieceByteCount = 4096

    /// The data keys to which entries refer by number; empty until first needed.
    var entryKeys: [EntryKey] = []

    init(_ reader: Reader, logOffset: Int? = nil) {
        self.reader = reader
        self.logOffset = logOffset
    }

    var section: Section { reader.section }
    var group: GroupEpoch { reader.section.group }
    var dataKeys: [KeyHandle] { reader.fence.dataKeys }

    /// Returns where the content of an entry is.
    func place(of entry: MatchEntry) -> StoredItem.Place {
        guard let logOffset else { return .snapshot(entry.block, secret: entry.secret) }
        let offset = logOffset + entry.block.part.offset - section.blocksOffset
        return .frame(
            FramePlace(offset: offset, byteCount: entry.block.part.byteCount, record: entry.block.number)
        )
    }

    // MARK: - Entries

    /// Returns the entries that have this primary key digest.
    mutating func entries(withPrimaryKey digest: PrimaryKeyDigest) throws -> [MatchEntry] {
        var found: [MatchEntry] = []
        for number in Fence.candidates(for: digest, in: reader.fence.digests) {
            let page = try page(number)
            var index = page.firstIndex(notBefore: digest)
            while index < page.count, page.digest(at: index) == digest {
                found.append(page[index])
                index += 1
            }
        }
        return found
    }

    /// Returns the entries of the item with this id: its live revisions in the snapshot.
    mutating func entries(withID item: ItemID) throws -> [MatchEntry] {
        var found: [MatchEntry] = []
        for number in Fence.candidates(for: item, in: reader.fence.items) {
            let places = try itemPage(number)
            var index = places.partitioningIndex { $0.item >= item }
            while index < places.count, places[index].item == item {
                let place = places[index]
                found.append(try reader.entry(at: place, in: page(place.digestPage), itemPage: number))
                index += 1
            }
        }
        if !found.isEmpty { try reader.checkContested(found) }
        return found
    }

    /// Returns the entries that match a pattern; all pages are opened unless it has the leading attribute.
    mutating func entries(matching pattern: MatchPattern) throws -> [MatchEntry] {
        let pages =
            if let leading = pattern.leading {
                Fence.candidates(leading: leading, in: reader.fence.digests)
            } else { 0..<section.digestPageCount }
        var found: [MatchEntry] = []
        for number in pages { found += try page(number).entries(matching: pattern) }
        return found
    }

    /// Returns each entry of the section, in the order of the pages.
    mutating func allEntries() throws -> [MatchEntry] {
        var entries: [MatchEntry] = []
        entries.reserveCapacity(section.entryCapacity)
        for number in 0..<section.digestPageCount { entries += try page(number) }
        return entries
    }

    private mutating func page(_ number: Int) throws -> DigestPage {
        if let page = pages[number] { return page }
        let page = try reader.digestPage(number)
        pages.insert(page, for: number, byteCount: DigestPage.byteCount)
        return page
    }

    private mutating func itemPage(_ number: Int) throws -> [ItemEntry] {
        if let page = itemPages[number] { return page }
        let page = try reader.itemPage(number)
        itemPages.insert(page, for: number, byteCount: page.count * MemoryLayout<ItemEntry>.stride)
        return page
    }

    // MARK: - Secrets

    /// Returns the secret box at `part`.
    mutating func secretBox(at part: SectionPart) throws -> ArraySlice<UInt8> {
        let (first, last) = (part.offset / Self.pieceByteCount, (part.range.upperBound - 1) / Self.pieceByteCount)
        // It would not save reading, and take the place of others.
        guard last - first < 2 else { return try reader.secretBox(at: part)[...] }
        let start = part.offset - first * Self.pieceByteCount
        let head = try sealedPiece(first)
        guard first < last else { return head[start..<start + part.byteCount] }
        let rest = part.byteCount - (head.count - start)
        return try head[start...] + sealedPiece(last)[..<rest]
    }

    private mutating func sealedPiece(_ number: Int) throws -> [UInt8] {
        if let piece = sealed[number] { return piece }
        let start = number * Self.pieceByteCount
        let byteCount = min(Self.pieceByteCount, section.byteCount - start)
        let piece = try reader.secretBox(at: SectionPart(offset: start, byteCount: byteCount))
        sealed.insert(piece, for: number, byteCount: byteCount)
        return piece
    }

    // MARK: - Blocks

    /// Drops the cached blocks.
    mutating func forgetBlocks() { blocks = PieceCache(byteCountLimit: Self.blocksByteCountLimit) }

    /// Returns what the block of an item holds about it.
    mutating func blockItem(
        at place: BlockPlace,
        handle: KeyHandle,
        keys: DataKeys
    ) throws -> MetadataBlock.Item? {
        if let block = blocks[place.part] {
            return block.items.indices.contains(place.number) ? block.items[place.number] : nil
        }
        let block = try reader.block(at: place.part, handle: handle, keys: keys)
        blocks.insert(block, for: place.part, byteCount: block.items.reduce(0) { $0 + $1.byteCount + 128 })
        return block.items.indices.contains(place.number) ? block.items[place.number] : nil
    }
}

extension Array {
    /// The index of the first element for which `isReached` holds; all after it hold too.
    func partitioningIndex(_ isReached: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isReached(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
