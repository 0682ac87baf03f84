/// Sixteen bytes that identify something: random bytes or a digest.
///
/// `Kind` keeps the identifiers of different things apart at compile time. It is public, though no product has it: the
/// compiler inlines no members of package types in other modules, and comparing identifiers is much of a lookup.
public struct Identifier<Kind>: Hashable, Sendable {
    /// The size of an identifier.
    @inlinable public static var byteCount: Int { 16 }

    // The first byte is the highest, so that identifiers sort like their bytes.
    @usableFromInline let first: UInt64
    @usableFromInline let second: UInt64

    /// The identifier in the first 16 bytes of `bytes`.
    @inlinable
    public init(_ bytes: Span<UInt8>) {
        first = bytes.littleEndian(at: 0, as: UInt64.self).byteSwapped
        second = bytes.littleEndian(at: 8, as: UInt64.self).byteSwapped
    }

    /// The identifier of zero bytes, which identifies nothing.
    public static var none: Self { Self(first: 0, second: 0) }

    private init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    // Written out, like `hash`, so that other modules compare without a call.
    /// Compares all bytes.
    @inlinable
    public static func == (one: Self, other: Self) -> Bool { one.first == other.first && one.second == other.second }

    /// Hashes all bytes.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(first)
        hasher.combine(second)
    }

    /// A number that sorts identifiers by their first eight bytes.
    public var prefix: UInt64 { first }

    /// The bytes, the highest first.
    public var bytes: [UInt8] { [UInt8](byteCount: Self.byteCount) { append(to: &$0) } }

    /// Appends the 16 bytes.
    @inlinable
    public func append(to output: inout OutputSpan<UInt8>) {
        output.append(littleEndian: first.byteSwapped)
        output.append(littleEndian: second.byteSwapped)
    }
}

extension Identifier: Comparable {
    /// Compares byte by byte.
    @inlinable
    public static func < (one: Self, other: Self) -> Bool {
        (one.first, one.second) < (other.first, other.second)
    }
}

/// Eight random bytes that identify something.
public struct ShortIdentifier<Kind>: Hashable, Sendable {
    /// The size of an identifier.
    @inlinable public static var byteCount: Int { 8 }

    // The first byte is the highest, so that identifiers sort like their bytes.
    @usableFromInline let value: UInt64

    /// The identifier in the first 8 bytes of `bytes`.
    @inlinable
    public init(_ bytes: Span<UInt8>) {
        value = bytes.littleEndian(at: 0, as: UInt64.self).byteSwapped
    }

    /// The identifier of zero bytes, which identifies nothing.
    public static var none: Self { Self(value: 0) }

    private init(value: UInt64) {
        self.value = value
    }

    /// Compares all bytes.
    @inlinable
    public static func == (one: Self, other: Self) -> Bool { one.value == other.value }

    /// Hashes all bytes.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }

    /// The bytes, the highest first.
    public var bytes: [UInt8] { [UInt8](byteCount: Self.byteCount) { append(to: &$0) } }

    /// Appends the 8 bytes.
    @inlinable
    public func append(to output: inout OutputSpan<UInt8>) {
        output.append(littleEndian: value.byteSwapped)
    }
}

extension ShortIdentifier: Comparable {
    /// Compares byte by byte.
    @inlinable
    public static func < (one: Self, other: Self) -> Bool { one.value < other.value }
}

extension Identifier: CustomStringConvertible {
    /// The bytes in hexadecimal.
    public var description: String { bytes.hexDigits }
}

extension ShortIdentifier: CustomStringConvertible {
    /// The bytes in hexadecimal.
    public var description: String { bytes.hexDigits }
}
