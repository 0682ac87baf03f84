/// One rung of the storage ladder of an app: a place that keeps values by key.
///
/// The rungs are, from the shortest-lived to the longest: ``MemoryCache``, ``Defaults``, ``ObjectArchive`` and ``Secrets``.
/// They share these three operations, so to keep a value on another rung is to name another rung:
///
/// ```swift
/// try app.archive.set(draft, for: .draft)
/// try app.secrets.set(draft, for: .draft)
/// ```
///
/// What the rungs promise differs, and what only one of them can do is not here.
public protocol PersistenceRung: Sendable {
    /// The value for `key`; nil if there is none.
    ///
    /// - Parameter key: The name of the value, and its type.
    /// - Returns: The value.
    /// - Throws: ``PersistenceError/cannotDecode(_:)`` if what is there is no such value; it stays. (In a memory cache there is
    ///   no value then.) And others.
    func value<Value: Codable & Sendable>(for key: PersistenceKey<Value>) throws(PersistenceError) -> Value?

    /// Keeps `value` instead of what there was for `key`.
    ///
    /// - Parameters:
    ///   - value: What to keep.
    ///   - key: The name of the value.
    /// - Throws: Why it is not kept; what there was before is there then.
    func set<Value: Codable & Sendable>(_ value: Value, for key: PersistenceKey<Value>) throws(PersistenceError)

    /// Forgets the value for `key`, whatever its type; that there is none is no error.
    ///
    /// - Parameter key: The name of the value.
    /// - Throws: Why it is still there.
    func remove<Value>(_ key: PersistenceKey<Value>) throws(PersistenceError)
}

extension PersistenceRung {
    /// Moves the value for `key` to another rung: it is kept there first, and then forgotten here.
    ///
    /// ```swift
    /// try app.cache.move(.draft, to: app.archive)
    /// ```
    ///
    /// - Parameters:
    ///   - key: The name of the value, and its type.
    ///   - rung: Where it goes, instead of what is there for the key.
    /// - Returns: Whether there was a value.
    /// - Throws: Why it was not moved. It is still here then, and may be there too.
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
