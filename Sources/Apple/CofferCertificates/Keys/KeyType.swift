internal import CofferBasics

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

/// Where the numbers of an RSA key in PKCS #1 are: modulus and public exponent; in a private key also the private
/// exponent, both primes, their exponents and the coefficient.
struct RSANumbers: Sendable {
    /// The digits of each number, without zeros in front.
    let ranges: [Range<Int>]
    /// The size of the modulus.
    let bitCount: Int

    /// The sizes of keys that are used: shorter ones protect nothing, longer ones take minutes.
    static let bitCounts = 512...8192

    /// Reads an RSAPublicKey, or an RSAPrivateKey with two primes.
    init(_ bytes: [UInt8], isPrivate: Bool) throws(KeyError) {
        do throws(CertificateError) {
            var key = DERReader(bytes, in: bytes.indices)
            var fields = try key.enter()
            try key.expectEnd()
            if isPrivate, try fields.readInteger() != 0 { throw CertificateError(.unsupportedVersion, at: 0) }
            var ranges: [Range<Int>] = []
            for _ in 0..<(isPrivate ? 8 : 2) { ranges.append(try fields.readNumber()) }
            try fields.expectEnd()
            self.ranges = ranges
        } catch {
            throw .invalidKey
        }
        let modulus = ranges[0]
        bitCount = modulus.count * 8 - bytes[modulus.lowerBound].leadingZeroBitCount
        // Numbers that cannot be right. Whether they fit together shows when the key is used.
        guard Self.bitCounts.contains(bitCount), ranges.allSatisfy({ $0.count <= modulus.count }),
            ranges[..<2].allSatisfy({ !bytes[$0.upperBound - 1].isMultiple(of: 2) }),
            ranges[1].count > 1 || bytes[ranges[1].lowerBound] > 1
        else { throw .invalidKey }
    }

    /// The RSAPublicKey with the modulus and the public exponent of `bytes`.
    func publicKey(of bytes: Span<UInt8>) -> [UInt8] {
        var numbers: [UInt8] = []
        for range in ranges[..<2] { numbers.append(number: bytes.extracting(range)) }
        var key: [UInt8] = []
        key.append(.sequence, content: numbers)
        return key
    }
}

extension DERReader {
    /// The next element, a positive integer: its digits, without a zero in front.
    fileprivate mutating func readNumber() throws(CertificateError) -> Range<Int> {
        let content = try read(.integer).content
        let hasZero = bytes[content].first == 0
        let digits = hasZero ? content.dropFirst() : content
        guard let first = bytes[digits].first, hasZero == (first >= 0x80) else {
            throw CertificateError(.invalidInteger, at: content.lowerBound)
        }
        return digits
    }
}
