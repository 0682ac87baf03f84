internal import Coffer
internal import X509

extension SecKey {
    /// What a public key can be used for, as Apple describes every one of them.
    private static let publicKeyUses: [String: ItemValue] = [
        "perm": true, "priv": true, "modi": true, "extr": true, "encr": true, "vrfy": true, "wrap": true,
        "sens": false, "asen": false, "next": false, "snrc": false, "vyrc": false, "sign": false, "unwp": false,
        "drve": false,
    ]

    /// Creates the public key of a certificate; nil if its kind is unknown, or its bytes are malformed.
    ///
    /// Without OpenSSL's library, it lacks the application label.
    convenience init?(publicKeyOf certificate: SecCertificate) {
        let info = certificate.certificate.publicKey
        let bytes = Array(certificate.bytes[info.key])
        guard let kind = info.kind, let bitCount = kind.bitCount(of: bytes) else { return nil }
        var attributes = Self.publicKeyUses
        attributes["kcls"] = .integer(KeyKind.Half.publicKey.rawValue)
        attributes["type"] = .integer(kind.algorithm.rawValue)
        attributes["bsiz"] = .integer(bitCount)
        attributes["esiz"] = .integer(bitCount)
        attributes["decr"] = .bool(kind == .rsa)
        attributes["klbl"] = (try? certificate.publicKeyHash()).map { .data($0) }
        self.init(attributes: attributes, bytes: bytes)
    }
}

extension PublicKeyKind {
    fileprivate var algorithm: KeyKind.Algorithm {
        switch self {
        case .rsa: .rsa
        case .ellipticCurve: .ellipticCurve
        case .ed25519: .ed25519
        case .ed448: .ed448
        }
    }

    /// The size of a key of this kind; nil if the bytes are no such key.
    fileprivate func bitCount(of bytes: [UInt8]) -> Int64? {
        let (bitCount, byteCount): (Int64, Int) =
            switch self {
            case .rsa: (Self.modulusBitCount(of: bytes) ?? 0, bytes.count)
            // An uncompressed point has a byte in front.
            case .ellipticCurve(.p192): (192, 49)
            case .ellipticCurve(.p224): (224, 57)
            case .ellipticCurve(.p256): (256, 65)
            case .ellipticCurve(.p384): (384, 97)
            case .ellipticCurve(.p521): (521, 133)
            case .ed25519: (256, 32)
            case .ed448: (448, 57)
            }
        return bitCount > 0 && bytes.count == byteCount ? bitCount : nil
    }

    /// The size of the modulus of an RSA key in PKCS #1.
    private static func modulusBitCount(of bytes: [UInt8]) -> Int64? {
        var key = DERReader(bytes, in: bytes.indices)
        guard var numbers = try? key.enter(), key.isAtEnd, let modulus = try? numbers.read(.integer),
            let exponent = try? numbers.read(.integer), !exponent.content.isEmpty, numbers.isAtEnd
        else { return nil }
        let digits = bytes[modulus.content].drop { $0 == 0 }
        return digits.first.map { Int64(digits.count * 8 - $0.leadingZeroBitCount) }
    }
}
