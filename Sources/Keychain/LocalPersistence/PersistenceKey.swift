/// The name and type of a stored value.
///
/// ```swift
/// extension PersistenceKey where Value == [String] {
///     static let recentSearches = PersistenceKey("recent searches")
/// }
///
/// try app.defaults.set(["coffee"], for: .recentSearches)
/// ```
public struct PersistenceKey<Value>: Hashable, Sendable {
    /// The name of the value.
    ///
    /// Two keys with the same name refer to the same value on a rung, whatever their types.
    public let name: String

    /// Creates a key with this name.
    public init(_ name: String) {
        self.name = name
    }

    /// Whether two keys have the same bytes, as files compare names.
    public static func == (one: Self, other: Self) -> Bool { one.name.utf8.elementsEqual(other.name.utf8) }

    /// Hashes the bytes of the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(Array(name.utf8)) }
}
