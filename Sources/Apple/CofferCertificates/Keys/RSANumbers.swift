internal import CofferBasics

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
