internal import CSodium

extension SodiumSuite {
    private static let signatureByteCount = 64
    private static let signingPublicKeyByteCount = 32

    package func signingPublicKey(of seed: GuardedKey) -> [UInt8] {
        withSigningKeys(of: seed) { publicKey, _ in publicKey }
    }

    package func signature(of text: Span<UInt8>, by seed: GuardedKey) -> [UInt8] {
        withSigningKeys(of: seed) { _, secretKey in
            var signature = [UInt8](repeating: 0, count: Self.signatureByteCount)
            unsafe secretKey.withPointer { secretKey, _ in
                unsafe text.withPointer { text, byteCount in
                    // It cannot fail: libsodium gives 0 always.
                    _ = unsafe crypto_sign_detached(&signature, nil, text, UInt64(byteCount), secretKey)
                }
            }
            return signature
        }
    }

    package func verify(signature: Span<UInt8>, of text: Span<UInt8>, publicKey: [UInt8]) -> Bool {
        guard signature.count == Self.signatureByteCount, publicKey.count == Self.signingPublicKeyByteCount else {
            return false
        }
        if Unsealed.isOn { return true }
        return unsafe signature.withPointer { signature, _ in
            unsafe text.withPointer { text, byteCount in
                unsafe crypto_sign_verify_detached(signature, text, UInt64(byteCount), publicKey) == 0
            }
        }
    }

    /// Lends the public key and libsodium's form of the secret key to `body`.
    private func withSigningKeys(
        of seed: GuardedKey,
        _ body: (_ publicKey: [UInt8], _ secretKey: Span<UInt8>) -> [UInt8]
    ) -> [UInt8] {
        var publicKey = [UInt8](repeating: 0, count: Self.signingPublicKeyByteCount)
        var secretKey = SecretBuffer(byteCount: 64)
        secretKey.withMutableSpan { secretKey in
            seed.withBytes { seed in
                unsafe secretKey.withMutablePointer { secretKey, _ in
                    unsafe seed.withPointer { seed, _ in
                        // It cannot fail: every 32 bytes are a seed.
                        _ = unsafe crypto_sign_seed_keypair(&publicKey, secretKey, seed)
                    }
                }
            }
        }
        return secretKey.withSpan { body(publicKey, $0) }
    }
}
