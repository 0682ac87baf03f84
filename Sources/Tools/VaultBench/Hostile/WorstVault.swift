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
    /// As many items as possible, in blocks of many items.
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
            let record = Record.unknown(kind: 99, body: [])
            try file.replaceSnapshot { writer in
                for part in Self.parts(of: byteCount / 40, perRun: 800_000) {
                    let entry = Run.Entry(sequence: 0, time: Time(microseconds: 0), record: record)
                    let run = Run(entries: Array(repeating: entry, count: part))
                    writer.append(run.content, kind: .run, group: .none)
                }
            }
        case .history:
            let item = sample.randomItem()
            let put = try sample.smallPut(number: 0, item: item, revision: 1)
            let ending = Run.Ending(sequence: 0, time: Time(microseconds: 0))
            let entry = Run.Entry(sequence: 0, time: Time(microseconds: 0), ended: ending, record: .put(put))
            let perRun = (31 << 20) / (40 + 600)
            try file.replaceSnapshot { writer in
                for part in Self.parts(of: byteCount / 640, perRun: perRun) {
                    let run = Run(entries: Array(repeating: entry, count: part))
                    writer.append(run.content, kind: .history, group: sample.group)
                }
            }
        case .compressibleItems, .smallItems:
            let isLarge = self == .compressibleItems
            let section = try sample.section(
                byteCount: byteCount,
                textByteCount: isLarge ? 60_000 : 0,
                itemsPerBlock: isLarge ? 4 : 256
            )
            try file.replaceSnapshot { $0.append(section) }
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
        let section = try sample.section(of: [put])
        log = try Self.snapshot(in: file, sample) { $0.append(section) }
    }

    /// Replaces the snapshot with a single item by another.
    mutating func replaceSnapshot(_ fill: (inout GenerationWriter) -> Void) throws {
        try file.truncate(atOffset: 0)
        log = try Self.snapshot(in: file, sample, fill)
    }

    private static func snapshot(
        in file: FileHandle,
        _ sample: VaultSample,
        _ fill: (inout GenerationWriter) -> Void
    ) throws -> LogWriter {
        var writer = try GenerationWriter(
            .new,
            structureKey: sample.structureKey,
            ownerKey: sample.ownerKey,
            cipher: sample.cipher
        )
        fill(&writer)
        let keys = writer.keys
        var sink = MemorySink()
        let start = writer.write(sample.keybag, to: &sink)
        try file.write(contentsOf: Data(sink.bytes))
        return LogWriter(continuing: start, keys: keys)
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
        return Delete(ending: ended, number: 2, group: group, keys: matchKeys)
    }

    /// Returns the attributes of an item: a service, an account, and a comment of `textByteCount` letters.
    func smallAttributes(_ number: Int, textByteCount: Int = 0) throws -> ItemAttributes {
        var values: CanonicalDictionary<ArchiveValue, ArchiveValue> = [
            "acct": .string("\(number)"), "svce": .string(WorstVault.service),
        ]
        if textByteCount > 0 { values["icmt"] = .string(Self.compressibleText(textByteCount)) }
        return try ItemAttributes(.genericPassword, values)
    }

    /// Returns a text that compresses to a little more than a sixteenth, which is as much as a reader accepts.
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
            order: UInt64(number),
            written: Time(microseconds: 0),
            attributes: smallAttributes(number, textByteCount: textByteCount),
            secret: [],
            handle: handle,
            keys: (matchKeys, dataKeys)
        ).put
    }

    /// Returns a section of such items, at most a million, that takes about `byteCount` bytes of a file.
    func section(
        byteCount: Int,
        textByteCount: Int,
        itemsPerBlock: Int
    ) throws -> GroupSectionBuilder {
        var puts: [Put] = []
        // The size of an item in the pages, and its approximate size in a block.
        let itemByteCount = 124 + 36 + textByteCount / 15
        let count = min(byteCount / itemByteCount, textByteCount > 0 ? (1 << 30) / (textByteCount + 400) : 1_000_000)
        puts.reserveCapacity(count)
        for number in 0..<count { puts.append(try smallPut(number: number, textByteCount: textByteCount)) }
        return try section(of: puts, itemsPerBlock: itemsPerBlock)
    }
}
