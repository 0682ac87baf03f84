/// The one compression of the format: a zlib stream (RFC 1950).
package protocol Compressor: Sendable {
    /// A zlib stream of `bytes`.
    func compressed(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8]

    /// The `byteCount` bytes that `stream` inflates to.
    ///
    /// Anything else than exactly that many bytes from exactly that stream is an error, found without ever holding
    /// more than `byteCount` bytes.
    func inflated(_ stream: Span<UInt8>, byteCount: Int) throws(CompressionError) -> [UInt8]
}

/// Why bytes could not be compressed or inflated.
package enum CompressionError: Error, Equatable {
    /// The stream is no zlib stream, or its checksum is wrong.
    case malformed
    /// The stream ends before it has given all bytes.
    case tooShort
    /// The stream would give more bytes than it may.
    case tooLong
    /// Bytes follow the stream.
    case trailingBytes
    /// The library had no memory.
    case outOfMemory
}
