internal import CCofferLibcrypto
internal import CofferBasics

// What protects files with a passphrase: PKCS #5 and PKCS #12.
extension Libcrypto {
    /// Encrypts or decrypts with a passphrase.
    ///
    /// - Parameters:
    ///   - input: The plaintext or ciphertext.
    ///   - algorithm: The AlgorithmIdentifier in DER, whose parameters the caller has checked.
    ///   - passphrase: UTF-8, followed by a NUL; empty if there is no passphrase, not even an empty one.
    ///   - encrypts: Whether to encrypt.
    ///   - isOld: Whether only OpenSSL's provider of old algorithms has the algorithm.
    /// - Returns: The ciphertext or plaintext; the caller wipes a plaintext.
    /// - Throws: `LibcryptoError` if the passphrase is wrong, or the ciphertext was changed.
    package func crypt(
        _ input: Span<UInt8>,
        _ algorithm: Span<UInt8>,
        passphrase: Span<UInt8>,
        encrypts: Bool,
        isOld: Bool
    ) throws(LibcryptoError) -> [UInt8] {
        guard isOld else { return try unsafe crypt(input, algorithm, passphrase, encrypts, in: context) }
        // Another context, so that old algorithms are found nowhere else.
        guard let context = unsafe functions.OSSL_LIB_CTX_new() else { throw .failed("OSSL_LIB_CTX_new") }
        defer { unsafe functions.OSSL_LIB_CTX_free(context) }
        for provider in ["default", "legacy"] {
            guard unsafe functions.OSSL_PROVIDER_load(context, provider) != nil else {
                throw .failed("OSSL_PROVIDER_load")
            }
        }
        return try unsafe crypt(input, algorithm, passphrase, encrypts, in: context)
    }

    private func crypt(
        _ input: Span<UInt8>,
        _ algorithm: Span<UInt8>,
        _ passphrase: Span<UInt8>,
        _ encrypts: Bool,
        in context: OpaquePointer?
    ) throws(LibcryptoError) -> [UInt8] {
        let identifier = unsafe algorithm.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return unsafe functions.d2i_X509_ALGOR(nil, &start, bytes.count)
        }
        guard let identifier = unsafe identifier else { throw .failed("d2i_X509_ALGOR") }
        defer { unsafe functions.X509_ALGOR_free(identifier) }
        guard let inputByteCount = Int32(exactly: input.count) else { throw .failed("PKCS12_pbe_crypt_ex") }
        var byteCount: Int32 = 0
        let output = unsafe passphrase.withUnsafeBytes { passphrase in
            unsafe input.withUnsafeBufferPointer { input in
                unsafe functions.PKCS12_pbe_crypt_ex(
                    identifier,
                    passphrase.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(clamping: max(0, passphrase.count - 1)),
                    input.baseAddress,
                    inputByteCount,
                    nil,
                    &byteCount,
                    encrypts ? 1 : 0,
                    context,
                    nil
                )
            }
        }
        guard let output = unsafe output, byteCount >= 0 else { throw .failed("PKCS12_pbe_crypt_ex") }
        let bytes = unsafe Array(UnsafeBufferPointer(start: output, count: Int(byteCount)))
        unsafe functions.CRYPTO_clear_free(output, Int(byteCount), nil, 0)
        return bytes
    }

    /// The authentication code of `input` by the rules of PKCS #12.
    ///
    /// The passphrase is UTF-16, highest byte first, followed by two zeros; empty if there is none.
    package func pkcs12Code(
        of input: Span<UInt8>,
        _ function: HashFunction,
        passphrase: Span<UInt8>,
        salt: Span<UInt8>,
        iterationCount: Int
    ) throws(LibcryptoError) -> [UInt8] {
        let derivation = unsafe functions.EVP_KDF_fetch(context, "PKCS12KDF", nil)
        guard let derivation = unsafe derivation else { throw .failed("EVP_KDF_fetch") }
        defer { unsafe functions.EVP_KDF_free(derivation) }
        guard let operation = unsafe functions.EVP_KDF_CTX_new(derivation) else { throw .failed("EVP_KDF_CTX_new") }
        defer { unsafe functions.EVP_KDF_CTX_free(operation) }
        // The purpose: a key for authentication.
        var (purpose, iterations) = (UInt32(3), UInt64(iterationCount))
        var key = SecretBuffer(byteCount: function.byteCount)
        let status = unsafe withUnsafeMutableBytes(of: &purpose) { purpose in
            unsafe withUnsafeMutableBytes(of: &iterations) { iterations in
                unsafe passphrase.withUnsafeBytes { passphrase in
                    unsafe salt.withUnsafeBytes { salt in
                        let parameters = unsafe [
                            Parameter("digest", text: function.name), Parameter("pass", octets: passphrase),
                            Parameter("salt", octets: salt), Parameter("id", number: purpose),
                            Parameter("iter", number: iterations), .end,
                        ]
                        return key.withMutableSpan { key in
                            unsafe key.withUnsafeMutableBufferPointer { key in
                                guard let start = key.baseAddress else { return Int32(0) }
                                return unsafe functions.EVP_KDF_derive(operation, start, key.count, parameters)
                            }
                        }
                    }
                }
            }
        }
        try check(status, "EVP_KDF_derive")
        return try key.withSpan { key throws(LibcryptoError) in try hmac(of: input, function, key: key) }
    }

    /// The authentication code HMAC of `input`.
    package func hmac(
        of input: Span<UInt8>,
        _ function: HashFunction,
        key: Span<UInt8>
    ) throws(LibcryptoError) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: function.byteCount)
        var byteCount = 0
        let made = unsafe function.name.withCString { name in
            unsafe key.withUnsafeBytes { key in
                unsafe input.withUnsafeBufferPointer { input in
                    unsafe functions.EVP_Q_mac(
                        context,
                        "HMAC",
                        nil,
                        name,
                        nil,
                        key.baseAddress,
                        key.count,
                        input.baseAddress,
                        input.count,
                        &code,
                        code.count,
                        &byteCount
                    ) != nil
                }
            }
        }
        guard made, byteCount == code.count else { throw .failed("EVP_Q_mac") }
        return code
    }
}
