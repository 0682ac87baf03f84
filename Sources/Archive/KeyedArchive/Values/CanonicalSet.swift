/// A set that keeps its elements in canonical order, without duplicates.
///
/// ```swift
/// let tags: CanonicalSet<PropertyList> = ["work", "mail", "work"]
/// Array(tags)  // ["mail", "work"]
/// ```
public struct CanonicalSet<Element: CanonicallyOrdered> {
    private var elements: [Element]

    /// Creates a set of `elements`; duplicates count once.
    public init(_ elements: some Sequence<Element>) {
        self.elements = []
        for element in elements.sorted(by: { $0.canonicalOrder(relativeTo: $1) == .before })
        where self.elements.last?.canonicalOrder(relativeTo: element) != .same {
            self.elements.append(element)
        }
    }

    /// Creates a set of `elements`, or `nil` if two of them are the same.
    public init?(uniqueElements elements: [Element]) {
        self.init(elements)
        guard count == elements.count else { return nil }
    }

    /// Whether `element` is in the set.
    public func contains(_ element: Element) -> Bool {
        canonicalPlace(in: elements) { element.canonicalOrder(relativeTo: $0) }.isTaken
    }
}

extension CanonicalSet: RandomAccessCollection {
    /// The position of the first element.
    public var startIndex: Int { elements.startIndex }

    /// The position after the last element.
    public var endIndex: Int { elements.endIndex }

    /// The element at `position`.
    public subscript(position: Int) -> Element { elements[position] }
}

extension CanonicalSet: ExpressibleByArrayLiteral {
    /// Creates a set from a literal.
    public init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}

extension CanonicalSet: Sendable where Element: Sendable {}

extension CanonicalSet: Equatable {
    /// Whether both hold the same elements, byte for byte.
    public static func == (first: Self, second: Self) -> Bool {
        first.count == second.count
            && zip(first, second).allSatisfy { $0.canonicalOrder(relativeTo: $1) == .same }
    }
}

extension CanonicalSet: Hashable where Element: Hashable {
    /// Feeds the elements, in canonical order, to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(elements)
    }
}
