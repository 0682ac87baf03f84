internal import CofferBasics

/// A dictionary that keeps its entries in the canonical order of their keys.
///
/// Two dictionaries with the same entries are equal and iterate in the same order, however they were filled, so they
/// are always written as the same bytes. Lookup is a binary search; inserting moves the entries that follow.
///
/// ```swift
/// var attributes: CanonicalDictionary<String, PropertyList> = ["svce": "mail", "acct": "kim"]
/// attributes["labl"] = "Mail of Kim"
/// attributes.map(\.key)  // ["acct", "labl", "svce"]
/// ```
public struct CanonicalDictionary<Key: CanonicallyOrdered, Value> {
    /// One key and its value.
    public typealias Element = (key: Key, value: Value)

    private var entries: [Element]

    /// Creates an empty dictionary.
    public init() {
        entries = []
    }

    /// Creates a dictionary of `entries`, or `nil` if two of them have the same key.
    ///
    /// Entries that are already in canonical order are taken unchanged, in linear time.
    @specialized(where Key == ArchiveValue, Value == ArchiveValue)
    @specialized(where Key == String, Value == PropertyList)
    public init?(_ entries: [Element]) {
        self.entries = entries
        if isStrictlyAscending { return }
        self.entries.sort { $0.key.canonicalOrder(relativeTo: $1.key) == .before }
        guard isStrictlyAscending else { return nil }
    }

    /// Makes a dictionary of `entries`, or returns nil if they are not in canonical order.
    init?(ordered entries: [Element]) {
        self.entries = entries
        guard isStrictlyAscending else { return nil }
    }

    /// Makes a dictionary of `entries`; the last of several entries with the same key wins.
    init(keepingLast entries: [Element]) {
        if let unique = Self(entries) {
            self = unique
            return
        }
        let ordered = entries.enumerated().sorted { first, second in
            let order = first.element.key.canonicalOrder(relativeTo: second.element.key)
            return order == .before || order == .same && first.offset < second.offset
        }
        self.init()
        for (_, entry) in ordered {
            if self.entries.last?.key.canonicalOrder(relativeTo: entry.key) == .same { self.entries.removeLast() }
            self.entries.append(entry)
        }
    }

    private var isStrictlyAscending: Bool {
        var index = 1
        while index < entries.count {
            guard entries[index - 1].key.canonicalOrder(relativeTo: entries[index].key) == .before else { return false }
            index += 1
        }
        return true
    }

    /// The value for `key`; setting `nil` removes the entry.
    public subscript(key: Key) -> Value? {
        @specialized(where Key == ArchiveValue, Value == ArchiveValue)
        get {
            let place = place(of: key)
            return place.isTaken ? entries[place.index].value : nil
        }
        set {
            let place = place(of: key)
            switch (newValue, place.isTaken) {
            case (let value?, true): entries[place.index].value = value
            case (let value?, false): entries.insert((key, value), at: place.index)
            case (nil, true): entries.remove(at: place.index)
            case (nil, false): break
            }
        }
    }

    /// Overwrites the texts and data in the values with zeros.
    @specialized(where Key == ArchiveValue)
    package mutating func wipeValues() where Value == ArchiveValue {
        for index in entries.indices { entries[index].value.wipe() }
    }

    private func place(of key: Key) -> (index: Int, isTaken: Bool) {
        canonicalPlace(in: entries) { key.canonicalOrder(relativeTo: $0.key) }
    }
}

/// Returns the index at which a value belongs in `sorted`, and whether it is taken, by binary search.
func canonicalPlace<Element>(
    in sorted: [Element],
    _ order: (Element) -> CanonicalOrder
) -> (index: Int, isTaken: Bool) {
    var low = 0
    var high = sorted.count
    while low < high {
        let middle = (low + high) / 2
        switch order(sorted[middle]) {
        case .same: return (middle, true)
        case .before: high = middle
        case .after: low = middle + 1
        }
    }
    return (low, false)
}

extension CanonicalDictionary: RandomAccessCollection {
    /// The position of the first entry.
    public var startIndex: Int { entries.startIndex }

    /// The position after the last entry.
    public var endIndex: Int { entries.endIndex }

    /// The entry at `position`.
    public subscript(position: Int) -> Element { entries[position] }
}

extension CanonicalDictionary: ExpressibleByDictionaryLiteral {
    /// Creates a dictionary from a literal; a repeated key is a runtime error.
    public init(dictionaryLiteral elements: (Key, Value)...) {
        let dictionary = Self(elements.map { (key: $0.0, value: $0.1) })
        guard let dictionary else { preconditionFailure("duplicate key in a dictionary literal") }
        self = dictionary
    }
}

extension CanonicalDictionary: Sendable where Key: Sendable, Value: Sendable {}

extension CanonicalDictionary: Equatable where Value: Equatable {
    /// Whether both hold the same keys, byte for byte, with equal values.
    public static func == (first: Self, second: Self) -> Bool {
        first.count == second.count
            && zip(first, second).allSatisfy {
                $0.key.canonicalOrder(relativeTo: $1.key) == .same && $0.value == $1.value
            }
    }
}

extension CanonicalDictionary: Hashable where Key: Hashable, Value: Hashable {
    /// Feeds the entries, in canonical order, to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for entry in entries {
            hasher.combine(entry.key)
            hasher.combine(entry.value)
        }
    }
}
