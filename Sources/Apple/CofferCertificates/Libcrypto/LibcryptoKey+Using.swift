internal import CCofferLibcrypto
package import CofferBasics

/// What an RSA key is applied to.
package enum RSAPadding: Sendable {
    /// A number as long as the modulus.
    case none
    /// PKCS #1 version 1.5, for signatures round the digest of this function.
    case pkcs1(HashFunction?)
    /// PSS with a salt as long as the digest.
    case pss(HashFunction)
    /// OAEP without a label.
    case oaep(HashFunction)

    var parameters: [Parameter] {
        switch self {
        case .none: unsafe [Parameter("pad-mode", text: "none"), .end]
        case .pkcs1(nil): unsafe [Parameter("pad-mode", text: "pkcs1"), .end]
        case .pkcs1(let function?):
            unsafe [Parameter("pad-mode", text: "pkcs1"), Parameter("digest", text: function.name), .end]
        case .pss(let function):
            unsafe [
                Parameter("pad-mode", text: "pss"), Parameter("digest", text: function.name),
                Parameter("mgf1-digest", text: function.name), Parameter("saltlen", text: "digest"), .end,
            ]
        case .oaep(let function):
            unsafe [
                Parameter("pad-mode", text: "oaep"), Parameter("digest", text: function.name),
                Parameter("mgf1-digest", text: function.name), .end,
            ]
        }
    }
}

extension LibcryptoKey {
    /// Throws unless the halves of the key belong together, or its public half is a point of the curve.
    package func validate(isPrivate: Bool) throws(LibcryptoError) {
        let operation = try LibcryptoOperation(using: self)
        if isPrivate {
            try check(unsafe library.functions.EVP_PKEY_check(operation.context), "EVP_PKEY_check")
        } else {
            try check(unsafe library.functions.EVP_PKEY_public_check(operation.context), "EVP_PKEY_public_check")
        }
    }

    /// Returns the signature of a digest, or of what the padding takes; nil as padding is for ECDSA, in DER.
    package func signature(of input: Span<UInt8>, _ padding: RSAPadding? = nil) throws(LibcryptoError) -> [UInt8] {
        let operation = try LibcryptoOperation(using: self)
        let status = unsafe library.functions.EVP_PKEY_sign_init_ex(operation.context, padding.parameters)
        try check(status, "EVP_PKEY_sign_init_ex")
        return try unsafe operation.output(library.functions.EVP_PKEY_sign, "EVP_PKEY_sign", of: input)
    }

    /// Whether a signature of ``signature(of:_:)`` is valid.
    package func isValid(
        _ signature: Span<UInt8>,
        of input: Span<UInt8>,
        _ padding: RSAPadding? = nil
    ) throws(LibcryptoError) -> Bool {
        let operation = try LibcryptoOperation(using: self)
        let status = unsafe library.functions.EVP_PKEY_verify_init_ex(operation.context, padding.parameters)
        try check(status, "EVP_PKEY_verify_init_ex")
        return unsafe signature.withUnsafeBufferPointer { signature in
            unsafe input.withUnsafeBufferPointer { input in
                unsafe library.functions.EVP_PKEY_verify(
                    operation.context,
                    signature.baseAddress,
                    signature.count,
                    input.baseAddress,
                    input.count
                ) == 1
            }
        }
    }

    /// Returns the ciphertext of `plaintext`.
    package func encrypted(_ plaintext: Span<UInt8>, _ padding: RSAPadding) throws(LibcryptoError) -> [UInt8] {
        let operation = try LibcryptoOperation(using: self)
        let status = unsafe library.functions.EVP_PKEY_encrypt_init_ex(operation.context, padding.parameters)
        try check(status, "EVP_PKEY_encrypt_init_ex")
        return try unsafe operation.output(library.functions.EVP_PKEY_encrypt, "EVP_PKEY_encrypt", of: plaintext)
    }

    /// Returns the plaintext of `ciphertext`, which the caller wipes.
    package func decrypted(_ ciphertext: Span<UInt8>, _ padding: RSAPadding) throws(LibcryptoError) -> [UInt8] {
        let operation = try LibcryptoOperation(using: self)
        let status = unsafe library.functions.EVP_PKEY_decrypt_init_ex(operation.context, padding.parameters)
        try check(status, "EVP_PKEY_decrypt_init_ex")
        return try unsafe operation.output(library.functions.EVP_PKEY_decrypt, "EVP_PKEY_decrypt", of: ciphertext)
    }

    /// Returns the secret that this private key and a public key on the same curve share.
    package func sharedSecret(with publicKey: borrowing LibcryptoKey) throws(LibcryptoError) -> SecretBuffer {
        let operation = try LibcryptoOperation(using: self)
        let functions = library.functions
        try check(unsafe functions.EVP_PKEY_derive_init(operation.context), "EVP_PKEY_derive_init")
        let status = unsafe functions.EVP_PKEY_derive_set_peer(operation.context, publicKey.pointer)
        try check(status, "EVP_PKEY_derive_set_peer")
        var byteCount = 0
        try check(unsafe functions.EVP_PKEY_derive(operation.context, nil, &byteCount), "EVP_PKEY_derive")
        var secret = SecretBuffer(byteCount: byteCount)
        try secret.withMutableSpan { secret throws(LibcryptoError) in
            let status = unsafe secret.withUnsafeMutableBufferPointer { secret in
                unsafe functions.EVP_PKEY_derive(operation.context, secret.baseAddress, &byteCount)
            }
            guard status == 1, byteCount == secret.count else { throw .failed("EVP_PKEY_derive") }
        }
        return secret
    }
}

extension RSAPadding? {
    var parameters: [Parameter] { unsafe self?.parameters ?? [.end] }
}
