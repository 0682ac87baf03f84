internal import CSodium
package import VaultFormat

extension SodiumSuite {
    private static let publicKeyByteCount = 32
    private static let macByteCount = 16

    package func publicKey(of secret: GuardedKey) -> [UInt8] {
        var publicKey = [UInt8](repeating: 0, count: Self.publicKeyByteCount)
        let status = secret.withBytes { secret in
            unsafe secret.withPointer { secret, _ in unsafe crypto_scalarmult_base(&publicKey, secret) }
        }
        // Clamping makes every scalar a usable one.
        precondition(status == 0, "X25519 refused its base point")
        return publicKey
    }

    package func sealedBox(_ text: Span<UInt8>, to publicKey: [UInt8]) throws(CipherError) -> [UInt8] {
        guard publicKey.count == Self.publicKeyByteCount else { throw .unusablePublicKey }
        if Unsealed.isOn { return [UInt8](zeroByteCount: Self.sealedBoxExtraByteCount) + [UInt8](copying: text) }
        // This is `crypto_box_seal` step by step, since that would draw its ephemeral key past our random source.
        var ephemeralSecret = SecretBuffer(byteCount: GuardedKey.byteCount)
        let ephemeralKey = ephemeralSecret.withMutableSpan { makeEphemeralKeys(secret: &$0) }
        let nonce = Self.boxNonce(ephemeralKey: ephemeralKey, publicKey: publicKey)
        var sealed = [UInt8](repeating: 0, count: Self.macByteCount + text.count)
        let status = ephemeralSecret.withSpan { secret in
            unsafe secret.withPointer { secret, _ in
                unsafe text.withPointer { text, byteCount in
                    unsafe crypto_box_easy(&sealed, text, UInt64(byteCount), nonce, publicKey, secret)
                }
            }
        }
        // A point of low order gives the same shared secret to everybody: libsodium finds it to be zero.
        guard status == 0 else { throw .unusablePublicKey }
        return ephemeralKey + sealed
    }

    package func openSealedBox(_ box: inout MutableSpan<UInt8>, secret: GuardedKey) -> Bool {
        guard box.count >= Self.sealedBoxExtraByteCount else { return false }
        if Unsealed.isOn { return true }
        let publicKey = publicKey(of: secret)
        let ephemeralKey = [UInt8](copying: box.span.extracting(..<Self.publicKeyByteCount))
        let nonce = Self.boxNonce(ephemeralKey: ephemeralKey, publicKey: publicKey)
        return unsafe box.withMutablePointer { box, byteCount in
            secret.withBytes { secret in
                unsafe secret.withPointer { secret, _ in
                    unsafe crypto_box_open_easy(
                        box + Self.sealedBoxExtraByteCount,
                        box + Self.publicKeyByteCount,
                        UInt64(byteCount - Self.publicKeyByteCount),
                        nonce,
                        ephemeralKey,
                        secret
                    ) == 0
                }
            }
        }
    }

    /// Writes a new secret key to `secret`, and gives its public key.
    private func makeEphemeralKeys(secret: inout MutableSpan<UInt8>) -> [UInt8] {
        var seed = SecretBuffer(byteCount: GuardedKey.byteCount)
        seed.withMutableSpan { random.fill(&$0) }
        var publicKey = [UInt8](repeating: 0, count: Self.publicKeyByteCount)
        let status = seed.withSpan { seed in
            unsafe seed.withPointer { seed, _ in
                unsafe secret.withMutablePointer { secret, _ in
                    unsafe crypto_box_seed_keypair(&publicKey, secret, seed)
                }
            }
        }
        precondition(status == 0, "X25519 refused its base point")
        return publicKey
    }

    /// The nonce of a sealed box: BLAKE2b over both public keys, without key and label.
    private static func boxNonce(ephemeralKey: [UInt8], publicKey: [UInt8]) -> [UInt8] {
        let keys = ephemeralKey + publicKey
        let noKey: [UInt8] = []
        var nonce = [UInt8](repeating: 0, count: 24)
        var span = nonce.mutableSpan
        Sodium.hash(into: &span, key: noKey.span, label: nil, keys.span)
        return nonce
    }
}
