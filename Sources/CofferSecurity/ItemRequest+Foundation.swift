internal import Coffer
internal import Foundation

extension ItemRequest {
    /// What stands in a dictionary, as it stands.
    ///
    /// What is no key and no value of the keychain is kept as such, for whoever reads the request to refuse it.
    init(_ dictionary: CFDictionary) {
        self.init()
        // All at once: an iterator would look up the value of each key anew.
        let count = dictionary.count
        var (keys, objects): ([Any], [Any]) = ([], [])
        dictionary.getObjects(&objects, andKeys: &keys, count: count)
        values.reserveCapacity(count)
        for (key, object) in zip(keys, objects) {
            if let name = key as? String {
                values[name] = ItemValue(object)
            } else if key is NSNumber {
                hasNumberKey = true
            } else {
                hasOtherKey = true
            }
        }
    }
}

extension ItemValue {
    /// What an object of Foundation is in a request.
    init(_ object: Any) {
        // What requests mostly hold is told by its type, which a cast takes ten times as long for where it fails.
        let type = type(of: object)
        if type == Bool.self, let flag = object as? Bool {
            self = .bool(flag)
        } else if type == Data.self, let bytes = object as? Data {
            self = .data(Array(bytes))
        } else {
            self.init(any: object)
        }
    }

    private init(any object: Any) {
        switch object {
        case let text as String: self = .string(text)
        case let bytes as Data: self = .data(Array(bytes))
        // Arrays are asked for before classes: to take one for an object turns all that is in it into objects. No key
        // takes one but the issuers, which are bytes.
        case let values as [Any]: self = .array(values.map { ($0 as? Data).map { .data(Array($0)) } ?? .other })
        // Yes and no are numbers too, so they are asked for before.
        case let number as NSNumber: self.init(number)
        case let date as Date: self = .date(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case let control as SecAccessControl: self = .accessControl(control.control)
        case is NSNull: self = .null
        default: self = .other
        }
    }

    private init(_ number: NSNumber) {
        if number.isBoolean {
            self = .bool(number.boolValue)
        } else if let whole = Int64(exactly: number) {
            self = .integer(whole)
        } else {
            self = .real(number.doubleValue)
        }
    }
}

extension NSNumber {
    private static let booleanType = UInt8(ascii: "c")

    /// Whether this was made of yes or no, and not of a number.
    fileprivate var isBoolean: Bool { UInt8(bitPattern: objCType.pointee) == NSNumber.booleanType }
}
