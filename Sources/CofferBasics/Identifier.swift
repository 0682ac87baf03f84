/// Sixteen bytes that identify something: random bytes or a digest.
///
/// `Kind` keeps the identifiers of different things apart at compile time.
package struct Identifier<Kind>: Hashable, Sendable {
    @inlinable package static var byteCount: Int { 16 }

    // The first byte is the highest, so that identifiers sort like their bytes.
    @usableFromInline let first: UInt64
    @usableFromInline let second: UInt64

    /// The identifier in the first 16 bytes of `bytes`.
    @inlinable
    package init(_ bytes: Span<UInt8>) {
        first = bytes.littleEndian(at: 0, as: UInt64.self).byteSwapped
        second = bytes.littleEndian(at: 8, as: UInt64.self).byteSwapped
    }

    /// The identifier of zero bytes, which identifies nothing.
    package static var none: Self { Self(first: 0, second: 0) }

    private init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    // Written out, like `hash`, so that other modules compare without a call.
    @inlinable
    package static func == (one: Self, other: Self) -> Bool { one.first == other.first && one.second == other.second }

    @inlinable
    package func hash(into hasher: inout Hasher) {
        hasher.combine(first)
        hasher.combine(second)
    }

    /// A number that sorts identifiers by their first eight bytes.
    package var prefix: UInt64 { first }

    package var bytes: [UInt8] { [UInt8](byteCount: Self.byteCount) { append(to: &$0) } }

    /// Appends the 16 bytes.
    @inlinable
    package func append(to output: inout OutputSpan<UInt8>) {
        output.append(littleEndian: first.byteSwapped)
        output.append(littleEndian: second.byteSwapped)
    }
}

extension Identifier: Comparable {
    /// Compares byte by byte.
    @inlinable
    package static func < (one: Self, other: Self) -> Bool {
        (one.first, one.second) < (other.first, other.second)
    }
}

/// Eight random bytes that identify something.
package struct ShortIdentifier<Kind>: Hashable, Sendable {
    @inlinable package static var byteCount: Int { 8 }

    // The first byte is the highest, so that identifiers sort like their bytes.
    @usableFromInline let value: UInt64

    /// The identifier in the first 8 bytes of `bytes`.
    @inlinable
    package init(_ bytes: Span<UInt8>) {
        value = bytes.littleEndian(at: 0, as: UInt64.self).byteSwapped
    }

    /// The identifier of zero bytes, which identifies nothing.
    package static var none: Self { Self(value: 0) }

    private init(value: UInt64) {
        self.value = value
    }

    @inlinable
    package static func == (one: Self, other: Self) -> Bool { one.value == other.value }

    @inlinable
    package func hash(into hasher: inout Hasher) { hasher.combine(value) }

    package var bytes: [UInt8] { [UInt8](byteCount: Self.byteCount) { append(to: &$0) } }

    /// Appends the 8 bytes.
    @inlinable
    package func append(to output: inout OutputSpan<UInt8>) {
        output.append(littleEndian: value.byteSwapped)
    }
}

extension ShortIdentifier: Comparable {
    /// Compares byte by byte.
    @inlinable
    package static func < (one: Self, other: Self) -> Bool { one.value < other.value }
}

extension Identifier: CustomStringConvertible {
    /// The bytes in hexadecimal.
    package var description: String { hexadecimal(bytes) }
}

extension ShortIdentifier: CustomStringConvertible {
    /// The bytes in hexadecimal.
    package var description: String { hexadecimal(bytes) }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
