internal import CofferBasics
internal import VaultCrypto

/// Whether a signature is the key's.
package enum SignatureVerdict: Sendable {
    case valid
    case invalid
    /// The input or the signature cannot belong to this algorithm and key.
    case malformed
}

extension AsymmetricKey {
    /// Returns the signature of a digest or message.
    package func signature(
        of input: Span<UInt8>,
        _ algorithm: SignatureAlgorithm
    ) throws(KeyError) -> [UInt8] {
        guard supports(.signature(algorithm), for: .sign) else { throw .unsupportedAlgorithm }
        if algorithm.scheme == .ed25519 { return try ed25519Signature(of: input) }
        guard let input = try signedBytes(of: input, algorithm) else { throw .invalidInput }
        let signature = try withLibcryptoKey(.invalidInput) { key in
            try key.signature(of: input.span, algorithm.padding)
        }
        guard algorithm.scheme == .ecdsaRFC4754 else { return signature }
        guard let numbers = ECDSASignature(der: signature, byteCount: kind.blockByteCount) else { throw .invalidInput }
        return numbers.bytes
    }

    /// Checks the signature of a digest or message.
    package func verify(
        _ signature: Span<UInt8>,
        of input: Span<UInt8>,
        _ algorithm: SignatureAlgorithm
    ) throws(KeyError) -> SignatureVerdict {
        guard supports(.signature(algorithm), for: .verify) else { throw .unsupportedAlgorithm }
        if algorithm.scheme == .ed25519 {
            return Ed25519.verify(signature: signature, of: input, publicKey: publicBytes) ? .valid : .invalid
        }
        if algorithm.scheme == .rsaRaw { return try verifyRaw(signature, of: input) }
        guard let input = try signedBytes(of: input, algorithm) else { return .malformed }
        switch algorithm.scheme {
        case .ecdsaX962: return try isValid(signature, of: input.span, nil)
        case .ecdsaRFC4754:
            guard let numbers = ECDSASignature(signature, byteCount: kind.blockByteCount) else { return .invalid }
            return try isValid(numbers.der.span, of: input.span, nil)
        default:
            guard let number = paddedNumber(signature) else { return .malformed }
            guard algorithm.hash == nil else { return try isValid(number.span, of: input.span, algorithm.padding) }
            // OpenSSL's library takes no empty input.
            guard input.count <= number.count - 11 else { return .malformed }
            let padding = [UInt8](repeating: 0xFF, count: number.count - input.count - 3)
            return try signedNumber(number) == [0, 1] + padding + [0] + input ? .valid : .invalid
        }
    }

    /// Checks a signature without padding: zeros in front of the number are not part of the input.
    private func verifyRaw(_ signature: Span<UInt8>, of input: Span<UInt8>) throws(KeyError) -> SignatureVerdict {
        guard let number = paddedNumber(signature) else { return .malformed }
        let block = try signedNumber(number)
        let digits = block.span.extracting(block.span.leadingZeroCount...)
        return digits.hasSameBytes(as: input) ? .valid : .invalid
    }

    /// The number that a signature was made of.
    private func signedNumber(_ signature: [UInt8]) throws(KeyError) -> [UInt8] {
        try withLibcryptoKey(.invalidInput) { key in try key.encrypted(signature.span, .none) }
    }

    private func isValid(
        _ signature: Span<UInt8>,
        of input: Span<UInt8>,
        _ padding: RSAPadding?
    ) throws(KeyError) -> SignatureVerdict {
        try withLibcryptoKey(.invalidInput) { key in
            try key.isValid(signature, of: input, padding) ? .valid : .invalid
        }
    }

    private func ed25519Signature(of message: Span<UInt8>) throws(KeyError) -> [UInt8] {
        try KeyError.converting { try withBytes { seed in try Key(copying: seed) }.signature(of: message) }
    }

    /// The digest of a message; a digest itself if it has the right length; for raw signatures a number.
    private func signedBytes(
        of input: Span<UInt8>,
        _ algorithm: SignatureAlgorithm
    ) throws(KeyError) -> [UInt8]? {
        guard let hash = algorithm.hash else {
            return algorithm.scheme == .rsaRaw ? paddedNumber(input) : Array(copying: input)
        }
        guard algorithm.hashesInput else { return input.count == hash.byteCount ? Array(copying: input) : nil }
        return try withLibcrypto(.invalidInput) { library in
            try library.digest(hash, of: input)
        }
    }

    /// The number as long as the modulus, unless it is longer or not smaller.
    func paddedNumber(_ number: Span<UInt8>) -> [UInt8]? {
        guard let modulus, number.count <= modulus.count else { return nil }
        let padded = [UInt8](zeroByteCount: modulus.count - number.count) + Array(copying: number)
        return padded.lexicographicallyPrecedes(modulus) ? padded : nil
    }
}

extension SignatureAlgorithm {
    /// How OpenSSL's library pads what RSA signs; nil for ECDSA.
    fileprivate var padding: RSAPadding? {
        switch scheme {
        case .rsaRaw: RSAPadding.none
        case .rsaPKCS1: .pkcs1(hash)
        case .rsaPSS: hash.map(RSAPadding.pss)
        case .ecdsaX962, .ecdsaRFC4754, .ed25519: nil
        }
    }
}

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
