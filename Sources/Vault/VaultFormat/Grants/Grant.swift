internal import CofferBasics
internal import VaultCrypto

/// Section 3.5: the keys of some groups, sealed to one recipient and signed by the team.
package struct Grant: Equatable, Sendable {
    package let id: GrantID
    /// The time of creation.
    package let created: Time
    /// From when on readers refuse the grant; nil if it does not expire.
    package let expiry: Time?
    /// The X25519 public key of the recipient.
    package let recipient: [UInt8]
    var commitment: [UInt8]
    let sealedPayload: [UInt8]
    /// The groups of the grant, for all who have the structure key.
    let groups: [UInt8]
    /// The name of the grant, for the owner.
    let note: [UInt8]
    var signature: [UInt8]

    /// The fields that the commitment covers, in addition to the vault id and the payload.
    var head: [UInt8] {
        Self.head(id: id, created: created, recipient: recipient)
    }

    static func head(id: GrantID, created: Time, recipient: [UInt8]) -> [UInt8] {
        var bytes = id.bytes
        bytes.append(littleEndian: created.microseconds)
        return bytes + recipient
    }

    /// The bytes that the signature covers, in addition to the vault id.
    var signedBytes: [UInt8] {
        var bytes = head + commitment
        bytes.append(littleEndian: UInt32(sealedPayload.count))
        bytes.append(littleEndian: Expiry.minutes(expiry))
        bytes.append(littleEndian: UInt32(groups.count))
        return bytes + sealedPayload + groups + note
    }

    /// The body of the entry in the keybag.
    package var body: [UInt8] { signedBytes + signature }
}

// MARK: - Reading

extension Grant {
    /// The offsets of the fields of a body.
    enum Field {
        static let id = 0..<16
        static let created = 16
        static let recipient = 24..<56
        static let commitment = 56..<88
        /// The size of the sealed payload.
        static let sealedByteCount = 88
        static let expiry = 92
        /// The size of the box of the groups.
        static let groupsByteCount = 96
        static let sealedPayload = 100
    }

    static let signatureByteCount = 64

    /// Whether the box of the groups, or the note, may have this size.
    private static func isBox(byteCount: Int) -> Bool {
        byteCount >= Padding.unit && byteCount.isMultiple(of: Padding.unit) && byteCount <= Limits.grantNoteByteCount
    }

    /// Reads the body of an entry; nothing is authenticated until ``opened(with:)``.
    package init(parsing body: Span<UInt8>) throws(GrantError) {
        let sealedOffset = Field.sealedPayload
        guard body.count >= sealedOffset + Self.signatureByteCount else { throw .wrongByteCount(body.count) }
        let sealedByteCount = Int(body.littleEndian(at: Field.sealedByteCount, as: UInt32.self))
        let payloadByteCount = sealedByteCount - SealedBox.extraByteCount
        guard payloadByteCount <= Limits.grantByteCount else { throw .tooLarge(payloadByteCount: payloadByteCount) }
        guard payloadByteCount >= 0 else { throw .wrongPayloadByteCount(sealedByteCount) }
        let groupsOffset = sealedOffset + sealedByteCount
        let noteOffset = groupsOffset + Int(body.littleEndian(at: Field.groupsByteCount, as: UInt32.self))
        let signatureOffset = body.count - Self.signatureByteCount
        guard Self.isBox(byteCount: noteOffset - groupsOffset), Self.isBox(byteCount: signatureOffset - noteOffset)
        else { throw .wrongByteCount(body.count) }
        id = Identifier(body.extracting(Field.id))
        created = Time(microseconds: body.littleEndian(at: Field.created))
        expiry = Expiry.time(minutes: body.littleEndian(at: Field.expiry))
        recipient = [UInt8](copying: body.extracting(Field.recipient))
        commitment = [UInt8](copying: body.extracting(Field.commitment))
        sealedPayload = [UInt8](copying: body.extracting(sealedOffset..<groupsOffset))
        groups = [UInt8](copying: body.extracting(groupsOffset..<noteOffset))
        note = [UInt8](copying: body.extracting(noteOffset..<signatureOffset))
        signature = [UInt8](copying: body.extracting(signatureOffset...))
    }
}

/// The field that says when a grant expires: minutes since 1970, or 0 if it does not.
private enum Expiry {
    private static let microsecondsPerMinute: Int64 = 60_000_000

    static func time(minutes: UInt32) -> Time? {
        minutes == 0 ? nil : Time(microseconds: Int64(minutes) * microsecondsPerMinute)
    }

    /// The whole minutes before `time`, at least 1.
    static func minutes(_ time: Time?) -> UInt32 {
        time.map { UInt32(clamping: max(1, $0.microseconds / microsecondsPerMinute)) } ?? 0
    }
}
