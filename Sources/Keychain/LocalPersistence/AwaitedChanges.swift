internal import Coffer
internal import CofferBasics

// Asynchronous forms of the changes that wait for the disk. Each runs on a thread of its own, so that other tasks go on.

extension Defaults {
    /// Stores `value` without blocking the task's thread, and replaces the former value for `key`.
    ///
    /// ```swift
    /// try await app.defaults.set(16, for: .fontSize)
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value to store.
    ///   - key: The name of the value.
    /// - Throws: ``PersistenceError`` if the value cannot be stored; the former value then remains.
    public func set<Value: Codable & Sendable>(
        _ value: Value,
        for key: PersistenceKey<Value>
    ) async throws(PersistenceError) {
        try await onOwnThread { try self.set(value, for: key) }
    }

    /// Removes the value for `key`, if there is one, without blocking the task's thread.
    ///
    /// - Parameter key: The name of the value.
    /// - Throws: ``PersistenceError`` if the value cannot be removed.
    public func remove<Value>(_ key: PersistenceKey<Value>) async throws(PersistenceError) {
        try await onOwnThread { try self.remove(key) }
    }
}

extension ObjectArchive {
    /// Stores `value` without blocking the task's thread, and replaces the former value for `key`.
    ///
    /// ```swift
    /// try await app.archive.set(draft, for: .draft)
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value to store.
    ///   - key: The name of the value.
    /// - Throws: ``PersistenceError`` if the value cannot be stored; the former value then remains.
    public func set<Value: Codable & Sendable>(
        _ value: Value,
        for key: PersistenceKey<Value>
    ) async throws(PersistenceError) {
        try await onOwnThread { try self.set(value, for: key) }
    }

    /// Removes the value for `key`, if there is one, without blocking the task's thread.
    ///
    /// - Parameter key: The name of the value.
    /// - Throws: ``PersistenceError`` if the value cannot be removed.
    public func remove<Value>(_ key: PersistenceKey<Value>) async throws(PersistenceError) {
        try await onOwnThread { try self.remove(key) }
    }
}

extension Secrets {
    /// Stores `value` without blocking the task's thread, and replaces the former value for `key`.
    ///
    /// ```swift
    /// try await app.secrets.set(token, for: .token)
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value to store.
    ///   - key: The name of the value.
    /// - Throws: ``PersistenceError`` if the value cannot be stored; the former value then remains.
    public func set<Value: Codable & Sendable>(
        _ value: Value,
        for key: PersistenceKey<Value>
    ) async throws(PersistenceError) {
        try await onOwnThread { try self.set(value, for: key) }
    }

    /// Removes the value for `key`, if there is one, without blocking the task's thread.
    ///
    /// - Parameter key: The name of the value.
    /// - Throws: ``PersistenceError`` if the value cannot be removed.
    public func remove<Value>(_ key: PersistenceKey<Value>) async throws(PersistenceError) {
        try await onOwnThread { try self.remove(key) }
    }
}

/// Calls `body` on a thread of its own, with the default keychain of the task.
private func onOwnThread(
    _ body: @escaping @Sendable () throws -> Void
) async throws(PersistenceError) {
    let keychain = Keychain.default
    try await DedicatedThread.run { () throws(PersistenceError) in
        try PersistenceError.converting { try Keychain.withDefault(keychain) { try body() } }
    }
}
