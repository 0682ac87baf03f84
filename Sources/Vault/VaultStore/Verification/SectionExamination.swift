internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

/// Reads a whole group section, and continues past damaged parts.
struct SectionExamination {
    let section: Section
    /// The entries whose pages, blocks and metadata are intact.
    private(set) var entries: [MatchEntry] = []
    /// The writers of the entries, as the fence has them.
    private(set) var origins: [Origin] = []
    private(set) var list: BlockList?
    /// The blocks of the entries, as a block list has them.
    private(set) var blocks: [BlockList.Entry] = []
    private(set) var damages: [VerificationReport.Damage] = []
    private(set) var invalidItems: [VerificationReport.InvalidItem] = []
    /// How many of the entries cannot be examined without other keys.
    private(set) var sealedCount = 0

    private var damagedParts: Set<SectionPart> = []
    /// The metadata blocks of the block list.
    private var listedBlocks: [SectionPart: BlockList.Entry] = [:]
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
        damagedParts = try examineParts(vault)
        guard let keys = try vault.matchKeys(of: section.group) else {
            for part in damagedParts.sorted(by: { $0.offset < $1.offset }) {
                damage(.sealedPart, vault, part, .hashDiffers)
            }
            return
        }
        try examinePages(&vault, keys)
        examineChecks(vault)
    }

    // MARK: - Parts

    /// Compares each part with its check, and returns the parts that differ.
    private mutating func examineParts(_ vault: OpenGeneration) throws -> Set<SectionPart> {
        do throws(VaultFormatError) {
            list = try vault.opening.blockList(of: section, in: source)
        } catch {
            damage(.blockList, vault, section.blockList, try fault(in: error, vault))
        }
        var damaged: Set<SectionPart> = []
        for entry in list?.entries ?? [] {
            if entry.kind == .metadata { listedBlocks[entry.part] = entry }
            do throws(VaultFormatError) {
                try vault.opening.check(entry, of: section, in: source)
            } catch {
                _ = try fault(in: error, vault)
                damaged.insert(entry.part)
            }
            try progress(entry.part.byteCount)
        }
        return damaged
    }

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

    /// Reports the parts that differ from their checks, unless damage was already found in them.
    private mutating func examineChecks(_ vault: OpenGeneration) {
        var known = damages.map(\.range).sorted { $0.lowerBound < $1.lowerBound }[...]
        for part in damagedParts.sorted(by: { $0.offset < $1.offset }) {
            let range = vault.opening.fileRange(of: part, in: section)
            known = known.drop { $0.upperBound <= range.lowerBound }
            guard known.first.map({ $0.lowerBound < range.upperBound }) != true else { continue }
            damage(.checkedPart, vault, part, .hashDiffers)
        }
    }

    /// Returns what is wrong with a part; rethrows errors that concern more than the part, such as an unreadable file.
    private func fault(in error: VaultFormatError, _ vault: OpenGeneration) throws -> Fault.Reason {
        switch error {
        case .snapshotFailure(let fault, _): fault
        case .limitExceeded(let limit, let value): .limitExceeded(limit, value: value)
        default: throw StoreError(error, path: vault.path)
        }
    }

    // MARK: - Pages

    private mutating func examinePages(
        _ vault: inout OpenGeneration,
        _ keys: MatchKeys
    ) throws {
        let reader: SnapshotSection.Reader
        do throws(VaultFormatError) {
            reader = try GroupSectionReader(
                section,
                in: source,
                snapshotOffset: vault.header.snapshotRange.lowerBound,
                keys: keys
            )
        } catch {
            return damage(.fence, vault, section.fence, try fault(in: error, vault))
        }
        origins = reader.fence.origins
        let found = try entries(reader, vault)
        let keyring = vault.opening.keyring
        if reader.fence.dataKeys.contains(where: {
            keyring.dataKeyEntries[$0].map { $0.group != section.group } ?? false
        }) {
            damage(.fence, vault, section.fence, .disagrees)
        }
        for (part, entries) in Dictionary(grouping: found, by: \.block.part).sorted(by: {
            $0.key.offset < $1.key.offset
        }) {
            try examineBlock(part, entries, reader, &vault, keys)
        }
    }

    /// Returns the entries of the intact digest pages, after comparing all pages and the fence.
    private mutating func entries(
        _ reader: SnapshotSection.Reader,
        _ vault: OpenGeneration
    ) throws -> [MatchEntry] {
        let pages = try digestPages(reader, vault)
        var found = Array(pages.compactMap(\.self).joined())
        try examineItemPages(reader, pages, found, vault)
        if !pages.contains(where: { $0 == nil }) {
            examineFence(reader.fence, found, vault)
            examineSecretPieces(found, vault)
        }
        if !damages.isEmpty { found = Self.distinct(found) }
        return found
    }

    /// Returns the entries without those of the same item and salt as a later one, which nothing could tell apart.
    private static func distinct(_ entries: [MatchEntry]) -> [MatchEntry] {
        var names: Set<Revision> = []
        return entries.reversed().filter { entry in
            var name = entry.revision
            name.number = 0
            return names.insert(name).inserted
        }.reversed()
    }

    /// Returns the digest pages, with nil for a damaged one.
    private mutating func digestPages(
        _ reader: SnapshotSection.Reader,
        _ vault: OpenGeneration
    ) throws -> [DigestPage?] {
        var pages: [DigestPage?] = []
        for number in 0..<section.digestPageCount {
            do throws(VaultFormatError) {
                pages.append(try reader.digestPage(number))
            } catch {
                pages.append(nil)
                damage(.digestPage(number), vault, section.digestPage(number), try fault(in: error, vault))
            }
        }
        return pages
    }

    /// Compares the item pages with the digest pages: both must lead to all entries.
    private mutating func examineItemPages(
        _ reader: SnapshotSection.Reader,
        _ pages: [DigestPage?],
        _ entries: [MatchEntry],
        _ vault: OpenGeneration
    ) throws {
        var damaged: Set<Int> = []
        var listed: Set<ItemID> = []
        var last: ItemEntry?
        for number in 0..<section.itemPageCount {
            do throws(VaultFormatError) {
                let places = try reader.itemPage(number)
                for place in places { listed.insert(place.item) }
                guard last.map({ last in places.allSatisfy { last.precedes($0) } }) ?? true else {
                    throw .snapshotFailure(
                        .outOfOrder,
                        offset: vault.opening.fileRange(of: section.itemPage(number), in: section).lowerBound
                    )
                }
                last = places.last ?? last
                for place in places {
                    guard let page = pages[place.digestPage] else { continue }
                    _ = try reader.entry(at: place, in: page, itemPage: number)
                }
            } catch {
                damaged.insert(number)
                damage(.itemPage(number), vault, section.itemPage(number), try fault(in: error, vault))
            }
        }
        var missing: [Int: [ItemName]] = [:]
        for entry in entries where !listed.contains(entry.revision.item) {
            let number = Fence.candidates(for: entry.revision.item, in: reader.fence.items).last ?? 0
            missing[number, default: []].append(name(entry))
        }
        for (number, items) in missing.inKeyOrder where !damaged.contains(number) {
            damage(.itemPage(number), vault, section.itemPage(number), .disagrees, items: items)
        }
    }

    /// Compares the block list with the secrets of all entries: they follow one another, and fill the pieces.
    private mutating func examineSecretPieces(_ entries: [MatchEntry], _ vault: OpenGeneration) {
        guard let list else { return }
        var secrets = entries.compactMap(\.secret).sorted { $0.offset < $1.offset }[...]
        for piece in list.entries where piece.kind == .secrets {
            var end = piece.part.offset
            var count = 0
            while let secret = secrets.first, secret.offset == end, end < piece.part.range.upperBound {
                end = secret.range.upperBound
                count += 1
                secrets = secrets.dropFirst()
            }
            guard end == piece.part.range.upperBound, count == piece.count else {
                return damage(.blockList, vault, section.blockList, .disagrees)
            }
        }
        if !secrets.isEmpty { damage(.blockList, vault, section.blockList, .disagrees) }
    }

    /// Compares the fence with the entries of the digest pages.
    private mutating func examineFence(_ fence: Fence, _ entries: [MatchEntry], _ vault: OpenGeneration) {
        let isAscending = zip(entries, entries.dropFirst()).allSatisfy { $0.precedes($1) }
        let flags = entries.reduce(into: MatchFlags()) { $0.formUnion($1.flags) }
        guard entries.count == section.count, isAscending, flags == fence.flags,
            Dictionary(grouping: entries, by: \.revision.item).values.allSatisfy(\.flagsContestedItems)
        else {
            return damage(.fence, vault, section.fence, .disagrees)
        }
    }

    // MARK: - Blocks

    private mutating func examineBlock(
        _ part: SectionPart,
        _ found: [MatchEntry],
        _ reader: SnapshotSection.Reader,
        _ vault: inout OpenGeneration,
        _ matchKeys: MatchKeys
    ) throws {
        guard let first = found.first else { return }
        let handle = reader.fence.dataKeys[first.dataKey]
        let group = vault.opening.keyring.dataKeyEntries[handle]?.group ?? section.group
        guard found.allSatisfy({ $0.dataKey == first.dataKey }), group == section.group else {
            return damage(.metadataBlock, vault, part, .disagrees, items: found.map(name))
        }
        guard let dataKeys = try vault.dataKeys(of: handle) else {
            // Without the key, only the check can show damage.
            guard !damagedParts.contains(part) else {
                return damage(.metadataBlock, vault, part, .hashDiffers, items: found.map(name))
            }
            let needed = found.reduce(0) { max($0, $1.block.number + 1) }
            let count = listedBlocks[part]?.count ?? needed
            // Of several entries that lead to one item of the block, it is unknown which one is right.
            let uses = Dictionary(grouping: found, by: \.block.number)
            let isIntact = { (entry: MatchEntry) in
                entry.block.number < count && uses[entry.block.number]?.count == 1
            }
            let kept = found.filter(isIntact)
            if kept.count < found.count {
                let lost = found.filter { !isIntact($0) }
                damage(.metadataBlock, vault, part, .badLength, items: lost.map(name))
            }
            guard !kept.isEmpty else { return }
            examineListing(of: part, handle, count, vault)
            entries += kept
            sealedCount += kept.count
            blocks.append(BlockList.Entry(kind: .metadata, count: count, part: part, dataKey: handle, check: []))
            return
        }
        let block: MetadataBlock
        do throws(VaultFormatError) {
            block = try reader.block(
                at: part,
                handle: handle,
                keys: dataKeys
            )
        } catch {
            return damage(.metadataBlock, vault, part, try fault(in: error, vault), items: found.map(name))
        }
        let count = block.items.count
        examineListing(of: part, handle, count, vault)
        blocks.append(BlockList.Entry(kind: .metadata, count: count, part: part, dataKey: handle, check: []))
        for entry in found {
            guard block.items.indices.contains(entry.block.number) else {
                damage(.metadataBlock, vault, part, .badLength, items: [name(entry)])
                continue
            }
            let attributes = attributes(of: entry, in: block, matchKeys)
            // An item is saved with a damaged secret, so that it is not taken for one without data.
            if case .success = attributes { entries.append(entry) }
            let secretFault = try examineSecret(of: entry, try? attributes.get(), reader, dataKeys, vault)
            let metadataFault: Fault.Reason? = if case .failure(let fault) = attributes { fault.reason } else { nil }
            guard let fault = metadataFault ?? secretFault else { continue }
            invalidItems.append(VerificationReport.InvalidItem(name: name(entry), fault: fault))
        }
    }

    /// Compares the block with its entry in the block list, on which compactions rely.
    private mutating func examineListing(
        of part: SectionPart,
        _ handle: KeyHandle,
        _ count: Int,
        _ vault: OpenGeneration
    ) {
        guard list != nil, !damages.contains(where: { $0.part == .blockList }) else { return }
        if let listed = listedBlocks[part], listed.dataKey == handle, listed.count == count { return }
        damage(.blockList, vault, section.blockList, .disagrees)
    }

    private func name(_ entry: MatchEntry) -> ItemName {
        ItemName(group: section.group.group, item: entry.revision.item)
    }

    private func attributes(
        of entry: MatchEntry,
        in block: MetadataBlock,
        _ keys: MatchKeys
    ) -> Result<ItemAttributes, Fault> {
        Result { () throws(Fault) in
            let item = block.items[entry.block.number]
            guard item.revision == entry.revision else { throw Fault(.disagrees) }
            return try item.metadata.attributes(matching: ItemMatch(entry), keys: keys)
        }
    }

    /// Opens the secret of an entry, and returns what is wrong with its content; a box that does not open is damage.
    private mutating func examineSecret(
        of entry: MatchEntry,
        _ attributes: ItemAttributes?,
        _ reader: SnapshotSection.Reader,
        _ keys: DataKeys,
        _ vault: OpenGeneration
    ) throws -> Fault.Reason? {
        guard let part = entry.secret else { return nil }
        let box = try reader.secretBox(at: part)
        do throws(Fault) {
            let secret = try Secret(opening: box.span, of: entry.revision, keys: keys)
            if let attributes { try secret.check(for: attributes) }
            return nil
        } catch {
            switch error.reason {
            case .notAuthentic, .badLength, .badPadding:
                damage(.secret, vault, part, error.reason, items: [name(entry)])
                return nil
            default: return error.reason
            }
        }
    }
}

extension Section {
    fileprivate var blockList: SectionPart { SectionPart(offset: 0, byteCount: blockListByteCount) }

    fileprivate var fence: SectionPart { SectionPart(offset: fenceRange.lowerBound, byteCount: fenceByteCount) }

    fileprivate func digestPage(_ number: Int) -> SectionPart {
        SectionPart(offset: digestPagesRange.lowerBound + number * MatchPage.byteCount, byteCount: MatchPage.byteCount)
    }

    fileprivate func itemPage(_ number: Int) -> SectionPart {
        SectionPart(offset: itemPagesRange.lowerBound + number * MatchPage.byteCount, byteCount: MatchPage.byteCount)
    }
}
