internal import Foundation
internal import KeyedArchive

/// `Codable` values as parts of property lists, in the form that Foundation gives them: numbers, dates and bytes stay what
/// they are, so that other programs can read them.
enum PropertyListCoding {
    /// A value as a property list.
    static func propertyList<Value: Encodable>(of value: Value) throws(PersistenceError) -> PropertyList {
        let bytes: [UInt8]
        do {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            // Foundation takes nothing at the top but collections.
            bytes = try Array(encoder.encode([value]))
        } catch {
            // What the error says may be the value.
            throw .cannotEncode("\(Value.self)")
        }
        guard let list = try? PropertyList(binary: bytes), let first = list.array?.first, first != .string("$null")
        else {
            throw .cannotEncode("\(Value.self)")
        }
        return first
    }

    /// The value that a property list stands for.
    static func value<Value: Decodable>(_ type: Value.Type, of list: PropertyList) throws(PersistenceError) -> Value {
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
