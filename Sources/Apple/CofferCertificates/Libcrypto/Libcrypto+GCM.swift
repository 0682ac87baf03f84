internal import CCofferLibcrypto
internal import CofferBasics

// AES-GCM with a key of 16 or 32 bytes, an initialization vector of 16 bytes, which GCM hashes, and bytes that are
// authenticated with the message.
extension Libcrypto {
    package static let gcmVectorByteCount = 16
    package static let gcmTagByteCount = 16

    /// Returns the ciphertext of `plaintext` and the tag.
    package func sealed(
        _ plaintext: Span<UInt8>,
        key: Span<UInt8>,
        vector: Span<UInt8>,
        context: Span<UInt8>
    ) throws(LibcryptoError) -> [UInt8] {
        let cipher = try GCM(key, vector, context, tag: Span(), encrypts: true, in: self)
        return try cipher.output(of: plaintext) + cipher.tag()
    }

    /// Returns the plaintext of a ciphertext and its tag, which the caller wipes.
    package func opened(
        _ box: Span<UInt8>,
        key: Span<UInt8>,
        vector: Span<UInt8>,
        context: Span<UInt8>
    ) throws(LibcryptoError) -> [UInt8] {
        let byteCount = box.count - Self.gcmTagByteCount
        guard byteCount >= 0 else { throw .failed("EVP_CipherFinal_ex") }
        let cipher = try GCM(key, vector, context, tag: box.extracting(byteCount...), encrypts: false, in: self)
        return try cipher.output(of: box.extracting(..<byteCount))
    }
}

/// An encryption or decryption with AES-GCM.
@safe private final class GCM {
    private let functions: coffer_libcrypto
    private let operation: OpaquePointer

    deinit { unsafe functions.EVP_CIPHER_CTX_free(operation) }

    /// Starts to encrypt, or to decrypt what has this tag.
    init(
        _ key: Span<UInt8>,
        _ vector: Span<UInt8>,
        _ context: Span<UInt8>,
        tag: Span<UInt8>,
        encrypts: Bool,
        in library: Libcrypto
    ) throws(LibcryptoError) {
        functions = library.functions
        guard let operation = unsafe library.functions.EVP_CIPHER_CTX_new() else { throw .failed("EVP_CIPHER_CTX_new") }
        unsafe self.operation = operation
        let name: StaticString = key.count == 32 ? "AES-256-GCM" : "AES-128-GCM"
        let cipher = unsafe name.withCString { unsafe library.functions.EVP_CIPHER_fetch(library.context, $0, nil) }
        guard let cipher = unsafe cipher else { throw .failed("EVP_CIPHER_fetch") }
        defer { unsafe library.functions.EVP_CIPHER_free(cipher) }

        let encrypts: Int32 = encrypts ? 1 : 0
        var vectorByteCount = vector.count
        let sizing = unsafe withUnsafeMutableBytes(of: &vectorByteCount) { size in
            let parameters = unsafe [Parameter("ivlen", number: size), .end]
            return unsafe library.functions.EVP_CipherInit_ex2(operation, cipher, nil, nil, encrypts, parameters)
        }
        try check(sizing, "EVP_CipherInit_ex2")
        let starting = unsafe key.withUnsafeBufferPointer { bytes in
            unsafe vector.withUnsafeBufferPointer { vector in
                unsafe tag.withUnsafeBytes { tag in
                    let parameters = unsafe encrypts == 1 ? [.end] : [Parameter("tag", octets: tag), .end]
                    return unsafe library.functions.EVP_CipherInit_ex2(
                        operation,
                        nil,
                        bytes.baseAddress,
                        vector.baseAddress,
                        encrypts,
                        parameters
                    )
                }
            }
        }
        try check(starting, "EVP_CipherInit_ex2")
        try unsafe update(nil, context)
    }

    /// Returns the bytes after the operation; throws if they and the tag do not fit.
    func output(of input: Span<UInt8>) throws(LibcryptoError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: input.count)
        var restByteCount: Int32 = 0
        do throws(LibcryptoError) {
            try unsafe output.withUnsafeMutableBufferPointer { output throws(LibcryptoError) in
                try unsafe update(output.baseAddress, input)
            }
            // GCM has no rest.
            try check(unsafe functions.EVP_CipherFinal_ex(operation, nil, &restByteCount), "EVP_CipherFinal_ex")
        } catch {
            output.wipe()
            throw error
        }
        return output
    }

    private func update(_ output: UnsafeMutablePointer<UInt8>?, _ input: Span<UInt8>) throws(LibcryptoError) {
        guard let inputByteCount = Int32(exactly: input.count) else { throw .failed("EVP_CipherUpdate") }
        guard inputByteCount > 0 else { return }
        var byteCount: Int32 = 0
        let status = unsafe input.withUnsafeBufferPointer { input in
            unsafe functions.EVP_CipherUpdate(operation, output, &byteCount, input.baseAddress, inputByteCount)
        }
        guard status == 1, byteCount == inputByteCount else { throw .failed("EVP_CipherUpdate") }
    }

    func tag() throws(LibcryptoError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: Libcrypto.gcmTagByteCount)
        let status = unsafe tag.withUnsafeMutableBytes { tag in
            var parameters = unsafe [Parameter("tag", octets: UnsafeRawBufferPointer(tag)), .end]
            return unsafe functions.EVP_CIPHER_CTX_get_params(operation, &parameters)
        }
        try check(status, "EVP_CIPHER_CTX_get_params")
        return tag
    }
}
