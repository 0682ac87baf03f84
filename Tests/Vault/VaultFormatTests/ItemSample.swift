import CofferBasics
import KeyedArchive
import TestSupport
import VaultCrypto
import VaultFormat

/// The keys of one group, and items under them.
struct ItemSample {
    let cipher: Cipher
    let group = GroupEpoch(group: GroupID(countingBytes(from: 0x31, count: 8).span), epoch: 2)
    let handle = KeyHandle(countingBytes(from: 0x41, count: 8).span)
    let match: MatchKeys
    let data: DataKeys
    let otherData: DataKeys

    init(seed: String = "items", vault: VaultID = .sample) throws {
        cipher = Cipher(vault: vault, random: DeterministicRandom(seed: seed))
        match = try MatchKeys(try cipher.random.key(), cipher: cipher)
        data = try DataKeys(try cipher.random.key(), cipher: cipher)
        otherData = try DataKeys(try cipher.random.key(), cipher: cipher)
    }

    /// The revision `number` of an item whose id begins with `item`.
    func revision(_ item: Int = 1, number: UInt64 = 1) -> Revision {
        let id = ItemID(
            ([UInt8(item >> 16 & 255), UInt8(item >> 8 & 255), UInt8(item & 255)] + countingBytes(from: 1, count: 13))
                .span
        )
        return Revision(item: id, number: number, salt: 0x0102_0304_0506_0708)
    }

    func attributes(_ account: String = "kim") throws -> ItemAttributes {
        try ItemAttributes(.genericPassword, ["acct": .string(account), "svce": "example.com", "sync": 1])
    }

    func secret(_ bytes: [UInt8], of revision: Revision) -> [UInt8] {
        let content = [0] + bytes
        return Put.sealedSecret(content.span, of: revision, keys: data)
    }

    /// The provenance of the first revision that the sample's writer made.
    var provenance: Provenance {
        let writer = WriterID(countingBytes(from: 0x51, count: 8).span)
        return Provenance(origin: Origin(writer: writer, place: 1), previousPlace: 0, replacedSalt: 0)
    }

    func put(
        _ revision: Revision? = nil,
        order: UInt64 = 5,
        account: String = "kim",
        secret: [UInt8]? = [1, 2, 3]
    ) throws -> Put {
        let revision = revision ?? self.revision()
        return try Put.sealing(
            revision,
            provenance: provenance,
            order: order,
            written: Time(microseconds: 0),
            attributes: try attributes(account),
            secret: secret.map { self.secret($0, of: revision) } ?? [],
            handle: handle,
            keys: (match, data)
        ).put
    }
}
