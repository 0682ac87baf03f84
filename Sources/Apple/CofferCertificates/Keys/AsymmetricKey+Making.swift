internal import CofferBasics
internal import VaultCrypto

extension AsymmetricKey {
    /// A new private key; the size is that of an RSA key or of a curve, since other types have one size.
    package convenience init(random type: KeyType, bitCount: Int) throws(KeyError) {
        var bytes: [UInt8]
        switch type {
        case .rsa: bytes = try Self.randomRSA(bitCount)
        case .ellipticCurve:
            guard let curve = PublicKeyKind.NamedCurve.allCases.first(where: { $0.bitCount == bitCount }) else {
                throw .invalidSize
            }
            bytes = try Self.random(on: curve)
        case .ed25519, .x25519:
            bytes = try KeyError.converting { try SystemRandom().bytes(32) }
        }
        defer { bytes.wipe() }
        try self.init(type, isPrivate: true, bytes.span)
    }

    /// The bytes of a new RSA key.
    private static func randomRSA(_ bitCount: Int) throws(KeyError) -> [UInt8] {
        guard RSANumbers.bitCounts.contains(bitCount) else { throw .invalidSize }
        let byteCount = (bitCount + 7) / 8
        // Modulus, public and private exponent, and numbers of half that size.
        var ranges: [Range<Int>] = []
        for size in [byteCount, 8, byteCount] + Array(repeating: byteCount / 2 + 1, count: 5) {
            ranges.append((ranges.last?.upperBound ?? 0)..<(ranges.last?.upperBound ?? 0) + size)
        }
        var bytes = SecretBuffer(byteCount: ranges.last?.upperBound ?? 0)
        return try withLibcrypto(.invalidSize) { library in
            let key = try LibcryptoKey(rsaBitCount: bitCount, in: library)
            return try bytes.withMutableSpan { bytes in
                try key.writeRSANumbers(to: &bytes, in: ranges)
                return pkcs1(bytes.span, ranges)
            }
        }
    }

    /// The RSAPrivateKey with these numbers.
    private static func pkcs1(_ bytes: Span<UInt8>, _ ranges: [Range<Int>]) -> [UInt8] {
        var numbers: [UInt8] = []
        var key: [UInt8] = []
        // Memory that moved would leave a copy behind.
        numbers.reserveCapacity(bytes.count + 64)
        key.reserveCapacity(bytes.count + 64)
        numbers.append(number: Span())
        for range in ranges { numbers.append(number: bytes.extracting(range)) }
        key.append(.sequence, content: numbers)
        numbers.wipe()
        return key
    }

    /// The bytes of a new key on a curve.
    private static func random(on curve: PublicKeyKind.NamedCurve) throws(KeyError) -> [UInt8] {
        try withLibcrypto(.invalidSize) { library in
            let key = try LibcryptoKey(on: curve.name, in: library)
            // The memory must not move when the private number is in it.
            var bytes = try key.point(byteCount: curve.pointByteCount) + [UInt8](zeroByteCount: curve.byteCount)
            var span = bytes.mutableSpan
            var number = span._mutatingExtracting(curve.pointByteCount...)
            try key.writePrivateNumber(to: &number)
            return bytes
        }
    }
}
