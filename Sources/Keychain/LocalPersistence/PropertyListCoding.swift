internal import Foundation
internal import KeyedArchive

/// Converts `Codable` values to parts of property lists, in Foundation's form: numbers, dates and data keep their
/// types, so that other programs can read them.
enum PropertyListCoding {
    /// What Foundation writes for a missing value, since property lists have no null.
    private static let null = PropertyList.string("$null")

    /// Encodes a value as a property list.
    ///
    /// - Throws: ``PersistenceError/cannotEncode(_:)`` if the value cannot be encoded, or if it contains the text that
    ///   stands for a missing value and would not be read back unchanged. This cannot be detected where nil is allowed,
    ///   such as in an array of optional strings.
    static func propertyList<Value: Codable>(of value: Value) throws(PersistenceError) -> PropertyList {
        // Strings need no help from Foundation.
        if let text = value as? String { return .string(text) }
        let list = try encoded(value)
        guard list.contains(where: { $0 == null }) else { return list }
        guard list != null, let copy = try? Self.value(Value.self, of: list), try encoded(copy) == list else {
            throw .cannotEncode("\(Value.self)")
        }
        return list
    }

    private static func encoded<Value: Encodable>(_ value: Value) throws(PersistenceError) -> PropertyList {
        do {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            // Foundation accepts only collections at the top level.
            let list = try PropertyList(binary: Array(encoder.encode([value])))
            guard let first = list.array?.first else { throw PersistenceError.cannotEncode("\(Value.self)") }
            return first
        } catch {
            // The error may contain the value.
            throw .cannotEncode("\(Value.self)")
        }
    }

    /// Decodes a value from a property list.
    static func value<Value: Decodable>(_ type: Value.Type, of list: PropertyList) throws(PersistenceError) -> Value {
        if case .string(let text) = list, let value = text as? Value { return value }
        guard !list.contains(where: \.isBeyondFoundation) else { throw .cannotDecode("\(Value.self)") }
        do {
            let bytes = try PropertyList.array([list]).binaryEncoded()
            let values = try PropertyListDecoder().decode([Value].self, from: Data(bytes))
            guard let value = values.first else { throw PersistenceError.cannotDecode("\(Value.self)") }
            return value
        } catch {
            throw .cannotDecode("\(Value.self)")
        }
    }
}

extension PropertyList {
    /// Whether `isMeant` holds for this property list or any that it contains.
    fileprivate func contains(where isMeant: (PropertyList) -> Bool) -> Bool {
        isMeant(self) || array?.contains { $0.contains(where: isMeant) } ?? false
            || dictionary?.contains { $0.value.contains(where: isMeant) } ?? false
    }

    /// Whether it is an integer that Foundation would read as another one.
    fileprivate var isBeyondFoundation: Bool {
        integer.map { !(Int128(Int64.min)...Int128(UInt64.max)).contains($0) } ?? false
    }
}
