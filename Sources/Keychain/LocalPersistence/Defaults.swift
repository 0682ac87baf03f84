internal import CofferBasics
internal import KeyedArchive
internal import VaultFiles

/// The settings of an app: strings, numbers, Booleans, dates, data, arrays, dictionaries, and `Codable` values.
///
/// They are stored in a property list in the container, which other programs such as `plutil` can read and write too. A
/// change is durable when ``set(_:for:)`` returns, and it does not undo changes that other threads or processes make to
/// other keys. Their changes are seen by the next read. A file that is not a property list causes an error and is never
/// replaced.
///
/// ```swift
/// try app.defaults.register(14, for: .fontSize)
/// try app.defaults.set(16, for: .fontSize)
/// let size = try app.defaults.value(for: .fontSize)  // 16
/// ```
public final class Defaults: PersistenceRung {
    /// The format of the property list.
    public enum Format: Equatable, Sendable {
        /// XML, which people can read.
        case xml
        /// Binary, which is smaller.
        case binary
    }

    /// The content of the file.
    private struct Stored: Sendable {
        var values: CanonicalDictionary<String, PropertyList> = [:]
        var format = Format.binary
        var mark: ChangeMark?
    }

    private struct State: Sendable {
        var stored: Stored?
        /// Keyed by the bytes of their names, as they are in the file.
        var registered: [[UInt8]: PropertyList] = [:]
    }

    private static let byteCountLimit = DecodingLimits.standard.byteCount

    /// The path of the property list.
    public let path: String
    private let files: AtomicFiles
    private let name: String
    private let state = Guarded(State())
    private let observers = DefaultsObservers()

    init(_ files: AtomicFiles, name: String) {
        self.files = files
        self.name = name + ".plist"
        path = files.path + "/" + self.name
    }

    // MARK: - Values

    /// Returns the value that was set for `key`, else the registered value; nil if there is neither.
    public func value<Value: Codable & Sendable>(
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) -> Value? {
        let values = try stored().values
        guard let list = values[key.name] ?? registered(key.name) else { return nil }
        return try PropertyListCoding.value(Value.self, of: list)
    }

    private func registered(_ name: String) -> PropertyList? { state.withLock { $0.registered[Array(name.utf8)] } }

    /// Stores `value`, and returns when it is durable.
    public func set<Value: Codable & Sendable>(
        _ value: Value,
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) {
        let list = try PropertyListCoding.propertyList(of: value)
        try change { $0[key.name] = list }
    }

    /// Removes the value that was set for `key`; the registered value, if any, applies again.
    public func remove<Value>(_ key: PersistenceKey<Value>) throws(PersistenceError) {
        guard try files.directoryExists() else { return }
        try change { $0[key.name] = nil }
    }

    /// Registers `value` as the default for `key` until the program ends.
    ///
    /// ```swift
    /// try app.defaults.register(14, for: .fontSize)
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value to return while none is set.
    ///   - key: The name of the value.
    /// - Throws: ``PersistenceError/cannotEncode(_:)`` if a property list cannot hold the value.
    public func register<Value: Codable & Sendable>(
        _ value: Value,
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) {
        let list = try PropertyListCoding.propertyList(of: value)
        state.withLock { $0.registered[Array(key.name.utf8)] = list }
    }

    /// Returns the names of all values that were set.
    ///
    /// ```swift
    /// let isNew = try app.defaults.names().isEmpty
    /// ```
    ///
    /// - Returns: The names, ordered by their bytes.
    /// - Throws: ``PersistenceError`` if the file cannot be read.
    public func names() throws(PersistenceError) -> [String] { try stored().values.map(\.key) }

    /// Makes several changes in one step: all of them become durable or none, and other writers wait meanwhile.
    ///
    /// ```swift
    /// try app.defaults.update { settings in
    ///     try settings.set((settings.value(for: .launches) ?? 0) + 1, for: .launches)
    ///     settings.remove(.draft)
    /// }
    /// ```
    ///
    /// - Parameter body: A function that reads and changes values only through its argument; other writers wait until
    ///   it returns.
    /// - Throws: The error that `body` throws, in which case nothing is changed, or a ``PersistenceError``.
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

    /// Rewrites the file in `format` and keeps that format from now on.
    ///
    /// ```swift
    /// try app.defaults.setFormat(.xml)
    /// ```
    ///
    /// - Parameter format: The new format; without this call, a file keeps the format in which another program created
    ///   it.
    /// - Throws: ``PersistenceError`` if the file cannot be written.
    public func setFormat(_ format: Format) throws(PersistenceError) {
        try change(to: format) { _ in }
    }

    // MARK: - Observing

    /// Calls `onChange` whenever this or another process changes the value for `key`.
    ///
    /// ```swift
    /// let observation = try app.defaults.observe(.fontSize) { size in redraw(size ?? 14) }
    /// ```
    ///
    /// - Parameters:
    ///   - key: The name and type of the value.
    ///   - onChange: A function that receives the new value, or nil if none exists or it has another type. It may use
    ///     the settings. It runs on the thread that changes a value in this process, or on a thread that waits for
    ///     other processes' changes, possibly after the call that made the change has returned, but never twice at the
    ///     same time.
    /// - Returns: An object that ends the observation when it is released; a call that has begun may still finish then.
    /// - Throws: ``PersistenceError`` if the file cannot be read or watched.
    public func observe<Value: Codable & Sendable>(
        _ key: PersistenceKey<Value>,
        onChange: @escaping @Sendable (Value?) -> Void
    ) throws(PersistenceError) -> DefaultsObservation {
        let last = try stored().values[key.name]
        let observer = DefaultsObserver(name: key.name, last: last) { [weak self] list in
            onChange((list ?? self?.registered(key.name)).flatMap { try? PropertyListCoding.value(Value.self, of: $0) })
        }
        let id = try observers.add(observer, in: files, name) { [weak self] in self?.notifyObservers() }
        return DefaultsObservation { [self] in observers.remove(id) }
    }

    /// Returns a stream of the values for `key`, starting with the next change.
    ///
    /// A value that is not read in time is replaced by the next one.
    ///
    /// The settings are observed until the waiting task is cancelled or the stream is released.
    ///
    /// ```swift
    /// for await size in try app.defaults.changes(of: .fontSize) { redraw(size ?? 14) }
    /// ```
    ///
    /// - Parameter key: The name and type of the value.
    /// - Returns: A stream of new values, with nil where there is no value or none of this type.
    /// - Throws: ``PersistenceError`` if the file cannot be read or watched.
    public func changes<Value: Codable & Sendable>(
        of key: PersistenceKey<Value>
    ) throws(PersistenceError) -> AsyncStream<Value?> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value?.self, bufferingPolicy: .bufferingNewest(1))
        let observation = try observe(key) { continuation.yield($0) }
        continuation.onTermination = { _ in withExtendedLifetime(observation) {} }
        return stream
    }

    // MARK: - The file

    /// The current content of the file.
    private func stored() throws(PersistenceError) -> Stored {
        let known = state.withLock { $0.stored }
        let content = try files.content(of: name, unless: known?.mark, byteCountLimit: Self.byteCountLimit)
        let stored: Stored
        switch content {
        case .unchanged: return known ?? Stored()
        case .absent: stored = Stored()
        case .bytes(let bytes, let mark): stored = try parsed(bytes, mark)
        }
        // If another thread has read a newer one, the mark of this one differs from the file's, so it will not be used.
        state.withLock { $0.stored = stored }
        return stored
    }

    private func parsed(_ bytes: [UInt8], _ mark: ChangeMark?) throws(PersistenceError) -> Stored {
        let list: PropertyList
        let isBinary = bytes.starts(with: "bplist".utf8)
        do {
            list = isBinary ? try PropertyList(binary: bytes) : try PropertyList(xml: bytes)
        } catch {
            throw .damaged(path: path, reason: "not a property list")
        }
        guard let values = list.dictionary else { throw .damaged(path: path, reason: "no dictionary at the top level") }
        return Stored(values: values, format: isBinary ? .binary : .xml, mark: mark)
    }

    private func change(
        to format: Format? = nil,
        _ body: (inout CanonicalDictionary<String, PropertyList>) -> Void
    ) throws(PersistenceError) {
        try files.write { writing in
            let content = try files.content(of: name, byteCountLimit: Self.byteCountLimit)
            var stored = Stored()
            if case .bytes(let bytes, _) = content { stored = try parsed(bytes, nil) }
            let former = stored.values
            body(&stored.values)
            guard stored.values != former || format != nil else { return }
            let bytes = try encoded(stored.values, as: format ?? stored.format)
            try writing.replace(name, with: bytes.span)
        }
        notifyObservers()
    }

    private func notifyObservers() {
        // A file that cannot be read is reported to callers that read it, not to observers.
        observers.notify { try? stored().values }
    }

    private func encoded(
        _ values: CanonicalDictionary<String, PropertyList>,
        as format: Format
    ) throws(PersistenceError) -> [UInt8] {
        do {
            let list = PropertyList.dictionary(values)
            return format == .binary ? try list.binaryEncoded() : try list.xmlEncoded()
        } catch let error as XMLPropertyListError where error.kind != .tooLarge(limit: Self.byteCountLimit) {
            throw .cannotEncode("XML property list")
        } catch {
            throw .tooLarge(path: path, limit: Self.byteCountLimit)
        }
    }
}

/// The settings during a call of ``Defaults/update(_:)``.
public struct DefaultsChanges {
    fileprivate var values: CanonicalDictionary<String, PropertyList>
    fileprivate let registered: [[UInt8]: PropertyList]

    /// Returns the value for `key`, including the changes made so far.
    ///
    /// - Parameter key: The name and type of the value.
    /// - Returns: The value; nil if none exists.
    /// - Throws: ``PersistenceError/cannotDecode(_:)`` if the stored value has another type.
    public func value<Value: Codable & Sendable>(
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) -> Value? {
        guard let list = values[key.name] ?? registered[Array(key.name.utf8)] else { return nil }
        return try PropertyListCoding.value(Value.self, of: list)
    }

    /// Stores `value`.
    ///
    /// - Parameters:
    ///   - value: The value to store.
    ///   - key: The name of the value.
    /// - Throws: ``PersistenceError/cannotEncode(_:)`` if a property list cannot hold the value.
    public mutating func set<Value: Codable & Sendable>(
        _ value: Value,
        for key: PersistenceKey<Value>
    ) throws(PersistenceError) {
        values[key.name] = try PropertyListCoding.propertyList(of: value)
    }

    /// Removes the value that was set for `key`.
    ///
    /// - Parameter key: The name of the value.
    public mutating func remove<Value>(_ key: PersistenceKey<Value>) {
        values[key.name] = nil
    }
}
