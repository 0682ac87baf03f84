internal import CCofferSodium
internal import CofferBasics

/// Ed25519 signatures.
package enum Ed25519 {
    fileprivate static let signatureByteCount = 64
    fileprivate static let publicKeyByteCount = 32

    /// Whether `signature` is a valid signature of `text` under `publicKey`; false if either has the wrong size.
    package static func verify(signature: Span<UInt8>, of text: Span<UInt8>, publicKey: [UInt8]) -> Bool {
        guard signature.count == Self.signatureByteCount, publicKey.count == Self.publicKeyByteCount else {
            return false
        }
        if Unsealed.isOn { return true }
        return unsafe signature.withPointer { signature, _ in
            unsafe text.withPointer { text, byteCount in
                unsafe crypto_sign_verify_detached(signature, text, UInt64(byteCount), publicKey) == 0
            }
        }
    }
}

extension Key {
    /// The Ed25519 public key that belongs to this seed: 32 bytes.
    package var signingPublicKey: [UInt8] {
        withSigningKeys { publicKey, _ in publicKey }
    }

    /// The detached Ed25519 signature of `text`, with this key as the seed: 64 bytes.
    package func signature(of text: Span<UInt8>) -> [UInt8] {
        withSigningKeys { _, secretKey in
            var signature = [UInt8](repeating: 0, count: Ed25519.signatureByteCount)
            unsafe secretKey.withPointer { secretKey, _ in
                unsafe text.withPointer { text, byteCount in
                    // This cannot fail: libsodium always returns 0.
                    _ = unsafe crypto_sign_detached(&signature, nil, text, UInt64(byteCount), secretKey)
                }
            }
            return signature
        }
    }

    /// Calls `body` with the public key and libsodium's form of the secret key.
    private func withSigningKeys(
        _ body: (_ publicKey: [UInt8], _ secretKey: Span<UInt8>) -> [UInt8]
    ) -> [UInt8] {
        var publicKey = [UInt8](repeating: 0, count: Ed25519.publicKeyByteCount)
        var secretKey = SecretBuffer(byteCount: 64)
        secretKey.withMutableSpan { secretKey in
            withBytes { seed in
                unsafe secretKey.withMutablePointer { secretKey, _ in
                    unsafe seed.withPointer { seed, _ in
                        // This cannot fail: any 32 bytes are a valid seed.
                        _ = unsafe crypto_sign_seed_keypair(&publicKey, secretKey, seed)
                    }
                }
            }
        }
        return secretKey.withSpan { body(publicKey, $0) }
    }
}
