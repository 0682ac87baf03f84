internal import Coffer
internal import CofferBasics
internal import Foundation

extension ItemRequest {
    /// What stands in a dictionary, as it stands.
    ///
    /// What is no key and no value of the keychain is kept as such, for whoever reads the request to refuse it.
    init(_ dictionary: CFDictionary) {
        self.init()
        values.reserveCapacity(dictionary.count)
        for (key, value) in dictionary.entries {
            switch key {
            case let key as NSString:
                let name = key as String
                values[name] = Self.value(value, for: name)
            case is NSNumber: hasNumberKey = true
            default: hasOtherKey = true
            }
        }
    }

    /// Overwrites the copy of the data that this request holds.
    mutating func wipe() { values.wipe(Query.dataKey) }

    /// The only key that takes an array.
    private static let issuers = "m_Issuers"

    private static func value(_ object: Any, for name: String) -> ItemValue {
        guard name == issuers, let values = object as? [Any] else { return ItemValue(object) }
        return .array(values.map { ItemValue($0) })
    }
}

extension [String: ItemValue] {
    /// Removes the data for `name`, and overwrites them unless they are shared.
    mutating func wipe(_ name: String) {
        guard let index = index(forKey: name), case .data(var bytes) = values[index] else { return }
        self[name] = nil
        bytes.wipe()
    }
}

extension NSDictionary {
    /// The keys and the values, as they lie in the dictionary.
    ///
    /// To iterate over the dictionary would make an array of Swift of each array, and of those in it: one that lies too
    /// deep for the stack would end the program.
    var entries: some Sequence<(Any, Any)> { zip(allKeys, allValues) }
}

extension ItemValue {
    /// What an object of Foundation is in a request, but for arrays: see `ItemRequest`.
    init(_ object: Any) {
        // They are classes in a dictionary, which a cast tells much sooner than what they are bridged to.
        switch object {
        case let text as NSString: self = .string(text as String)
        // Bridging mutable data would make a copy that cannot be wiped.
        case let bytes as NSData: self = .data(Array(UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.length)))
        case let number as NSNumber: self.init(number)
        case let date as NSDate: self = .date(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate)
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
