internal import CofferBasics
package import VaultCrypto

/// Why a grant could not be made, or does not open.
///
/// If it could not be made, request it for fewer groups, with other names or for another recipient. If it does not
/// open, the holder needs another credential, or a new grant from the owner; only ``cipher(_:)`` is worth another try.
///
/// Offsets count from the start of the body of the entry, or from the start of the payload where the name says so.
package enum GrantError: Error, Equatable, Sendable {
    // MARK: The entry, before any key is used

    /// The size of the body does not match the sizes of its parts.
    case wrongByteCount(Int)
    /// The sealed payload has an impossible size.
    case wrongPayloadByteCount(Int)
    /// The payload is larger than the limit.
    case tooLarge(payloadByteCount: Int)

    // MARK: Opening, in this order

    /// The credential is for another grant.
    case otherGrant
    /// The signature was not made by the credential's team for the credential's vault.
    case wrongSignature
    /// The payload is not sealed to the holder of the credential.
    case otherRecipient
    /// The payload does not match the commitment under its structure key.
    case wrongCommitment
    /// The payload is genuine but malformed.
    case malformedPayload(GrantPayloadDefect, offset: Int)

    /// A key could not be held in memory, or the payload not be sealed to the recipient.
    case cipher(CipherError)
}

/// What is wrong with a payload.
package enum GrantPayloadDefect: Equatable, Sendable {
    case endsEarly
    case tooManyGroups
    case tooManyDataKeys
    case nameByteCount
    case nameIsNotUTF8
    case unknownProtectionClass
    case ownerDoesNotFitClass
    case reservedNotZero
    case wrongPadding
    case paddingNotZero
    /// A group or a data key occurs twice.
    case duplicate

    /// The defect of a group name, or nil if the name is valid.
    init?(ofName name: [UInt8]) {
        if !GrantPayloadSize.nameRange.contains(name.count) {
            self = .nameByteCount
        } else if String(validating: name, as: UTF8.self) == nil {
            self = .nameIsNotUTF8
        } else {
            return nil
        }
    }
}

extension GrantError: CustomStringConvertible {
    /// What is wrong and where, in one sentence, without any key of the grant.
    package var description: String {
        switch self {
        case .wrongByteCount(let byteCount):
            "invalid grant: \(byteCount.grouped) bytes do not match the sizes of its parts"
        case .wrongPayloadByteCount(let byteCount):
            "invalid grant: a sealed payload cannot have \(byteCount.grouped) bytes"
        case .tooLarge(let byteCount):
            "grant payload too large: \(byteCount.grouped) bytes (limit \(Limits.grantByteCount.grouped))"
        case .otherGrant: "the credential is for another grant"
        case .wrongSignature: "invalid signature: the grant is not signed by the credential's team, for its vault"
        case .otherRecipient: "the grant is sealed to another recipient, or is damaged"
        case .wrongCommitment: "the payload of the grant does not match its commitment"
        case .malformedPayload(let defect, let offset): "invalid grant payload at byte \(offset): \(defect)"
        case .cipher(let error): "the keys of the grant could not be processed: \(error)"
        }
    }
}

extension GrantPayloadDefect: CustomStringConvertible {
    /// What is wrong, in a few words.
    package var description: String {
        switch self {
        case .endsEarly: "the payload is truncated"
        case .tooManyGroups: "more groups than the payload has room for"
        case .tooManyDataKeys: "more data keys than the payload has room for"
        case .nameByteCount: "invalid length of a group name"
        case .nameIsNotUTF8: "a group name is not UTF-8"
        case .unknownProtectionClass: "unknown protection class"
        case .ownerDoesNotFitClass: "missing or unexpected device for the protection class"
        case .reservedNotZero: "a reserved byte is not zero"
        case .wrongPadding: "wrong amount of padding"
        case .paddingNotZero: "the padding is not zero"
        case .duplicate: "a group or a data key occurs twice"
        }
    }
}
