internal import CofferBasics
internal import VaultCrypto

/// Reads single items of a group section, section 5.2, opening only the pages and the block of each item.
package struct GroupSectionReader<Source: ByteSource> {
    package let section: Section
    package let fence: Fence
    private let source: Source
    private let snapshotOffset: Int
    private let keys: MatchKeys

    /// Opens the fence of `section` in the snapshot at `snapshotOffset` of the file.
    package init(_ section: Section, in source: Source, snapshotOffset: Int, keys: MatchKeys) throws(VaultFormatError) {
        self.section = section
        self.source = source
        self.snapshotOffset = snapshotOffset
        self.keys = keys
        let offset = snapshotOffset + section.offset + section.fenceRange.lowerBound
        let box = try source.read(offset..<offset + section.fenceByteCount)
        fence = try translating(
            { VaultFormatError($0, in: .snapshot, at: offset) },
            Fence(opening: box, of: section, keys: keys)
        )
    }

    // MARK: - Looking up

    /// The entries whose primary key has this digest: rarely more than one, from different devices.
    package func entries(withPrimaryKey digest: PrimaryKeyDigest) throws(VaultFormatError) -> [MatchEntry] {
        var found: [MatchEntry] = []
        for number in Fence.candidates(for: digest, in: fence.digests) {
            found += try digestPage(number).filter { $0.digests.primaryKey == digest }
        }
        return found
    }

    /// The entries of the item with this id.
    package func entries(withID item: ItemID) throws(VaultFormatError) -> [MatchEntry] {
        var found: [MatchEntry] = []
        for number in Fence.candidates(for: item, in: fence.items) {
            for place in try itemPage(number) where place.item == item {
                found.append(try entry(at: place, in: digestPage(place.digestPage), itemPage: number))
            }
        }
        try checkContested(found)
        return found
    }

    /// Throws unless all entries of an item say whether there are several, and have salts of their own.
    package func checkContested(_ entries: [MatchEntry]) throws(VaultFormatError) {
        guard entries.flagsContestedItems else {
            throw .snapshotFailure(.disagrees, offset: fileOffset(section.itemPagesRange.lowerBound))
        }
    }

    /// The entry in a digest page that an entry of an item page refers to.
    package func entry(
        at place: ItemEntry,
        in page: DigestPage,
        itemPage number: Int
    ) throws(VaultFormatError) -> MatchEntry {
        guard place.number < page.count else {
            throw .snapshotFailure(.disagrees, offset: offset(of: .items, number))
        }
        let entry = page[place.number]
        guard entry.revision.item == place.item else {
            throw .snapshotFailure(.disagrees, offset: offset(of: .items, number))
        }
        return entry
    }

    // MARK: - Pages

    /// The entries of a digest page.
    package func digestPage(_ number: Int) throws(VaultFormatError) -> DigestPage {
        try digestPage(number) { _ in }
    }

    /// Calls `body` with each entry of these pages, or of all, in the order of the pages, without keeping the pages.
    package func forEachEntry(
        inPages pages: Range<Int>? = nil,
        _ body: (MatchEntry) -> Void
    ) throws(VaultFormatError) {
        for number in pages ?? 0..<section.digestPageCount { _ = try digestPage(number, forEachEntry: body) }
    }

    private func digestPage(
        _ number: Int,
        forEachEntry body: (MatchEntry) -> Void
    ) throws(VaultFormatError) -> DigestPage {
        try page(number, of: .digests) { (box, place) throws(Fault) in
            try DigestPage(opening: box, at: place, of: section, fence, keys: keys, forEachEntry: body)
        }
    }

    /// The entries of an item page.
    package func itemPage(_ number: Int) throws(VaultFormatError) -> [ItemEntry] {
        try page(number, of: .items) { (box, place) throws(Fault) in
            try ItemEntry.entries(opening: box, at: place, of: section, fence, keys: keys)
        }
    }

    /// Reads a page, which `open` opens: code that knows the type of the source is much slower with entries.
    private func page<Page>(
        _ number: Int,
        of list: MatchPage.List,
        _ open: (Span<UInt8>, MatchPage.Place) throws(Fault) -> Page
    ) throws(VaultFormatError) -> Page {
        let offset = offset(of: list, number)
        let bytes = try source.read(offset..<offset + MatchPage.byteCount)
        let place = MatchPage.Place(group: section.group, section: section.id, list: list, number: number)
        return try translating({ VaultFormatError($0, in: .snapshot, at: offset) }) { () throws(Fault) in
            try open(bytes.span, place)
        }
    }

    private func offset(of list: MatchPage.List, _ number: Int) -> Int {
        let pages = list == .digests ? section.digestPagesRange : section.itemPagesRange
        return fileOffset(pages.lowerBound + number * MatchPage.byteCount)
    }

    private func fileOffset(_ offset: Int) -> Int {
        snapshotOffset + section.offset + offset
    }

    // MARK: - Blocks and secrets

    /// The metadata block at `part`.
    package func block(
        at part: SectionPart,
        handle: KeyHandle,
        keys: DataKeys
    ) throws(VaultFormatError) -> MetadataBlock {
        let offset = fileOffset(part.offset)
        let bytes = try source.read(offset..<offset + part.byteCount)
        return try translating(
            { VaultFormatError($0, in: .snapshot, at: offset) },
            MetadataBlock(opening: bytes.span, handle: handle, keys: keys)
        )
    }

    /// The sealed secret at `part`.
    package func secretBox(at part: SectionPart) throws(VaultFormatError) -> [UInt8] {
        let offset = fileOffset(part.offset)
        return try source.read(offset..<offset + part.byteCount)
    }
}

extension GroupSectionReader: Sendable where Source: Sendable {}

extension [MatchEntry] {
    /// Whether the entries, which are of one item, are flagged as contested exactly if there are several, and no salt
    /// occurs twice.
    package var flagsContestedItems: Bool {
        allSatisfy { $0.flags.contains(.contested) == (count > 1) }
            && (count < 2 || Set(map(\.revision.salt)).count == count)
    }
}
