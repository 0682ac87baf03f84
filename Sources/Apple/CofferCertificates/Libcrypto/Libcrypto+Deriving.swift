internal import CCofferLibcrypto
package import CofferBasics

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
