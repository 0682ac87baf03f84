internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

// Reading a whole snapshot to check it.
extension OpenGeneration {
    /// Throws unless every part of the snapshot is valid, as far as keys are available.
    ///
    /// Secrets are only compared with their checks.
    mutating func checkSnapshot() throws(StoreError) {
        let source = try source()
        for section in opening.directory.sections {
            switch section.kind {
            case .group: try checkGroup(section, source)
            case .history:
                let opening = opening
                let run = try translating({ [path] in StoreError($0, path: path) }, opening.run(section, in: source))
                try translating({ [path] in StoreError($0, path: path) }, opening.checkMembers(of: run, in: section))
            // Runs were read when the vault was opened.
            case .run, .unknown: break
            }
        }
    }

    private mutating func checkGroup(_ section: Section, _ source: FileSource) throws(StoreError) {
        let list = try checkedBlockList(of: section, in: source)
        guard try matchKeys(of: section.group) != nil else { return }
        let blocks = list.entries.filter { $0.kind == .metadata }
        let numbers = Dictionary(blocks.enumerated().map { ($1.part, $0) }) { first, _ in first }
        var claims: [Claim] = []
        claims.reserveCapacity(section.count)
        var isComplete = true
        _ = try withSection(section.group) { open throws(VaultFormatError) in
            try open.reader.forEachEntry { entry in
                guard let block = numbers[entry.block.part] else { return isComplete = false }
                claims.append(
                    Claim(block: UInt32(block), number: UInt32(entry.block.number), revision: entry.revision)
                )
            }
        }
        guard isComplete, claims.count == section.count else { throw disagreement(in: section) }
        claims.sort { $0.block < $1.block }
        var rest = claims[...]
        for (number, block) in blocks.enumerated() {
            let found = rest.prefix { $0.block == number }
            rest = rest.dropFirst(found.count)
            if !found.isEmpty { try checkBlock(block, found, section) }
        }
    }

    /// What a match entry says about a block.
    private struct Claim {
        var block: UInt32
        /// The number of the item in it.
        var number: UInt32
        var revision: Revision
    }

    private mutating func checkBlock(
        _ block: BlockList.Entry,
        _ claims: ArraySlice<Claim>,
        _ section: Section
    ) throws(StoreError) {
        guard let keys = try dataKeys(of: block.dataKey) else { return }
        let opened = try withSection(section.group) { section throws(VaultFormatError) in
            try section.reader.block(at: block.part, handle: block.dataKey, keys: keys)
        }
        guard let opened, opened.items.count == block.count else { throw disagreement(in: section) }
        for claim in claims {
            guard opened.items.indices.contains(Int(claim.number)),
                opened.items[Int(claim.number)].revision == claim.revision
            else { throw disagreement(in: section) }
        }
    }

    private func disagreement(in section: Section) -> StoreError {
        let offset = header.snapshotRange.lowerBound + section.offset
        return StoreError(.snapshotFailure(.disagrees, offset: offset), path: path)
    }
}
