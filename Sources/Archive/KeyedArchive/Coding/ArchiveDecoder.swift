/// Reads `Codable` values from keyed archives, written by this module or by Apple's and Foundation's archivers.
///
/// A keyed type is read from an `NSDictionary`, or from an instance of a class that `allowedClasses` names; the keys
/// are then the fields written by its `encode(with:)`.
///
/// ```swift
/// let decoder = ArchiveDecoder(allowing: .named(["Badge"]))
/// let badge = try decoder.decode(Badge.self, from: bytes)
/// ```
public struct ArchiveDecoder: Sendable {
    /// The classes that may occur in addition to Foundation's value classes.
    public var allowedClasses: AllowedClasses

    /// The limits on size, depth and number of values.
    public var limits: DecodingLimits

    /// The `userInfo` that decoded types see in their decoder.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// Creates a decoder.
    public init(
        allowing allowedClasses: AllowedClasses = .standard,
        limits: DecodingLimits = .standard,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.allowedClasses = allowedClasses
        self.limits = limits
        self.userInfo = userInfo
    }

    /// Reads the root of the archive `bytes`.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - bytes: The archive.
    /// - Returns: The decoded value.
    /// - Throws: `KeyedArchiveError` if the archive is invalid, `DecodingError` if it does not hold a `type`.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try decode(type, from: ArchiveValue(archive: bytes, allowing: allowedClasses, limits: limits))
    }

    /// Reads a value from its archived form.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - value: The archived form.
    /// - Returns: The decoded value.
    /// - Throws: `DecodingError` if `value` does not hold a `type`.
    public func decode<Value: Decodable>(_ type: Value.Type, from value: ArchiveValue) throws -> Value {
        try DecodingPlace(value: value, path: .root, userInfo: userInfo).decode(type)
    }
}

/// A position in the value that is being decoded.
struct DecodingPlace {
    let value: ArchiveValue
    let path: CodingPath
    let userInfo: [CodingUserInfoKey: any Sendable]

    /// Returns the position of a part of this value.
    func part(_ key: some CodingKey, _ value: ArchiveValue) -> DecodingPlace {
        DecodingPlace(value: value, path: .part(of: path, key), userInfo: userInfo)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let representable = type as? any ArchiveRepresentable.Type {
            guard let value = representable.init(archiveValue: value) as? Value else { throw mismatchError(type) }
            return value
        }
        if let collection = type as? any ArchiveDecodableCollection.Type,
            let value = try collection.init(at: self) as? Value
        {
            return value
        }
        if type == UInt128.self {
            guard let value = unsigned128 as? Value else { throw mismatchError(type) }
            return value
        }
        do {
            return try Value(from: ArchiveValueDecoder(place: self))
        } catch DecodingError.dataCorrupted(let context) where isOwnFault(context, of: type) {
            throw corrupted("No \(type) has this raw value.")
        }
    }

    private var unsigned128: UInt128? {
        switch value {
        case .integer(let number): UInt128(exactly: number)
        case .real(let number): UInt128(exactly: number)
        default: nil
        }
    }

    // MARK: Errors

    /// Whether this type refused its raw value: the standard library's error would then show the value.
    private func isOwnFault(_ context: DecodingError.Context, of type: Any.Type) -> Bool {
        type is any RawRepresentable.Type && context.codingPath.count == path.keys.count
    }

    private func mismatchError(_ type: Any.Type) -> DecodingError {
        switch (value, type is any Numeric.Type) {
        case (.null, _): .valueNotFound(type, context("Expected \(type), found null."))
        case (.integer, true), (.real, true): corrupted("The number does not fit in \(type).")
        default: mismatch(type)
        }
    }

    func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, context("Expected \(type), found \(value.kind)."))
    }

    func corrupted(_ description: String) -> DecodingError {
        .dataCorrupted(context(description))
    }

    func context(_ description: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: path.keys, debugDescription: description)
    }
}
