internal import CofferBasics

/// The two numbers of an ECDSA signature, each as long as a coordinate.
struct ECDSASignature {
    /// Both numbers, as RFC 4754 writes them.
    let bytes: [UInt8]

    /// Reads a signature of RFC 4754.
    init?(_ bytes: Span<UInt8>, byteCount: Int) {
        guard bytes.count == 2 * byteCount else { return nil }
        self.bytes = Array(copying: bytes)
    }

    /// Reads a signature in DER, as OpenSSL's library makes it.
    init?(der: [UInt8], byteCount: Int) {
        var signature = DERReader(der, in: der.indices)
        guard var numbers = try? signature.enter() else { return nil }
        var bytes: [UInt8] = []
        for _ in 0..<2 {
            guard let content = try? numbers.read(.integer).content else { return nil }
            let number = der.span.extracting(content)
            let digits = number.extracting(number.leadingZeroCount...)
            guard digits.count <= byteCount else { return nil }
            bytes.append(zeroByteCount: byteCount - digits.count)
            bytes.append(copying: digits)
        }
        self.bytes = bytes
    }

    /// The signature in DER.
    var der: [UInt8] {
        var numbers: [UInt8] = []
        numbers.append(number: bytes.span.extracting(..<(bytes.count / 2)))
        numbers.append(number: bytes.span.extracting((bytes.count / 2)...))
        var signature: [UInt8] = []
        signature.append(.sequence, content: numbers)
        return signature
    }
}
