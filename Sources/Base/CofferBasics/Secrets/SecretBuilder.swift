/// A secret that grows: one that is built piece by piece, or read from an input of unknown size.
///
/// Writers append to it, and the caller takes away what is there after each record, so that files of any size need little
/// memory.
package final class SecretBuilder {
    private var content: Content

    /// An empty builder with room for `capacity` bytes before it grows.
    package init(capacity: Int = 256) {
        content = Content(buffer: SecretBuffer(byteCount: capacity))
    }

    /// How many bytes there are.
    package var byteCount: Int { content.byteCount }

    /// Appends a byte.
    package func append(_ byte: UInt8) { content.append(byte) }

    /// Appends bytes.
    package func append(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { bytes in
            content.append(unsafe Span(_unsafeElements: bytes))
        }
        if isDone == nil {
            for byte in bytes { content.append(byte) }
        }
    }

    /// Appends all bytes of a span.
    package func append(copying bytes: Span<UInt8>) { content.append(bytes) }

    /// Appends all of an input, unless there are then too many bytes.
    ///
    /// - Parameters:
    ///   - byteCountLimit: The largest number of bytes.
    ///   - read: Fills the span that it is given, unless the input ends first, and returns how many bytes it read.
    /// - Returns: Whether there are at most `byteCountLimit` bytes.
    /// - Throws: What `read` throws.
    package func append<Failure: Error>(
        atMost byteCountLimit: Int,
        reading read: (inout MutableSpan<UInt8>) throws(Failure) -> Int
    ) throws(Failure) -> Bool {
        try content.append(atMost: byteCountLimit, reading: read)
    }

    /// Wipes the bytes; their memory is used again.
    package func removeAll() {
        content.buffer.withMutableSpan { [byteCount = content.byteCount] bytes in
            var used = bytes._mutatingExtracting(..<byteCount)
            used.wipe()
        }
        content.byteCount = 0
    }

    /// Lends the bytes so far to `body`.
    package func withSpan<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try content.buffer.withSpan { [byteCount = content.byteCount] bytes throws(Failure) in
            try body(bytes.extracting(..<byteCount))
        }
    }

    /// A copy of the bytes so far.
    package var held: HeldSecret { withSpan { HeldSecret(copying: $0) } }

    /// The bytes and their number: one value, since each access to a property of an object is checked.
    private struct Content: ~Copyable {
        var buffer: SecretBuffer
        var byteCount = 0

        mutating func append(_ byte: UInt8) {
            reserve(1)
            buffer.withMutableSpan { [byteCount] in $0[byteCount] = byte }
            byteCount += 1
        }

        mutating func append(_ bytes: Span<UInt8>) {
            reserve(bytes.count)
            buffer.withMutableSpan { [byteCount] in $0.copy(from: bytes, at: byteCount) }
            byteCount += bytes.count
        }

        mutating func append<Failure: Error>(
            atMost byteCountLimit: Int,
            reading read: (inout MutableSpan<UInt8>) throws(Failure) -> Int
        ) throws(Failure) -> Bool {
            while byteCount <= byteCountLimit {
                if byteCount == buffer.byteCount { buffer.grow(to: 4 * max(byteCount, 64)) }
                // One byte more than the limit detects an input that is too long.
                let end = min(buffer.byteCount, byteCountLimit + 1)
                byteCount += try buffer.withMutableSpan { [byteCount] bytes throws(Failure) in
                    var rest = bytes._mutatingExtracting(byteCount..<end)
                    return try read(&rest)
                }
                if byteCount < end { return true }
            }
            return false
        }

        private mutating func reserve(_ count: Int) {
            let needed = byteCount + count
            if needed > buffer.byteCount { buffer.grow(to: max(needed, 2 * buffer.byteCount)) }
        }
    }
}
