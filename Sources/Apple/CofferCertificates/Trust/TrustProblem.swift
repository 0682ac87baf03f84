/// Why a certificate is not trusted.
package enum TrustProblem: String, CaseIterable, Sendable {
    case keyTooWeak, keyTooSmall
    case digestBroken, digestTooWeak
    case noBasicConstraints, notAnAuthority, usageWithoutSigning, pathTooLong
    case nameNotAllowed, policyNotAllowed
    case unknownCriticalExtension, malformedExtension, duplicateExtension, emptySubject, validityTooLong
    case unrevokedStateUnknown
    case untrustedRoot, incompleteChain
    case purposeNotAllowed
    case hostNameDiffers
    case expired
    /// A reason that has no name here.
    case other

    /// How serious the problem is; the worst comes first.
    package enum Kind: Int, Comparable, Sendable {
        case keySize, weakHash, compliance, pinning, trust, usage, name, expired

        package static func < (one: Kind, other: Kind) -> Bool { one.rawValue < other.rawValue }
    }

    package var kind: Kind {
        switch self {
        case .keyTooWeak, .keyTooSmall: .keySize
        case .digestBroken, .digestTooWeak: .weakHash
        case .noBasicConstraints, .notAnAuthority, .usageWithoutSigning, .pathTooLong, .nameNotAllowed,
            .policyNotAllowed, .unknownCriticalExtension, .malformedExtension, .duplicateExtension, .emptySubject,
            .validityTooLong, .other:
            .compliance
        case .unrevokedStateUnknown: .pinning
        case .untrustedRoot, .incompleteChain: .trust
        case .purposeNotAllowed: .usage
        case .hostNameDiffers: .name
        case .expired: .expired
        }
    }

    /// Whether nothing, not even an exception, makes up for it.
    package var isFatal: Bool { self == .keyTooWeak || self == .digestBroken }
}

extension TrustProblem: CustomStringConvertible {
    /// What is wrong, as the end of a sentence that begins with the name of a certificate.
    package var description: String {
        switch self {
        case .keyTooWeak: "has a key that is too weak for any purpose"
        case .keyTooSmall: "has a key that is too small for TLS"
        case .digestBroken: "is signed with a digest that is broken"
        case .digestTooWeak: "is signed with a digest that is too weak for TLS"
        case .noBasicConstraints: "issued a certificate, but does not say that it may"
        case .notAnAuthority: "issued a certificate, but is no certificate authority"
        case .usageWithoutSigning: "issued a certificate, but its key is not for signing certificates"
        case .pathTooLong: "has more issuers below it than it allows"
        case .nameNotAllowed: "has a name that an issuer does not allow"
        case .policyNotAllowed: "has no policy that an issuer allows"
        case .unknownCriticalExtension: "has a critical extension that is not known"
        case .malformedExtension: "has a malformed extension"
        case .duplicateExtension: "has an extension twice"
        case .emptySubject: "has no subject"
        case .validityTooLong: "is valid for longer than is allowed for TLS"
        case .unrevokedStateUnknown: "may have been revoked, which cannot be found out here"
        case .untrustedRoot: "is not trusted as an anchor"
        case .incompleteChain: "has no issuer among the known certificates"
        case .purposeNotAllowed: "is not for this purpose"
        case .hostNameDiffers: "is not for this host name"
        case .expired: "is not valid at this time"
        case .other: "cannot be verified"
        }
    }
}
