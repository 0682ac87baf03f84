internal import CSodium
package import VaultFormat

extension SodiumSuite {
    private static let nonceByteCount = 24
    private static let tagByteCount = 16

    package func nonce(for text: Span<UInt8>, associatedData: [UInt8], key: GuardedKey) -> [UInt8] {
        var input = randomBytes(32)
        input.append(littleEndian: UInt64(associatedData.count))
        input.append(contentsOf: associatedData)
        return key.withNonceKey { nonceKey in
            var digest = [UInt8](repeating: 0, count: 32)
            var digestSpan = digest.mutableSpan
            Sodium.hash(into: &digestSpan, key: nonceKey, label: .text, text)
            input.append(contentsOf: digest)
            var nonce = [UInt8](repeating: 0, count: Self.nonceByteCount)
            var nonceSpan = nonce.mutableSpan
            Sodium.hash(into: &nonceSpan, key: nonceKey, label: .nonce, input.span)
            return nonce
        }
    }

    package func seal(
        _ buffer: inout MutableSpan<UInt8>,
        nonce: [UInt8],
        associatedData: [UInt8],
        key: GuardedKey
    ) {
        precondition(nonce.count == Self.nonceByteCount, "a nonce has 24 bytes")
        precondition(buffer.count >= Self.tagByteCount, "there is no room for a tag")
        unsafe buffer.withMutablePointer { buffer, byteCount in
            key.withBytes { key in
                unsafe key.withPointer { key, _ in
                    // It cannot fail: libsodium stops the process for a text of more than 2^38 bytes.
                    _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
                        buffer,
                        nil,
                        buffer,
                        UInt64(byteCount - Self.tagByteCount),
                        associatedData,
                        UInt64(associatedData.count),
                        nil,
                        nonce,
                        key
                    )
                }
            }
        }
    }

    package func open(
        _ buffer: inout MutableSpan<UInt8>,
        nonce: Span<UInt8>,
        associatedData: [UInt8],
        key: GuardedKey
    ) -> Bool {
        guard nonce.count == Self.nonceByteCount, buffer.count >= Self.tagByteCount else { return false }
        return unsafe buffer.withMutablePointer { buffer, byteCount in
            key.withBytes { key in
                unsafe key.withPointer { key, _ in
                    unsafe nonce.withPointer { nonce, _ in
                        unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
                            buffer,
                            nil,
                            nil,
                            buffer,
                            UInt64(byteCount),
                            associatedData,
                            UInt64(associatedData.count),
                            nonce,
                            key
                        ) == 0
                    }
                }
            }
        }
    }

    package func wrap(_ key: GuardedKey, under wrappingKey: GuardedKey, associatedData: [UInt8]) -> [UInt8] {
        // The array holds the key only until it is sealed in place.
        var wrapped = [UInt8](repeating: 0, count: GuardedKey.byteCount + Self.tagByteCount)
        var span = wrapped.mutableSpan
        let nonce = key.withBytes { bytes in
            for index in bytes.indices { span[index] = bytes[index] }
            return self.nonce(for: bytes, associatedData: associatedData, key: wrappingKey)
        }
        seal(&span, nonce: nonce, associatedData: associatedData, key: wrappingKey)
        return nonce + wrapped
    }

    package func unwrap(
        _ wrapped: Span<UInt8>,
        under wrappingKey: GuardedKey,
        associatedData: [UInt8]
    ) throws(CipherError) -> GuardedKey? {
        guard wrapped.count == Self.nonceByteCount + GuardedKey.byteCount + Self.tagByteCount else { return nil }
        var buffer = SecretBuffer(byteCount: GuardedKey.byteCount + Self.tagByteCount)
        return try buffer.withMutableSpan { buffer throws(CipherError) in
            buffer.copy(from: wrapped.extracting(Self.nonceByteCount...))
            let nonce = wrapped.extracting(..<Self.nonceByteCount)
            guard open(&buffer, nonce: nonce, associatedData: associatedData, key: wrappingKey) else { return nil }
            return try GuardedKey { $0.copy(from: buffer.span.extracting(..<GuardedKey.byteCount)) }
        }
    }
}
