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
            order: UInt64(number) << 20,
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
            origin: Origin(writer: writer, place: Origin.place(sequence: UInt64(number) + 1, record: 0)),
            previousPlace: Origin.place(sequence: UInt64(number), record: 0),
            replacedSalt: replacedSalt
        )
    }

    func puts(count: Int) throws -> [Put] {
        try (0..<count).map(put)
    }

    // MARK: - The snapshot

    /// Returns the bytes of a vault whose snapshot holds `puts`, as compaction writes it after reading the log.
    func snapshot(of puts: [Put]) throws -> [UInt8] {
        var generation = try GenerationWriter(
            .new,
            structureKey: structureKey,
            ownerKey: ownerKey,
            cipher: cipher
        )
        generation.append(try section(of: puts))
        return generation.finished(keybag)
    }

    /// Returns the group's section with `puts`, in blocks of the store's target size or `itemsPerBlock` items.
    func section(of puts: [Put], itemsPerBlock: Int = .max) throws -> GroupSectionBuilder {
        var items: [(put: Put, match: MatchContent, item: MetadataBlock.Item)] = []
        for put in puts {
            let match = try put.openedMatch(keys: matchKeys)
            let metadata = try put.openedMetadata(keys: dataKeys)
            items.append((put, match, .init(revision: put.revision, metadata: metadata)))
        }
        items.sort { $0.item.precedes($1.item) }

        var builder = GroupSectionBuilder(group: group, keys: matchKeys)
        var start = 0
        while start < items.count {
            var end = start
            var byteCount = 0
            while end < items.count, end - start < itemsPerBlock,
                itemsPerBlock < .max || byteCount < MetadataBlock.targetByteCount
            {
                byteCount += items[end].item.byteCount
                end += 1
            }
            let part = items[start..<end]
            let block = try MetadataBlock(items: part.map(\.item)).sealed(
                handle: handle,
                keys: dataKeys,
                mayCompress: true
            )
            let blockItems = part.enumerated().map { number, item in
                GroupSectionBuilder.Item(
                    entry: builder.add(
                        item.put.revision,
                        item.put.provenance.origin,
                        ItemMatch(item.match),
                        sequence: 1
                    ),
                    number: number,
                    secret: item.put.secret.isEmpty ? nil : .bytes(item.put.secret)
                )
            }
            builder.append(
                block: .bytes(block),
                handle: handle,
                itemCount: blockItems.count,
                items: blockItems
            )
            start = end
        }
        return builder
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

    /// Returns the metadata block of the item with `digest`: one page, one block.
    func block(
        _ digest: PrimaryKeyDigest,
        _ reader: GroupSectionReader<BenchFileSource>
    ) throws -> MetadataBlock? {
        guard let entry = try reader.entries(withPrimaryKey: digest).first else { return nil }
        return try reader.block(at: entry.block.part, handle: handle, keys: dataKeys)
    }
}
