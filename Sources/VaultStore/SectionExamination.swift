internal import VaultCrypto
internal import VaultFormat

/// Reads all of a group section, and goes on behind what is damaged.
struct SectionExamination {
    let section: Section
    /// The entries of pages that are whole, and whose blocks and metadata are.
    private(set) var entries: [MatchEntry] = []
    private(set) var list: BlockList?
    /// The blocks that the entries lie in, as a block list has them.
    private(set) var blocks: [BlockList.Entry] = []
    private(set) var damages: [VerificationReport.Damage] = []
    private(set) var invalidItems: [VerificationReport.InvalidItem] = []
    /// How many of the entries cannot be looked into.
    private(set) var sealedCount = 0

    private var damagedParts: Set<SectionPart> = []
    private let source: FileSource
    private let progress: (Int) throws(StoreError) -> Void

    /// Examines `section`, with the keys that `vault` has.
    init(
        of section: Section,
        in vault: inout OpenGeneration,
        _ source: FileSource,
        progress: @escaping (Int) throws(StoreError) -> Void
    ) throws(StoreError) {
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
    }

    // MARK: - Parts

    /// Compares each part with its check, and returns those that differ.
    private mutating func examineParts(_ vault: OpenGeneration) throws(StoreError) -> Set<SectionPart> {
        do throws(VaultFormatError) {
            list = try vault.opening.blockList(of: section, in: source, suite: vault.suite)
        } catch {
            let part = SectionPart(offset: 0, byteCount: section.blockListByteCount)
            damage(.blockList, vault, part, try fault(in: error, vault))
        }
        var damaged: Set<SectionPart> = []
        for entry in list?.entries ?? [] {
            do throws(VaultFormatError) {
                try vault.opening.check(entry, of: section, in: source, suite: vault.suite)
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
        _ fault: Fault,
        items: [ItemName] = []
    ) {
        let range = vault.opening.fileRange(of: part, in: section)
        damages.append(VerificationReport.Damage(part: kind, range: range, fault: fault, items: items))
    }

    /// What is wrong with a part; that the file cannot be read is wrong with more than that.
    private func fault(in error: VaultFormatError, _ vault: OpenGeneration) throws(StoreError) -> Fault {
        switch error {
        case .snapshotFailure(let fault, _): fault
        case .limitExceeded(let limit, let value): .limitExceeded(limit, value: value)
        default: throw StoreError(error, path: vault.path)
        }
    }

    // MARK: - Pages

    private mutating func examinePages(
        _ vault: inout OpenGeneration,
        _ keys: MatchKeys<SodiumSuite>
    ) throws(StoreError) {
        let reader: SnapshotSection.Reader
        do throws(VaultFormatError) {
            reader = try GroupSectionReader(
                section,
                in: source,
                snapshotOffset: vault.header.snapshotRange.lowerBound,
                keys: keys,
                vault: vault.vault,
                suite: vault.suite
            )
        } catch {
            let part = SectionPart(offset: section.fenceRange.lowerBound, byteCount: section.fenceByteCount)
            return damage(.fence, vault, part, try fault(in: error, vault))
        }
        var found: [MatchEntry] = []
        for number in 0..<section.digestPageCount {
            do throws(VaultFormatError) {
                found += try reader.digestPage(number)
            } catch {
                damage(.digestPage(number), vault, section.digestPage(number), try fault(in: error, vault))
            }
        }
        for number in 0..<section.itemPageCount {
            do throws(VaultFormatError) {
                _ = try reader.itemPage(number)
            } catch {
                damage(.itemPage(number), vault, section.itemPage(number), try fault(in: error, vault))
            }
        }
        for (part, entries) in Dictionary(grouping: found, by: \.block.part).sorted(by: {
            $0.key.offset < $1.key.offset
        }) {
            try examineBlock(part, entries, reader, &vault, keys)
        }
    }

    // MARK: - Blocks

    private mutating func examineBlock(
        _ part: SectionPart,
        _ found: [MatchEntry],
        _ reader: SnapshotSection.Reader,
        _ vault: inout OpenGeneration,
        _ matchKeys: MatchKeys<SodiumSuite>
    ) throws(StoreError) {
        guard let first = found.first else { return }
        let handle = reader.fence.dataKeys[first.dataKey]
        guard let dataKeys = try vault.dataKeys(of: handle) else {
            // Without the key, the check alone can tell.
            guard !damagedParts.contains(part) else {
                return damage(.metadataBlock, vault, part, .hashDiffers, items: found.map(name))
            }
            entries += found
            sealedCount += found.count
            let listed = list?.entries.first { $0.part == part }?.count
            let count = listed ?? found.reduce(0) { max($0, $1.block.number + 1) }
            blocks.append(BlockList.Entry(kind: .metadata, count: count, part: part, dataKey: handle, check: []))
            return
        }
        let block: MetadataBlock
        do throws(VaultFormatError) {
            block = try reader.block(
                at: part,
                handle: handle,
                keys: dataKeys,
                compressor: vault.environment.compressor
            )
        } catch {
            return damage(.metadataBlock, vault, part, try fault(in: error, vault), items: found.map(name))
        }
        let count = block.items.count
        blocks.append(BlockList.Entry(kind: .metadata, count: count, part: part, dataKey: handle, check: []))
        for entry in found {
            if let fault = fault(of: entry, in: block, matchKeys, vault) {
                invalidItems.append(VerificationReport.InvalidItem(name: name(entry), fault: fault))
                continue
            }
            entries.append(entry)
            try examineSecret(of: entry, reader, dataKeys, vault)
        }
    }

    private func name(_ entry: MatchEntry) -> ItemName {
        ItemName(group: section.group.group, item: entry.revision.item)
    }

    private func fault(
        of entry: MatchEntry,
        in block: MetadataBlock,
        _ keys: MatchKeys<SodiumSuite>,
        _ vault: OpenGeneration
    ) -> Fault? {
        guard block.items.indices.contains(entry.block.number) else { return .badLength }
        let item = block.items[entry.block.number]
        guard item.revision == entry.revision else { return .disagrees }
        do throws(Fault) {
            _ = try item.metadata.attributes(matching: VaultContents.Match(entry), keys: keys, suite: vault.suite)
            return nil
        } catch {
            return error
        }
    }

    private mutating func examineSecret(
        of entry: MatchEntry,
        _ reader: SnapshotSection.Reader,
        _ keys: DataKeys<SodiumSuite>,
        _ vault: OpenGeneration
    ) throws(StoreError) {
        guard let part = entry.secret else { return }
        let box: [UInt8]
        do throws(VaultFormatError) {
            box = try reader.secretBox(at: part)
        } catch {
            throw StoreError(error, path: vault.path)
        }
        do throws(Fault) {
            let secret = try Secret(
                opening: box.span,
                of: entry.revision,
                keys: keys,
                vault: vault.vault,
                suite: vault.suite
            )
            try secret.check()
        } catch {
            damage(.secret, vault, part, error, items: [name(entry)])
        }
    }
}

extension Section {
    fileprivate func digestPage(_ number: Int) -> SectionPart {
        SectionPart(offset: digestPagesRange.lowerBound + number * MatchPage.byteCount, byteCount: MatchPage.byteCount)
    }

    fileprivate func itemPage(_ number: Int) -> SectionPart {
        SectionPart(offset: itemPagesRange.lowerBound + number * MatchPage.byteCount, byteCount: MatchPage.byteCount)
    }
}
