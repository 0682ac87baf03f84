/// Writes `Codable` values as keyed archives.
///
/// A type with keys becomes an `NSDictionary` of its coding keys, a list an `NSArray`, a `Set` an `NSSet` and a
/// `Dictionary` an `NSDictionary` with its keys as they are. Equal values give equal bytes.
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
    /// How deep and how large a value may be, so that a reader with the same limits takes it.
    public var limits: DecodingLimits

    /// What the types that are encoded find in their encoder.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// Makes an encoder.
    public init(limits: DecodingLimits = .standard, userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
        self.limits = limits
        self.userInfo = userInfo
    }

    /// An archive with `value` as its root.
    ///
    /// - Parameter value: What to encode.
    /// - Returns: A binary property list.
    /// - Throws: `KeyedArchiveError`, `EncodingError`, or what the types that are encoded throw.
    public func encode(_ value: some Encodable) throws -> [UInt8] {
        try self.value(of: value).archived(limits: limits)
    }

    /// The archived form of `value`, not yet as bytes.
    ///
    /// - Parameter value: What to encode.
    /// - Returns: The archived form.
    /// - Throws: `KeyedArchiveError`, `EncodingError`, or what the types that are encoded throw.
    public func value(of value: some Encodable) throws -> ArchiveValue {
        try EncodingPlace(path: .root, depth: 1, wrapperCount: 0, settings: self).archiveValue(of: value)
    }
}

/// A place in the value that is being encoded.
struct EncodingPlace {
    let path: CodingPath
    let depth: Int
    /// How many types on the way here encode as another value in their place, as optionals do.
    let wrapperCount: Int
    let settings: ArchiveEncoder

    /// The place of a part of this one.
    func part(_ key: some CodingKey) -> EncodingPlace {
        EncodingPlace(path: .part(of: path, key), depth: depth + 1, wrapperCount: wrapperCount, settings: settings)
    }

    /// The same place, for the value as which the one here encodes.
    func wrapped() -> EncodingPlace {
        EncodingPlace(path: path, depth: depth, wrapperCount: wrapperCount + 1, settings: settings)
    }

    /// The archived form of the part under `key`; only a part with parts needs a place of its own.
    func archiveValue<Value: Encodable>(of value: Value, under key: some CodingKey) throws -> ArchiveValue {
        if let representable = value as? any ArchiveRepresentable { return representable.archiveValue }
        return try part(key).archiveValue(of: value)
    }

    /// The encoder for a part of this place in a container of its own, and that part.
    ///
    /// Asking for a container throws no error, so one that lies too deep leads nowhere, and the place where it would
    /// be says so.
    func nestedEncoder(_ key: some CodingKey) -> (encoder: ArchiveValueEncoder, part: EncodingNode.Part) {
        let node = EncodingNode()
        guard depth < settings.limits.depth else {
            return (ArchiveValueEncoder(node: node, place: self), .tooDeep(limit: settings.limits.depth))
        }
        return (ArchiveValueEncoder(node: node, place: part(key)), .node(node))
    }

    func archiveValue<Value: Encodable>(of value: Value) throws -> ArchiveValue {
        if let representable = value as? any ArchiveRepresentable { return representable.archiveValue }
        // Types that encode themselves through further types would recurse without end before anything is written.
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
            throw invalid(UInt128.self, "An archive holds integers of up to 128 bits with a sign.")
        }
        return .integer(value)
    }

    /// The error for a value of `type` at this place, which it does not show: it may be a secret.
    func invalid(_ type: Any.Type, _ description: String) -> EncodingError {
        .invalidValue(type, EncodingError.Context(codingPath: path.keys, debugDescription: description))
    }
}

/// The keys that lead to a place, made into an array only when somebody asks.
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

/// The key of an element in a list, or of what a super-encoder writes.
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
