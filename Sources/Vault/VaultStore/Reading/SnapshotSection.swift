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

/// The section of a group in a snapshot or index; its leaves and dictionaries are opened when they are needed, and cached.
struct SnapshotSection: Sendable {
    typealias Reader = GroupSectionReader<FileSource>

    let reader: Reader
    /// The leaves of live revisions, or of an index.
    private let list: PageList
    /// Enough for a million items, whose pages take 100 MiB: nothing is dropped below half of the limit.
    private var leaves = PieceCache<Int, Leaf>(byteCountLimit: 256 << 20)
    private var idPages = PieceCache<Int, [IDEntry]>(byteCountLimit: 8 << 20)
    private var dictionaries: [Int: MetadataDictionary] = [:]
    /// What was read of the boxes, sealed as it is in the file.
    private var sealed = PieceCache<Int, [UInt8]>(byteCountLimit: 16 << 20)
    private static let pieceByteCount = 4096

    /// The data keys to which entries refer by number; empty until first needed.
    var entryKeys: [EntryKey] = []

    init(_ reader: Reader, isIndex: Bool = false) {
        self.reader = reader
        list = isIndex ? .indexed : .live
    }

    var section: Section { reader.section }
    var group: GroupEpoch { reader.section.group }
    var dataKeys: [KeyHandle] { reader.fence.dataKeys }

    // MARK: - Entries

    /// Returns the entries that have this primary key digest.
    mutating func entries(withPrimaryKey digest: PrimaryKeyDigest) throws -> [MatchEntry] {
        var found: [MatchEntry] = []
        for number in Fence.candidates(for: digest, in: reader.fence.live.keys) {
            let leaf = try leaf(number)
            var index = leaf.firstIndex(notBefore: digest)
            while index < leaf.count, leaf.digest(at: index) == digest {
                found.append(leaf[index])
                index += 1
            }
        }
        return found
    }

    /// Returns the entries of the item with this id: its live revisions in the snapshot.
    mutating func entries(withID item: ItemID) throws -> [MatchEntry] {
        var found: [MatchEntry] = []
        let prefix = IDPrefix(item)
        for number in Fence.candidates(for: prefix, in: reader.fence.ids.keys) {
            let places = try idPage(number)
            var index = places.partitioningIndex { $0.prefix >= prefix }
            while index < places.count, places[index].prefix == prefix {
                let place = places[index]
                let entry = try reader.entry(at: place, in: leaf(place.leaf), idPage: number)
                if entry.revision.item == item { found.append(entry) }
                index += 1
            }
        }
        if !found.isEmpty { try reader.checkContested(found) }
        return found
    }

    /// Returns the entries that match a pattern; all leaves are opened unless it has the leading attribute.
    mutating func entries(matching pattern: MatchPattern) throws -> [MatchEntry] {
        let leaves =
            if let leading = pattern.leading {
                Fence.candidates(leading: leading, in: reader.fence.live.keys)
            } else { 0..<reader.fence.live.count }
        var found: [MatchEntry] = []
        for number in leaves { found += try leaf(number).entries(matching: pattern) }
        return found
    }

    /// Returns each entry of the section, in the order of the leaves.
    mutating func allEntries() throws -> [MatchEntry] {
        var entries: [MatchEntry] = []
        entries.reserveCapacity(section.entryCapacity)
        for number in 0..<reader.fence.live.count { entries += try leaf(number) }
        return entries
    }

    /// Returns the entries of past revisions, of all items or of one.
    func pastEntries(of item: ItemID?) throws -> [MatchEntry] {
        let keys = reader.fence.past.keys
        var found: [MatchEntry] = []
        for number in item.map({ Fence.candidates(for: $0, in: keys) }) ?? keys.indices {
            found += try reader.leaf(number, of: .past).filter { item ?? $0.revision.item == $0.revision.item }
        }
        return found
    }

    private mutating func leaf(_ number: Int) throws -> Leaf {
        if let leaf = leaves[number] { return leaf }
        let leaf = try reader.leaf(number, of: list)
        leaves.insert(leaf, for: number, byteCount: Leaf.byteCount)
        return leaf
    }

    private mutating func idPage(_ number: Int) throws -> [IDEntry] {
        if let page = idPages[number] { return page }
        let page = try reader.idPage(number)
        idPages.insert(page, for: number, byteCount: page.count * MemoryLayout<IDEntry>.stride)
        return page
    }

    // MARK: - Boxes

    /// Returns the box at `part`.
    mutating func box(at part: SectionPart) throws -> ArraySlice<UInt8> {
        let (first, last) = (part.offset / Self.pieceByteCount, (part.range.upperBound - 1) / Self.pieceByteCount)
        // It would not save reading, and take the place of others.
        guard last - first < 2 else { return try reader.bytes(of: part)[...] }
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
        let piece = try reader.bytes(of: SectionPart(offset: start, byteCount: byteCount))
        sealed.insert(piece, for: number, byteCount: byteCount)
        return piece
    }

    /// Returns a dictionary of the section by the number that entries have for it; nil for 0.
    mutating func dictionary(_ number: Int, keys: DataKeys) throws -> MetadataDictionary? {
        guard number > 0 else { return nil }
        if let known = dictionaries[number] { return known }
        let dictionary = try reader.dictionary(number - 1, keys: keys)
        dictionaries[number] = dictionary
        return dictionary
    }

    /// Releases the dictionaries, which hold parts of items.
    mutating func forgetDictionaries() { dictionaries = [:] }
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
