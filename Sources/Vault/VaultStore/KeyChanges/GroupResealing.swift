internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

/// Builds the sections of an access group for a generation with new keys.
///
/// There is one section for each epoch that the group has afterwards.
struct GroupResealing {
    /// Items of an absent device, which are carried.
    struct Carried: Hashable {
        var owner: DeviceID
        var protection: ProtectionClass
    }

    private struct Draft {
        var builder: GroupSectionBuilder
        var pending = PendingItems()
    }

    /// The kept entries of a section, by their blocks.
    private struct Kept {
        var entries = MatchEntryList()
        /// The writers to which the entries refer.
        var origins: [Origin] = []
        /// The number of the block << 32 | the number of the entry.
        var places: [UInt64] = []
    }

    private let group: GroupID
    private let plan: ItemResealingPlan
    /// What the vault has seen of the group.
    private let seen: SeenPlaces
    private let source: FileSource
    private let mayCompress: Bool
    private var drafts: [GroupEpoch: Draft] = [:]
    private(set) var resealedCount = 0
    private(set) var lostCount = 0
    private(set) var carriedCounts: [Carried: Int] = [:]

    /// An entry that is kept, and the writer to which it refers.
    private struct KeptEntry {
        var entry: MatchEntry
        var writer: WriterID
    }

    init(
        of group: GroupID,
        _ plan: ItemResealingPlan,
        seen: SeenPlaces,
        in source: FileSource,
        mayCompress: Bool
    ) {
        self.group = group
        self.plan = plan
        self.seen = seen
        self.source = source
        self.mayCompress = mayCompress
    }

    /// Returns the sections, oldest epoch first.
    func builders() -> [GroupSectionBuilder] {
        drafts.sorted { $0.key.epoch < $1.key.epoch }.map(\.value.builder)
    }

    // MARK: - Items of a section

    /// Takes over a section, except what the log has changed.
    mutating func add(
        _ section: Section,
        _ vault: inout OpenGeneration,
        _ keys: inout ResealingKeys,
        progress: () throws -> Void
    ) throws {
        let blocks = try vault.checkedBlockList(of: section, in: source).entries.filter { $0.kind == .metadata }
        let kept = try kept(of: section, blocks, &vault, keys)
        var rest = kept.places[...]
        for (number, block) in blocks.enumerated() {
            let numbers = rest.prefix { $0 >> 32 == number }.map { Int($0 & 0xFFFF_FFFF) }
            rest = rest.dropFirst(numbers.count)
            guard !numbers.isEmpty else { continue }
            try progress()
            let entries = numbers.map { number in
                let entry = kept.entries[number]
                return KeptEntry(entry: entry, writer: kept.origins[entry.writer].writer)
            }
            switch keys.access(of: block.dataKey, in: vault.keyring) {
            case .open: try reseal(block, entries, section, &vault, &keys)
            case .closed:
                try copy(block, entries, section, &vault, &keys)
                guard let key = vault.keyring.dataKeyEntries[block.dataKey] else { break }
                carriedCounts[Carried(owner: key.owner, protection: key.protection), default: 0] += entries.count
            // Items without a key were gone before.
            case .gone: if keys.change.dataKeys[block.dataKey] != nil { lostCount += entries.count }
            }
        }
    }

    private func kept(
        of section: Section,
        _ blocks: [BlockList.Entry],
        _ vault: inout OpenGeneration,
        _ keys: ResealingKeys
    ) throws -> Kept {
        let numbers = Dictionary(blocks.enumerated().map { ($1.part, $0) }) { first, _ in first }
        var kept = Kept()
        kept.entries.reserveCapacity(count: section.entryCapacity, byteCount: section.digestPagesRange.count)
        kept.places.reserveCapacity(section.entryCapacity)
        var isComplete = true
        _ = try vault.withSection(section.group) { open in
            let handles = open.reader.fence.dataKeys
            kept.origins = open.reader.fence.origins
            try open.reader.forEachEntry { entry in
                guard let block = numbers[entry.block.part], blocks[block].dataKey == handles[entry.dataKey] else {
                    return isComplete = false
                }
                guard plan.keeps(entry.revision, of: section.group) else { return }
                kept.places.append(UInt64(block) << 32 | UInt64(kept.entries.count))
                kept.entries.append(entry)
            }
        }
        guard isComplete else { throw disagreement(vault.header.snapshotRange.lowerBound + section.offset, vault) }
        kept.places.sort()
        return kept
    }

    private func disagreement(_ offset: Int, _ vault: OpenGeneration) -> StoreError {
        StoreError(.snapshotFailure(.disagrees, offset: offset), path: vault.path)
    }

    /// Copies a block unchanged.
    private mutating func copy(
        _ block: BlockList.Entry,
        _ entries: [KeptEntry],
        _ section: Section,
        _ vault: inout OpenGeneration,
        _ keys: inout ResealingKeys
    ) throws {
        try prepare(section.group, vault, &keys)
        let items = entries.map { kept in
            GroupSectionBuilder.Item(
                entry: drafts[section.group]?.builder.add(kept.entry, writer: kept.writer) ?? 0,
                number: kept.entry.block.number,
                secret: kept.entry.secret.map { .copied(vault.opening.fileRange(of: $0, in: section)) }
            )
        }
        drafts[section.group]?.builder.append(
            block: .copied(vault.opening.fileRange(of: block.part, in: section)),
            handle: block.dataKey,
            itemCount: block.count,
            items: items.sorted { $0.number < $1.number }
        )
    }

    /// Takes over the items of a block that can be opened, with the block if none is missing.
    private mutating func reseal(
        _ block: BlockList.Entry,
        _ entries: [KeptEntry],
        _ section: Section,
        _ vault: inout OpenGeneration,
        _ keys: inout ResealingKeys
    ) throws {
        let destination = try keys.destination(of: block.dataKey, in: &vault)
        resealedCount += destination.move == nil ? 0 : entries.count
        let isComplete = entries.count == block.count
        if isComplete, destination.move == nil { return try copy(block, entries, section, &vault, &keys) }
        try prepare(destination.group, vault, &keys)
        let range = vault.opening.fileRange(of: block.part, in: section)
        let opened = try openedItems(of: block, section, destination, &vault)
        guard opened.count == block.count else { throw disagreement(range.lowerBound, vault) }
        var items: [GroupSectionBuilder.Item] = []
        for kept in entries {
            let entry = kept.entry
            guard opened.indices.contains(entry.block.number), opened[entry.block.number].revision == entry.revision
            else { throw disagreement(range.lowerBound, vault) }
            let item = opened[entry.block.number]
            let secret = entry.secret.map { vault.opening.fileRange(of: $0, in: section) }
            if let secret, let move = destination.move {
                keys.pieces.addSecret(secret, of: entry.revision, move: move.number)
            }
            let new = try moved(entry, item.metadata, destination, vault)
            let number = drafts[destination.group]?.builder.add(new, writer: kept.writer) ?? 0
            let content = secret.map { PartContent.copied($0) }
            if isComplete {
                items.append(.init(entry: number, number: entry.block.number, secret: content))
            } else {
                drafts[destination.group]?.pending
                    .add(.init(block: item, entry: number, secret: content), of: destination.handle)
            }
        }
        try sealPendingItemsIfNeeded(destination.group, vault, keys)
        guard isComplete, let move = destination.move else { return }
        keys.pieces.addBlock(range, move: move.number)
        drafts[destination.group]?.builder.append(
            block: .copied(range),
            handle: destination.handle,
            itemCount: block.count,
            items: items.sorted { $0.number < $1.number }
        )
    }

    private func openedItems(
        of block: BlockList.Entry,
        _ section: Section,
        _ destination: ResealingKeys.Destination,
        _ vault: inout OpenGeneration
    ) throws -> [MetadataBlock.Item] {
        let dataKeys = destination.move?.data ?? destination.data
        let opened = try vault.withSection(section.group) { section in
            try section.reader.block(at: block.part, handle: block.dataKey, keys: dataKeys)
        }
        return opened?.items ?? []
    }

    /// Returns the entry of an item under its new match key.
    private func moved(
        _ entry: MatchEntry,
        _ metadata: ItemMetadata,
        _ destination: ResealingKeys.Destination,
        _ vault: OpenGeneration
    ) throws -> MatchEntry {
        guard let old = destination.move else { return entry }
        var moved = entry
        moved.digests = try digests(
            ItemMatch(entry),
            metadata,
            of: entry.revision,
            (old.match, destination.match),
            vault
        )
        return moved
    }

    private func digests(
        _ match: ItemMatch,
        _ metadata: ItemMetadata,
        of revision: Revision,
        _ keys: (old: MatchKeys, new: MatchKeys),
        _ vault: OpenGeneration
    ) throws -> MatchDigests {
        let name = ItemName(group: group, item: revision.item)
        return try name.opening {
            let attributes = try metadata.attributes(matching: match, keys: keys.old)
            return MatchDigests(attributes, keys: keys.new)
        }
    }

    private mutating func prepare(
        _ group: GroupEpoch,
        _ vault: OpenGeneration,
        _ keys: inout ResealingKeys
    ) throws {
        guard drafts[group] == nil else { return }
        let matchKeys = try keys.matchKeys(of: group, in: vault)
        drafts[group] = Draft(
            builder: GroupSectionBuilder(group: group, seen: seen, keys: matchKeys)
        )
    }

    /// Keeps what was seen of the group, even if no item is left.
    mutating func addSeen(_ vault: inout OpenGeneration, _ keys: inout ResealingKeys) throws {
        let newest = keys.change.matchKeys.keys.filter { $0.group == group }.max { $0.epoch < $1.epoch }
        if let newest { try prepare(newest, vault, &keys) }
    }

    // MARK: - Items of the log

    /// Takes over a put of the log that is the current state of its item.
    mutating func add(
        put number: Int,
        _ vault: inout OpenGeneration,
        _ keys: inout ResealingKeys
    ) throws {
        guard let (put, match) = vault.wholeLog.put(number) else { return }
        let destination = try keys.destination(of: put.dataKey, in: &vault)
        try prepare(destination.group, vault, &keys)
        resealedCount += destination.move == nil ? 0 : 1
        let old = destination.move.map { ($0.match, $0.data) } ?? (destination.match, destination.data)
        let name = ItemName(group: group, item: put.revision.item)
        let metadata = try name.opening { try put.openedMetadata(keys: old.1) }
        var newMatch = match
        var secret = put.secret
        if destination.move != nil {
            newMatch.digests = try digests(match, metadata, of: put.revision, (old.0, destination.match), vault)
            if !secret.isEmpty {
                secret = try name.opening {
                    try Secret(opening: put.secret.span, of: put.revision, keys: old.1)
                        .sealed(of: put.revision, keys: destination.data)
                }
            }
        }
        let block = MetadataBlock.Item(revision: put.revision, metadata: metadata)
        let sequence = vault.wholeLog.entries[number].sequence
        let added =
            drafts[destination.group]?.builder
            .add(put.revision, put.provenance.origin, newMatch, sequence: sequence) ?? 0
        drafts[destination.group]?.pending.add(
            .init(block: block, entry: added, secret: secret.isEmpty ? nil : .bytes(secret)),
            of: destination.handle
        )
        try sealPendingItemsIfNeeded(destination.group, vault, keys)
    }

    private mutating func sealPendingItemsIfNeeded(
        _ group: GroupEpoch,
        _ vault: OpenGeneration,
        _ keys: ResealingKeys
    ) throws {
        if drafts[group]?.pending.shouldSeal == true { try sealPendingItems(of: vault, keys) }
    }

    /// Seals the items that have no block yet.
    mutating func sealPendingItems(of vault: OpenGeneration, _ keys: ResealingKeys) throws {
        for group in Array(drafts.keys) {
            guard var draft = drafts.removeValue(forKey: group) else { continue }
            try draft.pending.seal(
                into: &draft.builder,
                mayCompress: mayCompress
            ) { handle in keys.sealing[handle] }
            drafts[group] = draft
        }
    }
}
