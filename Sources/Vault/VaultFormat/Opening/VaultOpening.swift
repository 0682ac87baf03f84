internal import CofferBasics
package import VaultCrypto

/// A vault whose header, directory and keys are open: section 4.2 up to the frames.
package struct VaultOpening: Sendable {
    package let header: Header
    private let structureKey: Key
    package let structureEpoch: UInt32
    package let keys: GenerationKeys
    /// The key that authenticates the header; nil for the holder of a grant.
    package let ownerKey: Key?
    /// From when on the grant that opened the vault must not be used.
    package let expiry: Time?
    package let directory: Directory
    /// The damage to the directory if the vault was opened despite it; ``directory`` is then empty.
    package let directoryFailure: VaultFormatError?
    package private(set) var keyring: Keyring
    /// The public half of the vault's team key, if it has one.
    package let teamKey: [UInt8]?
    private let firstChain: ChainValue

    /// Opens header, directory and keys with `roots`.
    ///
    /// With `toleratesDamage`, a damaged directory counts as empty, so that the frames after it can be salvaged.
    package init(
        _ prelude: VaultPrelude,
        roots: Keyring.Roots,
        toleratesDamage: Bool = false,
        random: any RandomSource
    ) throws(VaultFormatError) {
        do {
            try self.init(opening: prelude, roots, toleratesDamage: toleratesDamage, random)
        } catch {
            throw VaultFormatError(ofKeys: error)
        }
    }

    private init(
        opening prelude: VaultPrelude,
        _ roots: Keyring.Roots,
        toleratesDamage: Bool,
        _ random: any RandomSource
    ) throws {
        header = prelude.header
        let header = prelude.header
        let cipher = Cipher(vault: header.vault, random: random)
        let grant = try roots.credential.map(prelude.grant)
        expiry = grant?.expiry
        var keyring = try Keyring(roots: roots, grant: grant?.payload, cipher: cipher)
        let structureKey = try keyring.structureKey(in: prelude.keybag)
        guard let structureKey else { throw VaultFormatError.noMatch }
        self.structureKey = structureKey.key
        structureEpoch = structureKey.epoch
        keys = try GenerationKeys(
            structureKey: structureKey.key,
            generation: header.generation,
            salt: header.salt,
            cipher: cipher
        )
        if let credential = roots.credential {
            ownerKey = nil
            try prelude.checkHeaderSignature(by: credential.team)
        } else {
            guard let ownerKey = try keyring.ownerKey(of: prelude.keybag) else { throw Fault(.missing) }
            self.ownerKey = ownerKey
            try prelude.checkHeader(ownerKey: ownerKey)
        }
        do throws(VaultFormatError) {
            directory = try prelude.directory(keys: keys)
            directoryFailure = nil
        } catch {
            guard toleratesDamage, case .snapshotFailure = error else { throw error }
            directory = Directory()
            directoryFailure = error
        }
        try keyring.open(prelude.keybag)
        self.keyring = keyring
        teamKey = roots.credential?.team ?? prelude.keybag.teamKey
        firstChain = ChainValue(header: prelude.headerBytes, key: keys.chain)
    }

    /// A reader that starts before the first frame.
    package func log<Source: ByteSource>(in source: Source) -> LogReader<Source> {
        LogReader(
            at: .init(offset: header.logOffset, sequence: header.baseSequence, chain: firstChain),
            in: source,
            keys: keys
        )
    }

    /// The run in `section`.
    package func run(_ section: Section, in source: some ByteSource) throws(VaultFormatError) -> Run {
        var entries: [Run.Entry] = []
        try forEachEntry(ofRun: section, in: source) { entries.append($0) }
        return Run(entries: entries)
    }

    /// Calls `body` with each entry of the run in `section`.
    package func forEachEntry(
        ofRun section: Section,
        in source: some ByteSource,
        _ body: (Run.Entry) throws(VaultFormatError) -> Void
    ) throws(VaultFormatError) {
        let offset = header.snapshotRange.lowerBound + section.offset
        let failure = { (error: Fault) in VaultFormatError(error, in: .snapshot, at: offset) }
        let box = try source.read(offset..<offset + section.byteCount)
        guard Label.file.hash(32, box) == section.check else { throw damage(of: section) }
        var reader = try translating(failure, RunReader(opening: box, of: section, keys: keys))
        while let entry = try translating(failure, reader.next()) { try body(entry) }
    }

    /// Throws unless a section has the check that the directory says.
    package func check(_ section: Section, in source: some ByteSource) throws(VaultFormatError) {
        let hash = RunningHash(.file)
        let range = fileRange(of: SectionPart(offset: 0, byteCount: section.byteCount), in: section)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let end = min(offset + Self.checkedByteCount, range.upperBound)
            let bytes = try source.read(offset..<end)
            hash.append(bytes.span)
            offset = end
        }
        guard hash.finish() == section.check else { throw damage(of: section) }
    }

    /// How much of a section is read at once.
    private static let checkedByteCount = 1 << 20

    private func damage(of section: Section) -> VaultFormatError {
        .snapshotFailure(.hashDiffers, offset: header.snapshotRange.lowerBound + section.offset)
    }

    /// The range in the file of a part of a section.
    package func fileRange(of part: SectionPart, in section: Section) -> Range<Int> {
        let start = header.snapshotRange.lowerBound + section.offset
        return start + part.offset..<start + part.range.upperBound
    }

    /// Throws unless every record of a run may be in it; the keys from key records must have been added before.
    package func checkMembers(of run: Run, in section: Section) throws(VaultFormatError) {
        guard run.entries.allSatisfy({ belongs($0.record, to: section.group) }) else { throw disagreement(in: section) }
    }

    /// The failure for a section whose content contradicts its directory entry.
    package func disagreement(in section: Section) -> VaultFormatError {
        .snapshotFailure(.disagrees, offset: header.snapshotRange.lowerBound + section.offset)
    }

    /// Whether a run of `group` may hold `record`.
    package func belongs(_ record: Record, to group: GroupEpoch) -> Bool {
        switch record {
        case .put(let put): keyring.dataKeyEntries[put.dataKey].map { $0.group == group } ?? (group != .none)
        case .delete(let delete): delete.group == group
        case .seen(let seen): seen.group == group
        case .key, .settings, .unknown, .malformed: group == .none
        }
    }

    /// Releases the keys that must not be available while the vault is locked.
    package mutating func lock() { keyring.lock(structureKey: (structureKey, structureEpoch)) }

    /// The open keys, without the roots.
    package var heldKeys: HeldKeys { keyring.heldKeys(structureKey: (structureKey, structureEpoch)) }

    /// Makes a group, which takes effect when its entries are added.
    package mutating func makeGroup(
        named name: [UInt8]
    ) throws(KeyMakingError) -> (group: GroupEpoch, entries: [KeybagEntry]) {
        try keyring.makeGroup(named: name)
    }

    /// Makes the data key for new items, which takes effect when its entry is added.
    package mutating func makeDataKey(for purpose: DataKeyPurpose) throws(KeyMakingError) -> DataKeyEntry {
        try keyring.makeDataKey(for: purpose)
    }

    /// Adds the key of a key record; when all were added, call ``openWaitingEntries()``.
    ///
    /// - Throws: A ``Fault`` if the record is invalid, or an error for ``VaultFormatError/init(ofKeys:)``.
    package mutating func append(_ entry: KeybagEntry) throws {
        try keyring.append(entry)
    }

    /// Opens entries whose keys came with key records, and returns those of key records that are not genuine.
    ///
    /// - Throws: An error for ``VaultFormatError/init(ofKeys:)``.
    package mutating func openWaitingEntries() throws -> [(entry: KeybagEntry, fault: Fault.Reason)] {
        try keyring.openWaitingEntries()
    }
}
