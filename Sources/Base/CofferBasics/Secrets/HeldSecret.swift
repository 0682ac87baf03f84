/// A secret that several values share: an object around a buffer, which nothing changes.
package final class HeldSecret: Sendable {
    private let buffer: SecretBuffer

    /// Takes over `buffer`.
    package init(buffer: consuming SecretBuffer) {
        self.buffer = buffer
    }

    /// Copies `bytes`.
    package convenience init(copying bytes: Span<UInt8>) {
        self.init(buffer: SecretBuffer(copying: bytes))
    }

    /// A secret with the bytes that `write` appends, at most `capacity`.
    package convenience init(capacity: Int, writtenBy write: (inout OutputSpan<UInt8>) -> Void) {
        self.init(buffer: withTemporarySecret(capacity: capacity, writtenBy: write) { SecretBuffer(copying: $0) })
    }

    /// How many bytes there are.
    package var byteCount: Int { buffer.byteCount }

    /// Whether the secret has no bytes.
    package var isEmpty: Bool { byteCount == 0 }

    /// Lends the bytes to `body`.
    package func withSpan<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.withSpan(body)
    }

    /// A copy of the bytes in `range`.
    package func secret(in range: Range<Int>) -> HeldSecret {
        withSpan { HeldSecret(copying: $0.extracting(range)) }
    }
}

extension HeldSecret: Equatable {
    /// Whether both have the same bytes; the time this takes reveals nothing about them.
    package static func == (one: HeldSecret, other: HeldSecret) -> Bool {
        one.withSpan { one in other.withSpan { one.isSame(as: $0) } }
    }
}
