internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

/// Reads a whole group section, and continues past damaged parts.
struct SectionExamination {
    let section: Section
    /// The leaves of live revisions, with nil for a damaged one; a leaf takes much less memory than its entries.
    private var live: [Leaf?] = []
    /// The live entries whose metadata are not intact.
    private var lost: Set<Place> = []
    /// Whether the fence could be read.
    private(set) var hasFence = false
    private(set) var damages: [VerificationReport.Damage] = []
    private(set) var invalidItems: [VerificationReport.InvalidItem] = []
    private let source: FileSource
    private let progress: (Int) throws -> Void

    /// Examines `section`, with the keys of `vault`.
    init(
        of section: Section,
        in vault: inout OpenGeneration,
        _ source: FileSource,
        progress: @escaping (Int) throws -> Void
    ) throws {
        self.section = section
        self.source = source
        self.progress = progress
        let checkFault = try fault(vault) { () throws(VaultFormatError) in
            try vault.opening.check(section, in: source)
        }
        guard let keys = try vault.matchKeys(of: section.group) else {
            if let checkFault { damage(.sealedSection, vault, whole, checkFault) }
            return
        }
        try examineParts(&vault, keys)
        if let checkFault, damages.isEmpty { damage(.section, vault, whole, checkFault) }
    }

    private var whole: SectionPart { SectionPart(offset: 0, byteCount: section.byteCount) }

    private mutating func damage(
        _ kind: VerificationReport.Damage.Part,
        _ vault: OpenGeneration,
        _ part: SectionPart,
        _ fault: Fault.Reason,
        items: [ItemName] = []
    ) {
        let range = vault.opening.fileRange(of: part, in: section)
        damages.append(VerificationReport.Damage(part: kind, range: range, fault: fault, items: items))
    }

    /// Returns what `body` finds wrong with a part; rethrows errors that concern more, such as an unreadable file.
    private func fault(
        _ vault: OpenGeneration,
        _ body: () throws(VaultFormatError) -> Void
    ) throws -> Fault.Reason? {
        do throws(VaultFormatError) {
            try body()
            return nil
        } catch {
            switch error {
            case .snapshotFailure(let fault, _): return fault
            case .limitExceeded(let limit, let value): return .limitExceeded(limit, value: value)
            default: throw StoreError(error, path: vault.path)
            }
        }
    }

    // MARK: - Leaves

    private mutating func examineParts(_ vault: inout OpenGeneration, _ keys: MatchKeys) throws {
        var reader: SnapshotSection.Reader?
        let fenceFault = try fault(vault) { () throws(VaultFormatError) in
            reader = try GroupSectionReader(
                section,
                in: source,
                snapshotOffset: vault.header.snapshotRange.lowerBound,
                keys: keys
            )
        }
        guard let reader else { return damage(.fence, vault, section.fence, fenceFault ?? .disagrees) }
        hasFence = true
        let keyring = vault.opening.keyring
        let isForeign = reader.fence.dataKeys.contains { handle in
            keyring.dataKeyEntries[handle].map { $0.group != section.group } ?? false
        }
        live = try leaves(.live, reader, vault)
        try examineIDPages(reader, vault)
        if !live.contains(where: { $0 == nil }), isForeign || !isConsistent(reader.fence) {
            damage(.fence, vault, section.fence, .disagrees)
        }
        var contents = try Contents(of: reader, &vault)
        for (number, leaf) in live.enumerated() {
            guard let leaf else { continue }
            for (index, entry) in leaf.enumerated()
            where try !hasIntactMetadata(entry, &contents, keys, vault) {
                lost.insert(Place(leaf: number, number: index))
            }
        }
        let past = try leaves(.past, reader, vault)
        for leaf in past {
            guard let leaf else { continue }
            for entry in leaf { _ = try hasIntactMetadata(entry, &contents, keys, vault) }
        }
        let pastCount = past.reduce(0) { $0 + ($1?.count ?? 0) }
        if !past.contains(where: { $0 == nil }), pastCount != reader.fence.pastEntryCount {
            damage(.fence, vault, section.fence, .disagrees)
        }
        for (number, damaged) in contents.damaged.inKeyOrder {
            let items = Set(damaged.items).sorted { $0.precedes($1) }
            damage(.dictionary, vault, reader.fence.dictionaryPart(number), damaged.fault, items: items)
        }
    }

    /// Calls `body` with each live entry whose leaf and metadata are intact.
    ///
    /// Of those of the same item and salt, which nothing could tell apart, only with the last; there are such only in a
    /// damaged section.
    func forEachEntry(_ body: (MatchEntry) throws -> Void) throws {
        var names: Set<Revision> = []
        for (number, leaf) in live.enumerated().reversed() {
            guard let leaf else { continue }
            for (index, entry) in leaf.enumerated().reversed()
            where !lost.contains(Place(leaf: number, number: index)) {
                if !damages.isEmpty {
                    var name = entry.revision
                    name.number = 0
                    guard names.insert(name).inserted else { continue }
                }
                try body(entry)
            }
        }
    }

    /// Returns the leaves of a list, with nil for a damaged one.
    private mutating func leaves(
        _ list: PageList,
        _ reader: SnapshotSection.Reader,
        _ vault: OpenGeneration
    ) throws -> [Leaf?] {
        var leaves: [Leaf?] = []
        var last: MatchEntry?
        for number in 0..<(list == .past ? reader.fence.past.count : reader.fence.live.count) {
            var leaf: Leaf?
            var leafFault = try fault(vault) { () throws(VaultFormatError) in
                leaf = try reader.leaf(number, of: list)
            }
            if let last, let first = leaf?.first, !last.precedes(first, in: list) { leafFault = .outOfOrder }
            last = leaf?.last ?? last
            let part = reader.fence.leafPart(number, of: list).page
            if let leafFault { damage(list == .past ? .pastLeaf(number) : .leaf(number), vault, part, leafFault) }
            leaves.append(leaf)
            try progress(part.byteCount)
        }
        return leaves
    }

    /// The place of an entry in the live leaves.
    private struct Place: Hashable {
        let leaf, number: Int
    }

    /// Compares the id pages with the leaves: both must lead to all entries.
    private mutating func examineIDPages(_ reader: SnapshotSection.Reader, _ vault: OpenGeneration) throws {
        var damaged: Set<Int> = []
        var listed: Set<Place> = []
        var last: IDEntry?
        for number in 0..<reader.fence.ids.count {
            let part = reader.fence.idPagePart(number)
            var places: [IDEntry] = []
            var pageFault = try fault(vault) { () throws(VaultFormatError) in places = try reader.idPage(number) }
            if let last, let first = places.first, !last.precedes(first) { pageFault = .outOfOrder }
            last = places.last ?? last
            for place in places where pageFault == nil {
                listed.insert(Place(leaf: place.leaf, number: place.number))
                guard let leaf = live[place.leaf] else { continue }
                if !leaf.indices.contains(place.number)
                    || IDPrefix(leaf[place.number].revision.item) != place.prefix
                {
                    pageFault = .disagrees
                }
            }
            if let pageFault {
                damaged.insert(number)
                damage(.idPage(number), vault, part, pageFault)
            }
        }
        var missing: [Int: [ItemName]] = [:]
        for (leaf, opened) in live.enumerated() {
            guard let opened else { continue }
            for (index, entry) in opened.enumerated() where !listed.contains(Place(leaf: leaf, number: index)) {
                let number = Fence.candidates(for: IDPrefix(entry.revision.item), in: reader.fence.ids.keys).last ?? 0
                missing[number, default: []].append(name(entry))
            }
        }
        for (number, items) in missing.inKeyOrder where !damaged.contains(number) {
            damage(.idPage(number), vault, reader.fence.idPagePart(number), .disagrees, items: items)
        }
    }

    /// Whether the fence fits the live entries, none of which is damaged.
    private func isConsistent(_ fence: Fence) -> Bool {
        var (count, flags) = (0, MatchFlags())
        var uncontested: Set<ItemID> = []
        var contested: [ItemID: [MatchEntry]] = [:]
        for entry in live.lazy.compactMap(\.self).joined() {
            count += 1
            flags.formUnion(entry.writtenFlags)
            if entry.flags.contains(.contested) {
                contested[entry.revision.item, default: []].append(entry)
            } else if !uncontested.insert(entry.revision.item).inserted {
                return false
            }
        }
        return count == section.count && fence.writtenFlags == flags && uncontested.isDisjoint(with: contested.keys)
            && contested.values.allSatisfy(\.flagsContestedItems)
    }

    // MARK: - Items

    /// What is needed to open the boxes of entries.
    private struct Contents {
        let reader: SnapshotSection.Reader
        private var keys: [DataKeys?] = []
        private var dictionaries: [MetadataDictionary?] = []
        /// The dictionaries that do not open, and the items that need them.
        private(set) var damaged: [Int: (fault: Fault.Reason, items: [ItemName])] = [:]

        init(of reader: SnapshotSection.Reader, _ vault: inout OpenGeneration) throws {
            self.reader = reader
            for handle in reader.fence.dataKeys { keys.append(try vault.dataKeys(of: handle)) }
            for (number, dictionary) in reader.fence.dictionaries.enumerated() {
                guard let keys = keys[dictionary.dataKey] else {
                    dictionaries.append(nil)
                    continue
                }
                do throws(VaultFormatError) {
                    dictionaries.append(try reader.dictionary(number, keys: keys))
                } catch {
                    guard case .snapshotFailure(let fault, _) = error else { throw StoreError(error, path: vault.path) }
                    dictionaries.append(nil)
                    damaged[number] = (fault, [])
                }
            }
        }

        func keys(of entry: MatchEntry) -> DataKeys? { keys[entry.dataKey] }

        /// Whether the dictionary of an entry does not open; then notes the item that needs it.
        mutating func lacksDictionary(_ entry: MatchEntry, _ name: ItemName) -> Bool {
            damaged[entry.dictionary - 1]?.items.append(name) != nil
        }

        /// Returns the metadata of an entry; throws a `Fault` if they are not valid.
        func metadata(of entry: MatchEntry, keys: DataKeys) throws -> ItemMetadata {
            let dictionary = entry.dictionary == 0 ? nil : dictionaries[entry.dictionary - 1]
            let box = try reader.bytes(of: entry.metadata)
            return try ItemMetadata(opening: box.span, of: entry.revision, dictionary: dictionary, keys: keys)
        }

        /// Throws a `Fault` if the data of an entry are not valid.
        func checkSecret(of entry: MatchEntry, _ attributes: ItemAttributes?, keys: DataKeys) throws {
            guard let part = entry.secret else { return }
            let box = try reader.bytes(of: part)
            let secret = try Secret(opening: box.span, of: entry.revision, keys: keys)
            if let attributes { try secret.check(for: attributes) }
        }
    }

    /// Opens metadata and data of an entry, as far as keys are at hand, and returns whether the metadata are intact.
    private mutating func hasIntactMetadata(
        _ entry: MatchEntry,
        _ contents: inout Contents,
        _ matchKeys: MatchKeys,
        _ vault: OpenGeneration
    ) throws -> Bool {
        guard let keys = contents.keys(of: entry) else { return true }
        guard !contents.lacksDictionary(entry, name(entry)) else { return false }
        var attributes: ItemAttributes?
        do {
            attributes = try contents.metadata(of: entry, keys: keys)
                .attributes(matching: ItemMatch(entry), keys: matchKeys)
            try contents.checkSecret(of: entry, attributes, keys: keys)
            return true
        } catch let error as Fault {
            if case .cipher = error.reason { throw error }
            invalidItems.append(VerificationReport.InvalidItem(name: name(entry), fault: error.reason))
            return attributes != nil
        } catch {
            throw vault.failure(error)
        }
    }

    private func name(_ entry: MatchEntry) -> ItemName {
        ItemName(group: section.group.group, item: entry.revision.item)
    }
}
