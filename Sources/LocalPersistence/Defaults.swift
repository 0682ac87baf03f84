internal import CofferBasics
internal import KeyedArchive
internal import VaultFiles

/// The settings of an app: strings, numbers, truth values, dates, bytes, arrays and dictionaries, and what is made of them.
///
/// They are a property list in the container, which other programs read and write too, such as `plutil`. Each change is
/// durable when ``set(_:for:)`` returns, and does not undo what another thread or process has changed under other keys.
/// What others change is seen by the next reading. A file that is no property list is an error, and is never replaced.
///
/// ```swift
/// try app.defaults.register(14, for: .fontSize)
/// try app.defaults.set(16, for: .fontSize)
/// let size = try app.defaults.value(for: .fontSize)  // 16
/// ```
public final class Defaults: PersistenceRung {
    /// How a file is written.
    public enum Format: Equatable, Sendable {
        /// As XML, which people can read.
        case xml
        /// As binary, which is smaller.
        case binary
    }

    /// Settings as a file has them.
    private struct Stored: Sendable {
        var values: CanonicalDictionary<String, PropertyList> = [:]
        var format = Format.binary
        var mark: ChangeMark?
    }

    private struct State: Sendable {
        var stored: Stored?
        /// By the bytes of their names, as the file has them.
        var registered: [[UInt8]: PropertyList] = [:]
    }

    private static let byteCountLimit = DecodingLimits.standard.byteCount

    /// The path of the file.
    public let path: String
    private let files: KeptFiles
    private let name: String
    private let state = Guarded(State())
    private let observers = DefaultsObservers()

    init(_ files: KeptFiles, name: String) {
        self.files = files
        self.name = name + ".plist"
        path = files.path + "/" + self.name
    }

    // MARK: - Values

    /// The value for `key`: the one that was set, else the one that was registered; nil if there is neither.
    public func value<Value: Codable & Sendable>(
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) -> Value? {
        let values = try stored().values
        guard let list = values[key.name] ?? registered(key.name) else { return nil }
        return try PropertyListCoding.value(Value.self, of: list)
    }

    private func registered(_ name: String) -> PropertyList? { state.withLock { $0.registered[Array(name.utf8)] } }

    /// Keeps `value`, and returns when it is durable.
    public func set<Value: Codable & Sendable>(
        _ value: Value,
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) {
        let list = try PropertyListCoding.propertyList(of: value)
        try change { $0[key.name] = list }
    }

    /// Forgets the value that was set for `key`, so that the one counts that was registered, if there is one.
    public func remove<Value>(_ key: PersistenceKey<Value>) throws(PersistenceError) {
        guard try files.isMade() else { return }
        try change { $0[key.name] = nil }
    }

    /// Lets `value` count where none was set, until the program ends.
    ///
    /// ```swift
    /// try app.defaults.register(14, for: .fontSize)
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: Its name.
    /// - Throws: ``PersistenceError/cannotEncode(_:)`` if it is no value that a property list can have.
    public func register<Value: Codable & Sendable>(
        _ value: Value,
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) {
        let list = try PropertyListCoding.propertyList(of: value)
        state.withLock { $0.registered[Array(key.name.utf8)] = list }
    }

    /// The names of all values that were set.
    ///
    /// ```swift
    /// let isNew = try app.defaults.names().isEmpty
    /// ```
    ///
    /// - Returns: The names, in the order of their bytes.
    /// - Throws: Why the file cannot be read.
    public func names() throws(PersistenceError) -> [String] { try stored().values.map(\.key) }

    /// Makes several changes at once: all of them are durable, or none; nobody else changes anything meanwhile.
    ///
    /// ```swift
    /// try app.defaults.update { settings in
    ///     try settings.set((settings.value(for: .launches) ?? 0) + 1, for: .launches)
    ///     settings.remove(.draft)
    /// }
    /// ```
    ///
    /// - Parameter body: Reads and changes the values, through what it is given only: others wait until it returns.
    /// - Throws: What `body` throws, upon which nothing is changed, or a ``PersistenceError``.
    public func update(_ body: (inout DefaultsChanges) throws -> Void) throws {
        let registered = state.withLock { $0.registered }
        var failure: (any Error)?
        try change { values in
            var changes = DefaultsChanges(values: values, registered: registered)
            do {
                try body(&changes)
                values = changes.values
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Writes the file in another format from now on.
    ///
    /// ```swift
    /// try app.defaults.setFormat(.xml)
    /// ```
    ///
    /// - Parameter format: The format; a file that other programs have made keeps the one that it has, until then.
    /// - Throws: Why the file could not be written.
    public func setFormat(_ format: Format) throws(PersistenceError) {
        try change(to: format) { _ in }
    }

    // MARK: - Observing

    /// Tells of changes of the value for `key` from now on, whoever makes them.
    ///
    /// ```swift
    /// let observation = try app.defaults.observe(.fontSize) { size in redraw(size ?? 14) }
    /// ```
    ///
    /// - Parameters:
    ///   - key: The name of the value, and its type.
    ///   - onChange: Told the new value; nil where there is none any more, or none of this type. It may use the settings. It is
    ///     called on the thread of whoever changes a value in this process, or on one that waits for changes of others, and
    ///     perhaps after the call that made the change has returned, but never twice at once.
    /// - Returns: What ends the observation when it is let go; a call that has begun may still come to its end then.
    /// - Throws: Why the file cannot be read, or watched.
    public func observe<Value: Codable & Sendable>(
        _ key: PersistenceKey<Value>,
        onChange: @escaping @Sendable (Value?) -> Void
    ) throws(PersistenceError) -> DefaultsObservation {
        let last = try stored().values[key.name]
        let observer = DefaultsObserver(name: key.name, last: last) { [weak self] list in
            onChange((list ?? self?.registered(key.name)).flatMap { try? PropertyListCoding.value(Value.self, of: $0) })
        }
        let id = try observers.add(observer, in: files, name) { [weak self] in self?.tellObservers() }
        return DefaultsObservation { [self] in observers.remove(id) }
    }

    /// The values for `key` from the next change on; one that nobody waits for gives way to the next.
    ///
    /// The settings are observed until the task that waits is cancelled, or the stream is let go.
    ///
    /// ```swift
    /// for await size in try app.defaults.changes(of: .fontSize) { redraw(size ?? 14) }
    /// ```
    ///
    /// - Parameter key: The name of the value, and its type.
    /// - Returns: The new values; nil where there is none any more, or none of this type.
    /// - Throws: Why the file cannot be read, or watched.
    public func changes<Value: Codable & Sendable>(
        of key: PersistenceKey<Value>
    ) throws(PersistenceError) -> AsyncStream<Value?> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value?.self, bufferingPolicy: .bufferingNewest(1))
        let observation = try observe(key) { continuation.yield($0) }
        continuation.onTermination = { _ in withExtendedLifetime(observation) {} }
        return stream
    }

    // MARK: - The file

    /// What the file holds now.
    private func stored() throws(PersistenceError) -> Stored {
        let known = state.withLock { $0.stored }
        let content = try files.content(of: name, unless: known?.mark, byteCountLimit: Self.byteCountLimit)
        let stored: Stored
        switch content {
        case .unchanged: return known ?? Stored()
        case .absent: stored = Stored()
        case .bytes(let bytes, let mark): stored = try parsed(bytes, mark)
        }
        // An older one than another thread has read has another mark than the file, and is not believed.
        state.withLock { $0.stored = stored }
        return stored
    }

    private func parsed(_ bytes: [UInt8], _ mark: ChangeMark?) throws(PersistenceError) -> Stored {
        let list: PropertyList
        let isBinary = bytes.starts(with: "bplist".utf8)
        do {
            list = isBinary ? try PropertyList(binary: bytes) : try PropertyList(xml: bytes)
        } catch {
            throw .damaged(path: path, reason: "it is no property list")
        }
        guard let values = list.dictionary else { throw .damaged(path: path, reason: "it holds no dictionary") }
        return Stored(values: values, format: isBinary ? .binary : .xml, mark: mark)
    }

    private func change(
        to format: Format? = nil,
        _ body: (inout CanonicalDictionary<String, PropertyList>) -> Void
    ) throws(PersistenceError) {
        try files.write { writing throws(PersistenceError) in
            let content = try files.content(of: name, byteCountLimit: Self.byteCountLimit)
            var stored = Stored()
            if case .bytes(let bytes, _) = content { stored = try parsed(bytes, nil) }
            let former = stored.values
            body(&stored.values)
            guard stored.values != former || format != nil else { return }
            let bytes = try encoded(stored.values, as: format ?? stored.format)
            try writing.replace(name, with: bytes.span)
        }
        tellObservers()
    }

    private func tellObservers() {
        // What cannot be read is an error for who reads it.
        observers.tell { try? stored().values }
    }

    private func encoded(
        _ values: CanonicalDictionary<String, PropertyList>,
        as format: Format
    ) throws(PersistenceError) -> [UInt8] {
        do {
            let list = PropertyList.dictionary(values)
            return format == .binary ? try list.binaryEncoded() : try list.xmlEncoded()
        } catch let error as XMLPropertyListError where error.kind != .tooLarge(limit: Self.byteCountLimit) {
            throw .cannotEncode("a property list in XML")
        } catch {
            throw .tooLarge(path: path, limit: Self.byteCountLimit)
        }
    }
}

/// Settings while several of them are changed at once.
public struct DefaultsChanges {
    fileprivate var values: CanonicalDictionary<String, PropertyList>
    fileprivate let registered: [[UInt8]: PropertyList]

    /// The value for `key`, as it is with the changes so far.
    ///
    /// - Parameter key: The name of the value, and its type.
    /// - Returns: The value; nil if there is none.
    /// - Throws: ``PersistenceError/cannotDecode(_:)`` if what is there is no such value.
    public func value<Value: Codable & Sendable>(
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) -> Value? {
        guard let list = values[key.name] ?? registered[Array(key.name.utf8)] else { return nil }
        return try PropertyListCoding.value(Value.self, of: list)
    }

    /// Keeps `value`.
    ///
    /// - Parameters:
    ///   - value: What to keep.
    ///   - key: The name of the value.
    /// - Throws: ``PersistenceError/cannotEncode(_:)`` if it is no value that a property list can have.
    public mutating func set<Value: Codable & Sendable>(
        _ value: Value,
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) {
        values[key.name] = try PropertyListCoding.propertyList(of: value)
    }

    /// Forgets the value that was set for `key`.
    ///
    /// - Parameter key: The name of the value.
    public mutating func remove<Value>(_ key: PersistenceKey<Value>) {
        values[key.name] = nil
    }
}
