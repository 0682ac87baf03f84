internal import CCofferSodium
internal import CofferBasics

/// The 24 bytes that a key must never use twice.
package typealias Nonce = InlineArray<24, UInt8>

extension Key {
    private static let nonceByteCount = 24
    private static let tagByteCount = 16

    /// A new nonce for sealing `text`, section 18.1.
    package func nonce(
        for text: Span<UInt8>,
        associatedData: Span<UInt8>,
        random source: some RandomSource
    ) -> Nonce {
        var nonce = Nonce(repeating: 0)
        if Unsealed.isOn { return nonce }
        var random = InlineArray<32, UInt8>(repeating: 0)
        var drawn = random.mutableSpan
        source.fill(&drawn)
        var span = nonce.mutableSpan
        span.copy(from: drawn.span.extracting(first: Self.nonceByteCount - Sodium.shortHashByteCount))
        // Who knew the last of these keys could test guesses of the text.
        var forData = Sodium.ShortHash(repeating: 0)
        var dataKey = forData.mutableSpan
        var forText = Sodium.ShortHash(repeating: 0)
        var textKey = forText.mutableSpan
        withNonceKey { key in
            Sodium.shortHash(into: &dataKey, key: key.extracting(first: Sodium.shortHashByteCount), drawn.span)
        }
        Sodium.shortHash(into: &textKey, key: dataKey.span, associatedData)
        var rest = span._mutatingExtracting((Self.nonceByteCount - Sodium.shortHashByteCount)...)
        Sodium.shortHash(into: &rest, key: textKey.span, text)
        dataKey.wipe()
        textKey.wipe()
        return nonce
    }

    /// Seals in place: `buffer` holds the text and 16 more bytes, which become the tag.
    package func seal(_ buffer: inout MutableSpan<UInt8>, nonce: Span<UInt8>, associatedData: Span<UInt8>) {
        precondition(nonce.count == Self.nonceByteCount, "a nonce has 24 bytes")
        precondition(buffer.count >= Self.tagByteCount, "there is no room for a tag")
        if Unsealed.isOn { return }
        _ = unsafe buffer.withMutablePointer { buffer, byteCount in
            unsafe withPointers(nonce, associatedData) { key, nonce, data, dataByteCount in
                // This cannot fail: for a text of more than 2^38 bytes libsodium ends the process.
                unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
                    buffer,
                    nil,
                    buffer,
                    UInt64(byteCount - Self.tagByteCount),
                    data,
                    UInt64(dataByteCount),
                    nil,
                    nonce,
                    key
                )
            }
        }
    }

    /// Opens in place what ``seal(_:nonce:associatedData:)`` sealed; false, and no text, if it is not genuine.
    package func open(_ buffer: inout MutableSpan<UInt8>, nonce: Span<UInt8>, associatedData: Span<UInt8>) -> Bool {
        guard nonce.count == Self.nonceByteCount, buffer.count >= Self.tagByteCount else { return false }
        if Unsealed.isOn { return true }
        return unsafe buffer.withMutablePointer { buffer, byteCount in
            unsafe withPointers(nonce, associatedData) { key, nonce, data, dataByteCount in
                unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
                    buffer,
                    nil,
                    nil,
                    buffer,
                    UInt64(byteCount),
                    data,
                    UInt64(dataByteCount),
                    nonce,
                    key
                )
            } == 0
        }
    }

    /// Calls `body` with the addresses of the key, of the nonce and of the associated data, and the size of those.
    private func withPointers(
        _ nonce: Span<UInt8>,
        _ associatedData: Span<UInt8>,
        _ body: (UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>, Int) -> Int32
    ) -> Int32 {
        withBytes { key in
            unsafe key.withPointer { key, _ in
                unsafe nonce.withPointer { nonce, _ in
                    unsafe associatedData.withPointer { data, byteCount in unsafe body(key, nonce, data, byteCount) }
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
            return self.nonce(for: bytes, associatedData: associatedData.span, random: random)
        }
        seal(&span, nonce: nonce.span, associatedData: associatedData.span)
        return [UInt8](copying: nonce.span) + wrapped
    }

    /// The key that ``wrap(_:associatedData:random:)`` wrapped, or nil if it is not genuine.
    package func unwrap(_ wrapped: Span<UInt8>, associatedData: [UInt8]) throws(CipherError) -> Key? {
        guard wrapped.count == Self.nonceByteCount + Key.byteCount + Self.tagByteCount else { return nil }
        var buffer = SecretBuffer(byteCount: Key.byteCount + Self.tagByteCount)
        return try buffer.withMutableSpan { buffer throws(CipherError) in
            buffer.copy(from: wrapped.extracting(Self.nonceByteCount...))
            let nonce = wrapped.extracting(..<Self.nonceByteCount)
            guard open(&buffer, nonce: nonce, associatedData: associatedData.span) else { return nil }
            return try Key(copying: buffer.span.extracting(..<Key.byteCount))
        }
    }
}
