import CofferBasics
import Foundation
import KeyedArchive
import VaultCrypto
import VaultFormat

/// A kind of vault file, made with the keys, that costs a reader much more memory than its size suggests.
enum WorstVault: String, CaseIterable {
    /// Frames full of the shortest records of an unknown kind.
    case unknownRecords = "unknown_records"
    /// Runs full of the shortest records of an unknown kind.
    case unknownRuns = "unknown_runs"
    /// Frames full of the shortest invalid records.
    case malformedRecords = "malformed_records"
    /// Unsigned settings.
    case settings
    /// Invalid key records.
    case keys
    /// Deletes of items that do not exist.
    case deletes
    /// The smallest puts.
    case puts
    /// Revisions of one item.
    case revisions
    /// Frames without records.
    case emptyFrames = "empty_frames"
    /// Items whose attributes compress well.
    case compressibleItems = "compressible_items"
    /// As many items as possible.
    case smallItems = "small_items"
    /// Past revisions that the snapshot keeps.
    case history

    /// The service of all items that the vault may contain.
    static let service = "service"

    /// Writes a vault of this kind, of about `byteCount` bytes, to `path`.
    func write(to path: String, byteCount: Int, sample: VaultSample) throws {
        var file = try WorstVaultFile(path: path, sample: sample)
        switch self {
        case .unknownRecords: try file.fill(to: byteCount, perFrame: 262_144) { _ in .unknown(kind: 99, body: []) }
        case .malformedRecords:
            let fault = Fault(.tooShort)
            try file.fill(to: byteCount, perFrame: 262_144) { _ in .malformed([1, 0, 0, 0, 0, 0, 0, 0], fault) }
        case .settings:
            let body = [UInt8](repeating: 7, count: 80)
            try file.fill(to: byteCount, perFrame: 100_000) { _ in .settings(body: body) }
        case .keys:
            let entries = sample.keybag.entries.filter { if case .dataKey = $0 { true } else { false } }
            try file.fill(to: byteCount, perFrame: 65_536) { .key(entries[$0 % entries.count]) }
        case .deletes: try file.fill(to: byteCount, perFrame: 100_000) { _ in .delete(sample.delete()) }
        case .puts: try file.fill(to: byteCount, perFrame: 10_000) { .put(try sample.smallPut(number: $0)) }
        case .revisions:
            let item = sample.randomItem()
            try file.fill(to: byteCount, perFrame: 10_000) {
                .put(try sample.smallPut(number: 0, item: item, revision: UInt64($0 + 1)))
            }
        case .emptyFrames: try file.fill(to: byteCount, perFrame: 0) { _ in .unknown(kind: 99, body: []) }
        case .unknownRuns:
            let entry = Run.Entry(
                sequence: 0,
                time: Time(microseconds: 0),
                record: .unknown(kind: 99, body: [])
            )
            let counts = Self.parts(of: byteCount / entry.byteCount, perRun: 1_300_000)
            try file.replaceSnapshot(sectionCount: counts.count) { writer in
                for count in counts {
                    writer.append(Run(entries: Array(repeating: entry, count: count)).content, group: .none)
                }
            }
        case .history:
            try file.replaceSnapshot(sectionCount: 1) { try sample.appendHistory(byteCount: byteCount, to: &$0) }
        case .compressibleItems, .smallItems:
            let textByteCount = self == .compressibleItems ? 60_000 : 0
            let puts = try sample.smallPuts(byteCount: byteCount, textByteCount: textByteCount)
            try file.replaceSnapshot(sectionCount: 1) { try sample.append(puts, to: &$0) }
        }
        try file.close()
    }

    private static func parts(of count: Int, perRun: Int) -> [Int] {
        stride(from: 0, to: count, by: perRun).map { min(perRun, count - $0) }
    }
}

/// A vault file that is being written.
private struct WorstVaultFile {
    private let file: FileHandle
    private let sample: VaultSample
    private var log: LogWriter

    init(path: String, sample: VaultSample) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileNoSuchFile) }
        self.file = file
        self.sample = sample
        let put = try sample.smallPut(number: 0)
        log = try Self.snapshot(in: file, sample, sectionCount: 1) { try sample.append([put], to: &$0) }
    }

    /// Replaces the snapshot with a single item by another.
    mutating func replaceSnapshot(
        sectionCount: Int,
        _ fill: (inout GenerationWriter<MemorySink>) throws -> Void
    ) throws {
        try file.truncate(atOffset: 0)
        log = try Self.snapshot(in: file, sample, sectionCount: sectionCount, fill)
    }

    private static func snapshot(
        in file: FileHandle,
        _ sample: VaultSample,
        sectionCount: Int,
        _ fill: (inout GenerationWriter<MemorySink>) throws -> Void
    ) throws -> LogWriter {
        var writer = try sample.generation(sectionCount: sectionCount)
        try fill(&writer)
        let start = writer.finish()
        try file.write(contentsOf: Data(writer.sink.bytes))
        return LogWriter(continuing: start, keys: writer.keys)
    }

    /// Appends frames of up to `perFrame` records until the file has its size.
    mutating func fill(to byteCount: Int, perFrame: Int, _ record: (Int) throws -> Record) throws {
        var number = 1
        while log.position.offset < byteCount {
            var records: [Record] = []
            var rest = min(16 << 20, byteCount - log.position.offset)
            while records.count < perFrame, rest > 0 {
                records.append(try record(number))
                rest -= records[records.count - 1].byteCount
                if rest < 0 { records.removeLast() }
                number += 1
            }
            if records.isEmpty, perFrame > 0 { return }
            try file.write(contentsOf: Data(log.frame(records, time: Time(microseconds: 0))))
        }
    }

    func close() throws { try file.close() }
}

extension VaultSample {
    func randomItem() -> ItemID { cipher.random.identifier() }

    /// Returns a delete of an item that does not exist.
    func delete() -> Delete {
        let ended = Revision(item: randomItem(), number: 1, salt: .random(in: 0 ... .max))
        return Delete(ending: ended, group: group, keys: matchKeys)
    }

    /// Returns the attributes of an item: a service, an account, and a comment of `textByteCount` letters.
    func smallAttributes(_ number: Int, textByteCount: Int = 0) throws -> ItemAttributes {
        var values: CanonicalDictionary<ArchiveValue, ArchiveValue> = [
            "acct": .string("\(number)"), "svce": .string(WorstVault.service),
        ]
        if textByteCount > 0 { values["icmt"] = .string(Self.compressibleText(textByteCount)) }
        return try ItemAttributes(.genericPassword, values)
    }

    /// Returns a text that compresses to a little more than a sixteenth.
    private static func compressibleText(_ byteCount: Int) -> String {
        let letters = (0..<byteCount / 9).map { _ in UInt8.random(in: 0x61...0x7A) }
        let rest = [UInt8](repeating: 0x61, count: byteCount - letters.count)
        return String(decoding: letters + rest, as: UTF8.self)
    }

    /// Returns a put without data and with almost no attributes, which replaces the revision before it.
    func smallPut(
        number: Int,
        item: ItemID? = nil,
        revision: UInt64 = 1,
        textByteCount: Int = 0
    ) throws -> Put {
        try Put.sealing(
            Revision(item: item ?? randomItem(), number: revision, salt: revision),
            provenance: provenance(number + Int(revision) - 1, replacing: revision - 1),
            order: provenance(number).origin.place,
            written: Time(microseconds: 0),
            attributes: smallAttributes(number, textByteCount: textByteCount),
            secret: [],
            handle: handle,
            keys: (matchKeys, dataKeys)
        ).put
    }

    /// Returns such puts, at most a million, whose section takes about `byteCount` bytes of a file.
    func smallPuts(byteCount: Int, textByteCount: Int) throws -> [Put] {
        // The approximate size of an item with its entries.
        let itemByteCount = 154 + textByteCount / 15
        let count = min(byteCount / itemByteCount, textByteCount > 0 ? (1 << 30) / (textByteCount + 400) : 1_000_000)
        // The first one has no text: a dictionary is made of it.
        return try (0..<count).map { try smallPut(number: $0, textByteCount: $0 == 0 ? 0 : textByteCount) }
    }

    /// Writes the group's section with past revisions of one item, of about `byteCount` bytes.
    func appendHistory(byteCount: Int, to generation: inout GenerationWriter<MemorySink>) throws {
        let item = randomItem()
        try generation.append(group, keys: matchKeys) { section throws in
            var seen = SeenPlaces()
            var (revision, rest): (UInt64, Int) = (1, byteCount)
            while rest > 0 {
                let put = try smallPut(number: 0, item: item, revision: revision)
                let entry = MatchEntry(
                    put.revision,
                    put.provenance.origin,
                    ItemMatch(try put.openedMatch(keys: matchKeys)),
                    sizes: put.sizes,
                    sequence: 0,
                    tail: .ended(Run.Ending(sequence: 0, time: Time(microseconds: 0)))
                )
                section.append(past: entry, handle: handle, metadata: put.metadata.span, secret: put.secret.span)
                seen.insert(entry.origin)
                rest -= entry.byteCountInLeaf
                revision += 1
            }
            return section.finish(seen: seen)
        }
    }
}
