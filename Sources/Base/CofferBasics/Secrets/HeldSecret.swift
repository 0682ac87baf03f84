/// A secret in wiped memory, as an object that other values can hold.
package final class HeldSecret: Sendable {
    package let bytes: SecretBuffer

    package init(buffer: consuming SecretBuffer) {
        bytes = buffer
    }

    /// Copies `bytes`.
    package convenience init(copying bytes: Span<UInt8>) {
        self.init(buffer: SecretBuffer(copying: bytes))
    }

    /// Whether both have the same bytes, or both are nil.
    package static func areSame(_ one: HeldSecret?, _ other: HeldSecret?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.bytes.withSpan { one in other.bytes.withSpan { one.isSame(as: $0) } }
    }
}

/// A secret that is built piece by piece, in memory that is wiped.
///
/// Writers append to it, and the caller takes away what is there after each record, so that files of any size need little
/// memory.
package final class SecretBuilder {
    private var content = Content()

    package init() {}

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

    /// Removes all bytes; their memory is used again, and wiped with the rest.
    package func removeAll() { content.byteCount = 0 }

    /// Lends the bytes so far to `body`.
    package func withSpan<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try content.buffer.withSpan { [byteCount = content.byteCount] bytes throws(Failure) in
            try body(bytes.extracting(..<byteCount))
        }
    }

    /// The bytes so far.
    package var held: HeldSecret { withSpan { HeldSecret(copying: $0) } }

    /// The bytes and their number: one value, since each access to a property of an object is checked.
    private struct Content: ~Copyable {
        var buffer = SecretBuffer(byteCount: 256)
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

        private mutating func reserve(_ count: Int) {
            let needed = byteCount + count
            if needed > buffer.byteCount { buffer.grow(to: max(needed, 2 * buffer.byteCount)) }
        }
    }
}
