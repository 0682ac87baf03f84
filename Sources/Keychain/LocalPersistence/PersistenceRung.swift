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
