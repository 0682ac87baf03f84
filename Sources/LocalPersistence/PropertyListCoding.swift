internal import Foundation
internal import KeyedArchive

/// `Codable` values as parts of property lists, in the form that Foundation gives them: numbers, dates and bytes stay what
/// they are, so that other programs can read them.
enum PropertyListCoding {
    /// What Foundation writes where there is no value, since property lists have nothing for that.
    private static let null = PropertyList.string("$null")

    /// A value as a property list.
    ///
    /// - Throws: ``PersistenceError/cannotEncode(_:)`` also for what would not be read as it was: texts that mean that there is
    ///   no value. Only one that stands where there may be none, such as in an array of optional texts, nobody can tell.
    static func propertyList<Value: Codable>(of value: Value) throws(PersistenceError) -> PropertyList {
        // This is clear without Foundation.
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
            // Foundation takes nothing at the top but collections.
            let list = try PropertyList(binary: Array(encoder.encode([value])))
            guard let first = list.array?.first else { throw PersistenceError.cannotEncode("\(Value.self)") }
            return first
        } catch {
            // What the error says may be the value.
            throw .cannotEncode("\(Value.self)")
        }
    }

    /// The value that a property list stands for.
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
    /// Whether this one, or one that stands somewhere in it, is such.
    fileprivate func contains(where isMeant: (PropertyList) -> Bool) -> Bool {
        isMeant(self) || array?.contains { $0.contains(where: isMeant) } ?? false
            || dictionary?.contains { $0.value.contains(where: isMeant) } ?? false
    }

    /// Whether it is a number that Foundation would take for another one.
    fileprivate var isBeyondFoundation: Bool {
        integer.map { !(Int128(Int64.min)...Int128(UInt64.max)).contains($0) } ?? false
    }
}
