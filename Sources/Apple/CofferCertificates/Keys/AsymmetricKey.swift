internal import CofferBasics
internal import VaultCrypto

/// A public key, or a private key, whose bytes are in guarded memory.
///
/// The bytes are in Apple's form: PKCS #1 for RSA; for a curve the uncompressed point, followed in a private key by the
/// private number; 32 bytes for Ed25519 and X25519.
package final class AsymmetricKey: Sendable {
    package let kind: KeyKind
    /// The bytes of the public half.
    package let publicBytes: [UInt8]
    /// The bytes of a private key.
    private let privateBytes: GuardedBytes?
    /// Where the numbers of an RSA key are.
    private let numbers: RSANumbers?

    /// Whether this is a private key.
    package var isPrivate: Bool { privateBytes != nil }

    /// Reads a key; the caller wipes the bytes of a private one.
    ///
    /// Only the form is checked here. ``validate()`` checks what needs arithmetic.
    package convenience init(_ type: KeyType, isPrivate: Bool, _ bytes: Span<UInt8>) throws(KeyError) {
        switch type {
        case .rsa:
            if isPrivate {
                let numbers = try Array(copying: bytes).wipedAfter { bytes throws(KeyError) in
                    try RSANumbers(bytes, isPrivate: true)
                }
                try self.init(.rsa(bitCount: numbers.bitCount), numbers.publicKey(of: bytes), bytes, numbers)
            } else {
                let publicBytes = Self.pkcs1(Array(copying: bytes))
                let numbers = try RSANumbers(publicBytes, isPrivate: false)
                try self.init(.rsa(bitCount: numbers.bitCount), publicBytes, nil, numbers)
            }
        case .ellipticCurve:
            let curve = PublicKeyKind.NamedCurve.allCases.first { curve in
                bytes.count == curve.pointByteCount + (isPrivate ? curve.byteCount : 0)
            }
            guard let curve, bytes[0] == 4 else { throw .invalidKey }
            let point = Array(copying: bytes.extracting(..<curve.pointByteCount))
            try self.init(.ellipticCurve(curve), point, isPrivate ? bytes : nil)
        case .ed25519, .x25519:
            guard bytes.count == 32 else { throw .invalidKey }
            let kind: KeyKind = type == .ed25519 ? .ed25519 : .x25519
            let publicBytes = isPrivate ? try Self.publicBytes(of: bytes, type) : Array(copying: bytes)
            try self.init(kind, publicBytes, isPrivate ? bytes : nil)
        }
    }

    /// The public key of a certificate, or nil if its kind is not supported or its bytes are malformed.
    package convenience init?(of certificate: X509Certificate) {
        self.init(certificate.publicKey, in: certificate.bytes.span)
    }

    /// The key in a SubjectPublicKeyInfo, or nil if its kind is not supported or its bytes are malformed.
    package convenience init?(_ info: PublicKeyInfo, in bytes: Span<UInt8>) {
        let key = bytes.extracting(info.key)
        switch info.kind {
        case .rsa: try? self.init(.rsa, isPrivate: false, key)
        case .ellipticCurve(let curve):
            guard key.count == curve.pointByteCount else { return nil }
            try? self.init(.ellipticCurve, isPrivate: false, key)
        case .ed25519: try? self.init(.ed25519, isPrivate: false, key)
        case .ed448, nil: return nil
        }
    }

    private init(
        _ kind: KeyKind,
        _ publicBytes: [UInt8],
        _ privateBytes: Span<UInt8>?,
        _ numbers: RSANumbers? = nil
    ) throws(KeyError) {
        self.kind = kind
        self.publicBytes = publicBytes
        self.numbers = numbers
        do throws(CipherError) {
            self.privateBytes = if let privateBytes { try GuardedBytes(copying: privateBytes) } else { nil }
        } catch {
            throw .memory(error)
        }
    }

    private static func publicBytes(of seed: Span<UInt8>, _ type: KeyType) throws(KeyError) -> [UInt8] {
        guard type == .ed25519 else { return X25519.publicKey(of: seed) }
        do throws(CipherError) { return try Key(copying: seed).signingPublicKey } catch { throw .memory(error) }
    }

    /// The RSA key in a SubjectPublicKeyInfo; the bytes themselves if they are no SubjectPublicKeyInfo.
    private static func pkcs1(_ bytes: [UInt8]) -> [UInt8] {
        var reader = DERReader(bytes, in: bytes.indices)
        guard let info = try? PublicKeyInfo(from: &reader), reader.isAtEnd, info.kind == .rsa else { return bytes }
        return Array(bytes[info.key])
    }

    /// The public half of a private key; a public key itself.
    package var publicKey: AsymmetricKey {
        get throws(KeyError) {
            guard isPrivate else { return self }
            let publicBytes = publicBytes
            return try AsymmetricKey(kind.type, isPrivate: false, publicBytes.span)
        }
    }

    /// Calls `body` with the bytes of the key.
    package func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let privateBytes { return try privateBytes.withBytes(body) }
        let publicBytes = publicBytes
        return try body(publicBytes.span)
    }

    /// Throws unless a point lies on its curve, and the private number of a key on a curve belongs to it.
    package func validate() throws(KeyError) {
        guard case .ellipticCurve = kind else { return }
        try withLibcryptoKey(.invalidKey) { key in try key.validate(isPrivate: isPrivate) }
    }

    /// Calls `body` with the key in OpenSSL's library, and throws `reason` if that refuses something.
    func withLibcryptoKey<Result: ~Copyable>(
        _ reason: KeyError,
        _ body: (borrowing LibcryptoKey) throws -> Result
    ) throws(KeyError) -> Result {
        try withLibcrypto(reason) { library in try body(libcryptoKey(in: library)) }
    }

    /// The key in OpenSSL's library; only for keys whose arithmetic is done there.
    func libcryptoKey(in library: Libcrypto) throws(LibcryptoError) -> LibcryptoKey {
        try withBytes { bytes throws(LibcryptoError) in
            if let numbers {
                return try LibcryptoKey(rsa: bytes, numbers: numbers.ranges, in: library)
            }
            guard case .ellipticCurve(let curve) = kind else { preconditionFailure("not a key of OpenSSL's library") }
            return try LibcryptoKey(on: curve.name, bytes, pointByteCount: curve.pointByteCount, in: library)
        }
    }

    /// The modulus of an RSA key.
    var modulus: [UInt8]? {
        numbers.map { numbers in withBytes { Array(copying: $0.extracting(numbers.ranges[0])) } }
    }

    /// The SHA-1 digest of the public half, by which a certificate and its private key find each other.
    package func publicKeyHash() throws(LibcryptoError) -> [UInt8] {
        let publicBytes = publicBytes
        return try Libcrypto.shared.get().digest(.sha1, of: publicBytes.span)
    }
}

extension AsymmetricKey: Hashable {
    /// Whether both have the same half, and the same public bytes.
    package static func == (one: AsymmetricKey, other: AsymmetricKey) -> Bool {
        one.kind == other.kind && one.isPrivate == other.isPrivate && one.publicBytes == other.publicBytes
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(publicBytes) }
}
