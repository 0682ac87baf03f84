extension ConfigurationSecrets {
    /// Returns the configuration as it is now, and again after each change that any program makes to it.
    ///
    /// The elements do not change. Changes that arrive together are one element; a value that is locked or damaged
    /// is an error of the element, and watching goes on. The stream ends when the task that reads it is canceled.
    ///
    /// ```swift
    /// for await current in secrets.updates(of: ["database", "password"]) {
    ///     try await reconnect(current.value(for: ["database", "password"]))
    /// }
    /// ```
    ///
    /// - Parameter key: The components of the key whose changes count; nil for all keys.
    /// - Returns: The configurations.
    public func updates(of key: [String]? = nil) -> AsyncStream<ConfigurationSecrets> {
        keychain.states(
            isSame: { $0.isSame(as: $1, for: key) },
            isReadable: { $0.isReadable },
            current: { frozen() }
        )
    }
}
