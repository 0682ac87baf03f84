internal import CofferBasics
internal import VaultCrypto

/// Reads single items of a group section, section 5.2, opening only the leaves that it needs.
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
        let range = section.fence.range
        let offset = snapshotOffset + section.offset
        let box = try source.read(offset + range.lowerBound..<offset + range.upperBound)
        fence = try translating(
            { VaultFormatError($0, in: .snapshot, at: offset + range.lowerBound) },
            Fence(opening: box, of: section, keys: keys)
        )
    }

    // MARK: - Leaves and pages

    /// A leaf of live revisions, of past ones, or of an index.
    package func leaf(_ number: Int, of list: PageList = .live) throws(VaultFormatError) -> Leaf {
        try leaf(number, of: list) { _ in }
    }

    /// Calls `body` with each entry of these leaves, in their order, without keeping the leaves.
    package func forEachEntry(
        of list: PageList = .live,
        in leaves: Range<Int>? = nil,
        _ body: (MatchEntry) -> Void
    ) throws(VaultFormatError) {
        for number in leaves ?? 0..<(list == .past ? fence.past.count : fence.live.count) {
            _ = try leaf(number, of: list, forEachEntry: body)
        }
    }

    private func leaf(
        _ number: Int,
        of list: PageList,
        forEachEntry body: (MatchEntry) -> Void
    ) throws(VaultFormatError) -> Leaf {
        let part = fence.leafPart(number, of: list)
        return try page(number, of: list, at: part.page) { (box, place) throws(Fault) in
            try Leaf(opening: box, at: place, boxes: part.boxes, fence, keys: keys, forEachEntry: body)
        }
    }

    /// The entries of an id page.
    package func idPage(_ number: Int) throws(VaultFormatError) -> [IDEntry] {
        try page(number, of: .ids, at: fence.idPagePart(number)) { (box, place) throws(Fault) in
            try IDEntry.entries(opening: box, at: place, fence, keys: keys)
        }
    }

    /// Reads a page, which `open` opens: code that knows the type of the source is much slower with entries.
    private func page<Opened>(
        _ number: Int,
        of list: PageList,
        at part: SectionPart,
        _ open: (Span<UInt8>, Page.Place) throws(Fault) -> Opened
    ) throws(VaultFormatError) -> Opened {
        let bytes = try self.bytes(of: part)
        let place = Page.Place(group: section.group, section: section.id, list: list, number: number)
        return try translating({ VaultFormatError($0, in: .snapshot, at: fileOffset(part.offset)) }) {
            () throws(Fault) in
            try open(bytes.span, place)
        }
    }

    /// The entry in a leaf that an entry of an id page refers to.
    package func entry(at place: IDEntry, in leaf: Leaf, idPage number: Int) throws(VaultFormatError) -> MatchEntry {
        guard place.number < leaf.count else { throw disagreement(inIDPage: number) }
        let entry = leaf[place.number]
        guard IDPrefix(entry.revision.item) == place.prefix else { throw disagreement(inIDPage: number) }
        return entry
    }

    private func disagreement(inIDPage number: Int) -> VaultFormatError {
        .snapshotFailure(.disagrees, offset: fileOffset(fence.idPagePart(number).offset))
    }

    /// Throws unless all entries of an item say whether there are several, and have salts of their own.
    package func checkContested(_ entries: [MatchEntry]) throws(VaultFormatError) {
        guard entries.flagsContestedItems else {
            throw .snapshotFailure(.disagrees, offset: fileOffset(fence.end))
        }
    }

    // MARK: - Boxes

    /// The bytes of a part of the section.
    package func bytes(of part: SectionPart) throws(VaultFormatError) -> [UInt8] {
        try source.read(fileOffset(part.offset)..<fileOffset(part.range.upperBound))
    }

    /// A dictionary of the section as it is sealed; `number` counts from 0.
    package func sealedDictionary(_ number: Int) throws(VaultFormatError) -> SealedDictionary {
        let dictionary = fence.dictionaries[number]
        let box = try bytes(of: fence.dictionaryPart(number))
        return SealedDictionary(id: dictionary.id, handle: fence.dataKeys[dictionary.dataKey], box: box)
    }

    /// A dictionary of the section, opened with its data key; `number` counts from 0.
    package func dictionary(_ number: Int, keys: DataKeys) throws(VaultFormatError) -> MetadataDictionary {
        let sealed = try sealedDictionary(number)
        let offset = fileOffset(fence.dictionaryPart(number).offset)
        return try translating({ VaultFormatError($0, in: .snapshot, at: offset) }) { () throws(Fault) in
            try MetadataDictionary(opening: sealed, keys: keys)
        }
    }

    private func fileOffset(_ offset: Int) -> Int { snapshotOffset + section.offset + offset }
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
