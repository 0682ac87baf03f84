import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Section 5.6: records that a snapshot carries unchanged.
@Suite("Run") struct RunTests {
    private let items: ItemSample
    private let keys: KeySample

    init() throws {
        items = try ItemSample(seed: "runs")
        keys = try KeySample()
    }

    private typealias Opened = (section: Section, box: [UInt8], keys: GenerationKeys)

    /// The run in a snapshot: its directory entry, its box and the keys of the box.
    private func written(_ run: Run) throws -> Opened {
        let maker = try keys.maker()
        let (structureKey, entries) = try maker.structureKey()
        var writer = try GenerationWriter(
            .new,
            Keybag(entries: entries),
            sectionCount: 1,
            structureKey: structureKey,
            ownerKey: maker.ownerKey(),
            cipher: keys.cipher,
            to: MemorySink()
        )
        writer.append(run.content, group: items.group)
        _ = writer.finish()
        let bytes = writer.sink.bytes
        let prelude = try VaultPrelude(of: MemorySource(bytes))
        let opening = try VaultOpening(
            prelude,
            roots: .init(user: (keys.userRoot, 1), devices: [:]),
            random: keys.cipher.random
        )
        let section = try #require(opening.directory.sections.first)
        let start = opening.header.snapshotRange.lowerBound
        #expect(start + section.range.upperBound == bytes.count)
        return (section, Array(bytes[(start + section.offset)...]), opening.keys)
    }

    private func read(_ opened: Opened) throws -> Run {
        try Run(opening: opened.box, of: opened.section, keys: opened.keys)
    }

    private func entry(_ sequence: UInt64, _ record: Record) -> Run.Entry {
        Run.Entry(sequence: sequence, time: Time(microseconds: -Int64(sequence)), record: record)
    }

    @Test func `a run is read back with its records, times and order`() throws {
        let put = Record.put(try items.put())
        let run = Run(entries: [entry(3, put), entry(3, .unknown(kind: 9, body: [1])), entry(8, put)])
        let opened = try written(run)
        #expect(try read(opened) == run)
        #expect((opened.section.kind, opened.section.count, opened.section.group) == (.run, 3, items.group))
    }

    @Test func `an entry is laid out as the table says`() throws {
        let record = Record.put(try items.put())
        let opened = try written(Run(entries: [entry(3, record)]))
        let content = try Box.opened(
            opened.box.span,
            key: opened.keys.snapshot,
            associatedData: Array("coffer1.run".utf8) + [0, 0, 0, 0, 0] + opened.section.id.bytes
        )
        #expect(content == littleEndian(UInt64(3)) + littleEndian(Int64(-3)) + record.encoded)
    }

    @Test func `entries that are not in the order of their transactions are rejected`() throws {
        let run = Run(entries: [entry(3, .unknown(kind: 9, body: [])), entry(2, .unknown(kind: 9, body: []))])
        // Each entry has a head of 16 bytes, and the records have no body.
        #expect(throws: Fault(.outOfOrder, at: 24)) { try read(written(run)) }
    }

    @Test func `a run is bound to its section and generation`() throws {
        let opened = try written(Run(entries: [entry(3, .unknown(kind: 9, body: []))]))
        var other = opened
        other.section.id = SectionID(countingBytes(from: 1, count: 16).span)
        #expect(throws: Fault(.notAuthentic, at: 0)) { try read(other) }
        other = opened
        other.keys = try GenerationKeys.sample(keys.cipher)
        #expect(throws: Fault(.notAuthentic, at: 0)) { try read(other) }
        other = opened
        other.section.count = 2
        #expect(throws: Fault(.disagrees, at: 0)) { try read(other) }
    }

    /// The directory limits the size of the box, which is padded, so only the run detects a single excess byte.
    @Test func `a run has at most 32 MiB`() throws {
        let small = try written(Run(entries: [entry(3, .unknown(kind: 9, body: []))]))
        func read(byteCount: Int) throws -> Run {
            let record = Record.unknown(kind: 9, body: [UInt8](repeating: 1, count: byteCount - 24))
            let run = Run(entries: [entry(3, record)])
            let box = run.content.sealed(section: small.section.id, keys: small.keys)
            return try self.read((small.section, box, small.keys))
        }
        #expect(try read(byteCount: 33_554_432).entries.count == 1)
        #expect(throws: Fault(.limitExceeded(.run, value: 33_554_433), at: 0)) {
            try read(byteCount: 33_554_433)
        }
    }

    @Test func `a malformed record is carried bit by bit`() throws {
        let log = try LogSample()
        let bytes: [UInt8] = [1, 2, 0, 3, 2, 0, 0, 0, 5, 6]
        let record = try #require(try log.record(bytes))
        let found = try #require(try read(written(Run(entries: [entry(1, record)]))).entries.first)
        #expect(found.record.encoded == bytes)
    }
}
