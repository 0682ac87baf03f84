extension VaultContentsReader {
    /// Reads a group section: every part against its check, every page, block and secret that opens.
    mutating func readGroup(_ section: Section) throws(VaultFormatError) {
        let list = try checkedBlockList(of: section)
        blockListEntryCount += list.entries.count
        guard blockListEntryCount <= Limits.blockListEntryCount else {
            throw .limitExceeded(.blockListEntries, value: UInt64(blockListEntryCount))
        }
        guard let matchKeys = try matchKeys(of: section.group) else { return }
        let reader = try GroupSectionReader(
            section,
            in: source,
            snapshotOffset: opening.header.snapshotRange.lowerBound,
            keys: matchKeys,
            vault: vault,
            suite: suite
        )
        let entries = try matchEntries(reader)
        try check(entries, against: reader.fence, of: section)
        try check(entries, against: list, of: section)
        try readItems(entries, reader, matchKeys)
    }

    /// Throws if the fence has a flag that no entry has; the reader of the pages takes care of the opposite.
    private func check(_ entries: [MatchEntry], against fence: Fence, of section: Section) throws(VaultFormatError) {
        guard entries.reduce([], { $0.union($1.flags) }) == fence.flags else {
            throw .snapshotFailure(.disagrees, offset: offset(of: section) + section.fenceRange.lowerBound)
        }
    }

    /// Throws unless the entries point to what the block list has.
    private func check(_ entries: [MatchEntry], against list: BlockList, of section: Section) throws(VaultFormatError) {
        var itemCounts: [SectionPart: Int] = [:]
        for entry in list.entries where entry.kind == .metadata { itemCounts[entry.part] = entry.count }
        let secretsOffset = list.entries.first { $0.kind == .secrets }?.part.offset ?? section.byteCount
        let doPlacesFit = entries.allSatisfy { entry in
            entry.block.number < itemCounts[entry.block.part, default: 0]
                && entry.secret.map { $0.offset >= secretsOffset } ?? true
        }
        guard doPlacesFit else { throw .snapshotFailure(.disagrees, offset: offset(of: section)) }
    }

    private func offset(of section: Section) -> Int {
        opening.header.snapshotRange.lowerBound + section.offset
    }

    /// The block list, after each part was compared with its check.
    private func checkedBlockList(of section: Section) throws(VaultFormatError) -> BlockList {
        let list = try opening.blockList(of: section, in: source, suite: suite)
        for entry in list.entries { try opening.check(entry, of: section, in: source, suite: suite) }
        return list
    }

    /// All match entries, which digest pages and item pages must agree on.
    private func matchEntries(
        _ reader: GroupSectionReader<Suite, Source>
    ) throws(VaultFormatError) -> [MatchEntry] {
        let section = reader.section
        var pages: [DigestPage] = []
        for number in 0..<section.digestPageCount { pages.append(try reader.digestPage(number)) }
        let entries = pages.flatMap { $0 }
        var items: [ItemEntry] = []
        for number in 0..<section.itemPageCount { items += try reader.itemPage(number) }

        let isComplete = entries.count == section.count && items.count == section.count
        let isAscending = zip(entries, entries.dropFirst()).allSatisfy { $0.precedes($1) }
        let areItemsAscending = zip(items, items.dropFirst()).allSatisfy { $0.item < $1.item }
        let doItemsLead = items.allSatisfy { item in
            item.number < pages[item.digestPage].count
                && pages[item.digestPage][item.number].revision.item == item.item
        }
        guard isComplete, isAscending, areItemsAscending, doItemsLead else {
            throw .snapshotFailure(.disagrees, offset: offset(of: section) + section.digestPagesRange.lowerBound)
        }
        return entries
    }

    private mutating func readItems(
        _ entries: [MatchEntry],
        _ reader: GroupSectionReader<Suite, Source>,
        _ matchKeys: MatchKeys<Suite>
    ) throws(VaultFormatError) {
        let section = reader.section
        // Items of one block come together, so that each block is opened once.
        let byBlock = Dictionary(grouping: entries, by: \.block.part)
        for (part, entries) in byBlock.sorted(by: { $0.key.offset < $1.key.offset }) {
            guard let first = entries.first else { continue }
            let handle = reader.fence.dataKeys[first.dataKey]
            guard entries.allSatisfy({ $0.dataKey == first.dataKey }) else {
                throw .snapshotFailure(.disagrees, offset: offset(of: section) + part.offset)
            }
            guard let key = opening.keyring.dataKeyEntries[handle] else { continue }
            guard key.group == section.group else {
                throw .snapshotFailure(.disagrees, offset: offset(of: section) + part.offset)
            }
            var block: MetadataBlock?
            let dataKeys = try dataKeys(of: handle)
            if let dataKeys {
                block = try reader.block(at: part, handle: handle, keys: dataKeys, compressor: compressor)
            }
            guard entries.allSatisfy({ $0.block.number < block?.items.count ?? .max }) else {
                throw .snapshotFailure(.badLength, offset: offset(of: section) + part.offset)
            }
            for entry in entries {
                let secretBox = try entry.secret.map(reader.secretBox(at:)) ?? []
                do throws(SecretFault) {
                    let item = VaultContents.Item(
                        revision: entry.revision,
                        group: section.group,
                        dataKey: handle,
                        protection: key.protection,
                        isOfOtherDevice: opening.keyring.presence(of: handle) == .otherDevice,
                        match: .init(
                            itemClass: entry.itemClass,
                            flags: entry.flags,
                            order: entry.order,
                            digests: entry.digests
                        ),
                        sequence: 0,
                        time: Time(microseconds: 0),
                        attributes: nil,
                        secretBox: secretBox
                    )
                    let name = VaultContents.Name(group: section.group.group, item: entry.revision.item)
                    let filled: VaultContents.Item = try translating(SecretFault.content) { () throws(Fault) in
                        try self.filled(item, at: entry.block.number, of: block, matchKeys)
                    }
                    if let dataKeys { try checkSecret(of: filled, keys: dataKeys) }
                    contents.items[name] = filled
                } catch {
                    switch error {
                    case .content(let fault):
                        let place = VaultContents.Place.section(section.id, item: entry.revision.item)
                        contents.failures.append(.init(place: place, fault: fault))
                    case .box(let fault):
                        let secretOffset = offset(of: section) + (entry.secret?.offset ?? 0)
                        throw VaultFormatError(fault, in: .snapshot, offset: secretOffset)
                    }
                }
            }
        }
    }

    /// The item with what its block says of it, if the block is open.
    private func filled(
        _ item: VaultContents.Item,
        at number: Int,
        of block: MetadataBlock?,
        _ matchKeys: MatchKeys<Suite>
    ) throws(Fault) -> VaultContents.Item {
        guard let block else { return item }
        let blockItem = block.items[number]
        guard blockItem.revision == item.revision else { throw .disagrees }
        var item = item
        item.sequence = blockItem.sequence
        item.time = blockItem.time
        item.attributes = try blockItem.metadata.attributes(matching: item.match, keys: matchKeys, suite: suite)
        return item
    }
}
