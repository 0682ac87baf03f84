/// The values without parts that property lists and archives share.
///
/// Equality compares the bytes that values encode to: `0.0` and `-0.0` differ, a NaN equals itself, and strings are
/// compared without Unicode normalization.
enum Scalar: Sendable {
    case null
    case bool(Bool)
    case integer(Int128)
    case real(Double)
    case date(Double)
    case data([UInt8])
    case string(String)
    case uid(UInt32)
}

extension Scalar {
    /// Returns the number of bytes an integer takes in a binary property list, as Apple's writers choose it.
    ///
    /// Integers of one, two and four bytes are unsigned; those of eight and sixteen are signed.
    static func byteCount(of integer: Int128) -> Int {
        switch integer {
        case 0...0xFF: 1
        case 0...0xFFFF: 2
        case 0...0xFFFF_FFFF: 4
        case Int128(Int64.min)...Int128(Int64.max): 8
        default: 16
        }
    }

    /// The size of text and data as stored in a binary property list.
    var byteCount: Int {
        switch self {
        case .data(let bytes): bytes.count
        case .string(let string): string.isASCII ? string.utf8.count : 2 * string.utf16.count
        default: 0
        }
    }

    /// An upper bound on `byteCount` that is found without walking through the text.
    var maximumByteCount: Int {
        switch self {
        case .data(let bytes): bytes.count
        case .string(let string): 2 * string.utf8.count
        default: 0
        }
    }

    /// The nodes that this scalar counts beyond the first.
    var extraNodeCount: Int {
        let maximum = DecodingLimits.extraNodeCount(byteCount: maximumByteCount)
        return maximum == 0 ? 0 : DecodingLimits.extraNodeCount(byteCount: byteCount)
    }

    /// The upper half of this scalar's marker byte in a binary property list.
    private var markerRank: UInt8 {
        switch self {
        case .null, .bool: 0x0
        case .integer: 0x1
        case .real: 0x2
        case .date: 0x3
        case .data: 0x4
        case .string(let string): string.isASCII ? 0x5 : 0x6
        case .uid: 0x8
        }
    }
}

extension String {
    /// Whether every character is ASCII, which decides how a binary property list stores the string.
    var isASCII: Bool {
        var bytes = utf8Span
        return bytes.isKnownASCII || bytes.checkForASCII()
    }
}

extension Scalar: CanonicallyOrdered {
    /// Orders by the bytes that both encode to in a binary property list, lexicographically.
    func canonicalOrder(relativeTo other: Scalar) -> CanonicalOrder {
        switch (self, other) {
        case (.null, .null):
            .same
        case (.bool(let first), .bool(let second)):
            CanonicalOrder(first ? 1 : 0, second ? 1 : 0)
        case (.integer(let first), .integer(let second)):
            CanonicalOrder(Scalar.byteCount(of: first), Scalar.byteCount(of: second))
                .then(CanonicalOrder(UInt128(truncatingIfNeeded: first), UInt128(truncatingIfNeeded: second)))
        case (.real(let first), .real(let second)), (.date(let first), .date(let second)):
            CanonicalOrder(first.bitPattern, second.bitPattern)
        case (.data(let first), .data(let second)):
            CanonicalOrder(first.count, second.count)
                .then(.bytes(first.span, second.span))
        case (.string(let first), .string(let second)):
            first.encodedOrder(relativeTo: second)
        case (.uid(let first), .uid(let second)):
            CanonicalOrder(first, second)
        case (.null, .bool):
            .before
        case (.bool, .null):
            .after
        default:
            CanonicalOrder(markerRank, other.markerRank)
        }
    }
}

extension String {
    /// Orders by encoded form: ASCII before UTF-16, then shorter before longer, then by units.
    func encodedOrder(relativeTo other: String) -> CanonicalOrder {
        switch (isASCII, other.isASCII) {
        case (true, true):
            CanonicalOrder(utf8.count, other.utf8.count).then(canonicalOrder(relativeTo: other))
        case (true, false):
            .before
        case (false, true):
            .after
        case (false, false):
            wideOrder(relativeTo: other)
        }
    }

    /// Orders two texts that are both stored as UTF-16.
    private func wideOrder(relativeTo other: String) -> CanonicalOrder {
        let (bytes, otherBytes) = (utf8Span.span, other.utf8Span.span)
        var index = bytes.countOfCommonPrefix(with: otherBytes)
        if index == bytes.count, index == otherBytes.count { return .same }
        guard utf16.count == other.utf16.count else { return CanonicalOrder(utf16.count, other.utf16.count) }
        // The first differing units are at the start of the first differing scalar, or in the second half of its pair.
        while index > 0, index < bytes.count, bytes[index] & 0xC0 == 0x80 { index -= 1 }
        let start = utf8.index(utf8.startIndex, offsetBy: index)
        let otherStart = other.utf8.index(other.utf8.startIndex, offsetBy: index)
        for (unit, otherUnit) in zip(utf16[start...], other.utf16[otherStart...]) where unit != otherUnit {
            return CanonicalOrder(unit, otherUnit)
        }
        return .same
    }
}

extension Scalar: Hashable {
    static func == (first: Scalar, second: Scalar) -> Bool {
        first.canonicalOrder(relativeTo: second) == .same
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(markerRank)
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .real(let value), .date(let value): hasher.combine(value.bitPattern)
        case .data(let bytes): hasher.combine(bytes)
        case .string(let string): hasher.combine(Array(string.utf8))
        case .uid(let value): hasher.combine(value)
        }
    }
}
