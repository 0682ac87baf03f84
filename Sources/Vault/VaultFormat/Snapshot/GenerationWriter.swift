package import VaultCrypto

/// Builds the beginning of a generation: header, keybag and snapshot, section 2.
package struct GenerationWriter {
    /// The position of the generation in the life of the vault.
    package struct Identity: Sendable {
        package var generation: UInt64
        /// The sequence number of the last transaction in the snapshot.
        package var baseSequence: UInt64
        package var previousChain: ChainValue
        /// How far back states can be restored; a replacement passes this on, or moves it forward if it drops anything.
        package var historySince = HistoryHorizon.beginning
        /// Compatible features that a newer version set; unknown ones are kept.
        package var compatibleFeatures: UInt32 = 0
        /// Whether the log is shared with other machines.
        package var isShared = false

        /// The first generation of a vault.
        package static var new: Identity {
            let chain = ChainValue(bytes: [UInt8](repeating: 0, count: 32))
            return Identity(generation: 1, baseSequence: 0, previousChain: chain)
        }

        package init(generation: UInt64, baseSequence: UInt64, previousChain: ChainValue) {
            self.generation = generation
            self.baseSequence = baseSequence
            self.previousChain = previousChain
        }
    }

    package let keys: GenerationKeys
    private let identity: Identity
    private let ownerKey: Key
    private let teamSecret: Key?
    private let salt: [UInt8]
    /// The sections, in the order of the directory.
    private var sections: [PlannedSection] = []

    /// A section to be written once all sections are known.
    private enum PlannedSection: Sendable {
        /// A finished section, in parts that follow one another.
        case parts(Section, [PartContent])
        case group(SectionID, GroupSectionBuilder)
    }

    /// A writer of a generation; `teamSecret` signs it if the vault has grants.
    package init(
        _ identity: Identity,
        structureKey: Key,
        ownerKey: Key,
        teamSecret: Key? = nil,
        cipher: Cipher
    ) throws(CipherError) {
        precondition(
            identity.historySince.sequence <= identity.baseSequence,
            "the history horizon must not be after the snapshot"
        )
        self.identity = identity
        self.ownerKey = ownerKey
        self.teamSecret = teamSecret
        salt = cipher.random.bytes(16)
        keys = try GenerationKeys(
            structureKey: structureKey,
            generation: identity.generation,
            salt: salt,
            cipher: cipher
        )
    }

    /// Adds a finished section to the end of the snapshot; its offset is still to be set, and the check of a block list,
    /// which is the first part.
    package mutating func append(_ section: Section, _ parts: [PartContent]) {
        sections.append(.parts(section, parts))
    }

    /// Adds the section of a group, unless it has no items.
    package mutating func append(_ builder: GroupSectionBuilder) {
        guard !builder.isEmpty else { return }
        sections.append(.group(keys.cipher.random.identifier(), builder))
    }

    /// Adds a run or history.
    package mutating func append(_ run: RunContent, kind: Section.Kind, group: GroupEpoch) {
        let id: SectionID = keys.cipher.random.identifier()
        let box = run.sealed(section: id, kind: kind, keys: keys)
        append(Section(carrying: run, kind: kind, group: group, id: id, box: box), [.bytes(box)])
    }

    /// The bytes of the generation up to its first frame.
    package consuming func finished(_ keybag: Keybag) -> [UInt8] {
        var sink = MemorySink()
        _ = write(keybag, to: &sink)
        return sink.bytes
    }

    /// Writes the generation and returns the position of its first frame.
    package consuming func write<Sink: GenerationSink>(
        _ keybag: Keybag,
        to sink: inout Sink
    ) throws(Sink.Failure) -> LogPosition {
        let keybag = keybag.encoded
        let snapshotOffset = Header.byteCount + keybag.count
        var offset = Directory.byteCount(sectionCount: sections.count)
        var placed: [Section] = []
        // Taken out one by one, so that the memory of each is freed once it is written.
        sections.reverse()
        while let planned = sections.popLast() {
            var section = try write(planned, at: snapshotOffset + offset, to: &sink)
            section.offset = offset
            offset += section.byteCount
            placed.append(section)
        }
        let directory = Directory(historySince: identity.historySince, sections: placed)
            .sealed(keys: keys)
        let header = header(keybag: keybag, directory: directory, snapshotByteCount: offset)
        try sink.write(header.span, at: 0)
        try sink.write(keybag.span, at: Header.byteCount)
        try sink.write(directory.span, at: snapshotOffset)
        let chain = ChainValue(header: header, key: keys.chain)
        return LogPosition(offset: snapshotOffset + offset, sequence: identity.baseSequence, chain: chain)
    }

    private func write<Sink: GenerationSink>(
        _ planned: PlannedSection,
        at offset: Int,
        to sink: inout Sink
    ) throws(Sink.Failure) -> Section {
        switch planned {
        case .group(let id, let builder):
            return try builder.write(id: id, keys: keys, at: offset, to: &sink)
        case .parts(var section, let parts):
            var end = offset
            for (index, part) in parts.enumerated() {
                let bytes = try sink.bytes(of: part)
                try sink.write(bytes.span, at: end)
                end += bytes.count
                if index == 0, section.kind == .group { section.check = BlockList.check(of: bytes.span) }
            }
            return section
        }
    }

    private func header(keybag: [UInt8], directory: [UInt8], snapshotByteCount: Int) -> [UInt8] {
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
            snapshotByteCount: snapshotByteCount,
            baseSequence: identity.baseSequence,
            previousChain: identity.previousChain.bytes,
            keybagHash: Label.file.hash(32, keybag),
            directoryHash: Label.file.hash(32, directory)
        ).encoded(key: ownerKey, teamSecret: teamSecret)
    }
}

extension Section {
    /// The directory entry of a run or history, with the offset 0.
    init(carrying run: RunContent, kind: Kind, group: GroupEpoch, id: SectionID, box: [UInt8]) {
        self.init(
            kind: kind,
            group: group,
            id: id,
            offset: 0,
            byteCount: box.count,
            blockListByteCount: 0,
            fenceByteCount: 0,
            count: run.count,
            digestPageCount: 0,
            itemPageCount: 0,
            check: BlockList.check(of: box.span)
        )
    }
}
