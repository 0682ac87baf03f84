package import CofferBasics
internal import VaultCrypto

extension AsymmetricKey {
    /// Returns the ciphertext of `plaintext`, which this public key makes.
    package func encrypted(
        _ plaintext: Span<UInt8>,
        _ algorithm: EncryptionAlgorithm
    ) throws(KeyError) -> [UInt8] {
        guard supports(.encryption(algorithm), for: .encrypt) else { throw .unsupportedAlgorithm }
        let publicBytes = publicBytes
        switch algorithm {
        case .rsaRaw:
            guard let number = paddedNumber(plaintext) else { throw .invalidInput }
            return try number.wipedAfter { number throws(KeyError) in try encrypted(number.span, .none) }
        case .rsaPKCS1: return try encrypted(plaintext, .pkcs1(nil))
        case .rsaOAEP(let hash): return try encrypted(plaintext, .oaep(hash))
        case .rsaOAEPWithGCM(let hash):
            return try withRandomBytes(gcmKeyByteCount) { key throws(KeyError) in
                try encrypted(key, .oaep(hash)) + sealed(plaintext, key, context: publicBytes.span)
            }
        case .ecies(let hash, let derivesVector):
            let sender = try AsymmetricKey(random: kind.type, bitCount: kind.bitCount)
            let secret = try sender.eciesSecret(with: self, sender: sender.publicBytes, hash, derivesVector)
            return try sender.publicBytes
                + secret.withSpan { secret throws(KeyError) in
                    try sealed(plaintext, secret, context: Span())
                }
        }
    }

    /// Returns the plaintext of `ciphertext`, which the caller wipes.
    package func decrypted(
        _ ciphertext: Span<UInt8>,
        _ algorithm: EncryptionAlgorithm
    ) throws(KeyError) -> [UInt8] {
        guard supports(.encryption(algorithm), for: .decrypt) else { throw .unsupportedAlgorithm }
        let publicBytes = publicBytes
        switch algorithm {
        case .rsaRaw: return try decrypted(ciphertext, .none)
        case .rsaPKCS1: return try decrypted(ciphertext, .pkcs1(nil))
        case .rsaOAEP(let hash): return try decrypted(ciphertext, .oaep(hash))
        case .rsaOAEPWithGCM(let hash):
            guard ciphertext.count >= kind.blockByteCount else { throw .invalidInput }
            return try decrypted(ciphertext.extracting(..<kind.blockByteCount), .oaep(hash)).wipedAfter {
                key throws(KeyError) in
                guard key.count == gcmKeyByteCount else { throw .invalidInput }
                let box = ciphertext.extracting(kind.blockByteCount...)
                return try opened(box, key.span, context: publicBytes.span)
            }
        case .ecies(let hash, let derivesVector):
            guard ciphertext.count >= publicBytes.count else { throw .invalidInput }
            let prefix = ciphertext.extracting(..<publicBytes.count)
            let sender: AsymmetricKey
            do throws(KeyError) {
                sender = try AsymmetricKey(kind.type, isPrivate: false, prefix)
            } catch {
                throw .invalidInput
            }
            let secret = try eciesSecret(with: sender, sender: sender.publicBytes, hash, derivesVector)
            return try secret.withSpan { secret throws(KeyError) in
                try opened(ciphertext.extracting(publicBytes.count...), secret, context: Span())
            }
        }
    }

    private func encrypted(_ plaintext: Span<UInt8>, _ padding: RSAPadding) throws(KeyError) -> [UInt8] {
        try withLibcryptoKey(.invalidInput) { key in try key.encrypted(plaintext, padding) }
    }

    private func decrypted(_ ciphertext: Span<UInt8>, _ padding: RSAPadding) throws(KeyError) -> [UInt8] {
        guard let number = paddedNumber(ciphertext) else { throw .invalidInput }
        return try withLibcryptoKey(.invalidInput) { key in
            try key.decrypted(number.span, padding)
        }
    }

    // MARK: - AES-GCM

    /// The size of the AES key that a key is combined with.
    private var gcmKeyByteCount: Int {
        switch kind {
        case .rsa(let bitCount): bitCount >= 4096 ? 32 : 16
        case .ellipticCurve(let curve): curve.byteCount > 32 ? 32 : 16
        case .ed25519, .x25519: 16
        }
    }

    /// The AES key that both sides of ECIES derive, and the initialization vector if it is derived too.
    private func eciesSecret(
        with other: AsymmetricKey,
        sender: [UInt8],
        _ hash: HashFunction,
        _ derivesVector: Bool
    ) throws(KeyError) -> SecretBuffer {
        let byteCount = gcmKeyByteCount + (derivesVector ? Libcrypto.gcmVectorByteCount : 0)
        let agreement = AgreementAlgorithm(usesCofactor: false, hash: hash)
        do throws(KeyError) {
            return try secret(with: other, agreement, byteCount: byteCount, sharedInfo: sender.span)
        } catch {
            throw error == .noAgreement || error == .invalidKey ? .invalidInput : error
        }
    }

    /// Encrypts with the key in `secret`, and with the initialization vector behind it, or zeros.
    private func sealed(
        _ plaintext: Span<UInt8>,
        _ secret: Span<UInt8>,
        context: Span<UInt8>
    ) throws(KeyError) -> [UInt8] {
        try withVector(in: secret) { library, key, vector in
            try library.sealed(plaintext, key: key, vector: vector, context: context)
        }
    }

    /// Decrypts what ``sealed(_:_:context:)`` made.
    private func opened(
        _ box: Span<UInt8>,
        _ secret: Span<UInt8>,
        context: Span<UInt8>
    ) throws(KeyError) -> [UInt8] {
        try withVector(in: secret) { library, key, vector in
            try library.opened(box, key: key, vector: vector, context: context)
        }
    }

    private func withVector(
        in secret: Span<UInt8>,
        _ body: (Libcrypto, _ key: Span<UInt8>, _ vector: Span<UInt8>) throws -> [UInt8]
    ) throws(KeyError) -> [UInt8] {
        let key = secret.extracting(..<gcmKeyByteCount)
        let vector = secret.extracting(gcmKeyByteCount...)
        let zeros = [UInt8](zeroByteCount: Libcrypto.gcmVectorByteCount)
        return try withLibcrypto(.invalidInput) { library in
            try body(library, key, vector.isEmpty ? zeros.span : vector)
        }
    }

    private func withRandomBytes(
        _ byteCount: Int,
        _ body: (Span<UInt8>) throws(KeyError) -> [UInt8]
    ) throws(KeyError) -> [UInt8] {
        var bytes = SecretBuffer(byteCount: byteCount)
        return try bytes.withMutableSpan { bytes throws(KeyError) in
            do throws(CipherError) { try SystemRandom().fill(&bytes) } catch { throw .memory(error) }
            return try body(bytes.span)
        }
    }
}

extension AsymmetricKey {
    /// Returns the secret that this private key and a public key share, or `byteCount` bytes that are derived from it and
    /// from what both sides know.
    package func secret(
        with publicKey: AsymmetricKey,
        _ algorithm: AgreementAlgorithm,
        byteCount: Int,
        sharedInfo: Span<UInt8>
    ) throws(KeyError) -> SecretBuffer {
        guard supports(.agreement(algorithm), for: .agree) else { throw .unsupportedAlgorithm }
        guard !publicKey.isPrivate, publicKey.kind.type == kind.type else { throw .invalidInput }
        let secret = try sharedSecret(with: publicKey)
        guard let hash = algorithm.hash else { return secret }
        return try withLibcrypto(.invalidInput) { library in
            try secret.withSpan { secret in
                try library.derivedKey(from: secret, sharedInfo: sharedInfo, hash, byteCount: byteCount)
            }
        }
    }

    private func sharedSecret(with publicKey: AsymmetricKey) throws(KeyError) -> SecretBuffer {
        guard kind != .x25519 else {
            let other = publicKey.publicBytes
            let secret = withBytes { X25519.sharedSecret(of: $0, and: other.span) }
            guard let secret else { throw .noAgreement }
            return secret
        }
        try publicKey.validate()
        return try withLibcryptoKey(.noAgreement) { key in
            let other = try publicKey.libcryptoKey(in: key.library)
            return try key.sharedSecret(with: other)
        }
    }
}
