internal import CofferBasics
internal import VaultCrypto
package import VaultFormat

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

    /// Throws if a section does not have the check that the directory says.
    func check(_ section: Section, in source: FileSource) throws {
        do { try opening.check(section, in: source) } catch { throw failure(error) }
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

// What replacing the file takes.
extension OpenGeneration {
    /// The user root, which only an owner has.
    var owner: (key: Key, epoch: UInt32) {
        get throws {
            if let user = keyring.roots.user { return user }
            throw StoreError.keyChange(keyring.roots.credential == nil ? .ownerNeeded : .notGranted, path: path)
        }
    }

    /// The key that signs a new file with this keybag, which the keys at hand must allow.
    func ownerKey(toSign keybag: Keybag) throws -> Key {
        guard let ownerKey = opening.ownerKey else { throw StoreError.keyChange(.notGranted, path: path) }
        guard maySign(keybag) else { throw StoreError.keys(keyring.isUnlocked ? .ownerNeeded : .locked) }
        return ownerKey
    }

    /// Whether the keys at hand allow replacing the file.
    var mayBeReplaced: Bool { maySign(prelude.keybag) }

    /// Holders of grants believe only what the team has signed.
    private func maySign(_ keybag: Keybag) -> Bool { keyring.isOwner || !keybag.hasGrants }

    /// The keys of the vault, including those from records that could be opened here.
    package var verifiedKeybag: Keybag {
        var keybag = prelude.keybag
        // An index has all key records.
        for entry in log.entries where entry.standing == .valid {
            if case .key(let key) = entry.record, keyring.opens(key) { keybag.entries.append(key) }
        }
        return keybag
    }

    /// Keys from records that could not be opened here.
    var unverifiedKeys: [KeybagEntry] {
        wholeLog.entries.compactMap { entry in
            guard case .key(let key) = entry.record, entry.standing == .valid, !keyring.opens(key) else { return nil }
            return key
        }
    }
}
