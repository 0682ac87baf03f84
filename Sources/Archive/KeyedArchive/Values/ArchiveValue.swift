internal import CofferBasics

/// A value in a keyed archive: one of the values that `NSKeyedArchiver` writes, or a named object.
///
/// Mutable and immutable variants are one value (`NSMutableString` reads as `.string`), and an attributed string reads
/// as its text. Values are equal if they encode to the same bytes, so strings are compared without Unicode
/// normalization, and `0.0` differs from `-0.0`.
///
/// ```swift
/// let item: ArchiveValue = ["svce": "mail", "acct": "kim", "port": 993]
/// let bytes = try item.archived()
/// let again = try ArchiveValue(archive: bytes)
/// again["acct"]?.string  // "kim"
/// ```
public enum ArchiveValue: Sendable {
    /// An `NSNull`; a `nil` in an archive also reads as this.
    case null
    /// An `NSNumber` that holds a Boolean.
    case bool(Bool)
    /// An `NSNumber` that holds an integer. Foundation can read those that fit in 64 bits.
    case integer(Int128)
    /// An `NSNumber` that holds a floating-point number.
    case real(Double)
    /// An `NSString`.
    case string(String)
    /// An `NSData`.
    case data([UInt8])
    /// An `NSDate`, in seconds since 2001-01-01 00:00:00 UTC.
    case date(secondsSinceReferenceDate: Double)
    /// An `NSUUID`, first byte highest.
    case uuid(UInt128)
    /// An `NSURL`.
    case url(ArchiveURL)
    /// An `NSArray`.
    case array([ArchiveValue])
    /// An `NSSet`.
    case set(CanonicalSet<ArchiveValue>)
    /// An `NSDictionary`, whose keys may be of any kind.
    case dictionary(CanonicalDictionary<ArchiveValue, ArchiveValue>)
    /// An instance of any other class, by name.
    case object(ArchiveObject)
}

/// A URL and the bases that it is relative to.
public struct ArchiveURL: Sendable, CanonicallyOrdered, Hashable {
    /// The text of the URL, of its base, of that base's base, and so on; never empty.
    private var texts: [String]

    /// Creates a URL, relative to `base` if there is one.
    public init(_ text: String, relativeTo base: ArchiveURL? = nil) {
        texts = [text] + (base?.texts ?? [])
    }

    /// The text of the URL as written, without its base.
    public var text: String { texts[0] }

    /// The URL that this one is relative to, if any.
    public var base: ArchiveURL? {
        guard let text = texts.dropFirst().first else { return nil }
        var base = ArchiveURL(text)
        base.texts = Array(texts.dropFirst())
        return base
    }

    /// Orders by the number of bases, then by text.
    public func canonicalOrder(relativeTo other: ArchiveURL) -> CanonicalOrder {
        .shortlex(texts, other.texts) { $0.encodedOrder(relativeTo: $1) }
    }

    /// Whether both are the same, byte for byte.
    public static func == (first: ArchiveURL, second: ArchiveURL) -> Bool {
        first.canonicalOrder(relativeTo: second) == .same
    }
}

// MARK: - Looking inside

extension ArchiveValue {
    /// The value for `key`, if this is a dictionary that has it.
    public subscript(key: String) -> ArchiveValue? {
        dictionary?[.string(key)]
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

    /// The UUID, first byte highest, if this is one.
    public var uuid: UInt128? {
        if case .uuid(let value) = self { value } else { nil }
    }

    /// The URL, if this is one.
    public var url: ArchiveURL? {
        if case .url(let value) = self { value } else { nil }
    }

    /// The elements, if this is an array.
    public var array: [ArchiveValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The elements, if this is a set.
    public var set: CanonicalSet<ArchiveValue>? {
        if case .set(let value) = self { value } else { nil }
    }

    /// The entries, if this is a dictionary.
    public var dictionary: CanonicalDictionary<ArchiveValue, ArchiveValue>? {
        if case .dictionary(let value) = self { value } else { nil }
    }

    /// The object, if this is an instance of a class without its own case.
    public var object: ArchiveObject? {
        if case .object(let value) = self { value } else { nil }
    }
}

// MARK: - Literals

extension ArchiveValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
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
    public init(arrayLiteral elements: ArchiveValue...) {
        self = .array(elements)
    }

    /// Creates a dictionary; a repeated key is a runtime error.
    public init(dictionaryLiteral elements: (ArchiveValue, ArchiveValue)...) {
        let entries = CanonicalDictionary(elements.map { (key: $0.0, value: $0.1) })
        guard let entries else { preconditionFailure("duplicate key in a dictionary literal") }
        self = .dictionary(entries)
    }
}

extension ArchiveValue {
    /// Overwrites texts and data with zeros, including those in arrays and dictionaries.
    package mutating func wipe() {
        switch self {
        case .string(var text):
            // If `self` still held the text too, wiping the variable would overwrite only a copy.
            self = .null
            text.wipe()
            self = .string(text)
        case .data(var bytes):
            self = .null
            bytes.wipe()
        case .array(var elements):
            self = .null
            for index in elements.indices { elements[index].wipe() }
        case .dictionary(var entries):
            self = .null
            entries.wipeValues()
        case .null, .bool, .integer, .real, .date, .uuid, .url, .set, .object: break
        }
    }
}
