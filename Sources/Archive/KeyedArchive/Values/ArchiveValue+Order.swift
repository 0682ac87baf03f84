extension ArchiveValue: CanonicallyOrdered, Hashable {
    /// Returns the order of set elements and dictionary keys.
    ///
    /// Null, numbers, dates, data and strings come first, ordered by the bytes they encode to. UUIDs, URLs, arrays,
    /// sets, dictionaries and objects follow, each kind ordered by the number of parts and then part by part.
    public func canonicalOrder(relativeTo other: ArchiveValue) -> CanonicalOrder {
        switch (self, other) {
        case (.string(let first), .string(let second)):
            first.encodedOrder(relativeTo: second)
        case (.uuid(let first), .uuid(let second)):
            CanonicalOrder(first, second)
        case (.url(let first), .url(let second)):
            first.canonicalOrder(relativeTo: second)
        case (.array(let first), .array(let second)):
            .shortlex(first, second) { $0.canonicalOrder(relativeTo: $1) }
        case (.set(let first), .set(let second)):
            .shortlex(first, second) { $0.canonicalOrder(relativeTo: $1) }
        case (.dictionary(let first), .dictionary(let second)):
            .shortlex(first, second) { left, right in
                left.key.canonicalOrder(relativeTo: right.key).then(left.value.canonicalOrder(relativeTo: right.value))
            }
        case (.object(let first), .object(let second)):
            first.canonicalOrder(relativeTo: second)
        default:
            if let first = scalar, let second = other.scalar {
                first.canonicalOrder(relativeTo: second)
            } else {
                CanonicalOrder(rank, other.rank)
            }
        }
    }

    /// This value as a scalar, if it has no parts.
    var scalar: Scalar? {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .string(let string): .string(string)
        case .data(let bytes): .data(bytes)
        case .date(let seconds): .date(seconds)
        case .uuid, .url, .array, .set, .dictionary, .object: nil
        }
    }

    private var rank: Int {
        switch self {
        case .null, .bool, .integer, .real, .string, .data, .date: 0
        case .uuid: 1
        case .url: 2
        case .array: 3
        case .set: 4
        case .dictionary: 5
        case .object: 6
        }
    }

    /// Whether both encode to the same bytes.
    public static func == (first: ArchiveValue, second: ArchiveValue) -> Bool {
        first.canonicalOrder(relativeTo: second) == .same
    }

    /// Feeds the value to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        switch self {
        case .uuid(let value): hasher.combine(value)
        case .url(let url): hasher.combine(url)
        case .array(let elements): hasher.combine(elements)
        case .set(let elements): hasher.combine(elements)
        case .dictionary(let entries): hasher.combine(entries)
        case .object(let object): hasher.combine(object)
        case .null, .bool, .integer, .real, .string, .data, .date: hasher.combine(scalar)
        }
    }
}
