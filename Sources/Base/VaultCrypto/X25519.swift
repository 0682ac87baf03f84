internal import CCofferSodium
package import CofferBasics

/// X25519 key agreement.
package enum X25519 {
    package static let byteCount = 32

    /// The public key of a scalar, both of 32 bytes.
    package static func publicKey(of scalar: Span<UInt8>) -> [UInt8] {
        precondition(scalar.count == byteCount, "a scalar of X25519 has 32 bytes")
        var publicKey = [UInt8](repeating: 0, count: byteCount)
        // This cannot fail: any 32 bytes are a valid scalar.
        unsafe scalar.withPointer { scalar, _ in _ = unsafe crypto_scalarmult_base(&publicKey, scalar) }
        return publicKey
    }

    /// The secret that a scalar and a public key share, all of 32 bytes; nil if that is zero for every scalar.
    package static func sharedSecret(of scalar: Span<UInt8>, and publicKey: Span<UInt8>) -> SecretBuffer? {
        precondition(scalar.count == byteCount && publicKey.count == byteCount, "a key of X25519 has 32 bytes")
        var secret = SecretBuffer(byteCount: byteCount)
        let status = secret.withMutableSpan { secret in
            unsafe secret.withMutablePointer { secret, _ in
                unsafe scalar.withPointer { scalar, _ in
                    unsafe publicKey.withPointer { publicKey, _ in
                        unsafe crypto_scalarmult(secret, scalar, publicKey)
                    }
                }
            }
        }
        guard status == 0 else { return nil }
        return secret
    }
}
