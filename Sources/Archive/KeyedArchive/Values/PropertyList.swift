/// A property list, as read and written by `plutil`, `defaults` and Foundation's `PropertyListSerialization`.
///
/// Values are equal if they encode to the same bytes, so strings are compared without Unicode normalization, and `0.0`
/// differs from `-0.0`.
///
/// ```swift
/// let settings: PropertyList = ["name": "login", "attempts": 3, "groups": ["a", "b"]]
/// let bytes = try settings.binaryEncoded()
/// let again = try PropertyList(binary: bytes)
/// again["attempts"]?.integer  // 3
/// ```
public enum PropertyList: Sendable {
    /// The null object of binary property lists. XML cannot represent it.
    case null
    /// A Boolean.
    case bool(Bool)
    /// An integer of up to 128 bits; Foundation can read those that fit in 64 bits.
    case integer(Int128)
    /// A floating-point number. Readers accept four-byte reals; writers always write eight bytes.
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
    /// A set, which only binary property lists can represent.
    case set(CanonicalSet<PropertyList>)
    /// A dictionary, ordered by the UTF-8 bytes of its keys.
    case dictionary(CanonicalDictionary<String, PropertyList>)
}

// MARK: - Looking inside

extension PropertyList {
    /// The value for `key`, if this is a dictionary that has it.
    public subscript(key: String) -> PropertyList? {
        dictionary?[key]
    }

    /// The Boolean, if this is one.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The integer, if this is one.
    public var integer: Int128? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The real number, if this is one.
    public var real: Double? {
        if case .real(let value) = self { value } else { nil }
    }

    /// The date, in seconds since 2001-01-01 00:00:00 UTC, if this is one.
    public var date: Double? {
        if case .date(let seconds) = self { seconds } else { nil }
    }

    /// The string, if this is one.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The bytes, if this is data.
    public var data: [UInt8]? {
        if case .data(let value) = self { value } else { nil }
    }

    /// The reference into the objects of an archive, if this is one.
    public var uid: UInt32? {
        if case .uid(let value) = self { value } else { nil }
    }

    /// The elements, if this is an array.
    public var array: [PropertyList]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The elements, if this is a set.
    public var set: CanonicalSet<PropertyList>? {
        if case .set(let value) = self { value } else { nil }
    }

    /// The entries, if this is a dictionary.
    public var dictionary: CanonicalDictionary<String, PropertyList>? {
        if case .dictionary(let value) = self { value } else { nil }
    }

    /// The form of a property list: a scalar, or one of three kinds of container.
    enum Shape {
        case scalar(Scalar)
        case array([PropertyList])
        case set(CanonicalSet<PropertyList>)
        case dictionary(CanonicalDictionary<String, PropertyList>)
    }

    /// This value with all scalars in one case.
    var shape: Shape {
        switch self {
        case .null: .scalar(.null)
        case .bool(let value): .scalar(.bool(value))
        case .integer(let value): .scalar(.integer(value))
        case .real(let value): .scalar(.real(value))
        case .date(let seconds): .scalar(.date(seconds))
        case .data(let bytes): .scalar(.data(bytes))
        case .string(let string): .scalar(.string(string))
        case .uid(let value): .scalar(.uid(value))
        case .array(let elements): .array(elements)
        case .set(let elements): .set(elements)
        case .dictionary(let entries): .dictionary(entries)
        }
    }
}

// MARK: - Order and equality

extension PropertyList: CanonicallyOrdered, Hashable {
    /// Returns the order of set elements: scalars by their encoded bytes, then arrays, sets and dictionaries.
    ///
    /// Containers of one kind are ordered by the number of parts and then part by part.
    public func canonicalOrder(relativeTo other: PropertyList) -> CanonicalOrder {
        switch (shape, other.shape) {
        case (.scalar(let first), .scalar(let second)):
            first.canonicalOrder(relativeTo: second)
        case (.array(let first), .array(let second)):
            .shortlex(first, second) { $0.canonicalOrder(relativeTo: $1) }
        case (.set(let first), .set(let second)):
            .shortlex(first, second) { $0.canonicalOrder(relativeTo: $1) }
        case (.dictionary(let first), .dictionary(let second)):
            .shortlex(first, second) { left, right in
                left.key.encodedOrder(relativeTo: right.key).then(left.value.canonicalOrder(relativeTo: right.value))
            }
        case (let first, let second):
            CanonicalOrder(first.rank, second.rank)
        }
    }

    /// Whether both encode to the same bytes.
    public static func == (first: PropertyList, second: PropertyList) -> Bool {
        first.canonicalOrder(relativeTo: second) == .same
    }

    /// Feeds the value to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(shape.rank)
        switch shape {
        case .scalar(let scalar): hasher.combine(scalar)
        case .array(let elements): hasher.combine(elements)
        case .set(let elements): hasher.combine(elements)
        case .dictionary(let entries): hasher.combine(entries)
        }
    }
}

extension PropertyList.Shape {
    fileprivate var rank: Int {
        switch self {
        case .scalar: 0
        case .array: 1
        case .set: 2
        case .dictionary: 3
        }
    }
}

// MARK: - Literals

extension PropertyList: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// Creates an integer.
    public init(integerLiteral value: Int128) {
        self = .integer(value)
    }

    /// Creates a real number.
    public init(floatLiteral value: Double) {
        self = .real(value)
    }

    /// Creates a string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// Creates an array.
    public init(arrayLiteral elements: PropertyList...) {
        self = .array(elements)
    }

    /// Creates a dictionary; a repeated key is a runtime error.
    public init(dictionaryLiteral elements: (String, PropertyList)...) {
        let entries = CanonicalDictionary(elements.map { (key: $0.0, value: $0.1) })
        guard let entries else { preconditionFailure("duplicate key in a dictionary literal") }
        self = .dictionary(entries)
    }
}
