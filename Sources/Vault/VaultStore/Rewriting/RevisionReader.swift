internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

/// Revisions of another copy of the vault that become part of this one, under keys that this one has.
struct ForeignRevisions: Sendable {
    var vault: OpenGeneration
    /// The live revisions to take over, all of which are in sections.
    private(set) var items: [(group: GroupEpoch, item: StoredItem)] = []

    init(of vault: OpenGeneration, _ items: [GroupEpoch: [StoredItem]]) {
        self.vault = vault
        for (group, items) in items.inKeyOrder { self.items += items.map { (group, $0) } }
    }
}

/// Reads the revisions that a rewrite takes over, mostly in the order in which they are in the file.
struct RevisionReader {
    /// The sections of the old file that are read, by their numbers in sources.
    private(set) var sections: [SnapshotSection.Reader] = []
    private(set) var foreign: ForeignRevisions?
    /// The dictionaries of the revisions that were read.
    private(set) var dictionaries: [DictionaryID: SealedDictionary] = [:]
    /// Those of them that were opened.
    private(set) var openedDictionaries: [DictionaryID: MetadataDictionary] = [:]
    private var last: OpenLeaf?

    /// The leaf that was read last, with its boxes.
    private struct OpenLeaf {
        let section: Int
        let list: PageList
        let number: Int
        let leaf: Leaf
        let boxesOffset: Int
        let boxes: [UInt8]
    }

    init(_ foreign: ForeignRevisions?) { self.foreign = foreign }

    /// Adds a section and returns its number.
    mutating func add(_ section: SnapshotSection.Reader) -> Int {
        sections.append(section)
        return sections.count - 1
    }

    /// Returns the entry of a revision, as the old file has it.
    mutating func entry(_ source: RevisionSource, of vault: inout OpenGeneration) throws -> MatchEntry {
        switch source.kind {
        case .leaf(let section, let list, let leaf, let number):
            return try opened(section, list, leaf, of: vault).leaf[number]
        case .put(let number):
            guard let (put, match) = vault.wholeLog.put(number) else { throw StoreError.refused(.missing) }
            return MatchEntry(
                put.revision,
                put.provenance.origin,
                match,
                sizes: put.sizes,
                sequence: vault.wholeLog.entries[number].sequence
            )
        case .foreign(let number):
            guard let item = foreign?.items[number].item, case .snapshot(let place) = item.place else {
                throw StoreError.refused(.missing)
            }
            return MatchEntry(
                item.revision,
                item.origin,
                item.match,
                sizes: place.sizes,
                sequence: vault.position.sequence
            )
        }
    }

    /// Returns a revision, as it is sealed in the old file.
    mutating func revision(_ source: RevisionSource, of vault: inout OpenGeneration) throws -> SealedRevision {
        var entry = try entry(source, of: &vault)
        switch source.kind {
        case .leaf(let section, let list, let number, _):
            let open = try opened(section, list, number, of: vault)
            func box(_ part: SectionPart?) -> [UInt8] {
                guard let part else { return [] }
                let start = part.offset - open.boxesOffset
                return Array(open.boxes[start..<start + part.byteCount])
            }
            let reader = sections[section]
            let fence = reader.fence
            let dictionary = try note(entry.dictionary, fence.dictionaries) { try reader.sealedDictionary($0) }
            return SealedRevision(
                entry: entry,
                handle: fence.dataKeys[entry.dataKey],
                metadata: box(entry.metadata),
                secret: box(entry.secret),
                dictionary: dictionary
            )
        case .put(let number):
            guard let (put, _) = vault.wholeLog.put(number) else { throw StoreError.refused(.missing) }
            return SealedRevision(
                entry: entry,
                handle: put.dataKey,
                metadata: put.metadata,
                secret: put.secret,
                dictionary: nil
            )
        case .foreign(let number):
            guard let item = foreign?.items[number].item, case .snapshot(let place) = item.place,
                let boxes = try foreign?.vault.sealedBoxes(of: item)
            else { throw StoreError.refused(.missing) }
            entry.dictionary = place.dictionary
            let dictionary = try note(place.dictionary, boxes.section.fence.dictionaries) {
                try boxes.section.sealedDictionary($0)
            }
            return SealedRevision(
                entry: entry,
                handle: item.dataKey,
                metadata: boxes.metadata,
                secret: boxes.secret,
                dictionary: dictionary
            )
        }
    }

    /// Returns the dictionary that a copied revision needs, and keeps it.
    mutating func dictionary(of source: RevisionSource, _ entry: MatchEntry) throws -> DictionaryID? {
        switch source.kind {
        case .leaf(let section, _, _, _):
            let reader = sections[section]
            return try note(entry.dictionary, reader.fence.dictionaries) { try reader.sealedDictionary($0) }
        case .put: return nil
        case .foreign(let number):
            guard entry.dictionary > 0, let item = foreign?.items[number].item,
                let section = try foreign?.vault.sealedBoxes(of: item)?.section
            else { return nil }
            return section.fence.dictionaries[entry.dictionary - 1].id
        }
    }

    /// Returns a dictionary, opened; nil if it is damaged.
    mutating func opened(_ id: DictionaryID, keys: DataKeys) throws -> MetadataDictionary? {
        if let known = openedDictionaries[id] { return known }
        guard let sealed = dictionaries[id] else { return nil }
        let opened = try? MetadataDictionary(opening: sealed, keys: keys)
        openedDictionaries[id] = opened
        return opened
    }

    /// Keeps a dictionary, and returns its id; `number` is that of an entry.
    private mutating func note(
        _ number: Int,
        _ fence: [Fence.Dictionary],
        read: (Int) throws -> SealedDictionary
    ) throws -> DictionaryID? {
        guard number > 0 else { return nil }
        let id = fence[number - 1].id
        if dictionaries[id] == nil { dictionaries[id] = try read(number - 1) }
        return id
    }

    private mutating func opened(
        _ section: Int,
        _ list: PageList,
        _ number: Int,
        of vault: OpenGeneration
    ) throws -> OpenLeaf {
        if let last, last.section == section, last.list == list, last.number == number { return last }
        let reader = sections[section]
        let boxes = reader.fence.leafPart(number, of: list).boxes
        do {
            let open = OpenLeaf(
                section: section,
                list: list,
                number: number,
                leaf: try reader.leaf(number, of: list),
                boxesOffset: boxes.offset,
                boxes: try reader.bytes(of: boxes)
            )
            last = open
            return open
        } catch {
            throw vault.failure(error)
        }
    }
}

extension OpenGeneration {
    /// Returns the boxes of an item of the snapshot, and a reader of its section.
    fileprivate mutating func sealedBoxes(
        of item: StoredItem
    ) throws -> (section: SnapshotSection.Reader, metadata: [UInt8], secret: [UInt8])? {
        guard case .snapshot(let place) = item.place, let number = try sectionNumber(of: item.group) else { return nil }
        return try withSection(number: number) { section in
            (
                section.reader, Array(try section.box(at: place.metadata)),
                try place.secret.map { Array(try section.box(at: $0)) } ?? []
            )
        }
    }
}
