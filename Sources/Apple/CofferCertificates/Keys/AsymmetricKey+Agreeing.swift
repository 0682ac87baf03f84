package import CofferBasics
internal import VaultCrypto

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
        return try withLibcrypto(.invalidInput) { library throws(LibcryptoError) in
            try secret.withSpan { secret throws(LibcryptoError) in
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
        return try withLibcryptoKey(.noAgreement) { key throws(LibcryptoError) in
            let other = try publicKey.libcryptoKey(in: key.library)
            return try key.sharedSecret(with: other)
        }
    }
}
