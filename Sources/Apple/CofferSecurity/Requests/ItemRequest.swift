public import Coffer
internal import CofferCertificates

/// An unchecked request to the keychain: values by Apple's names.
///
/// ```swift
/// var request: ItemRequest = ["class": "genp", "svce": "mail"]
/// request["r_Data"] = true
/// let answer = try keychain.find(request)
/// ```
public struct ItemRequest: Equatable, Sendable {
    /// The values by name.
    public var values: [String: ItemValue]
    /// Whether any key is a number.
    public var hasNumberKey = false
    /// Whether any key is neither a string nor a number.
    public var hasOtherKey = false
    /// The policy of `m_Policy`, which the value does not hold.
    var policy: TrustPolicy?
    /// The context of `u_AuthCtx`, which the value does not hold.
    var context: AuthenticationContext?

    /// Creates a request with these values.
    public init(_ values: [String: ItemValue] = [:]) { self.values = values }

    /// The value for a name.
    public subscript(name: String) -> ItemValue? {
        get { values[name] }
        set { values[name] = newValue }
    }
}

extension ItemRequest: ExpressibleByDictionaryLiteral {
    /// Creates a request with these values; the last value for a name wins.
    public init(dictionaryLiteral elements: (String, ItemValue)...) {
        self.init(Dictionary(elements) { $1 })
    }
}
