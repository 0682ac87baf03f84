internal import CCofferSodium
internal import CofferBasics

// `H(n, key, label, input)` of section 1.1.

extension Label {
    /// Writes `H(output.count, label, input)`, without a key, to `output`.
    package func hash(into output: inout MutableSpan<UInt8>, _ input: Span<UInt8>) {
        if Unsealed.isOn { return output.wipe() }
        let noKey: [UInt8] = []
        Sodium.hash(into: &output, key: noKey.span, label: self, input)
    }

    /// `H(byteCount, label, input)`, without a key.
    package func hash(_ byteCount: Int, _ input: Span<UInt8>) -> [UInt8] {
        var digest = [UInt8](zeroByteCount: byteCount)
        var span = digest.mutableSpan
        hash(into: &span, input)
        return digest
    }

    /// `H(byteCount, label, input)`, without a key.
    package func hash(_ byteCount: Int, _ input: [UInt8]) -> [UInt8] { hash(byteCount, input.span) }

    /// `H(32, label, input)`, without a key, as a key.
    package func key(_ input: Span<UInt8>) throws(CipherError) -> Key {
        try Key { hash(into: &$0, input) }
    }
}

extension Key {
    /// Writes `H(output.count, key, label, input)` to `output`.
    package func hash(into output: inout MutableSpan<UInt8>, _ label: Label, _ input: Span<UInt8>) {
        if Unsealed.isOn { return output.wipe() }
        withBytes { Sodium.hash(into: &output, key: $0, label: label, input) }
    }

    /// `H(byteCount, key, label, input)`.
    package func hash(_ byteCount: Int, _ label: Label, _ input: Span<UInt8>) -> [UInt8] {
        var digest = [UInt8](zeroByteCount: byteCount)
        var span = digest.mutableSpan
        hash(into: &span, label, input)
        return digest
    }

    /// `H(byteCount, key, label, input)`.
    package func hash(_ byteCount: Int, _ label: Label, _ input: [UInt8]) -> [UInt8] {
        hash(byteCount, label, input.span)
    }

    /// The halves of a key, which are keys of `SipHash`.
    package enum Half {
        case first
        case second
    }

    /// `SipHash(half of the key, input)`, for digests that only holders of the key can see.
    ///
    /// In a build without encryption they are real too, or all items would have the same.
    package func shortHash(_ half: Half, _ input: Span<UInt8>) -> InlineArray<16, UInt8> {
        let byteCount = Sodium.shortHashByteCount
        var digest = Sodium.ShortHash(repeating: 0)
        var span = digest.mutableSpan
        withBytes { key in
            let half = half == .first ? key.extracting(first: byteCount) : key.extracting(last: byteCount)
            Sodium.shortHash(into: &span, key: half, input)
        }
        return digest
    }

    // MARK: - Keys

    /// `H(32, key, label, input)`.
    package func derived(_ label: Label, _ input: Span<UInt8>) throws(CipherError) -> Key {
        try Key { hash(into: &$0, label, input) }
    }

    /// `H(32, key, label, input)`.
    package func derived(_ label: Label, _ input: [UInt8] = []) throws(CipherError) -> Key {
        try derived(label, input.span)
    }

    /// `H(32, key, label, input || other)`.
    package func derived(_ label: Label, _ input: [UInt8], appending other: Key) throws(CipherError) -> Key {
        var joined = SecretBuffer(byteCount: input.count + Key.byteCount)
        joined.withMutableSpan { joined in
            joined.copy(from: input.span)
            other.withBytes { joined.copy(from: $0, at: input.count) }
        }
        return try joined.withSpan { joined throws(CipherError) in try derived(label, joined) }
    }

    /// The two halves of `H(64, key, label, input)`: a key and 32 bytes that commit to it.
    package func keyAndCommitment(
        _ label: Label,
        _ input: [UInt8]
    ) throws(CipherError) -> (key: Key, commitment: [UInt8]) {
        var halves = SecretBuffer(byteCount: 2 * Key.byteCount)
        halves.withMutableSpan { hash(into: &$0, label, input.span) }
        return try halves.withSpan { halves throws(CipherError) in
            let key = try Key(copying: halves.extracting(..<Key.byteCount))
            return (key, [UInt8](copying: halves.extracting(Key.byteCount...)))
        }
    }

    /// The key from Argon2id over a passphrase; the caller checks the limits.
    package static func ofPassphrase(
        _ passphrase: Span<UInt8>,
        salt: [UInt8],
        operations: Int,
        memoryByteCount: Int
    ) throws(CipherError) -> Key {
        precondition(salt.count == Int(crypto_pwhash_SALTBYTES), "a salt has 16 bytes")
        precondition(operations >= 1 && memoryByteCount >= 8192, "Argon2id needs at least one pass and 8 KiB")
        if Unsealed.isOn { return try Key { $0.wipe() } }
        return try Key { memory throws(CipherError) in
            let status = unsafe memory.withMutablePointer { memory, byteCount in
                unsafe passphrase.withPointer { passphrase, passphraseByteCount in
                    unsafe crypto_pwhash(
                        memory,
                        UInt64(byteCount),
                        UnsafeRawPointer(passphrase).assumingMemoryBound(to: CChar.self),
                        UInt64(passphraseByteCount),
                        salt,
                        UInt64(operations),
                        memoryByteCount,
                        crypto_pwhash_ALG_ARGON2ID13
                    )
                }
            }
            // The parameters are in range, so the only possible failure is a lack of memory.
            guard status == 0 else { throw .outOfMemory(neededByteCount: memoryByteCount) }
        }
    }
}

/// Whether the bytes are equal, compared in constant time.
package func areEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
    guard one.count == other.count else { return false }
    if Unsealed.isOn { return true }
    return unsafe one.withPointer { one, byteCount in
        unsafe other.withPointer { other, _ in unsafe sodium_memcmp(one, other, byteCount) == 0 }
    }
}
