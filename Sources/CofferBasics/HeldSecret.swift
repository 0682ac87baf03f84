/// A secret in wiped memory, as an object that other values can hold.
package final class HeldSecret {
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

/// A secret that is built byte by byte.
package final class SecretBuilder {
    private var buffer = SecretBuffer(byteCount: 256)
    private var byteCount = 0

    package init() {}

    /// Appends a byte.
    package func append(_ byte: UInt8) {
        if byteCount == buffer.byteCount { buffer.grow(to: byteCount * 4) }
        buffer.withMutableSpan { $0[byteCount] = byte }
        byteCount += 1
    }

    /// Appends bytes.
    package func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { append(byte) }
    }

    /// The bytes so far.
    package var held: HeldSecret { buffer.withSpan { HeldSecret(copying: $0.extracting(..<byteCount)) } }
}
