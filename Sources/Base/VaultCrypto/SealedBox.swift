internal import CCofferSodium
internal import CofferBasics

/// A text that only one recipient can open: libsodium's sealed box, with X25519 keys.
package enum SealedBox {
    /// The number of bytes by which a sealed box is larger than its text.
    package static let extraByteCount = 48
    fileprivate static let publicKeyByteCount = 32
    private static let macByteCount = 16

    /// Seals `text` to the owner of a public key.
    ///
    /// Throws ``CipherError/unusablePublicKey`` if the public key is a point of low order or does not have 32 bytes.
    package static func sealed(
        _ text: Span<UInt8>,
        to publicKey: [UInt8],
        random: some RandomSource
    ) throws(CipherError) -> [UInt8] {
        guard publicKey.count == Self.publicKeyByteCount else { throw .unusablePublicKey }
        if Unsealed.isOn { return [UInt8](zeroByteCount: Self.extraByteCount) + [UInt8](copying: text) }
        // This is `crypto_box_seal` step by step, since that function would not use our random source.
        var ephemeralSecret = SecretBuffer(byteCount: Key.byteCount)
        let ephemeralKey = ephemeralSecret.withMutableSpan { makeEphemeralKeys(secret: &$0, random) }
        let nonce = Self.boxNonce(ephemeralKey: ephemeralKey, publicKey: publicKey)
        var sealed = [UInt8](repeating: 0, count: Self.macByteCount + text.count)
        let status = ephemeralSecret.withSpan { secret in
            unsafe secret.withPointer { secret, _ in
                unsafe text.withPointer { text, byteCount in
                    unsafe crypto_box_easy(&sealed, text, UInt64(byteCount), nonce, publicKey, secret)
                }
            }
        }
        // With a point of low order the shared secret is zero for everyone, which libsodium reports as an error.
        guard status == 0 else { throw .unusablePublicKey }
        return ephemeralKey + sealed
    }

    /// Opens in place what ``sealed(_:to:random:)`` sealed; false, and no text, if it was not sealed to this recipient.
    ///
    /// The text replaces all bytes of `box` after the first ``extraByteCount``, so it stays in memory that the caller
    /// wipes.
    package static func open(_ box: inout MutableSpan<UInt8>, secret: Key) -> Bool {
        guard box.count >= Self.extraByteCount else { return false }
        if Unsealed.isOn { return true }
        let publicKey = secret.publicKey
        let ephemeralKey = [UInt8](copying: box.span.extracting(..<Self.publicKeyByteCount))
        let nonce = Self.boxNonce(ephemeralKey: ephemeralKey, publicKey: publicKey)
        return unsafe box.withMutablePointer { box, byteCount in
            secret.withBytes { secret in
                unsafe secret.withPointer { secret, _ in
                    unsafe crypto_box_open_easy(
                        box + Self.extraByteCount,
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

    /// Writes a new secret key to `secret`, and returns its public key.
    private static func makeEphemeralKeys(
        secret: inout MutableSpan<UInt8>,
        _ random: some RandomSource
    ) -> [UInt8] {
        var seed = SecretBuffer(byteCount: Key.byteCount)
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

    /// The nonce of a sealed box: BLAKE2b over both public keys, without a key or label.
    private static func boxNonce(ephemeralKey: [UInt8], publicKey: [UInt8]) -> [UInt8] {
        let keys = ephemeralKey + publicKey
        let noKey: [UInt8] = []
        var nonce = [UInt8](repeating: 0, count: 24)
        var span = nonce.mutableSpan
        Sodium.hash(into: &span, key: noKey.span, label: nil, keys.span)
        return nonce
    }
}

extension Key {
    /// The X25519 public key that belongs to this secret key: 32 bytes.
    package var publicKey: [UInt8] {
        var publicKey = [UInt8](repeating: 0, count: SealedBox.publicKeyByteCount)
        let status = withBytes { secret in
            unsafe secret.withPointer { secret, _ in unsafe crypto_scalarmult_base(&publicKey, secret) }
        }
        // Clamping makes every scalar usable.
        precondition(status == 0, "X25519 refused its base point")
        return publicKey
    }
}
