package import VaultFiles

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

/// One rung of an app's storage ladder: a place that stores values by key.
///
/// The rungs are, from the shortest-lived to the longest: ``MemoryCache``, ``Defaults``, ``ObjectArchive`` and ``Secrets``.
/// They share these three operations, so storing a value on another rung only takes the name of that rung:
///
/// ```swift
/// try app.archive.set(draft, for: .draft)
/// try app.secrets.set(draft, for: .draft)
/// ```
///
/// The guarantees of the rungs differ. Operations that only one rung has are not part of this protocol.
public protocol PersistenceRung: Sendable {
    /// Returns the value for `key`; nil if none exists.
    ///
    /// - Parameter key: The name and type of the value.
    /// - Returns: The value.
    /// - Throws: ``PersistenceError/cannotDecode(_:)`` if the stored value has another type; it is left unchanged. (A
    ///   memory cache returns nil instead.) Other ``PersistenceError``s if it cannot be read.
    func value<Value: Codable & Sendable>(for key: PersistenceKey<Value>) throws(PersistenceError) -> Value?

    /// Stores `value`, and replaces the former value for `key`.
    ///
    /// - Parameters:
    ///   - value: The value to store.
    ///   - key: The name of the value.
    /// - Throws: ``PersistenceError`` if the value cannot be stored; the former value then remains.
    func set<Value: Codable & Sendable>(_ value: Value, for key: PersistenceKey<Value>) throws(PersistenceError)

    /// Removes the value for `key`, if there is one, whatever its type.
    ///
    /// - Parameter key: The name of the value.
    /// - Throws: ``PersistenceError`` if the value cannot be removed.
    func remove<Value>(_ key: PersistenceKey<Value>) throws(PersistenceError)
}

extension PersistenceRung {
    /// Moves the value for `key` to another rung: it is stored there first, then removed here.
    ///
    /// ```swift
    /// try app.cache.move(.draft, to: app.archive)
    /// ```
    ///
    /// - Parameters:
    ///   - key: The name and type of the value.
    ///   - rung: The destination, where the value replaces the former value for the key.
    /// - Returns: Whether there was a value.
    /// - Throws: ``PersistenceError`` if the value was not moved. It is then still here, and may also be at the
    ///   destination.
    @discardableResult
    public func move<Value: Codable & Sendable>(
        _ key: PersistenceKey<Value>,
        to rung: some PersistenceRung
    ) throws(PersistenceError) -> Bool {
        guard let value = try value(for: key) else { return false }
        try rung.set(value, for: key)
        try remove(key)
        return true
    }
}

/// The machine that a container is on, replaceable in tests.
package struct PersistenceEnvironment: Sendable {
    /// The file system.
    package var files: any FileSystem = LinuxFileSystem()
    /// The clocks.
    package var time: any TimeSource = MachineTime()
    /// How long to wait for another process to finish writing.
    package var lockNanoseconds: UInt64 = 5_000_000_000
    /// How often to check for changes that the system does not report.
    package var pollingNanoseconds: UInt64 = 1_000_000_000

    /// Creates the environment of this machine.
    package init() {}
}
