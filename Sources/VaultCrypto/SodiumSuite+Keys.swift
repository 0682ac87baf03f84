internal import CSodium
package import VaultFormat

extension SodiumSuite {
    package func withBytes<Result: ~Copyable, Failure: Error>(
        of key: GuardedKey,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try key.withBytes(body)
    }

    package func key(consuming bytes: inout MutableSpan<UInt8>) throws(CipherError) -> GuardedKey {
        precondition(bytes.count == GuardedKey.byteCount, "a key has 32 bytes")
        // Also where the memory for the key is refused: the bytes were given away.
        defer { bytes.wipe() }
        return try GuardedKey(in: arena) { $0.copy(from: bytes.span) }
    }

    package func passphraseKey(
        _ passphrase: Span<UInt8>,
        salt: [UInt8],
        operations: Int,
        memoryByteCount: Int
    ) throws(CipherError) -> GuardedKey {
        precondition(salt.count == Int(crypto_pwhash_SALTBYTES), "a salt has 16 bytes")
        precondition(operations >= 1 && memoryByteCount >= 8192, "Argon2id needs one pass and 8 KiB")
        if Unsealed.isOn { return try GuardedKey(in: arena) { $0.wipe() } }
        // On a page of its own: it is written for as long as Argon2id takes, and other keys stay read-only.
        return try GuardedKey(in: KeyArena()) { memory throws(CipherError) in
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
            // Its parameters are in range, so what is left is that the memory was refused.
            guard status == 0 else { throw .outOfMemory(neededByteCount: memoryByteCount) }
        }
    }

    package func derivedKey(
        from key: GuardedKey?,
        label: Label,
        input: Span<UInt8>,
        appending other: GuardedKey?
    ) throws(CipherError) -> GuardedKey {
        guard let other else {
            return try GuardedKey(in: arena) { hash(into: &$0, key: key, label: label, input) }
        }
        var joined = SecretBuffer(byteCount: input.count + GuardedKey.byteCount)
        joined.withMutableSpan { joined in
            for index in input.indices { joined[index] = input[index] }
            other.withBytes { bytes in
                for index in bytes.indices { joined[input.count + index] = bytes[index] }
            }
        }
        return try joined.withSpan { joined throws(CipherError) in
            try GuardedKey(in: arena) { hash(into: &$0, key: key, label: label, joined) }
        }
    }

    package func keyAndCommitment(
        seed: GuardedKey,
        label: Label,
        input: [UInt8]
    ) throws(CipherError) -> (key: GuardedKey, commitment: [UInt8]) {
        var halves = SecretBuffer(byteCount: 2 * GuardedKey.byteCount)
        halves.withMutableSpan { hash(into: &$0, key: seed, label: label, input.span) }
        return try halves.withSpan { halves throws(CipherError) in
            let key = try GuardedKey(in: arena) { $0.copy(from: halves.extracting(..<GuardedKey.byteCount)) }
            return (key, [UInt8](copying: halves.extracting(GuardedKey.byteCount...)))
        }
    }
}
