internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

/// Compacts a group whose match key is available: section 10.1.
struct GroupCompaction {
    /// What the new generation holds of the group.
    struct Result {
        var builder: GroupSectionBuilder
        var carried: [Int]
        /// Past revisions ended by the folded records, if history is kept.
        var ended: [Run.Entry]
        /// The endings of dropped revisions.
        var dropped: [Run.Ending]
    }

    private static let minimumKeptByteCount = 8192
    /// How many puts one thread opens at a time, and how many both open before their items are added.
    private static let putsPerPiece = 64
    private static let putsPerRound = 4096

    let group: GroupEpoch
    let keys: MatchKeys
    let source: FileSource
    let keepsHistory: Bool
    let mayCompress: Bool
    /// The intact parts of each section, if the rest is given up.
    let salvaged: [GroupEpoch: SectionExamination]?
    var foreignBlocks: [ForeignBlock] = []
    private var pending = PendingItems()

    init(
        of group: GroupEpoch,
        keys: MatchKeys,
        in source: FileSource,
        keepsHistory: Bool,
        mayCompress: Bool,
        salvaging salvaged: [GroupEpoch: SectionExamination]?
    ) {
        self.salvaged = salvaged
        self.group = group
        self.keys = keys
        self.source = source
        self.keepsHistory = keepsHistory
        self.mayCompress = mayCompress
    }

    /// Folds the records of this epoch into its section.
    mutating func result(_ folding: RecordFolding, in vault: inout OpenGeneration) throws -> Result {
        let own = folding.ended.filter { epoch(of: $0.source, in: vault) == group.epoch }
        let ended = try keepsHistory ? history(own, &vault) : []
        let dropped = keepsHistory ? [] : own.map { vault.wholeLog.entries[$0.by].ending }
        try vault.loadSeen(of: group.group, toleratesDamage: salvaged != nil)
        var builder = GroupSectionBuilder(group: group, seen: vault.seen[group.group], keys: keys)
        try addSection(folding, &vault, &builder)
        for block in foreignBlocks { block.append(to: &builder, sequence: vault.position.sequence) }
        var carried = folding.carried.filter { vault.group(ofEntry: $0) == group }
        carried += try addPuts(folding.puts.filter { vault.group(ofEntry: $0) == group }, &vault, &builder)
        try sealPendingItems(&vault, &builder)
        return Result(builder: builder, carried: carried.sorted(), ended: ended, dropped: dropped)
    }

    private mutating func sealPendingItems(
        _ vault: inout OpenGeneration,
        _ builder: inout GroupSectionBuilder
    ) throws {
        try pending.seal(into: &builder, mayCompress: mayCompress) {
            handle in try vault.dataKeys(of: handle)
        }
    }

    private func epoch(of source: RecordFolding.Ended.Source, in vault: OpenGeneration) -> UInt32? {
        switch source {
        case .put(let number): vault.group(ofEntry: number)?.epoch
        case .section(_, let revision): revision.epoch
        }
    }

    // MARK: - Items of the section

    /// Takes over the blocks of the old section, or their items.
    private mutating func addSection(
        _ folding: RecordFolding,
        _ vault: inout OpenGeneration,
        _ builder: inout GroupSectionBuilder
    ) throws {
        guard let section = vault.opening.directory.sections.first(where: { $0.kind == .group && $0.group == group })
        else { return }
        let blocks: [BlockList.Entry]
        let whole = salvaged?[group]
        if salvaged == nil {
            blocks = try vault.checkedBlockList(of: section, in: source).entries.filter { $0.kind == .metadata }
        } else {
            guard let whole else { return }
            blocks = whole.blocks
        }
        let numbers = Dictionary(blocks.enumerated().map { ($1.part, $0) }) { first, _ in first }
        let changedByteCount = MatchPage.byteCount * folding.puts.count / 16
        builder.reserveCapacity(
            entryCount: section.entryCapacity + folding.puts.count,
            byteCount: section.digestPagesRange.count + changedByteCount
        )
        // The kept entries: the number of their block in the upper half, theirs in the new section in the lower half.
        var kept: [UInt64] = []
        kept.reserveCapacity(section.entryCapacity)
        func keep(_ entry: MatchEntry, _ origins: [Origin]) {
            guard folding.keeps(entry.revision, in: group), let block = numbers[entry.block.part] else { return }
            kept.append(UInt64(block) << 32 | UInt64(builder.add(entry, writer: origins[entry.writer].writer)))
        }
        if let whole {
            for entry in whole.entries { keep(entry, whole.origins) }
        } else {
            var isListed = true
            _ = try vault.withSection(group) { open in
                let (handles, origins) = (open.reader.fence.dataKeys, open.reader.fence.origins)
                try open.reader.forEachEntry { entry in
                    // If the list names another key or none, items would look as if their keys were destroyed.
                    let block = numbers[entry.block.part].map { blocks[$0] }
                    isListed = isListed && block?.dataKey == handles[entry.dataKey]
                    keep(entry, origins)
                }
            }
            guard isListed else {
                let offset = vault.header.snapshotRange.lowerBound + section.offset
                throw StoreError(.snapshotFailure(.disagrees, offset: offset), path: vault.path)
            }
        }
        kept.sort()
        let averageCount = blocks.isEmpty ? 0 : blocks.reduce(0) { $0 + $1.count } / blocks.count
        var rest = kept[...]
        for (number, block) in blocks.enumerated() {
            let entries = rest.prefix { $0 >> 32 == number }.map { Int($0 & 0xFFFF_FFFF) }
            rest = rest.dropFirst(entries.count)
            // If an item's key was destroyed, the item is gone.
            guard !entries.isEmpty, vault.opening.keyring.dataKeyEntries[block.dataKey] != nil else { continue }
            let isComplete = entries.count == block.count && 2 * block.count >= averageCount
            guard !isComplete, let dataKeys = try vault.dataKeys(of: block.dataKey) else {
                copy(block, entries, section, vault.opening, &builder)
                continue
            }
            try dissolve(block, entries, section, dataKeys, &vault, &builder)
        }
    }

    /// Copies a block unchanged.
    private func copy(
        _ block: BlockList.Entry,
        _ kept: [Int],
        _ section: Section,
        _ opening: VaultOpening,
        _ builder: inout GroupSectionBuilder
    ) {
        let items = kept.map { number in
            let entry = builder.entry(number)
            return GroupSectionBuilder.Item(
                entry: number,
                number: entry.block.number,
                secret: entry.secret.map { .copied(opening.fileRange(of: $0, in: section)) }
            )
        }
        // In the order of their secrets, so that these are read in one piece.
        builder.append(
            block: .copied(opening.fileRange(of: block.part, in: section)),
            handle: block.dataKey,
            itemCount: block.count,
            items: items.sorted { $0.number < $1.number }
        )
    }

    /// Opens a block that is small or has outdated items, and keeps the current items for new blocks.
    private mutating func dissolve(
        _ block: BlockList.Entry,
        _ kept: [Int],
        _ section: Section,
        _ dataKeys: DataKeys,
        _ vault: inout OpenGeneration,
        _ builder: inout GroupSectionBuilder
    ) throws {
        let opened = try vault.withSection(group) { section in
            try section.reader.block(at: block.part, handle: block.dataKey, keys: dataKeys)
        }
        guard let opened else { return }
        let offset = vault.opening.fileRange(of: block.part, in: section).lowerBound
        guard opened.items.count == block.count else {
            throw StoreError(.snapshotFailure(.disagrees, offset: offset), path: vault.path)
        }
        let byteCount = opened.items.reduce(0) { $0 + $1.byteCount }
        guard kept.count < block.count || byteCount < Self.minimumKeptByteCount else {
            return copy(block, kept, section, vault.opening, &builder)
        }
        for number in kept {
            let entry = builder.entry(number)
            guard opened.items.indices.contains(entry.block.number),
                opened.items[entry.block.number].revision == entry.revision
            else { throw StoreError(.snapshotFailure(.disagrees, offset: offset), path: vault.path) }
            pending.add(
                PendingItems.Item(
                    block: opened.items[entry.block.number],
                    entry: number,
                    secret: entry.secret.map { .copied(vault.opening.fileRange(of: $0, in: section)) }
                ),
                of: block.dataKey
            )
        }
        if pending.shouldSeal { try sealPendingItems(&vault, &builder) }
    }

    // MARK: - Items of the log

    /// Adds puts to the section, and returns those that must be carried, because their metadata cannot be read or are
    /// invalid.
    private mutating func addPuts(
        _ numbers: [Int],
        _ vault: inout OpenGeneration,
        _ builder: inout GroupSectionBuilder
    ) throws -> [Int] {
        var carried: [Int] = []
        for start in stride(from: 0, to: numbers.count, by: Self.putsPerRound) {
            let numbers = Array(numbers[start..<min(start + Self.putsPerRound, numbers.count)])
            let items = try openedPuts(numbers, &vault)
            for (number, item) in zip(numbers, items) {
                guard let item, let (put, match) = vault.wholeLog.put(number) else {
                    carried.append(number)
                    continue
                }
                pending.add(
                    PendingItems.Item(
                        block: item,
                        entry: builder.add(
                            put.revision,
                            put.provenance.origin,
                            match,
                            sequence: vault.wholeLog.entries[number].sequence
                        ),
                        secret: put.secret.isEmpty ? nil : .bytes(put.secret)
                    ),
                    of: put.dataKey
                )
                if pending.shouldSeal { try sealPendingItems(&vault, &builder) }
            }
        }
        return carried
    }

    /// Opens and checks puts, in two threads; nil stands for one that cannot be read or is invalid.
    private func openedPuts(
        _ numbers: [Int],
        _ vault: inout OpenGeneration
    ) throws -> [MetadataBlock.Item?] {
        let log = vault.wholeLog
        var dataKeys: [KeyHandle: DataKeys] = [:]
        for number in numbers {
            guard let (put, _) = log.put(number), dataKeys[put.dataKey] == nil else { continue }
            dataKeys[put.dataKey] = try vault.dataKeys(of: put.dataKey)
        }
        return try SharedWork.results(count: numbers.count, perPiece: Self.putsPerPiece) { [keys, dataKeys] range in
            var items: [MetadataBlock.Item?] = []
            for number in numbers[range] { items.append(try log.openedPut(number, matchKeys: keys, dataKeys)) }
            return items
        }.flatMap(\.self)
    }
}

extension LogIndex {
    /// Opens and checks the put of an entry; nil if it cannot be read or is invalid.
    fileprivate func openedPut(
        _ number: Int,
        matchKeys: MatchKeys,
        _ dataKeys: [KeyHandle: DataKeys]
    ) throws -> MetadataBlock.Item? {
        guard let (put, match) = put(number), let dataKeys = dataKeys[put.dataKey] else { return nil }
        do throws(Fault) {
            return MetadataBlock.Item(
                revision: put.revision,
                metadata: try put.checkedMetadata(matching: match, keys: (matchKeys, dataKeys))
            )
        } catch {
            if case .cipher(let error) = error.reason { throw error }
            return nil
        }
    }
}
