import CofferBasics
import Foundation
import KeyedArchive
import VaultCrypto
import VaultFormat

/// A compacted vault of many generic passwords in one group, as a store would write it.
struct VaultSample {
    static let groupName = "TEAMID.com.example.mail"

    let cipher: Cipher
    let group: GroupEpoch
    let roots: Keyring.Roots
    let matchKeys: MatchKeys
    /// The content of a key file that opens the vault.
    let keyFile: [UInt8]
    let handle: KeyHandle
    let dataKeys: DataKeys
    let structureKey: Key
    let ownerKey: Key
    let keybag: Keybag
    private let writer: WriterID

    init() throws {
        let random = try SystemRandom()
        writer = random.shortIdentifier()
        cipher = Cipher(vault: random.identifier(), random: random)
        let userRoot = try cipher.random.key()
        roots = .init(user: (userRoot, 1), devices: [:])
        let maker = try KeyMaker(userRoot: userRoot, devices: [:], epoch: 1, cipher: cipher)
        let slots = SlotMaker(userRoot: userRoot, epoch: 1, created: Time(microseconds: 0), cipher: cipher)
        let keyFile = cipher.random.bytes(32)
        let slot = try slots.keyFileSlot(keyFile.span)
        let (structureKey, structureEntries) = try maker.structureKey()
        let (group, matchKey, groupEntries) = try maker.group(named: Array(Self.groupName.utf8))
        let (handle, dataKey, dataEntry) = try maker.dataKey(group, .whenUnlocked)
        self.keyFile = keyFile
        self.structureKey = structureKey
        ownerKey = try maker.ownerKey()
        self.group = group
        self.handle = handle
        matchKeys = try MatchKeys(matchKey, cipher: cipher)
        dataKeys = try DataKeys(dataKey, cipher: cipher)
        keybag = Keybag(entries: [.slot(slot)] + structureEntries + groupEntries + [dataEntry])
    }

    // MARK: - Items

    /// Returns the attributes of item `number`: eight of them, with names of realistic length.
    func attributes(_ number: Int) throws -> ItemAttributes {
        let date = 780_000_000 + Double(number) * 37.25
        let values: CanonicalDictionary<ArchiveValue, ArchiveValue> = [
            "acct": .string("\(["kim", "alex", "sam", "robin"][number % 4]).\(number)@example.com"),
            "svce": .string("com.example.service-\(number % 997)"),
            "labl": .string("Example \(number % 997): \(number)"),
            "desc": "application password",
            "cdat": .date(secondsSinceReferenceDate: date),
            "mdat": .date(secondsSinceReferenceDate: date + 86_400 * Double(number % 300)),
            "sync": 0,
            "invi": 0,
        ]
        return try ItemAttributes(.genericPassword, values)
    }

    func digest(_ number: Int) throws -> PrimaryKeyDigest {
        try MatchDigests(attributes(number), keys: matchKeys).primaryKey
    }

    /// Returns a revision of item `number` with a 64-byte secret, sealed as in the log.
    private func put(_ number: Int) throws -> Put {
        let revision = Revision(item: cipher.random.identifier(), number: 1, salt: .random(in: 0 ... .max))
        let secret = Put.sealedSecret(([0] + cipher.random.bytes(64)).span, of: revision, keys: dataKeys)
        return try Put.sealing(
            revision,
            provenance: provenance(number),
            order: provenance(number).origin.place,
            written: Time(microseconds: 1_700_000_000_000_000 + Int64(number) * 1_234_567),
            attributes: attributes(number),
            secret: secret,
            handle: handle,
            keys: (matchKeys, dataKeys)
        ).put
    }

    /// Returns the provenance of put `number`, as if each had been written in a transaction of its own.
    func provenance(_ number: Int, replacing replacedSalt: UInt64 = 0) -> Provenance {
        Provenance(
            origin: Origin(writer: writer, place: UInt64(number) + 1),
            previousPlace: UInt64(number),
            replacedSalt: replacedSalt
        )
    }

    func puts(count: Int) throws -> [Put] {
        try (0..<count).map(put)
    }

    // MARK: - The snapshot

    /// Returns the bytes of a vault whose snapshot holds `puts`, as compaction writes it after reading the log.
    func snapshot(of puts: [Put]) throws -> [UInt8] {
        var generation = try generation(sectionCount: 1)
        try append(puts, to: &generation)
        _ = generation.finish()
        return generation.sink.bytes
    }

    /// Returns a writer of the first generation of the vault.
    func generation(sectionCount: Int) throws -> GenerationWriter<MemorySink> {
        try GenerationWriter(
            .new,
            keybag,
            sectionCount: sectionCount,
            structureKey: structureKey,
            ownerKey: ownerKey,
            cipher: cipher,
            to: MemorySink()
        )
    }

    /// Writes the group's section with `puts`, whose metadata are deflated.
    func append(_ puts: [Put], to generation: inout GenerationWriter<MemorySink>) throws {
        let dictionary = try dictionary(of: puts)
        let compressor = try dictionary.compressor()
        var items = try puts.map { try deflated($0, dictionary, compressor) }
        items.sort { $0.entry.precedes($1.entry) }
        try generation.append(group, keys: matchKeys) { section throws in
            _ = section.append(dictionary.sealed(keys: dataKeys))
            for item in items {
                let (metadata, secret) = (item.put.metadata, item.put.secret)
                section.append(item.entry, handle: handle, metadata: metadata.span, secret: secret.span)
            }
            return section.finish(seen: SeenPlaces())
        }
    }

    /// Returns a put with its metadata deflated if that makes it smaller, and its entry.
    private func deflated(
        _ put: Put,
        _ dictionary: MetadataDictionary,
        _ compressor: Compressor
    ) throws -> (put: Put, entry: MatchEntry) {
        let match = ItemMatch(try put.openedMatch(keys: matchKeys))
        let metadata = try put.openedMetadata(keys: dataKeys)
        var put = put
        let box = try metadata.deflated(of: put.revision, dictionary.id, compressor, keys: dataKeys)
        let isSmaller = (box?.count ?? .max) < put.metadata.count
        if isSmaller, let box { put.metadata = box }
        var entry = MatchEntry(put.revision, put.provenance.origin, match, sizes: put.sizes, sequence: 1)
        entry.dictionary = isSmaller ? 1 : 0
        return (put, entry)
    }

    /// Returns a dictionary of some items, evenly spread, as a store makes it.
    private func dictionary(of puts: [Put]) throws -> MetadataDictionary {
        let samples = try stride(from: 0, to: puts.count, by: puts.count / 8 + 1).map { number in
            try puts[number].openedMetadata(keys: dataKeys)
        }
        return MetadataDictionary(of: samples, handle: handle, random: cipher.random)
    }

    // MARK: - Reading

    /// Opens the vault, from the header to the directory, and the fence of its group.
    func opened(_ source: BenchFileSource) throws -> GroupSectionReader<BenchFileSource> {
        let prelude = try VaultPrelude(of: source)
        let opening = try VaultOpening(prelude, roots: roots, random: cipher.random)
        return try GroupSectionReader(
            opening.directory.sections[0],
            in: source,
            snapshotOffset: opening.header.snapshotRange.lowerBound,
            keys: matchKeys
        )
    }

    /// Returns the metadata of the item with `digest`: one page, one box.
    func metadata(
        _ digest: PrimaryKeyDigest,
        _ reader: GroupSectionReader<BenchFileSource>,
        _ dictionary: MetadataDictionary
    ) throws -> ItemMetadata? {
        for number in Fence.candidates(for: digest, in: reader.fence.live.keys) {
            let leaf = try reader.leaf(number)
            let index = leaf.firstIndex(notBefore: digest)
            guard index < leaf.count, leaf.digest(at: index) == digest else { continue }
            let entry = leaf[index]
            let box = try reader.bytes(of: entry.metadata)
            let needed = entry.dictionary == 0 ? nil : dictionary
            return try ItemMetadata(opening: box.span, of: entry.revision, dictionary: needed, keys: dataKeys)
        }
        return nil
    }
}
