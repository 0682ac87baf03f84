package import VaultCrypto

/// Writes the beginning of a generation: header, keybag and snapshot, section 2.
package struct GenerationWriter<Sink: GenerationSink> {
    package let keys: GenerationKeys
    /// Where everything goes.
    package private(set) var sink: Sink
    private let identity: GenerationIdentity
    private let ownerKey: Key
    private let teamSecret: Key?
    private let salt: [UInt8]
    private let keybag: [UInt8]
    private let sectionCount: Int
    /// The sections so far, in the order of the directory.
    private var sections: [Section] = []
    /// The end of the last section in the snapshot.
    private var end: Int

    /// A writer of a generation with `keybag`, whose snapshot will have `sectionCount` sections; `teamSecret` signs it if
    /// the vault has grants.
    package init(
        _ identity: GenerationIdentity,
        _ keybag: Keybag,
        sectionCount: Int,
        structureKey: Key,
        ownerKey: Key,
        teamSecret: Key? = nil,
        cipher: Cipher,
        to sink: Sink
    ) throws(CipherError) {
        self.identity = identity
        self.ownerKey = ownerKey
        self.teamSecret = teamSecret
        self.sectionCount = sectionCount
        self.sink = sink
        self.keybag = keybag.encoded
        end = Directory.byteCount(sectionCount: sectionCount)
        salt = cipher.random.bytes(16)
        keys = try GenerationKeys(
            structureKey: structureKey,
            generation: identity.generation,
            salt: salt,
            cipher: cipher
        )
    }

    private var snapshotOffset: Int { Header.byteCount + keybag.count }

    /// Writes the section of a group, which `body` makes and finishes.
    package mutating func append<Failure: Error>(
        _ group: GroupEpoch,
        keys: MatchKeys,
        _ body: (inout GroupSectionWriter<Sink>) throws(Failure) -> Section
    ) throws(Failure) {
        var writer = GroupSectionWriter(group, keys: keys, at: snapshotOffset + end, to: sink)
        let section = try body(&writer)
        sink = writer.sink
        place(section)
    }

    /// Writes a run.
    package mutating func append(_ run: RunContent, group: GroupEpoch) throws(Sink.Failure) {
        let id: SectionID = keys.cipher.random.identifier()
        let box = run.sealed(section: id, keys: keys)
        try sink.write(box.span, at: snapshotOffset + end)
        place(
            Section(
                kind: .run,
                group: group,
                id: id,
                byteCount: box.count,
                fenceByteCount: 0,
                count: run.count,
                check: Label.file.hash(32, box)
            )
        )
    }

    /// Writes a section of another file as it is, from the pieces that `next` returns until it returns nil.
    package mutating func append<Failure: Error>(
        copying section: Section,
        _ next: () throws(Failure) -> [UInt8]?
    ) throws(Failure) where Sink.Failure == Failure {
        var offset = snapshotOffset + end
        var section = section
        let hash = RunningHash(.file)
        while let bytes = try next() {
            try sink.write(bytes.span, at: offset)
            hash.append(bytes.span)
            offset += bytes.count
        }
        section.check = hash.finish()
        place(section)
    }

    private mutating func place(_ section: Section) {
        var section = section
        section.offset = end
        end += section.byteCount
        sections.append(section)
    }

    /// Writes header, keybag and directory, and returns the position of the first frame.
    ///
    /// `historySince` says how far back states can be restored; a replacement passes that on, or moves it forward if it
    /// drops anything.
    package mutating func finish(
        historySince: HistoryHorizon = .beginning
    ) throws(Sink.Failure) -> LogPosition {
        precondition(
            historySince.sequence <= identity.baseSequence,
            "the history horizon must not be after the snapshot"
        )
        precondition(sections.count == sectionCount, "the directory has no room for other sections")
        let directory = Directory(historySince: historySince, sections: sections).sealed(keys: keys)
        let header = header(directory: directory)
        let keybag = keybag
        try sink.write(header.span, at: 0)
        try sink.write(keybag.span, at: Header.byteCount)
        try sink.write(directory.span, at: snapshotOffset)
        let chain = ChainValue(header: header, key: keys.chain)
        return LogPosition(offset: snapshotOffset + end, sequence: identity.baseSequence, chain: chain)
    }

    private func header(directory: [UInt8]) -> [UInt8] {
        Header(
            vault: keys.cipher.vault,
            generation: identity.generation,
            features: Header.Features(
                readOnlyCompatible: identity.isShared ? Header.Features.shared : 0,
                compatible: identity.compatibleFeatures
            ),
            salt: salt,
            keybagByteCount: keybag.count,
            directoryByteCount: directory.count,
            snapshotByteCount: end,
            baseSequence: identity.baseSequence,
            previousChain: identity.previousChain.bytes,
            keybagHash: Label.file.hash(32, keybag),
            directoryHash: Label.file.hash(32, directory)
        ).encoded(key: ownerKey, teamSecret: teamSecret)
    }
}

/// The position of a generation in the life of the vault.
package struct GenerationIdentity: Sendable {
    package var generation: UInt64
    /// The sequence number of the last transaction in the snapshot.
    package var baseSequence: UInt64
    package var previousChain: ChainValue
    /// Compatible features that a newer version set; unknown ones are kept.
    package var compatibleFeatures: UInt32 = 0
    /// Whether the log is shared with other machines.
    package var isShared = false

    /// The first generation of a vault.
    package static var new: GenerationIdentity {
        let chain = ChainValue(bytes: [UInt8](repeating: 0, count: 32))
        return GenerationIdentity(generation: 1, baseSequence: 0, previousChain: chain)
    }

    package init(generation: UInt64, baseSequence: UInt64, previousChain: ChainValue) {
        self.generation = generation
        self.baseSequence = baseSequence
        self.previousChain = previousChain
    }
}
