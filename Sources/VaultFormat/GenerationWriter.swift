/// Builds what a generation begins with: header, keybag and snapshot, section 2.
package struct GenerationWriter<Suite: CipherSuite> {
    /// Which generation of which vault it is.
    package struct Identity: Sendable {
        package var vault: VaultID
        package var generation: UInt64
        /// The last transaction that the snapshot contains, and the chain value there.
        package var baseSequence: UInt64
        package var previousChain: ChainValue
        /// How far back the past can be made: a replacement hands on what it found, or moves it if it drops something.
        package var historySince = HistoryHorizon.beginning
        /// What a later version left that this one need not know.
        package var compatibleFeatures: UInt32 = 0

        /// The first generation of a vault.
        package static func new(_ vault: VaultID) -> Identity {
            let chain = ChainValue(bytes: [UInt8](repeating: 0, count: 32))
            return Identity(vault: vault, generation: 1, baseSequence: 0, previousChain: chain)
        }

        package init(vault: VaultID, generation: UInt64, baseSequence: UInt64, previousChain: ChainValue) {
            self.vault = vault
            self.generation = generation
            self.baseSequence = baseSequence
            self.previousChain = previousChain
        }
    }

    package let keys: GenerationKeys<Suite>
    private let identity: Identity
    private let salt: [UInt8]
    private let suite: Suite
    /// The sections, in the order of the directory.
    private var sections: [PlannedSection] = []

    /// A section that is written when all are known.
    private enum PlannedSection: Sendable {
        /// One that is known, of parts that follow one another.
        case parts(Section, [PartContent])
        case group(SectionID, GroupSectionBuilder<Suite>)
    }

    package init(_ identity: Identity, structureKey: Suite.Key, suite: Suite) throws(CipherError) {
        precondition(
            identity.historySince.sequence <= identity.baseSequence,
            "a snapshot cannot have dropped what came after it"
        )
        self.identity = identity
        self.suite = suite
        salt = suite.randomBytes(16)
        keys = try GenerationKeys(
            structureKey: structureKey,
            vault: identity.vault,
            generation: identity.generation,
            salt: salt,
            suite: suite
        )
    }

    /// Adds a section of which all parts are known, but for its offset, to the end of the snapshot.
    package mutating func append(_ section: Section, _ parts: [PartContent]) {
        sections.append(.parts(section, parts))
    }

    /// Adds the section of a group, unless it has no items.
    package mutating func append(_ builder: GroupSectionBuilder<Suite>) {
        guard !builder.isEmpty else { return }
        sections.append(.group(SectionID(suite.randomBytes(SectionID.byteCount).span), builder))
    }

    /// Adds a run.
    package mutating func append(_ run: RunContent, kind: Section.Kind, group: GroupEpoch) {
        let id = SectionID(suite.randomBytes(SectionID.byteCount).span)
        let box = run.sealed(section: id, kind: kind, key: keys.snapshot, suite: suite)
        append(Section(carrying: run, kind: kind, group: group, id: id, byteCount: box.count), [.bytes(box)])
    }

    /// The bytes of the generation, to the place of its first frame.
    package consuming func finished(_ keybag: Keybag) -> [UInt8] {
        var sink = MemorySink()
        _ = write(keybag, to: &sink)
        return sink.bytes
    }

    /// Writes the generation, and returns where its first frame goes.
    package consuming func write<Sink: GenerationSink>(
        _ keybag: Keybag,
        to sink: inout Sink
    ) throws(Sink.Failure) -> LogPosition {
        let keybag = keybag.encoded
        let snapshotOffset = Header.byteCount + keybag.count
        var offset = Directory.byteCount(sectionCount: sections.count)
        var placed: [Section] = []
        // One by one, so that the memory of each is free when it is written.
        sections.reverse()
        while let planned = sections.popLast() {
            var section = try write(planned, at: snapshotOffset + offset, to: &sink)
            section.offset = offset
            offset += section.byteCount
            placed.append(section)
        }
        let directory = Directory(historySince: identity.historySince, sections: placed)
            .sealed(key: keys.snapshot, suite: suite)
        let header = header(keybag: keybag, directory: directory, snapshotByteCount: offset)
        try sink.write(header.span, at: 0)
        try sink.write(keybag.span, at: Header.byteCount)
        try sink.write(directory.span, at: snapshotOffset)
        let chain = ChainValue(header: header, key: keys.chain, suite: suite)
        return LogPosition(offset: snapshotOffset + offset, sequence: identity.baseSequence, chain: chain)
    }

    private func write<Sink: GenerationSink>(
        _ planned: PlannedSection,
        at offset: Int,
        to sink: inout Sink
    ) throws(Sink.Failure) -> Section {
        switch planned {
        case .group(let id, let builder):
            return try builder.write(id: id, snapshotKey: keys.snapshot, at: offset, to: &sink)
        case .parts(let section, let parts):
            var end = offset
            for part in parts {
                let bytes = try sink.bytes(of: part)
                try sink.write(bytes.span, at: end)
                end += bytes.count
            }
            return section
        }
    }

    private func header(keybag: [UInt8], directory: [UInt8], snapshotByteCount: Int) -> [UInt8] {
        Header(
            vault: identity.vault,
            generation: identity.generation,
            features: Header.Features(compatible: identity.compatibleFeatures),
            salt: salt,
            keybagByteCount: keybag.count,
            directoryByteCount: directory.count,
            snapshotByteCount: snapshotByteCount,
            baseSequence: identity.baseSequence,
            previousChain: identity.previousChain.bytes,
            keybagHash: suite.hash(32, key: nil, label: .file, keybag),
            directoryHash: suite.hash(32, key: nil, label: .file, directory)
        ).encoded(key: keys.header, suite: suite)
    }
}

extension Section {
    /// The section of a run.
    init(carrying run: RunContent, kind: Kind, group: GroupEpoch, id: SectionID, byteCount: Int) {
        self.init(
            kind: kind,
            group: group,
            id: id,
            offset: 0,
            byteCount: byteCount,
            blockListByteCount: 0,
            fenceByteCount: 0,
            count: run.count,
            digestPageCount: 0,
            itemPageCount: 0
        )
    }
}
