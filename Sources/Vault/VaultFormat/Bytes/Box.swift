internal import CofferBasics
package import VaultCrypto

/// Section 1.3: sealed content of any length.
///
/// A box is a nonce of 24 bytes, the sealed text (length of the content, content, zeros) and a tag of 16 bytes.
package enum Box {
    package static let nonceByteCount = 24
    package static let tagByteCount = 16
    static let lengthByteCount = 4
    /// The bytes of a box other than its content and padding.
    package static let overhead = nonceByteCount + lengthByteCount + tagByteCount

    /// The size of a box around `contentByteCount` bytes.
    package static func byteCount(contentByteCount: Int) -> Int {
        Padding.padded(overhead + contentByteCount)
    }

    /// Seals `content`.
    package static func sealed(
        _ content: Span<UInt8>,
        key: Key,
        associatedData: [UInt8],
        cipher: Cipher
    ) -> [UInt8] {
        sealed(
            contentByteCount: content.count,
            key: key,
            associatedData: associatedData.span,
            random: cipher.random
        ) { output in
            output.append(copying: content)
        }
    }

    /// Seals the `contentByteCount` bytes that `write` appends.
    static func sealed(
        contentByteCount: Int,
        key: Key,
        associatedData: Span<UInt8>,
        random: some RandomSource,
        writtenBy write: (inout OutputSpan<UInt8>) -> Void
    ) -> [UInt8] {
        // The array holds the plaintext only until it is sealed in place.
        let byteCount = byteCount(contentByteCount: contentByteCount)
        var box = [UInt8](byteCount: byteCount) { output in
            output.append(zeroByteCount: nonceByteCount)
            output.append(littleEndian: UInt32(contentByteCount))
            write(&output)
            precondition(output.count == nonceByteCount + lengthByteCount + contentByteCount, "wrong content size")
            output.append(zeroByteCount: byteCount - output.count)
        }
        let text = nonceByteCount..<box.count - tagByteCount
        let nonce = key.nonce(for: box.span.extracting(text), associatedData: associatedData, random: random)
        var span = box.mutableSpan
        span.copy(from: nonce.span)
        var sealedPart = span._mutatingExtracting(nonceByteCount..<span.count)
        key.seal(&sealedPart, nonce: nonce.span, associatedData: associatedData)
        return box
    }

    /// Opens a box in place and returns the range of the content in it.
    ///
    /// After an error the buffer holds no plaintext.
    package static func open(
        _ box: inout MutableSpan<UInt8>,
        key: Key,
        associatedData: Span<UInt8>
    ) throws(Fault) -> Range<Int> {
        guard box.count >= Padding.unit, box.count.isMultiple(of: Padding.unit) else { throw Fault(.badLength) }
        var nonce = Nonce(repeating: 0)
        var nonceSpan = nonce.mutableSpan
        nonceSpan.copy(from: box.span.extracting(..<nonceByteCount))
        var sealedPart = box._mutatingExtracting(nonceByteCount..<box.count)
        guard key.open(&sealedPart, nonce: nonce.span, associatedData: associatedData) else {
            throw Fault(.notAuthentic)
        }
        do throws(Fault) {
            return try contentRange(in: box.span)
        } catch {
            // The box is decrypted by now, and after an error the caller does not wipe it.
            box.wipe()
            throw error
        }
    }

    /// The range of the content in an opened box.
    private static func contentRange(in box: Span<UInt8>) throws(Fault) -> Range<Int> {
        let length = Int(box.littleEndian(at: nonceByteCount, as: UInt32.self))
        let start = nonceByteCount + lengthByteCount
        let end = box.count - tagByteCount
        guard length <= end - start, byteCount(contentByteCount: length) == box.count else { throw Fault(.badLength) }
        guard box.extracting(start + length..<end).isZero else { throw Fault(.badPadding) }
        return start..<start + length
    }

    /// The content of the box in `bytes`.
    package static func opened(_ bytes: Span<UInt8>, key: Key, associatedData: [UInt8]) throws(Fault) -> [UInt8] {
        try opened(bytes, key: key, associatedData: associatedData.span)
    }

    /// The content of the box in `bytes`.
    static func opened(_ bytes: Span<UInt8>, key: Key, associatedData: Span<UInt8>) throws(Fault) -> [UInt8] {
        var buffer = [UInt8](copying: bytes)
        var span = buffer.mutableSpan
        let content = try open(&span, key: key, associatedData: associatedData)
        defer { span.wipe() }
        return [UInt8](copying: span.span.extracting(content))
    }
}

extension ByteReader {
    /// A reader of the content of a box; offsets count from the start of the content.
    init(opening box: Span<UInt8>, key: Key, associatedData: [UInt8]) throws(Fault) {
        self.init(try Box.opened(box, key: key, associatedData: associatedData))
    }
}
