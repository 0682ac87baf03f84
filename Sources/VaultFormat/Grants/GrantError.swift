package import VaultCrypto

/// Why a grant could not be made, or does not open.
///
/// Offsets count from the start of the body of the entry, or from the start of the payload where the name says so.
package enum GrantError: Error, Equatable, Sendable {
    // MARK: The entry, before any key is used

    /// The body has another size than its parts together.
    case wrongByteCount(Int)
    /// The sealed payload has a size that no payload has.
    case wrongPayloadByteCount(Int)
    /// The payload is larger than the limit.
    case tooLarge(payloadByteCount: Int)
    /// A reserved byte is not zero.
    case reservedNotZero(offset: Int)

    // MARK: Opening, in this order

    /// The credential is for another grant.
    case otherGrant
    /// The signature is not one of the team that the credential names, for its vault.
    case wrongSignature
    /// The payload is not sealed to the holder of the credential.
    case otherRecipient
    /// The payload is not the one that the structure key in it commits to.
    case wrongCommitment
    /// The payload is genuine and makes no sense.
    case malformedPayload(GrantPayloadDefect, offset: Int)

    /// The suite could not keep a key, or seal to the recipient.
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

    /// What is wrong with the name of a group, or nil if it is fine.
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
    /// What is wrong and where, in one sentence, without anything that the grant gives.
    package var description: String {
        switch self {
        case .wrongByteCount(let byteCount): "\(byteCount) bytes are not what the parts of the grant add up to"
        case .wrongPayloadByteCount(let byteCount): "no payload of a grant is sealed in \(byteCount) bytes"
        case .tooLarge(let byteCount):
            "the payload has \(byteCount) bytes, more than the \(Limits.grantByteCount) allowed"
        case .reservedNotZero(let offset): "the reserved byte at \(offset) of the grant is not zero"
        case .otherGrant: "the credential is for another grant"
        case .wrongSignature: "the grant is not signed by the team of the credential, for its vault"
        case .otherRecipient: "the grant is sealed to somebody else, or is damaged"
        case .wrongCommitment: "the payload of the grant is not the one that was committed to"
        case .malformedPayload(let defect, let offset): "byte \(offset) of the payload of the grant: \(defect)"
        case .cipher(let error): "the keys of the grant could not be handled: \(error)"
        }
    }
}

extension GrantPayloadDefect: CustomStringConvertible {
    /// What is wrong, in a few words.
    package var description: String {
        switch self {
        case .endsEarly: "the payload ends early"
        case .tooManyGroups: "more groups than could follow"
        case .tooManyDataKeys: "more data keys than could follow"
        case .nameByteCount: "the name of a group has an impossible size"
        case .nameIsNotUTF8: "the name of a group is not UTF-8"
        case .unknownProtectionClass: "an unknown class of protection"
        case .ownerDoesNotFitClass: "a device where the class has none, or none where it has one"
        case .reservedNotZero: "a reserved byte is not zero"
        case .wrongPadding: "another amount of padding than needed"
        case .paddingNotZero: "the padding is not zero"
        }
    }
}
