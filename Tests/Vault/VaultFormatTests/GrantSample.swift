import CofferBasics
import TestSupport
import VaultCrypto
import VaultFormat

/// A grant and everything that it is made from.
struct GrantSample {
    let cipher: Cipher
    let teamSeed: [UInt8] = countingBytes(from: 0x01, count: 32)
    let recipientSecret: [UInt8] = countingBytes(from: 0x81, count: 32)
    let structureKey: [UInt8] = countingBytes(from: 0xA0, count: 32)
    let creationTime: Int64 = -2
    let userRoot: [UInt8] = countingBytes(from: 0xC0, count: 32)
    /// Groups and a note that nobody opens, since they are not sealed.
    let boxes = [UInt8](repeating: 6, count: 64) + [UInt8](repeating: 7, count: 64)
    /// No expiry, and the size of the first of them.
    let expiryAndSize: [UInt8] = [0, 0, 0, 0, 64, 0, 0, 0]

    init() throws {
        cipher = Cipher(vault: .sample, random: try SystemRandom())
    }

    var team: [UInt8] {
        get throws { try Key(teamSeed).signingPublicKey }
    }

    var recipient: [UInt8] {
        get throws { try Key(recipientSecret).publicKey }
    }

    /// The id, time and recipient, laid out as the table says.
    var head: [UInt8] {
        get throws { GrantID.sample.bytes + littleEndian(creationTime) + (try recipient) }
    }

    // MARK: The payload

    /// Two groups, the first with two data keys, one of them bound to a device.
    var payload: GrantPayload {
        get throws {
            let unbound = GrantPayload.DataKey(
                handle: KeyHandle(countingBytes(from: 0x31, count: 8).span),
                protection: .whenUnlocked,
                owner: .none,
                key: try Key(countingBytes(from: 0x41, count: 32))
            )
            let bound = GrantPayload.DataKey(
                handle: KeyHandle(countingBytes(from: 0x32, count: 8).span),
                protection: .alwaysThisDeviceOnly,
                owner: DeviceID(countingBytes(from: 0x51, count: 16).span),
                key: try Key(countingBytes(from: 0x42, count: 32))
            )
            return GrantPayload(
                structureKey: try Key(structureKey),
                structureKeyEpoch: 258,
                groups: [
                    try group(0x21, epoch: 3, name: Array("türen".utf8), [unbound, bound]),
                    try group(0x22, epoch: 4, name: Array("b".utf8), []),
                ]
            )
        }
    }

    func group(
        _ first: UInt8,
        epoch: UInt32 = 1,
        name: [UInt8],
        _ dataKeys: [GrantPayload.DataKey] = []
    ) throws -> GrantPayload.Group {
        GrantPayload.Group(
            id: GroupID(countingBytes(from: first, count: 8).span),
            epoch: epoch,
            name: name,
            matchKey: try Key(countingBytes(from: first + 0x40, count: 32)),
            dataKeys: dataKeys
        )
    }

    /// The bytes of ``payload``, built by hand: 40, then 58 and 2 × 60, then 53, make 271; padded, they are 320.
    var payloadBytes: [UInt8] {
        var bytes = structureKey + littleEndian(UInt32(258)) + littleEndian(UInt32(2))
        bytes += countingBytes(from: 0x21, count: 8) + [3, 0, 0, 0, 6, 0, 0, 0] + Array("türen".utf8)
        bytes += countingBytes(from: 0x61, count: 32) + [2, 0, 0, 0]
        bytes += countingBytes(from: 0x31, count: 8) + [6, 0, 0, 0] + [UInt8](repeating: 0, count: 16)
        bytes += countingBytes(from: 0x41, count: 32)
        bytes += countingBytes(from: 0x32, count: 8) + [11, 0, 0, 0] + countingBytes(from: 0x51, count: 16)
        bytes += countingBytes(from: 0x42, count: 32)
        bytes += countingBytes(from: 0x22, count: 8) + [4, 0, 0, 0, 1, 0, 0, 0] + Array("b".utf8)
        bytes += countingBytes(from: 0x62, count: 32) + [0, 0, 0, 0]
        return bytes + [UInt8](repeating: 0, count: 49)
    }

    // MARK: Making and opening

    var terms: GrantTerms {
        get throws {
            GrantTerms(
                id: .sample,
                created: Time(microseconds: creationTime),
                expiry: nil,
                recipient: try recipient,
                name: Array("gerät".utf8),
                groups: [0x21, 0x22].map { GroupID(countingBytes(from: $0, count: 8).span) }
            )
        }
    }

    func grant(_ payload: GrantPayload? = nil, _ terms: GrantTerms? = nil) throws -> Grant {
        try Grant(
            sealing: try payload ?? self.payload,
            terms ?? self.terms,
            userRoot: try Key(userRoot),
            teamSecret: try Key(teamSeed),
            cipher: cipher
        )
    }

    /// The body of a grant around an arbitrary `payload`, with a commitment and signature as a team member could make.
    func forgedBody(around payload: [UInt8], commitment: [UInt8]? = nil) throws -> [UInt8] {
        let key = try Key(Array(payload.prefix(32)))
        let head = try head
        let text = VaultID.sample.bytes + head + payload
        let box = try SealedBox.sealed(payload.span, to: try recipient, random: cipher.random)
        let commitment = commitment ?? key.hash(32, .grant, text)
        return try signed(head + commitment + littleEndian(UInt32(box.count)) + expiryAndSize + box + boxes)
    }

    /// `body` followed by its signature.
    func signed(_ body: [UInt8], vault: VaultID = .sample) throws -> [UInt8] {
        let text = Array("coffer1.grant\0\0\0".utf8) + vault.bytes + body
        return try body + Key(teamSeed).signature(of: text.span)
    }

    func credential(
        vault: VaultID = .sample,
        team: [UInt8]? = nil,
        grant: GrantID = .sample,
        secret: [UInt8]? = nil
    ) throws -> CredentialFile {
        CredentialFile(
            vault: vault,
            team: try team ?? self.team,
            grant: grant,
            secret: try Key(secret ?? recipientSecret)
        )
    }

    /// The payload that the holder of a credential gets from the body of a grant.
    func opened(
        _ body: [UInt8],
        with credential: CredentialFile? = nil
    ) throws -> GrantPayload {
        let grant = try Grant(parsing: body.span)
        return try grant.opened(with: try credential ?? self.credential())
    }
}
