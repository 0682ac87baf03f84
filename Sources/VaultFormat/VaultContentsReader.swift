/// Reads ``VaultContents`` part by part.
package struct VaultContentsReader<Suite: CipherSuite, Source: ByteSource, Compression: Compressor> {
    var contents = VaultContents()
    /// Over all block lists so far.
    var blockListEntryCount = 0
    var opening: VaultOpening<Suite>
    let source: Source
    let suite: Suite
    let compressor: Compression

    private var matchKeys: [GroupEpoch: MatchKeys<Suite>] = [:]
    private var dataKeys: [KeyHandle: DataKeys<Suite>] = [:]

    private init(_ opening: VaultOpening<Suite>, in source: Source, suite: Suite, compressor: Compression) {
        self.opening = opening
        self.source = source
        self.suite = suite
        self.compressor = compressor
    }

    /// Reads the whole of a vault that is open, and adds the keys that its records bring to the keyring.
    package static func contents(
        of opening: inout VaultOpening<Suite>,
        in source: Source,
        suite: Suite,
        compressor: Compression
    ) throws(VaultFormatError) -> VaultContents {
        var reader = Self(opening, in: source, suite: suite, compressor: compressor)
        let sections = opening.directory.sections
        // Keys come first, so that it does not matter where in the log a wrap stands.
        try reader.readRecords(.keys)
        for section in sections where section.kind == .group { try reader.readGroup(section) }
        for section in sections where section.kind == .history { try reader.readHistory(section) }
        try reader.readRecords(.others)
        opening = reader.opening
        return reader.contents
    }

    var vault: VaultID { opening.header.vault }

    // MARK: - Frames

    /// Which records are applied while runs and log are read.
    private enum Pass {
        case keys
        case others

        func takes(_ record: Record) -> Bool {
            if case .key = record { self == .keys } else { self == .others }
        }
    }

    private mutating func readRecords(_ pass: Pass) throws(VaultFormatError) {
        for section in opening.directory.sections where section.kind == .run { try readRun(section, pass) }
        try readLog(pass)
    }

    private mutating func readLog(_ pass: Pass) throws(VaultFormatError) {
        var log = opening.log(in: source, suite: suite)
        while let frame = try log.next() {
            for (number, record) in frame.records.enumerated() where pass.takes(record) {
                let place = VaultContents.Place.frame(sequence: frame.sequence, record: number)
                try apply(record, at: place, sequence: frame.sequence, time: frame.time)
            }
        }
        guard pass == .others else { return }
        contents.tail = try log.tailVerdict()
        contents.lastSequence = log.position.sequence
        contents.lastChain = log.position.chain
    }

    // MARK: - Runs

    private mutating func readRun(_ section: Section, _ pass: Pass) throws(VaultFormatError) {
        for (number, entry) in try run(section).entries.enumerated() where pass.takes(entry.record) {
            let place = VaultContents.Place.run(section: section.id, record: number)
            try apply(entry.record, at: place, sequence: entry.sequence, time: entry.time)
        }
    }

    private mutating func readHistory(_ section: Section) throws(VaultFormatError) {
        contents.history += try run(section).entries
    }

    private func run(_ section: Section) throws(VaultFormatError) -> Run {
        let run = try opening.run(section, in: source, suite: suite)
        try opening.checkMembers(of: run, in: section)
        return run
    }

    // MARK: - Keys

    mutating func matchKeys(of group: GroupEpoch) throws(VaultFormatError) -> MatchKeys<Suite>? {
        if let keys = matchKeys[group] { return keys }
        guard let key = opening.keyring.matchKeys[group] else { return nil }
        let keys = try translating(VaultFormatError.init) { () throws(CipherError) in
            try MatchKeys(key, suite: suite)
        }
        matchKeys[group] = keys
        return keys
    }

    mutating func dataKeys(of handle: KeyHandle) throws(VaultFormatError) -> DataKeys<Suite>? {
        if let keys = dataKeys[handle] { return keys }
        guard let key = opening.keyring.dataKeys[handle] else { return nil }
        let keys = try translating(VaultFormatError.init) { () throws(CipherError) in
            try DataKeys(key, suite: suite)
        }
        dataKeys[handle] = keys
        return keys
    }
}
