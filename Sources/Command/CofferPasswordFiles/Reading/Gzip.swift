package import CofferBasics
internal import VaultCrypto

/// Streams of gzip (RFC 1952), in which KeePass keeps attachments.
package enum Gzip {
    /// How many bytes all compressed parts of a file may inflate to: 16 times its size, as blocks of a vault, or 1 MiB.
    static func byteCountLimit(inFileWith byteCount: Int) -> Int {
        min(max(16 * byteCount, 1 << 20), HeldSecret.byteCountLimit)
    }

    /// The content of a stream.
    ///
    /// - Parameters:
    ///   - stream: One stream, with nothing after it.
    ///   - limit: How many bytes the content may have.
    /// - Returns: The content; nil if the stream is damaged.
    /// - Throws: `PasswordFileError.tooLarge` if the stream declares more bytes than `limit`.
    package static func inflated(_ stream: Span<UInt8>, limit: Int) throws -> HeldSecret? {
        guard stream.count >= 18 else { return nil }
        // The last four bytes are the size of the content.
        let byteCount = Int(stream.littleEndian(at: stream.count - 4, as: UInt32.self))
        // Deflate makes at most 1,032 bytes of one.
        guard byteCount / 1032 <= stream.count else { return nil }
        guard byteCount <= limit else {
            throw PasswordFileError.tooLarge("compressed bytes would inflate to more than \(limit)")
        }
        var buffer = SecretBuffer(byteCount: byteCount)
        do throws(CompressionError) {
            try buffer.withMutableSpan { output throws(CompressionError) in
                try Zlib.inflate(stream, .gzip, into: &output)
            }
        } catch {
            return nil
        }
        return HeldSecret(buffer: buffer)
    }
}
