internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

// Keys and sections, prepared when they are first needed.
extension OpenGeneration {
    /// Returns the keys derived from the match key of a group, or nil if that is not available.
    mutating func matchKeys(of group: GroupEpoch) throws -> MatchKeys? {
        try keys.matchKeys(of: group, in: opening.keyring)
    }

    /// Returns the keys derived from a data key, or nil if that is not available.
    mutating func dataKeys(of handle: KeyHandle) throws -> DataKeys? {
        try keys.dataKeys(of: handle, in: opening.keyring)
    }

    /// Returns the epochs of a group whose match key is available, newest first.
    func groups(with group: GroupID) -> [GroupEpoch] { keys.epochs[group] ?? [] }

    /// Returns the epochs of a group whose match key is available, newest first, each with its keys and section.
    mutating func openEpochs(of group: GroupID) throws -> [OpenEpoch] {
        if let known = sections.epochs(ofLast: group) { return known }
        var epochs: [OpenEpoch] = []
        for epoch in groups(with: group) {
            guard let keys = try matchKeys(of: epoch) else { continue }
            epochs.append(OpenEpoch(group: epoch, keys: keys, section: try sectionNumber(of: epoch)))
        }
        sections.noteLast(group, epochs)
        return epochs
    }

    /// Returns the number of the section of a group, as ``sectionNumber(of:)``.
    mutating func openSection(_ group: GroupEpoch) throws -> Int? {
        try openEpochs(of: group.group).first { $0.group == group }?.section
    }

    /// Updates what depends on the available keys, after some were added or taken back.
    mutating func noteKeys() {
        keys.note(opening.keyring)
        sections.forgetKeys()
    }

    /// Returns the number of the section of a group, opening the section if that is possible.
    mutating func sectionNumber(of group: GroupEpoch) throws -> Int? {
        if let known = sections.number(of: group) { return known }
        return try openedSection(group).map { sections.add($0) }
    }

    /// Lends `body` the section of a group, if there is one that can be opened.
    mutating func withSection<Result>(
        _ group: GroupEpoch,
        _ body: (inout SnapshotSection) throws -> Result
    ) throws -> Result? {
        guard let number = try sectionNumber(of: group) else { return nil }
        return try withSection(number: number, body)
    }

    /// Lends `body` the section with this number.
    mutating func withSection<Result>(
        number: Int,
        _ body: (inout SnapshotSection) throws -> Result
    ) throws -> Result {
        do { return try body(&sections[number]) } catch { throw failure(error) }
    }

    /// Returns the data key to which an entry of a section refers.
    mutating func key(of entry: MatchEntry, inSection number: Int) -> EntryKey {
        if sections[number].entryKeys.isEmpty {
            let group = sections[number].group
            sections[number].entryKeys = sections[number].dataKeys.map { entryKey($0, group) }
        }
        return sections[number].entryKeys[entry.dataKey]
    }

    private func entryKey(_ handle: KeyHandle, _ group: GroupEpoch) -> EntryKey {
        guard let entry = opening.keyring.dataKeyEntries[handle] else { return .destroyed }
        guard entry.group == group else { return .foreign }
        return .known(handle, entry.protection, opening.keyring.presence(of: handle))
    }

    /// Returns the handles of the data keys of a section, if the section is open.
    func sectionDataKeys(_ group: GroupEpoch) -> [KeyHandle]? {
        sections.number(of: group).map { sections[$0].dataKeys }
    }

    private mutating func openedSection(_ group: GroupEpoch) throws -> SnapshotSection? {
        let section = opening.directory.sections.first { $0.kind == .group && $0.group == group }
        guard let section, let keys = try matchKeys(of: group) else { return nil }
        let source = try source()
        let offset = header.snapshotRange.lowerBound
        do {
            return SnapshotSection(try GroupSectionReader(section, in: source, snapshotOffset: offset, keys: keys))
        } catch {
            throw failure(error)
        }
    }

    /// Returns the block list of a section, after comparing each part with its check.
    func checkedBlockList(of section: Section, in source: FileSource) throws -> BlockList {
        do {
            let list = try opening.blockList(of: section, in: source)
            let (opening, entries) = (opening, list.entries)
            _ = try SharedWork.results(count: entries.count, perPiece: 16) { range in
                for number in range { try opening.check(entries[number], of: section, in: source) }
            }
            return list
        } catch {
            throw failure(error)
        }
    }
}

extension OpenGeneration {
    /// The settings in the body of a record; nil if they are not valid.
    func settings(in body: [UInt8]) -> SettingsRecord? {
        try? SettingsRecord(body: body, teamKey: opening.teamKey, vault: vault)
    }

    /// Who lost access to the vault, by the records of the snapshot, which must have been read.
    ///
    /// Only an owner can make those. A frame may have been copied from elsewhere by the holder of a grant.
    var revocations: Revocations {
        wholeLog.entries.enumerated().reduce(into: Revocations()) { revocations, entry in
            guard case .settings(let body) = entry.element.record, entry.element.standing == .valid,
                case .run = wholeLog.place(ofEntry: entry.offset), let record = settings(in: body)
            else { return }
            revocations.formUnion(record.settings.revocations)
        }
    }
}
