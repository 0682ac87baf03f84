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
    private var sections: [(section: Section, bytes: [UInt8])] = []

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

    /// Adds a section, whose offset is not known yet, to the end of the snapshot.
    package mutating func append(_ section: Section, _ bytes: [UInt8]) {
        sections.append((section, bytes))
    }

    /// Adds a run.
    package mutating func append(_ run: Run, kind: Section.Kind, group: GroupEpoch) {
        let id = SectionID(suite.randomBytes(SectionID.byteCount).span)
        let box = run.sealed(section: id, kind: kind, key: keys.snapshot, suite: suite)
        append(Section(carrying: run, kind: kind, group: group, id: id, byteCount: box.count), box)
    }

    /// The bytes of the generation, to the place of its first frame.
    package func finished(_ keybag: Keybag) -> [UInt8] {
        var offset = Directory.byteCount(sectionCount: sections.count)
        var placed: [Section] = []
        for (section, bytes) in sections {
            var section = section
            section.offset = offset
            offset += bytes.count
            placed.append(section)
        }
        let directory = Directory(historySince: identity.historySince, sections: placed)
            .sealed(key: keys.snapshot, suite: suite)
        let keybag = keybag.encoded
        let header = Header(
            vault: identity.vault,
            generation: identity.generation,
            features: Header.Features(compatible: identity.compatibleFeatures),
            salt: salt,
            keybagByteCount: keybag.count,
            directoryByteCount: directory.count,
            snapshotByteCount: offset,
            baseSequence: identity.baseSequence,
            previousChain: identity.previousChain.bytes,
            keybagHash: suite.hash(32, key: nil, label: .file, keybag),
            directoryHash: suite.hash(32, key: nil, label: .file, directory)
        )
        var bytes = header.encoded(key: keys.header, suite: suite)
        bytes.reserveCapacity(header.logOffset)
        bytes += keybag
        bytes += directory
        for (_, section) in sections { bytes += section }
        return bytes
    }
}

extension Section {
    /// The section of a run.
    init(carrying run: Run, kind: Kind, group: GroupEpoch, id: SectionID, byteCount: Int) {
        self.init(
            kind: kind,
            group: group,
            id: id,
            offset: 0,
            byteCount: byteCount,
            blockListByteCount: 0,
            fenceByteCount: 0,
            count: run.entries.count,
            digestPageCount: 0,
            itemPageCount: 0
        )
    }
}
