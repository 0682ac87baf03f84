public import Coffer

/// What a caller asks the keychain for, as it stands: names of Apple's, and values.
///
/// ```swift
/// var request: ItemRequest = ["class": "genp", "svce": "mail"]
/// request["r_Data"] = true
/// let answer = try keychain.find(request)
/// ```
public struct ItemRequest: Equatable, Sendable {
    /// The values by their names.
    public var values: [String: ItemValue]
    /// Whether there is a key that is a number.
    public var hasNumberKey = false
    /// Whether there is a key that is neither text nor a number.
    public var hasOtherKey = false

    /// A request with these values.
    public init(_ values: [String: ItemValue] = [:]) { self.values = values }

    /// The value for a name.
    public subscript(name: String) -> ItemValue? {
        get { values[name] }
        set { values[name] = newValue }
    }
}

extension ItemRequest: ExpressibleByDictionaryLiteral {
    /// A request with these values, of which the last for a name counts.
    public init(dictionaryLiteral elements: (String, ItemValue)...) {
        self.init(Dictionary(elements) { $1 })
    }
}
