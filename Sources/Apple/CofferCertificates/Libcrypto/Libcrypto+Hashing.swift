internal import CCofferLibcrypto
package import CofferBasics

/// A hash function.
package enum HashFunction: CaseIterable, Sendable {
    case sha1, sha224, sha256, sha384, sha512

    /// The size of a digest.
    package var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha224: 28
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// OpenSSL's name.
    var name: StaticString {
        switch self {
        case .sha1: "SHA1"
        case .sha224: "SHA224"
        case .sha256: "SHA256"
        case .sha384: "SHA384"
        case .sha512: "SHA512"
        }
    }
}

extension Libcrypto {
    /// Returns the digest of `bytes`.
    package func digest(_ function: HashFunction, of bytes: Span<UInt8>) throws(LibcryptoError) -> [UInt8] {
        try withoutErrors { () throws(LibcryptoError) in
            var digest = [UInt8](repeating: 0, count: function.byteCount)
            var byteCount = digest.count
            let status = unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe function.name.withCString { name in
                    unsafe functions.EVP_Q_digest(
                        context,
                        name,
                        nil,
                        bytes.baseAddress,
                        bytes.count,
                        &digest,
                        &byteCount
                    )
                }
            }
            try check(status, "EVP_Q_digest")
            return digest
        }
    }
}

extension StaticString {
    /// Calls `body` with the text, which ends with a NUL.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        unsafe body(UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self))
    }
}

extension Libcrypto {
    /// Returns `byteCount` bytes that ANSI X9.63 derives from a shared secret and bytes that both sides know.
    package func derivedKey(
        from secret: Span<UInt8>,
        sharedInfo: Span<UInt8>,
        _ function: HashFunction,
        byteCount: Int
    ) throws(LibcryptoError) -> SecretBuffer {
        let derivation = unsafe functions.EVP_KDF_fetch(context, "X963KDF", nil)
        guard let derivation = unsafe derivation else { throw .failed("EVP_KDF_fetch") }
        defer { unsafe functions.EVP_KDF_free(derivation) }
        guard let operation = unsafe functions.EVP_KDF_CTX_new(derivation) else { throw .failed("EVP_KDF_CTX_new") }
        defer { unsafe functions.EVP_KDF_CTX_free(operation) }
        var key = SecretBuffer(byteCount: byteCount)
        let status = key.withMutableSpan { key in
            unsafe key.withUnsafeMutableBufferPointer { key in
                unsafe secret.withUnsafeBytes { secret in
                    unsafe sharedInfo.withUnsafeBytes { sharedInfo in
                        guard let start = key.baseAddress else { return Int32(0) }
                        let parameters = unsafe [
                            Parameter("digest", text: function.name), Parameter("secret", octets: secret),
                            Parameter("info", octets: sharedInfo), .end,
                        ]
                        return unsafe functions.EVP_KDF_derive(operation, start, key.count, parameters)
                    }
                }
            }
        }
        try check(status, "EVP_KDF_derive")
        return key
    }
}
