import CofferBasics
import FoundationEssentials
import KeyedArchive
import VaultCrypto
import VaultFormat

/// A new vault with a few items, each added in its own transaction.
struct DemoVault {
    /// Account, service and secret of each item.
    static let logins = [
        ("kim", "mail.example.com", "sesame"),
        ("kim", "shop.example.com", "swordfish"),
        ("root", "router.example.com", "hunter2"),
    ]

    private(set) var bytes: [UInt8]
    /// The offset at which each transaction begins.
    private(set) var frameOffsets: [Int] = []
    let recoveryText: String

    init(passphrase: [UInt8], random: any RandomSource) throws {
        let cipher = Cipher(vault: random.identifier(), random: random)
        let userRoot = try random.key()
        let now = Time(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))

        let slots = SlotMaker(userRoot: userRoot, epoch: 1, created: now, cipher: cipher)
        let recovery = try RecoverySecret(random: random)
        recoveryText = recovery.withText { String(decoding: [UInt8](copying: $0), as: UTF8.self) }
        let passphraseSlot = try slots.passphraseSlot(
            passphrase.span,
            // The minimum for a writer, which keeps the tour short.
            parameters: Argon2Parameters(operations: 2, memoryKiB: 65_536)
        )
        let recoverySlot = try slots.recoverySlot(seed: recovery.seed())

        let maker = try KeyMaker(userRoot: userRoot, devices: [:], epoch: 1, cipher: cipher)
        let (structureKey, structureEntries) = try maker.structureKey()
        let (group, matchKey, groupEntries) = try maker.group(named: Array("com.example.demo".utf8))
        let (handle, dataKey, dataEntry) = try maker.dataKey(group, .whenUnlocked)
        let entries = [.slot(passphraseSlot), .slot(recoverySlot)] + structureEntries + groupEntries

        var generation = try GenerationWriter(
            .new,
            Keybag(entries: entries + [dataEntry]),
            sectionCount: 0,
            structureKey: structureKey,
            ownerKey: maker.ownerKey(),
            cipher: cipher,
            to: MemorySink()
        )
        var log = LogWriter(continuing: generation.finish(), keys: generation.keys)
        bytes = generation.sink.bytes
        let keys = (match: try MatchKeys(matchKey, cipher: cipher), data: try DataKeys(dataKey, cipher: cipher))
        let writer: WriterID = random.shortIdentifier()
        var lastPlace: UInt64 = 0
        for (number, login) in Self.logins.enumerated() {
            let place = UInt64(now.microseconds) + UInt64(number)
            let provenance = Provenance(
                origin: Origin(writer: writer, place: place),
                previousPlace: lastPlace,
                replacedSalt: 0
            )
            lastPlace = place
            let revision = Revision(
                item: random.identifier(),
                number: 1,
                salt: .random(in: 0 ... .max)
            )
            let secret = Put.sealedSecret(
                ([SecretForm.data.rawValue] + Array(login.2.utf8)).span,
                of: revision,
                keys: keys.data
            )
            let attributes = try ItemAttributes(
                .genericPassword,
                ["acct": .string(login.0), "svce": .string(login.1)]
            )
            let put = try Put.sealing(
                revision,
                provenance: provenance,
                order: place,
                written: now,
                attributes: attributes,
                secret: secret,
                handle: handle,
                keys: keys
            ).put
            frameOffsets.append(bytes.count)
            bytes += try log.frame([.put(put)], time: now)
        }
    }
}
