/// An algorithm and its parameters.
package struct AlgorithmIdentifier: Equatable, Sendable {
    /// The algorithm.
    package let algorithm: OID
    /// The element with the parameters.
    package let parameters: DERElement?

    /// Reads the next element.
    package init(from reader: inout DERReader) throws(CertificateError) {
        var fields = try reader.enter()
        algorithm = try fields.readOID()
        parameters = fields.isAtEnd ? nil : try fields.read()
        try fields.expectEnd()
    }
}

/// The public key in a certificate.
package struct PublicKeyInfo: Sendable {
    /// The whole SubjectPublicKeyInfo.
    package let range: Range<Int>
    /// The algorithm that the key is for.
    package let algorithm: AlgorithmIdentifier
    /// The bytes of the key, which are not checked: PKCS #1 for RSA, the point for elliptic curves.
    package let key: Range<Int>
    /// The kind of the key; nil if it is not supported.
    package let kind: PublicKeyKind?

    /// Reads the next element.
    package init(from reader: inout DERReader) throws(CertificateError) {
        let element = try reader.read(.sequence)
        var fields = DERReader(reader.bytes, in: element.content)
        range = element.range
        algorithm = try AlgorithmIdentifier(from: &fields)
        key = try fields.readBitString()
        try fields.expectEnd()
        kind = PublicKeyKind(algorithm, in: reader.bytes)
    }
}

/// A supported kind of public key.
package enum PublicKeyKind: Hashable, Sendable {
    /// RSA; the bytes are a PKCS #1 RSAPublicKey.
    case rsa
    /// An elliptic curve with a name; the bytes are a point.
    case ellipticCurve(NamedCurve)
    /// Ed25519.
    case ed25519
    /// Ed448.
    case ed448

    /// A NIST curve.
    package enum NamedCurve: CaseIterable, Sendable {
        case p192, p224, p256, p384, p521

        /// The curve with this name.
        package init?(_ identifier: OID) {
            guard let curve = Self.allCases.first(where: { $0.identifier == identifier }) else { return nil }
            self = curve
        }

        package var identifier: OID {
            switch self {
            case .p192: [1, 2, 840, 10045, 3, 1, 1]
            case .p224: [1, 3, 132, 0, 33]
            case .p256: [1, 2, 840, 10045, 3, 1, 7]
            case .p384: [1, 3, 132, 0, 34]
            case .p521: [1, 3, 132, 0, 35]
            }
        }
    }

    /// The kind that an algorithm is for.
    package init?(_ identifier: AlgorithmIdentifier, in bytes: [UInt8]) {
        switch identifier.algorithm {
        case .rsaEncryption: self = .rsa
        case .ecPublicKey:
            guard let parameters = identifier.parameters, parameters.tag == .objectIdentifier else { return nil }
            guard let curve = NamedCurve(OID(content: bytes[parameters.content])) else { return nil }
            self = .ellipticCurve(curve)
        case .ed25519: self = .ed25519
        case [1, 3, 101, 113]: self = .ed448
        default: return nil
        }
    }
}

// The algorithms that keys are for.
extension OID {
    package static let rsaEncryption: OID = [1, 2, 840, 113549, 1, 1, 1]
    package static let ecPublicKey: OID = [1, 2, 840, 10045, 2, 1]
    package static let x25519: OID = [1, 3, 101, 110]
    package static let ed25519: OID = [1, 3, 101, 112]
}
