/// Writes `Codable` values as keyed archives.
///
/// A keyed type becomes an `NSDictionary` of its coding keys, a list an `NSArray`, a `Set` an `NSSet`, and a
/// `Dictionary` an `NSDictionary` with its original keys. Equal values give equal bytes.
///
/// ```swift
/// struct Login: Codable {
///     var account: String
///     var attempts: Int
/// }
/// let bytes = try ArchiveEncoder().encode(Login(account: "kim", attempts: 2))
/// let login = try ArchiveDecoder().decode(Login.self, from: bytes)
/// ```
public struct ArchiveEncoder: Sendable {
    /// The limits on depth and size; a reader with the same limits accepts the result.
    public var limits: DecodingLimits

    /// The `userInfo` that encoded types see in their encoder.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// Creates an encoder.
    public init(limits: DecodingLimits = .standard, userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
        self.limits = limits
        self.userInfo = userInfo
    }

    /// Returns an archive with `value` as its root.
    ///
    /// - Parameter value: The value to encode.
    /// - Returns: A binary property list.
    /// - Throws: `KeyedArchiveError`, `EncodingError`, or any error thrown by the encoded types.
    public func encode(_ value: some Encodable) throws -> [UInt8] {
        try self.value(of: value).archived(limits: limits)
    }

    /// Returns the archived form of `value`, not yet encoded to bytes.
    ///
    /// - Parameter value: The value to encode.
    /// - Returns: The archived form.
    /// - Throws: `KeyedArchiveError`, `EncodingError`, or any error thrown by the encoded types.
    public func value(of value: some Encodable) throws -> ArchiveValue {
        try EncodingPlace(path: .root, depth: 1, wrapperCount: 0, settings: self).archiveValue(of: value)
    }
}

/// A position in the value that is being encoded.
struct EncodingPlace {
    let path: CodingPath
    let depth: Int
    /// The number of enclosing types that encode another value in their place, as optionals do.
    let wrapperCount: Int
    let settings: ArchiveEncoder

    /// Returns the position of a part of this value.
    func part(_ key: some CodingKey) -> EncodingPlace {
        EncodingPlace(path: .part(of: path, key), depth: depth + 1, wrapperCount: wrapperCount, settings: settings)
    }

    /// Returns the same position, for the value that this one encodes in its place.
    func wrapped() -> EncodingPlace {
        EncodingPlace(path: path, depth: depth, wrapperCount: wrapperCount + 1, settings: settings)
    }

    /// Returns the archived form of the part under `key`; only a part with parts needs its own position.
    func archiveValue<Value: Encodable>(of value: Value, under key: some CodingKey) throws -> ArchiveValue {
        if let representable = value as? any ArchiveRepresentable { return representable.archiveValue }
        return try part(key).archiveValue(of: value)
    }

    /// Returns the encoder for a part with its own container, and that part.
    ///
    /// Asking for a container cannot throw, so a container that is nested too deeply is discarded, and the part records
    /// the error.
    func nestedEncoder(_ key: some CodingKey) -> (encoder: ArchiveValueEncoder, part: EncodingNode.Part) {
        let node = EncodingNode()
        guard depth < settings.limits.depth else {
            return (ArchiveValueEncoder(node: node, place: self), .tooDeep(limit: settings.limits.depth))
        }
        return (ArchiveValueEncoder(node: node, place: part(key)), .node(node))
    }

    func archiveValue<Value: Encodable>(of value: Value) throws -> ArchiveValue {
        if let representable = value as? any ArchiveRepresentable { return representable.archiveValue }
        // Types that encode themselves through further types could recurse endlessly before anything is written.
        guard max(depth, wrapperCount) <= settings.limits.depth else {
            throw KeyedArchiveError.tooDeep(limit: settings.limits.depth)
        }
        if let collection = value as? any ArchiveEncodableCollection { return try collection.archiveValue(at: self) }
        if let wide = value as? UInt128 { return try archiveValue(of: wide) }

        let node = EncodingNode()
        try value.encode(to: ArchiveValueEncoder(node: node, place: self))
        return try node.archiveValue()
    }

    private func archiveValue(of wide: UInt128) throws -> ArchiveValue {
        guard let value = Int128(exactly: wide) else {
            throw invalid(UInt128.self, "An archive holds signed integers of up to 128 bits.")
        }
        return .integer(value)
    }

    /// Returns the error for a value of `type` at this position; it omits the value, which may be a secret.
    func invalid(_ type: Any.Type, _ description: String) -> EncodingError {
        .invalidValue(type, EncodingError.Context(codingPath: path.keys, debugDescription: description))
    }
}

/// The keys that lead to a position, turned into an array only on request.
indirect enum CodingPath {
    case root
    case part(of: CodingPath, any CodingKey)

    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var path = self
        while case .part(let whole, let key) = path {
            keys.append(key)
            path = whole
        }
        return keys.reversed()
    }
}

/// The key of an element in a list, or of the part that a super-encoder writes.
enum PlaceKey: CodingKey {
    case index(Int)
    case name(String)

    static let `super` = PlaceKey.name("super")

    init?(stringValue: String) {
        self = .name(stringValue)
    }

    init?(intValue: Int) {
        self = .index(intValue)
    }

    var stringValue: String {
        switch self {
        case .index(let index): "Index \(index)"
        case .name(let name): name
        }
    }

    var intValue: Int? {
        if case .index(let index) = self { index } else { nil }
    }
}
