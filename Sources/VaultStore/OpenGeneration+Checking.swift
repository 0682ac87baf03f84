internal import VaultCrypto
internal import VaultFormat

// Reading all of a snapshot, to be sure of it.
extension OpenGeneration {
    /// Throws unless every part of the snapshot is what it should be, as far as keys are here.
    ///
    /// Secrets are compared with their checks only.
    mutating func checkSnapshot() throws(StoreError) {
        let source = try source()
        for section in opening.directory.sections {
            switch section.kind {
            case .group: try checkGroup(section, source)
            case .history:
                let (opening, suite) = (opening, suite)
                let run = try translating({ [path] in StoreError($0, path: path) }) { () throws(VaultFormatError) in
                    try opening.run(section, in: source, suite: suite)
                }
                try translating({ [path] in StoreError($0, path: path) }) { () throws(VaultFormatError) in
                    try opening.checkMembers(of: run, in: section)
                }
            // Runs were read when the vault was opened.
            case .run, .unknown: break
            }
        }
    }

    private mutating func checkGroup(_ section: Section, _ source: FileSource) throws(StoreError) {
        let list = try checkedBlockList(of: section, in: source)
        guard let matchKeys = try matchKeys(of: section.group) else { return }
        var entries: [SectionPart: [MatchEntry]] = [:]
        var count = 0
        _ = try withSection(section.group) { open throws(VaultFormatError) in
            try open.forEachEntry { entry in
                entries[entry.block.part, default: []].append(entry)
                count += 1
            }
        }
        guard count == section.count else { throw disagreement(in: section) }
        for block in list.entries where block.kind == .metadata {
            guard let found = entries.removeValue(forKey: block.part) else { continue }
            try checkBlock(block, found, section, matchKeys)
        }
        guard entries.isEmpty else { throw disagreement(in: section) }
    }

    private mutating func checkBlock(
        _ block: BlockList.Entry,
        _ entries: [MatchEntry],
        _ section: Section,
        _ matchKeys: MatchKeys<SodiumSuite>
    ) throws(StoreError) {
        guard let keys = try dataKeys(of: block.dataKey) else { return }
        let compressor = environment.compressor
        let opened = try withSection(section.group) { section throws(VaultFormatError) in
            try section.reader.block(at: block.part, handle: block.dataKey, keys: keys, compressor: compressor)
        }
        guard let opened, opened.items.count == block.count else { throw disagreement(in: section) }
        for entry in entries {
            guard opened.items.indices.contains(entry.block.number),
                opened.items[entry.block.number].revision == entry.revision
            else { throw disagreement(in: section) }
        }
    }

    private func disagreement(in section: Section) -> StoreError {
        let offset = header.snapshotRange.lowerBound + section.offset
        return StoreError(.snapshotFailure(.disagrees, offset: offset), path: path)
    }
}
