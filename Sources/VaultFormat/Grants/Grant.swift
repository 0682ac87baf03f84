internal import CofferBasics
internal import VaultCrypto

/// Section 3.5: the keys of some groups, sealed to one recipient and signed by the team.
package struct Grant: Equatable, Sendable {
    package let id: GrantID
    /// The time of creation in microseconds since 1970.
    package let creationTime: Int64
    /// The X25519 public key of the recipient.
    package let recipient: [UInt8]
    var commitment: [UInt8]
    let sealedPayload: [UInt8]
    var signature: [UInt8]

    /// The fields that the commitment covers, in addition to the vault id and the payload.
    var head: [UInt8] {
        var bytes = id.bytes
        bytes.append(littleEndian: creationTime)
        return bytes + recipient
    }

    /// The bytes that the signature covers, in addition to the vault id.
    var signedBytes: [UInt8] {
        var bytes = head + commitment
        bytes.append(littleEndian: UInt32(sealedPayload.count))
        bytes.append(littleEndian: UInt32(0))
        return bytes + sealedPayload
    }

    /// The body of the entry in the keybag.
    package var body: [UInt8] { signedBytes + signature }
}

// MARK: - Reading

extension Grant {
    /// The offsets of the fields of a body.
    private enum Field {
        static let id = 0..<16
        static let creationTime = 16
        static let recipient = 24..<56
        static let commitment = 56..<88
        static let reserved = 92..<96
    }

    /// The offset of the size of the sealed payload in a body.
    static let sealedByteCountOffset = 88
    static let signatureByteCount = 64

    /// Reads the body of an entry; nothing is authenticated until ``opened(with:)``.
    package init(parsing body: Span<UInt8>) throws(GrantError) {
        let sealedOffset = Field.reserved.upperBound
        guard body.count >= sealedOffset + Self.signatureByteCount else { throw .wrongByteCount(body.count) }
        let sealedByteCount = Int(body.littleEndian(at: Self.sealedByteCountOffset, as: UInt32.self))
        let payloadByteCount = sealedByteCount - SealedBox.extraByteCount
        guard payloadByteCount <= Limits.grantByteCount else { throw .tooLarge(payloadByteCount: payloadByteCount) }
        guard payloadByteCount > 0, Padding.padded(payloadByteCount) == payloadByteCount else {
            throw .wrongPayloadByteCount(sealedByteCount)
        }
        let signatureOffset = sealedOffset + sealedByteCount
        guard body.count == signatureOffset + Self.signatureByteCount else { throw .wrongByteCount(body.count) }
        for offset in Field.reserved where body[offset] != 0 { throw .reservedNotZero(offset: offset) }
        id = Identifier(body.extracting(Field.id))
        creationTime = body.littleEndian(at: Field.creationTime)
        recipient = [UInt8](copying: body.extracting(Field.recipient))
        commitment = [UInt8](copying: body.extracting(Field.commitment))
        sealedPayload = [UInt8](copying: body.extracting(sealedOffset..<signatureOffset))
        signature = [UInt8](copying: body.extracting(signatureOffset...))
    }
}
