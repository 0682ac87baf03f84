import CofferBasics
import KeyedArchive
import TestSupport
import VaultCrypto
import VaultFormat

/// A vault that is generated from a seed, with its expected content.
struct RandomVault {
    typealias Name = ItemName

    /// The expected state of an item.
    struct Expected: Equatable {
        var revision: Revision
        var protection: ProtectionClass
        var order: UInt64
        var sequence: UInt64
        var attributes: ItemAttributes
        var secret: [UInt8]?
    }

    /// A past revision that the snapshot keeps.
    struct Past: Equatable {
        var revision: Revision
        var ended: Run.Ending?
    }

    /// A group and protection class, with their keys.
    private struct Shelf {
        var group: GroupEpoch
        var handle: KeyHandle
        var protection: ProtectionClass
        var match: MatchKeys
        var data: DataKeys
    }

    let keys: KeySample
    let passphrase = Array("correct horse".utf8)
    private(set) var bytes: [UInt8] = []
    private(set) var items: [Name: Expected] = [:]
    private(set) var history: [Past] = []
    private(set) var historySince = HistoryHorizon.beginning
    private(set) var groupNames: [GroupEpoch: [UInt8]] = [:]
    private var generator: SeededGenerator
    private var shelves: [Shelf] = []
    private var sequence: UInt64 = 0
    private let writer = WriterID(countingBytes(from: 0x51, count: 8).span)
    /// The last place, and that of each group.
    private var place: UInt64 = 0
    private var places: [GroupEpoch: UInt64] = [:]

    init(seed: UInt64) throws {
        keys = try KeySample(seed: "vault \(seed)")
        generator = SeededGenerator(seed: seed)
        let maker = try keys.maker()
        let (structureKey, structure) = try maker.structureKey()
        var entries = [try slot()] + structure
        for number in 0..<Int.random(in: 1...3, using: &generator) { entries += try group(number, maker) }
        sequence = UInt64.random(in: 0...1000, using: &generator)
        var identity = GenerationIdentity(
            generation: UInt64.random(in: 1...9, using: &generator),
            baseSequence: sequence,
            previousChain: ChainValue(bytes: countingBytes(from: 1, count: 32))
        )
        if identity.generation == 1 { identity.previousChain = ChainValue(bytes: [UInt8](repeating: 0, count: 32)) }
        let since = UInt64.random(in: 0...sequence, using: &generator)
        if since > 0 { historySince = HistoryHorizon(sequence: since, time: time) }
        let groups = Set(shelves.map(\.group)).sorted { "\($0)" < "\($1)" }
        let withRuns = groups.filter { _ in Bool.random(using: &generator) }
        var writer = try GenerationWriter(
            identity,
            Keybag(entries: entries),
            sectionCount: groups.count + withRuns.count + 1,
            structureKey: structureKey,
            ownerKey: maker.ownerKey(),
            cipher: cipher,
            to: MemorySink()
        )
        try addSnapshot(groups, withRuns, &writer)
        _ = writer.finish(historySince: historySince)
        bytes = writer.sink.bytes
        try addLog(maker)
        bytes += [UInt8](repeating: 0, count: [0, 1, 4096].randomElement(using: &generator) ?? 0)
    }

    private var cipher: Cipher { keys.cipher }

    // MARK: - Keys

    private func slot() throws -> KeybagEntry {
        let time = Time(microseconds: 1)
        let maker = SlotMaker(userRoot: keys.userRoot, epoch: 1, created: time, limits: .weak, cipher: cipher)
        let parameters = Argon2Parameters(operations: 1, memoryKiB: 8)
        return .slot(try maker.passphraseSlot(passphrase.span, parameters: parameters))
    }

    /// The entries of a group with data keys of some classes.
    private mutating func group(_ number: Int, _ maker: KeyMaker) throws -> [KeybagEntry] {
        let name = Array("group \(number)".utf8)
        let (group, matchKey, groupEntries) = try maker.group(named: name)
        groupNames[group] = name
        var entries = groupEntries
        let classes = ProtectionClass.allCases.shuffled(using: &generator)
        for protection in classes.prefix(.random(in: 1...3, using: &generator)) {
            let owner = protection.isBoundToDevice ? keys.device : .none
            let (handle, key, entry) = try maker.dataKey(group, protection, owner: owner)
            entries.append(entry)
            shelves.append(
                Shelf(
                    group: group,
                    handle: handle,
                    protection: protection,
                    match: try MatchKeys(matchKey, cipher: cipher),
                    data: try DataKeys(key, cipher: cipher)
                )
            )
        }
        return entries
    }

    // MARK: - Items

    private mutating func attributes() throws -> ItemAttributes {
        let itemClass = ItemClass.allCases.randomElement(using: &generator) ?? .key
        var values: CanonicalDictionary<ArchiveValue, ArchiveValue> = [:]
        for (name, kind) in itemClass.attributes.sorted(by: { $0.key < $1.key })
        where Int.random(in: 0..<3, using: &generator) == 0 {
            values[.string(name)] = .random(kind, using: &generator)
        }
        return try ItemAttributes(itemClass, values)
    }

    /// A new item, or the next revision of one, in the current transaction.
    private mutating func put(_ shelf: Shelf, after earlier: Expected? = nil) throws -> (Put, Expected) {
        let id = earlier?.revision.item ?? ItemID(cipher.random.bytes(16).span)
        let step = UInt64.random(in: 1...3, using: &generator)
        let revision = Revision(
            item: id,
            number: (earlier?.revision.number ?? 0) + step,
            salt: max(1, generator.next())
        )
        let hasSecret = Int.random(in: 0..<4, using: &generator) > 0
        let secret = hasSecret ? cipher.random.bytes(.random(in: 0...200, using: &generator)) : nil
        let expected = Expected(
            revision: revision,
            protection: shelf.protection,
            order: earlier?.order ?? sequence << 20 + UInt64(items.count),
            sequence: sequence,
            attributes: try attributes(),
            secret: secret
        )
        let content = secret.map { [0] + $0 } ?? []
        let put = try Put.sealing(
            revision,
            provenance: provenance(after: earlier, on: shelf),
            order: expected.order,
            written: Time(microseconds: 0),
            attributes: expected.attributes,
            secret: secret == nil
                ? [] : Put.sealedSecret(content.span, of: revision, keys: shelf.data),
            handle: shelf.handle,
            keys: (shelf.match, shelf.data)
        ).put
        return (put, expected)
    }

    /// The provenance of the next revision on a shelf: one writer, whose places go up one by one.
    private mutating func provenance(after earlier: Expected?, on shelf: Shelf) -> Provenance {
        let previous = places[shelf.group] ?? 0
        place += 1
        places[shelf.group] = place
        return Provenance(
            origin: Origin(writer: writer, place: place),
            previousPlace: previous,
            replacedSalt: earlier?.revision.salt ?? 0
        )
    }

    private var time: Time { Time(microseconds: Int64(sequence) * 1000) }

    /// The current items of a shelf, in the same order in every run.
    private func current(on shelf: Shelf) -> [(key: Name, value: Expected)] {
        items.filter { $0.key.group == shelf.group.group && $0.value.protection == shelf.protection }
            .sorted { $0.key.item < $1.key.item }
    }

    private func name(_ shelf: Shelf, _ expected: Expected) -> Name {
        Name(group: shelf.group.group, item: expected.revision.item)
    }
}

// MARK: - The snapshot

extension RandomVault {
    private mutating func addSnapshot(
        _ groups: [GroupEpoch],
        _ withRuns: [GroupEpoch],
        _ writer: inout GenerationWriter<MemorySink>
    ) throws {
        for group in groups { try addSection(of: group, hasPast: group == groups.first, &writer) }
        for group in withRuns {
            var run = Run(entries: [])
            for shelf in shelves where shelf.group == group {
                let current = current(on: shelf).first
                let (put, expected) = try put(shelf, after: current?.value)
                run.entries.append(Run.Entry(sequence: sequence, time: time, record: .put(put)))
                items[name(shelf, expected)] = expected
            }
            writer.append(run.content, group: group)
        }
        let unknown = Run.Entry(sequence: sequence, time: time, record: .unknown(kind: 77, body: [1]))
        writer.append(Run(entries: [unknown]).content, group: .none)
    }

    private mutating func addSection(
        of group: GroupEpoch,
        hasPast: Bool,
        _ writer: inout GenerationWriter<MemorySink>
    ) throws {
        guard let first = shelves.first(where: { $0.group == group }) else { return }
        var puts: [(entry: MatchEntry, shelf: Shelf, put: Put)] = []
        var dictionaries: [(MetadataDictionary, DataKeys)] = []
        for shelf in shelves where shelf.group == group {
            var metadata: [ItemMetadata] = []
            for _ in 0..<Int.random(in: 1...30, using: &generator) {
                let (put, expected) = try put(shelf)
                items[name(shelf, expected)] = expected
                metadata.append(try put.openedMetadata(keys: shelf.data))
                puts.append((try entry(of: put, shelf), shelf, put))
            }
            guard Bool.random(using: &generator) else { continue }
            let samples = Array(metadata.prefix(2))
            dictionaries.append(
                (MetadataDictionary(of: samples, handle: shelf.handle, random: cipher.random), shelf.data)
            )
        }
        puts.sort { $0.entry.precedes($1.entry) }
        var past: (entry: MatchEntry, shelf: Shelf, put: Put)?
        if hasPast {
            // What is past is not seen.
            let seen = (place, places)
            let (put, expected) = try put(first)
            (place, places) = seen
            let ended = Run.Ending(sequence: sequence + 1, time: time)
            history = [Past(revision: expected.revision, ended: ended)]
            var entry = try entry(of: put, first)
            entry.tail = .ended(ended)
            past = (entry, first, put)
        }
        try writer.append(group, keys: first.match) { section throws in
            var numbers: [KeyHandle: (number: Int, dictionary: MetadataDictionary)] = [:]
            for (dictionary, keys) in dictionaries {
                numbers[dictionary.handle] = (section.append(dictionary.sealed(keys: keys)), dictionary)
            }
            for (entry, shelf, put) in puts {
                var (entry, metadata) = (entry, put.metadata)
                if let (number, dictionary) = numbers[shelf.handle],
                    let deflated = try put.openedMetadata(keys: shelf.data).deflated(
                        of: put.revision,
                        dictionary.id,
                        dictionary.compressor(),
                        keys: shelf.data
                    )
                {
                    metadata = deflated
                    entry.dictionary = number
                    entry.sizes.metadata = metadata.count
                }
                section.append(entry, handle: shelf.handle, metadata: metadata.span, secret: put.secret.span)
            }
            if let (entry, shelf, put) = past {
                section.append(past: entry, handle: shelf.handle, metadata: put.metadata.span, secret: put.secret.span)
            }
            return section.finish(seen: SeenPlaces())
        }
    }

    private func entry(of put: Put, _ shelf: Shelf) throws -> MatchEntry {
        MatchEntry(
            put.revision,
            put.provenance.origin,
            ItemMatch(try put.openedMatch(keys: shelf.match)),
            sizes: put.sizes,
            sequence: sequence
        )
    }
}

// MARK: - The log

extension RandomVault {
    private mutating func addLog(_ maker: KeyMaker) throws {
        let opening = try opened()
        var log = opening.log(in: MemorySource(bytes))
        guard try log.next() == nil else { return }
        var writer = LogWriter(continuing: log.position, keys: opening.keys)
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            sequence += 1
            var records: [Record] = []
            if Int.random(in: 0..<4, using: &generator) == 0 {
                records += try group(100 + Int(sequence), maker).map(Record.key)
            }
            for _ in 0..<Int.random(in: 0...5, using: &generator) { records.append(try change()) }
            bytes += try writer.frame(records, time: time)
        }
    }

    /// The record of a new, changed or deleted item.
    private mutating func change() throws -> Record {
        guard let shelf = shelves.randomElement(using: &generator) else { return .unknown(kind: 99, body: []) }
        let current = current(on: shelf).randomElement(using: &generator)
        if let current, Int.random(in: 0..<3, using: &generator) == 0 {
            items[current.key] = nil
            let revision = current.value.revision
            return .delete(
                Delete(ending: revision, group: shelf.group, keys: shelf.match)
            )
        }
        let (put, expected) = try put(shelf, after: Bool.random(using: &generator) ? current?.value : nil)
        items[name(shelf, expected)] = expected
        return .put(put)
    }

    // MARK: - Reading

    /// The vault, opened with its passphrase and the root of its first device.
    func opened(_ bytes: [UInt8]? = nil) throws -> VaultOpening {
        let prelude = try VaultPrelude(of: MemorySource(bytes ?? self.bytes))
        return try VaultOpening(prelude, roots: try roots(prelude), random: cipher.random)
    }

    func roots(_ prelude: VaultPrelude) throws(VaultFormatError) -> Keyring.Roots {
        var roots = try prelude.roots(passphrase: passphrase.span, limits: .weak, availableByteCount: nil)
        roots.devices = keys.deviceRoots.filter { $0.key == keys.device }
        return roots
    }
}
