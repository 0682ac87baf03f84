import Glibc
import KeyedArchive
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// Has all keys of a vault, and writes the records that the input describes.
struct Insider: Sendable {
    static let shared = Result { try Insider() }

    private let environment: StoreEnvironment
    private let roots: Keyring<SodiumSuite>.Roots
    private let path: String
    /// A vault with items in its snapshot, of which the log has changed some.
    private let base: [UInt8]
    private let opening: VaultOpening<SodiumSuite>
    private let end: LogPosition
    /// The records of the log, and more of the kinds that it lacks.
    private let records: [Record]

    private init() throws {
        environment = StoreEnvironment(suite: try SodiumSuite())
        var new = try NewVault(environment: environment)
        let device = DeviceID(environment.suite.randomBytes(16).span)
        try new.add(device: device, key: try environment.suite.randomKey(), opensAll: true)
        roots = new.roots
        path = "/dev/shm/coffer-fuzz-\(getpid())"
        unlink(path)
        let store = try VaultStore.create(new, at: path, environment: environment)
        for account in ["ann", "bob"] { try Self.add(account, to: store) }
        try store.compact()
        try Self.add("kim", to: store)
        try store.transaction { (transaction) throws(StoreError) in
            for group in transaction.vault.groupNames.keys {
                for item in try transaction.vault.items(in: group) {
                    let attributes = try transaction.vault.attributes(of: item)
                    try transaction.update(item, attributes: attributes, secret: .keep)
                }
                if let item = try transaction.vault.items(in: group).first { try transaction.delete(item) }
            }
            try transaction.change(Settings(revision: 0, values: ["historyDays": 7]))
        }
        base = try Self.bytes(path)
        let source = MemorySource(base)
        let prelude = try VaultPrelude(of: source, suite: environment.suite)
        opening = try VaultOpening(prelude, roots: roots, suite: environment.suite)
        var reader = opening.log(in: source, suite: environment.suite)
        var records: [Record] = []
        while let frame = try reader.next() { records += frame.records }
        for entry in prelude.keybag.entries {
            switch entry {
            case .device, .structureKey, .classKey, .matchKey, .groupName, .dataKey: records.append(.key(entry))
            default: continue
            }
        }
        self.records = records
        end = reader.position
    }

    private static func add(_ account: String, to store: VaultStore) throws(StoreError) {
        _ = try store.transaction { (transaction) throws(StoreError) in
            let values: CanonicalDictionary<ArchiveValue, ArchiveValue> = ["acct": .string(account), "svce": "mail"]
            let attributes = try translating(StoreError.refused) { () throws(Fault) in
                try ItemAttributes(.genericPassword, values)
            }
            let secret = Array("secret of \(account)".utf8)
            return try transaction.add(
                attributes,
                secret: secret.span,
                group: Array("group".utf8),
                protection: .whenUnlocked
            )
        }
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        let place = try LinuxFileSystem().locate(path)
        let file = try place.directory.open(place.name, for: .reading)
        return try file.bytes(in: 0..<file.status().byteCount)
    }

    // MARK: - Records of the input

    /// Writes what the input says behind the log, or as a run, and does with the vault what people do.
    func offer(_ input: [UInt8]) throws {
        var input = FuzzInput(input)
        let settings = input.byte()
        let frames = frames(&input)
        let file = settings & 1 == 0 ? try log(frames) : try run(frames.joined(), isHistory: settings & 2 != 0)
        try write(file)
        do throws(StoreError) {
            try use(dropsInvalid: settings & 4 != 0)
        } catch {
            // Every failure is an answer.
        }
    }

    private func frames(_ input: inout FuzzInput) -> [[Record]] {
        var frames: [[Record]] = [[]]
        while !input.isAtEnd {
            switch input.byte() % 6 {
            case 0: frames.append([])
            case 1: frames[frames.count - 1].append(.malformed(input.bytes(), LocatedFault(.badValue, at: 0)))
            case 2: frames[frames.count - 1].append(.unknown(kind: input.byte(), body: input.bytes()))
            case 3: frames[frames.count - 1].append(.settings(body: input.bytes()))
            case 4: frames[frames.count - 1].append(records[Int(input.byte()) % records.count])
            default: frames[frames.count - 1].append(changed(records[Int(input.byte()) % records.count], &input))
            }
        }
        return frames
    }

    /// A record that is sealed as it should be, and says something else.
    private func changed(_ record: Record, _ input: inout FuzzInput) -> Record {
        switch record {
        case .put(var put):
            guard let entry = opening.keyring.dataKeyEntries[put.dataKey],
                let matchKey = opening.keyring.matchKeys[entry.group],
                let dataKey = opening.keyring.dataKeys[put.dataKey],
                let match = try? MatchKeys(matchKey, suite: environment.suite),
                let data = try? DataKeys(dataKey, suite: environment.suite),
                var content = try? put.openedMatch(keys: match, vault: opening.header.vault, suite: environment.suite),
                let metadata = try? put.openedMetadata(
                    keys: data,
                    vault: opening.header.vault,
                    suite: environment.suite
                )
            else { return record }
            put.revision.number = UInt64(input.byte()) << (8 * UInt64(input.byte() % 8))
            put.metadata = box(input.change(metadata.bytes), data.metadata, put.revision, .metadata)
            if input.byte() % 2 == 0 { put.secret = box(input.bytes(), data.secret, put.revision, .secret) }
            content.recordHash = put.hash(suite: environment.suite)
            put.match = box(input.change(content.bytes), match.match, put.revision, .match)
            return .put(put)
        case .delete(let delete):
            guard let key = opening.keyring.matchKeys[delete.group],
                let keys = try? MatchKeys(key, suite: environment.suite)
            else { return record }
            var revision = delete.revision
            revision.number = UInt64(input.byte())
            return .delete(
                Delete(
                    revision: revision,
                    group: delete.group,
                    keys: keys,
                    vault: opening.header.vault,
                    suite: environment.suite
                )
            )
        case .key, .settings, .unknown, .malformed:
            return .malformed(input.change(record.encoded), LocatedFault(.badValue, at: 0))
        }
    }

    private func box(
        _ content: [UInt8],
        _ key: GuardedKey,
        _ revision: Revision,
        _ part: ItemPart
    ) -> [UInt8] {
        let associatedData = revision.associatedData(part: part, vault: opening.header.vault)
        return Box.sealed(content.span, key: key, associatedData: associatedData, suite: environment.suite)
    }

    /// The vault with frames behind its log.
    private func log(_ frames: [[Record]]) throws -> [UInt8] {
        var file = Array(base[..<end.offset])
        var writer = LogWriter(continuing: end, keys: opening.keys, suite: environment.suite)
        for records in frames { file += try writer.frame(records, time: Time(microseconds: 0)) }
        return file
    }

    /// A vault of nothing but a run, or a history, with the records.
    private func run(_ records: some Sequence<Record>, isHistory: Bool) throws -> [UInt8] {
        var content = RunContent()
        let ending = isHistory ? Run.Ending(sequence: 0, time: Time(microseconds: 0)) : nil
        for record in records {
            content.append(Run.Entry(sequence: 0, time: Time(microseconds: 0), ended: ending, record: record))
        }
        let prelude = try VaultPrelude(of: MemorySource(base), suite: environment.suite)
        guard let (key, _) = try opening.keyring.structureKey(in: prelude.keybag) else { return base }
        var writer = try GenerationWriter(.new(opening.header.vault), structureKey: key, suite: environment.suite)
        let group = opening.keyring.matchKeys.keys.first ?? .none
        writer.append(content, kind: isHistory ? .history : .run, group: group)
        return writer.finished(prelude.keybag)
    }

    private func write(_ bytes: [UInt8]) throws {
        unlink(path)
        let place = try environment.files.locate(path)
        try place.directory.create(place.name).writeAll(bytes.span, at: 0)
    }

    // MARK: - Calls of the store

    private func use(dropsInvalid: Bool) throws(StoreError) {
        let store = try VaultStore.open(at: path, environment: environment) { _ in roots }
        let items = try Self.items(of: store)
        _ = try store.verify()
        let saved = path + "-saved"
        unlink(saved)
        _ = try VaultStore.salvage(at: path, to: saved, environment: environment) { _ in roots }
        let salvaged = try VaultStore.open(at: saved, environment: environment) { _ in roots }
        let rescued = try Self.items(of: salvaged)
        precondition(rescued == items, "salvage changed the items")
        try Self.add("new", to: store)
        let grown = try Self.items(of: store)
        precondition(grown.isSuperset(of: items), "an addition took items away")
        var request = CompactionRequest()
        request.dropsInvalid = dropsInvalid
        try store.compact(request)
        let compacted = try Self.items(of: store)
        precondition(compacted == grown, "a compaction changed the items")
    }

    /// The readable items, each with its past.
    private static func items(of store: VaultStore) throws(StoreError) -> Set<[UInt8]> {
        try store.read { (vault) throws(StoreError) in
            var items: Set<[UInt8]> = []
            for group in vault.groupNames.keys {
                for item in try vault.items(in: group) {
                    _ = try? vault.revisions(of: item.name)
                    guard let attributes = try? vault.attributes(of: item) else { continue }
                    let secret = try? vault.secret(of: item)?.withBytes { bytes in bytes.indices.map { bytes[$0] } }
                    let account = attributes["acct"]?.string ?? ""
                    items.insert(item.revision.item.bytes + Array(account.utf8) + (secret ?? []))
                }
            }
            return items
        }
    }
}

/// The input, byte by byte; at its end there are zeros.
struct FuzzInput {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// As many bytes as the next one says.
    mutating func bytes() -> [UInt8] {
        let count = Int(byte())
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// `bytes` with a few of them exchanged, or cut off.
    mutating func change(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<byte() % 4 where !bytes.isEmpty { bytes[(Int(byte()) << 8 | Int(byte())) % bytes.count] ^= byte() }
        if byte() % 8 == 1 { bytes.removeLast(min(bytes.count, Int(byte()))) }
        return bytes
    }
}
