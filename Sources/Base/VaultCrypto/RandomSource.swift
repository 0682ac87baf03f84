internal import CCofferSodium
package import CofferBasics

/// A source of random bytes.
package protocol RandomSource: Sendable {
    /// Overwrites `bytes` with random bytes.
    func fill(_ bytes: inout MutableSpan<UInt8>)
}

/// The operating system's random numbers.
package struct SystemRandom: RandomSource {
    package init() throws(CipherError) {
        try Sodium.requireReady()
    }

    package func fill(_ bytes: inout MutableSpan<UInt8>) {
        unsafe bytes.withMutablePointer { unsafe randombytes_buf($0, $1) }
    }
}

extension RandomSource {
    /// Random bytes that need not stay secret, such as salts and nonces.
    package func bytes(_ byteCount: Int) -> [UInt8] {
        var bytes = [UInt8](zeroByteCount: byteCount)
        var span = bytes.mutableSpan
        fill(&span)
        return bytes
    }

    /// A random number that need not stay secret.
    package func number() -> UInt64 { bytes(8).span.littleEndian(at: 0) }

    /// A new random identifier of 16 bytes.
    package func identifier<Kind>() -> Identifier<Kind> {
        Identifier(bytes(Identifier<Kind>.byteCount).span)
    }

    /// A new random identifier of 8 bytes.
    package func shortIdentifier<Kind>() -> ShortIdentifier<Kind> {
        ShortIdentifier(bytes(ShortIdentifier<Kind>.byteCount).span)
    }

    /// A new random key.
    package func key() throws(CipherError) -> Key {
        try Key { fill(&$0) }
    }
}
