/// A property list: what `plutil`, `defaults` and Foundation's `PropertyListSerialization` read and write.
///
/// Values are equal when they encode to the same bytes, so strings are compared without Unicode
/// normalisation, and `0.0` differs from `-0.0`.
///
/// ```swift
/// let settings: PropertyList = ["name": "login", "attempts": 3, "groups": ["a", "b"]]
/// let bytes = try settings.binaryEncoded()
/// let again = try PropertyList(binary: bytes)
/// again["attempts"]?.integer  // 3
/// ```
public enum PropertyList: Sendable {
    /// The null object of binary property lists. XML has no form for it.
    case null
    /// A truth value.
    case bool(Bool)
    /// An integer of up to 128 bits; Foundation reads those that fit in 64.
    case integer(Int128)
    /// A floating-point number. Readers accept four-byte reals, writers always write eight bytes.
    case real(Double)
    /// A point in time, in seconds since 2001-01-01 00:00:00 UTC.
    case date(secondsSinceReferenceDate: Double)
    /// Bytes.
    case data([UInt8])
    /// Text.
    case string(String)
    /// A reference into the objects of a keyed archive.
    case uid(UInt32)
    /// An ordered collection.
    case array([PropertyList])
    /// A set of binary property lists. XML has no form for it.
    case set(CanonicalSet<PropertyList>)
    /// A dictionary, ordered by the UTF-8 bytes of its keys.
    case dictionary(CanonicalDictionary<String, PropertyList>)
}

// MARK: - Looking inside

extension PropertyList {
    /// The value for `key` if this is a dictionary that has it.
    public subscript(key: String) -> PropertyList? {
        dictionary?[key]
    }

    /// The truth value, if this is one.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The integer, if this is one.
    public var integer: Int128? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The string, if this is one.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The bytes, if this is data.
    public var data: [UInt8]? {
        if case .data(let value) = self { value } else { nil }
    }

    /// The elements, if this is an array.
    public var array: [PropertyList]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The entries, if this is a dictionary.
    public var dictionary: CanonicalDictionary<String, PropertyList>? {
        if case .dictionary(let value) = self { value } else { nil }
    }

    /// This value as a scalar, if it has no parts.
    var scalar: Scalar? {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .date(let seconds): .date(seconds)
        case .data(let bytes): .data(bytes)
        case .string(let string): .string(string)
        case .uid(let value): .uid(value)
        case .array, .set, .dictionary: nil
        }
    }
}

// MARK: - Order and equality

extension PropertyList: CanonicallyOrdered, Hashable {
    /// The order of elements in a set: scalars by their encoded bytes, then arrays, sets and dictionaries, each
    /// by the number of parts and then part by part.
    public func canonicalOrder(relativeTo other: PropertyList) -> CanonicalOrder {
        switch (self, other) {
        case (.array(let first), .array(let second)):
            CanonicalOrder(first.count, second.count)
                .then(.lexicographic(first, second) { $0.canonicalOrder(relativeTo: $1) })
        case (.set(let first), .set(let second)):
            CanonicalOrder(first.count, second.count)
                .then(.lexicographic(first, second) { $0.canonicalOrder(relativeTo: $1) })
        case (.dictionary(let first), .dictionary(let second)):
            CanonicalOrder(first.count, second.count)
                .then(
                    .lexicographic(first, second) { left, right in
                        left.key.canonicalOrder(relativeTo: right.key)
                            .then(left.value.canonicalOrder(relativeTo: right.value))
                    }
                )
        default:
            if let first = scalar, let second = other.scalar {
                first.canonicalOrder(relativeTo: second)
            } else {
                CanonicalOrder(containerRank, other.containerRank)
            }
        }
    }

    private var containerRank: Int {
        switch self {
        case .array: 1
        case .set: 2
        case .dictionary: 3
        default: 0
        }
    }

    /// Whether both encode to the same bytes.
    public static func == (first: PropertyList, second: PropertyList) -> Bool {
        first.canonicalOrder(relativeTo: second) == .same
    }

    /// Feeds the value to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(containerRank)
        switch self {
        case .array(let elements): hasher.combine(elements)
        case .set(let elements): hasher.combine(elements)
        case .dictionary(let entries):
            hasher.combine(entries.count)
            for entry in entries {
                hasher.combine(Scalar.string(entry.key))
                hasher.combine(entry.value)
            }
        default: hasher.combine(scalar)
        }
    }
}

// MARK: - Literals

extension PropertyList: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes a truth value.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// Makes an integer.
    public init(integerLiteral value: Int128) {
        self = .integer(value)
    }

    /// Makes a real number.
    public init(floatLiteral value: Double) {
        self = .real(value)
    }

    /// Makes a string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// Makes an array.
    public init(arrayLiteral elements: PropertyList...) {
        self = .array(elements)
    }

    /// Makes a dictionary, in which no key may stand twice.
    public init(dictionaryLiteral elements: (String, PropertyList)...) {
        let entries = CanonicalDictionary(elements.map { (key: $0.0, value: $0.1) })
        guard let entries else { preconditionFailure("a key stands twice in a dictionary literal") }
        self = .dictionary(entries)
    }
}
