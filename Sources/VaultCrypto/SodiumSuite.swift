internal import CSodium
package import VaultFormat

/// Suite 1 of the specification: XChaCha20-Poly1305, BLAKE2b, Argon2id, X25519 and Ed25519, by libsodium.
package struct SodiumSuite: CipherSuite {
    package typealias Key = GuardedKey

    let random: any RandomSource
    /// The memory of its keys.
    let arena = KeyArena()

    /// A suite that draws from `random`.
    package init(random: some RandomSource = SystemRandom()) throws(CipherError) {
        try Sodium.requireReady()
        self.random = random
    }

    // MARK: - Randomness

    package func randomBytes(_ byteCount: Int) -> [UInt8] {
        var bytes = [UInt8](zeroByteCount: byteCount)
        var span = bytes.mutableSpan
        random.fill(&span)
        return bytes
    }

    package func randomKey() throws(CipherError) -> GuardedKey {
        try GuardedKey(in: arena) { random.fill(&$0) }
    }

    // MARK: - Hashing

    package func hash(into output: inout MutableSpan<UInt8>, key: GuardedKey?, label: Label, _ input: Span<UInt8>) {
        // Items are found by these two, or all would have one name.
        if Unsealed.isOn, label != .primaryKey, label != .attribute { return output.wipe() }
        let noKey: [UInt8] = []
        guard let key else { return Sodium.hash(into: &output, key: noKey.span, label: label, input) }
        key.withBytes { Sodium.hash(into: &output, key: $0, label: label, input) }
    }

    package func areEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        if Unsealed.isOn { return true }
        return unsafe one.withPointer { one, byteCount in
            unsafe other.withPointer { other, _ in unsafe sodium_memcmp(one, other, byteCount) == 0 }
        }
    }
}
