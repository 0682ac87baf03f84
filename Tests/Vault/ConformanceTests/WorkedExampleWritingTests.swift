import CofferBasics
import KeyedArchive
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

/// Writes the worked example with `VaultFormat` alone, from the random bytes that the document prints.
@Suite("Worked example, written") struct WorkedExampleWritingTests {
    private let example: WorkedExample
    private let random: ScriptedRandom
    private let cipher: Cipher

    init() throws {
        example = try WorkedExample()
        random = ScriptedRandom(try Self.script(example))
        // The vault ID is the first random value.
        cipher = Cipher(vault: random.identifier(), random: random)
    }

    /// Returns the random bytes of the example, in the order in which our writer requests them.
    private static func script(_ example: WorkedExample) throws -> [[UInt8]] {
        func drawn(_ name: String) throws -> [UInt8] { try example.value(name, in: "1") }
        func nonce(_ section: String, _ block: Int = 0) throws -> [UInt8] {
            try example.value("R", in: section, block: block)
        }
        func bytes(_ offset: Int) -> [UInt8] { Array(example.file[offset..<offset + 16]) }
        return [
            try drawn("vault id"), try drawn("UR"),
            bytes(0x178), bytes(0x150), try nonce("3.1"),
            try drawn("Ks"), try nonce("3.2"),
            try nonce("3.3"),
            try drawn("Kd"), try drawn("key handle"), try nonce("3.4"),
            bytes(0x38), try nonce("4"),
            try drawn("item id"), try drawn("revision salt"),
            try nonce("5.1", 3), try nonce("5.1", 2), try nonce("5.1", 1), try nonce("5"),
        ]
    }

    @Test func `the same random bytes give the same file`() throws {
        let keys = try makeKeys()
        var writer = try GenerationWriter(
            .new,
            Keybag(entries: keys.entries),
            sectionCount: 0,
            structureKey: keys.structureKey,
            ownerKey: keys.ownerKey,
            cipher: cipher,
            to: MemorySink()
        )
        let start = writer.finish()
        var file = writer.sink.bytes
        var log = LogWriter(continuing: start, keys: writer.keys)
        let time = Time(microseconds: 1_700_000_001_000_000)
        file += try log.frame([.put(try put(keys))], time: time)
        #expect(file == example.file)
        #expect(random.remainingCount == 0)
    }

    private struct Keys {
        let structureKey: Key
        let ownerKey: Key
        let match: MatchKeys
        let data: DataKeys
        let handle: KeyHandle
        let entries: [KeybagEntry]
    }

    private func makeKeys() throws -> Keys {
        let userRoot = try cipher.random.key()
        let passphrase = try example.value("passphrase", in: "1")
        let slots = SlotMaker(
            userRoot: userRoot,
            epoch: 1,
            created: Time(microseconds: 1_700_000_000_000_000),
            limits: .weak,
            cipher: cipher
        )
        let slot = try slots.passphraseSlot(passphrase.span, parameters: .init(operations: 1, memoryKiB: 8))
        let maker = try KeyMaker(userRoot: userRoot, devices: [:], epoch: 1, cipher: cipher)
        let (structureKey, structureEntries) = try maker.structureKey()
        let (group, matchKey, groupEntries) = try maker.group(named: Array("mail".utf8))
        let (handle, dataKey, dataEntry) = try maker.dataKey(group, .whenUnlocked)
        return Keys(
            structureKey: structureKey,
            ownerKey: try maker.ownerKey(),
            match: try MatchKeys(matchKey, cipher: cipher),
            data: try DataKeys(dataKey, cipher: cipher),
            handle: handle,
            entries: [.slot(slot)] + structureEntries + groupEntries + [dataEntry]
        )
    }

    private func put(_ keys: Keys) throws -> Put {
        let id: ItemID = cipher.random.identifier()
        let salt = cipher.random.bytes(8).span.littleEndian(at: 0, as: UInt64.self)
        let revision = Revision(item: id, number: 1, salt: salt)
        let date = ArchiveValue.date(secondsSinceReferenceDate: 600_000_000.25)
        let attributes = try ItemAttributes(
            .genericPassword,
            ["acct": "kim", "cdat": date, "mdat": date, "svce": "mail.example.com"]
        )
        // Form 0, then the data.
        let content = [0] + Array("sesame".utf8)
        let secret = Put.sealedSecret(content.span, of: revision, keys: keys.data)
        let writer = try example.value("writer id", in: "1")
        let origin = Origin(writer: WriterID(writer.span), place: 1 << 20)
        let provenance = Provenance(origin: origin, previousPlace: 0, replacedSalt: 0)
        return try Put.sealing(
            revision,
            provenance: provenance,
            order: 1 << 20,
            written: Time(microseconds: 1_700_000_001_000_000),
            attributes: attributes,
            secret: secret,
            handle: keys.handle,
            keys: (keys.match, keys.data)
        ).put
    }
}
