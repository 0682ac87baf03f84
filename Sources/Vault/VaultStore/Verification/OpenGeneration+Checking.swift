internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

// Reading a whole snapshot to check it.
extension OpenGeneration {
    /// Throws unless every part of the snapshot is valid, as far as keys are available.
    ///
    /// Secrets are only compared with their checks.
    mutating func checkSnapshot() throws {
        let source = try source()
        for section in opening.directory.sections {
            switch section.kind {
            case .group: try checkGroup(section, source)
            case .history:
                do {
                    try opening.checkMembers(of: try opening.run(section, in: source), in: section)
                } catch {
                    throw failure(error)
                }
            // Runs were read when the vault was opened.
            case .run, .unknown: break
            }
        }
    }

    private mutating func checkGroup(_ section: Section, _ source: FileSource) throws {
        let list = try checkedBlockList(of: section, in: source)
        guard try matchKeys(of: section.group) != nil,
            let reader = try withSection(section.group, { $0.reader })
        else { return }
        let blocks = list.entries.filter { $0.kind == .metadata }
        let disagreement = VaultFormatError.snapshotFailure(
            .disagrees,
            offset: header.snapshotRange.lowerBound + section.offset
        )
        var claims = try Self.claims(reader, blocks, orThrow: disagreement)
        guard claims.count == section.count else { throw disagreement }
        claims.sort { ($0.block, $0.number) < ($1.block, $1.number) }
        // Where the claims of each block begin.
        var starts = [0]
        for number in blocks.indices {
            starts.append(claims[starts[number]...].firstIndex { $0.block != number } ?? claims.count)
        }
        var dataKeys: [KeyHandle: DataKeys] = [:]
        for block in blocks where dataKeys[block.dataKey] == nil {
            dataKeys[block.dataKey] = try self.dataKeys(of: block.dataKey)
        }
        _ = try SharedWork.results(count: blocks.count, perPiece: 16) { [claims, starts, dataKeys] range in
            for number in range {
                let (block, found) = (blocks[number], claims[starts[number]..<starts[number + 1]])
                guard !found.isEmpty, let keys = dataKeys[block.dataKey] else { continue }
                let items = try reader.block(at: block.part, handle: block.dataKey, keys: keys).items
                guard items.count == block.count, found.allSatisfy({ $0.fits(items) }) else { throw disagreement }
            }
        }
    }

    /// Returns what the match entries of a section say about its blocks; throws if one names no block.
    private static func claims(
        _ reader: SnapshotSection.Reader,
        _ blocks: [BlockList.Entry],
        orThrow disagreement: VaultFormatError
    ) throws -> [Claim] {
        let numbers = Dictionary(blocks.enumerated().map { ($1.part, $0) }) { first, _ in first }
        return try SharedWork.results(count: reader.section.digestPageCount, perPiece: 16) {
            pages in
            var claims: [Claim] = []
            var isComplete = true
            try reader.forEachEntry(inPages: pages) { entry in
                guard let block = numbers[entry.block.part] else { return isComplete = false }
                claims.append(Claim(block: block, number: entry.block.number, entry.revision))
            }
            guard isComplete else { throw disagreement }
            return claims
        }.flatMap(\.self)
    }

    /// What a match entry says about a block.
    private struct Claim {
        let block: UInt32
        /// The number of the item in it.
        let number: UInt32
        let revision: Revision

        init(block: Int, number: Int, _ revision: Revision) {
            (self.block, self.number, self.revision) = (UInt32(block), UInt32(number), revision)
        }

        /// Whether the block has these items.
        func fits(_ items: [MetadataBlock.Item]) -> Bool {
            items.indices.contains(Int(number)) && items[Int(number)].revision == revision
        }
    }
}
