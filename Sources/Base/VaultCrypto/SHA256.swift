internal import CCofferSodium
internal import CofferBasics

/// SHA-256 (FIPS 180-4), for the formats of others: ours have BLAKE2b.
package enum SHA256 {
    /// The digest of `bytes`: 32 bytes.
    package static func digest(_ bytes: Span<UInt8>) -> [UInt8] {
        var digest = [UInt8](zeroByteCount: 32)
        var output = digest.mutableSpan
        unsafe output.withMutablePointer { output, _ in
            unsafe bytes.withPointer { bytes, byteCount in
                // It cannot fail.
                _ = unsafe crypto_hash_sha256(output, bytes, UInt64(byteCount))
            }
        }
        return digest
    }
}
