internal import CofferBasics
internal import CSodium

extension Key {
    private static let nonceByteCount = 24
    private static let nonceRandomByteCount = 32
    private static let nonceDigestByteCount = 32
    private static let tagByteCount = 16

    /// A nonce for sealing `text`, section 1.4.
    package func nonce(for text: Span<UInt8>, associatedData: [UInt8], random: some RandomSource) -> [UInt8] {
        if Unsealed.isOn { return [UInt8](zeroByteCount: Self.nonceByteCount) }
        // The input is random bytes, the size of the associated data, these data and a hash of the text.
        let (randomEnd, dataStart) = (Self.nonceRandomByteCount, Self.nonceRandomByteCount + 8)
        let digestStart = dataStart + associatedData.count
        var input = [UInt8](zeroByteCount: digestStart + Self.nonceDigestByteCount)
        var inputSpan = input.mutableSpan
        var randomPart = inputSpan._mutatingExtracting(..<randomEnd)
        random.fill(&randomPart)
        for byte in 0..<8 {
            inputSpan[randomEnd + byte] = UInt8(truncatingIfNeeded: associatedData.count >> (8 * byte))
        }
        var dataPart = inputSpan._mutatingExtracting(dataStart..<digestStart)
        dataPart.copy(from: associatedData.span)
        var nonce = [UInt8](zeroByteCount: Self.nonceByteCount)
        withNonceKey { nonceKey in
            var digestPart = inputSpan._mutatingExtracting(digestStart...)
            Sodium.hash(into: &digestPart, key: nonceKey, label: .text, text)
            var nonceSpan = nonce.mutableSpan
            Sodium.hash(into: &nonceSpan, key: nonceKey, label: .nonce, inputSpan.span)
        }
        return nonce
    }

    /// Seals in place: `buffer` holds the text and 16 more bytes, which become the tag.
    package func seal(_ buffer: inout MutableSpan<UInt8>, nonce: [UInt8], associatedData: [UInt8]) {
        precondition(nonce.count == Self.nonceByteCount, "a nonce has 24 bytes")
        precondition(buffer.count >= Self.tagByteCount, "there is no room for a tag")
        if Unsealed.isOn { return }
        unsafe buffer.withMutablePointer { buffer, byteCount in
            withBytes { key in
                unsafe key.withPointer { key, _ in
                    // This cannot fail: for a text of more than 2^38 bytes libsodium ends the process.
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

    /// Opens in place what ``seal(_:nonce:associatedData:)`` sealed; false, and no text, if it is not genuine.
    package func open(_ buffer: inout MutableSpan<UInt8>, nonce: Span<UInt8>, associatedData: [UInt8]) -> Bool {
        guard nonce.count == Self.nonceByteCount, buffer.count >= Self.tagByteCount else { return false }
        if Unsealed.isOn { return true }
        return unsafe buffer.withMutablePointer { buffer, byteCount in
            withBytes { key in
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

    /// Seals another key with a fresh nonce: 24 bytes of nonce, 32 of key, 16 of tag.
    package func wrap(_ key: Key, associatedData: [UInt8], random: some RandomSource) -> [UInt8] {
        // The array holds the plain key only until it is sealed in place.
        var wrapped = [UInt8](repeating: 0, count: Key.byteCount + Self.tagByteCount)
        var span = wrapped.mutableSpan
        let nonce = key.withBytes { bytes in
            span.copy(from: bytes)
            return self.nonce(for: bytes, associatedData: associatedData, random: random)
        }
        seal(&span, nonce: nonce, associatedData: associatedData)
        return nonce + wrapped
    }

    /// The key that ``wrap(_:associatedData:random:)`` wrapped, or nil if it is not genuine.
    package func unwrap(_ wrapped: Span<UInt8>, associatedData: [UInt8]) throws(CipherError) -> Key? {
        guard wrapped.count == Self.nonceByteCount + Key.byteCount + Self.tagByteCount else { return nil }
        var buffer = SecretBuffer(byteCount: Key.byteCount + Self.tagByteCount)
        return try buffer.withMutableSpan { buffer throws(CipherError) in
            buffer.copy(from: wrapped.extracting(Self.nonceByteCount...))
            let nonce = wrapped.extracting(..<Self.nonceByteCount)
            guard open(&buffer, nonce: nonce, associatedData: associatedData) else { return nil }
            return try Key(copying: buffer.span.extracting(..<Key.byteCount))
        }
    }
}
