/// The position of one value relative to another in canonical order.
public enum CanonicalOrder: Sendable, Hashable {
    /// The first value comes before the second.
    case before
    /// Both values are the same, byte for byte.
    case same
    /// The first value comes after the second.
    case after
}

/// A type whose order and identity depend only on bytes, not on hashing, locale or Unicode normalization.
///
/// Swift's `String ==` treats a composed and a decomposed "é" as equal; two account names that differ in this way are
/// two accounts. Everything in this module therefore compares through this protocol.
public protocol CanonicallyOrdered {
    /// Returns the position of `self` relative to `other`.
    func canonicalOrder(relativeTo other: Self) -> CanonicalOrder
}

extension CanonicalOrder {
    /// Makes the order of two comparable values.
    init<Value: Comparable>(_ first: Value, _ second: Value) {
        self = first < second ? .before : (first == second ? .same : .after)
    }

    /// Returns the order of two collections: the shorter first, then element by element.
    static func shortlex<Elements: RandomAccessCollection>(
        _ first: Elements,
        _ second: Elements,
        by order: (Elements.Element, Elements.Element) -> CanonicalOrder
    ) -> CanonicalOrder {
        guard first.count == second.count else { return CanonicalOrder(first.count, second.count) }
        for (left, right) in zip(first, second) {
            let result = order(left, right)
            if result != .same { return result }
        }
        return .same
    }

    /// Returns the lexicographic order of two runs of bytes.
    static func bytes(_ first: Span<UInt8>, _ second: Span<UInt8>) -> CanonicalOrder {
        let index = first.countOfCommonPrefix(with: second)
        guard index < first.count, index < second.count else { return CanonicalOrder(first.count, second.count) }
        return first[index] < second[index] ? .before : .after
    }

    /// Returns this order unless both values are the same, otherwise the order that `next` gives.
    func then(_ next: @autoclosure () -> CanonicalOrder) -> CanonicalOrder {
        self == .same ? next() : self
    }
}

extension Span<UInt8> {
    /// Returns the number of leading bytes that both have in common.
    func countOfCommonPrefix(with other: Span<UInt8>) -> Int {
        let count = Swift.min(count, other.count)
        // Eight bytes at a time: sets of long texts with a common prefix are compared often.
        var index = withUnsafeBytes { bytes in
            other.withUnsafeBytes { otherBytes in
                var index = 0
                while index + 8 <= count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                        == otherBytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                {
                    index += 8
                }
                return index
            }
        }
        while index < count, self[index] == other[index] { index += 1 }
        return index
    }
}

extension String: CanonicallyOrdered {
    /// Orders by UTF-8 bytes, which is the order of Unicode scalar values.
    public func canonicalOrder(relativeTo other: String) -> CanonicalOrder {
        .bytes(utf8Span.span, other.utf8Span.span)
    }

    /// Whether both have the same bytes, which `==` does not check.
    func hasSameBytes(as other: String) -> Bool {
        canonicalOrder(relativeTo: other) == .same
    }
}
