/// The types of keys, with Apple's numbers.
package enum KeyType: Int64, Sendable {
    case rsa = 42
    case ellipticCurve = 73
    case ed25519 = 105
    case x25519 = 106
}

/// The type and the size of a key.
package enum KeyKind: Hashable, Sendable {
    case rsa(bitCount: Int)
    case ellipticCurve(PublicKeyKind.NamedCurve)
    case ed25519
    case x25519

    package var type: KeyType {
        switch self {
        case .rsa: .rsa
        case .ellipticCurve: .ellipticCurve
        case .ed25519: .ed25519
        case .x25519: .x25519
        }
    }

    /// The size by which people call the key.
    package var bitCount: Int {
        switch self {
        case .rsa(let bitCount): bitCount
        case .ellipticCurve(let curve): curve.bitCount
        case .ed25519, .x25519: 256
        }
    }

    /// The size of a number of the key: of the modulus, or of a coordinate.
    package var blockByteCount: Int { (bitCount + 7) / 8 }
}

extension PublicKeyKind.NamedCurve {
    /// The size of a coordinate.
    package var bitCount: Int {
        switch self {
        case .p192: 192
        case .p224: 224
        case .p256: 256
        case .p384: 384
        case .p521: 521
        }
    }

    /// The size of a coordinate, and of a private number.
    package var byteCount: Int { (bitCount + 7) / 8 }

    /// The size of a point: a byte that says how it is written, and two coordinates.
    var pointByteCount: Int { 1 + 2 * byteCount }

    /// OpenSSL's name.
    var name: StaticString {
        switch self {
        case .p192: "P-192"
        case .p224: "P-224"
        case .p256: "P-256"
        case .p384: "P-384"
        case .p521: "P-521"
        }
    }
}
