public import Coffer
internal import CofferBasics
internal import CofferCertificates
internal import CofferLocalAuthentication
internal import Foundation

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

extension ItemRequest {
    /// How the call authenticates the user; nil if the request does not say.
    var authentication: CallAuthentication? {
        // Most requests have none of these keys, and a request has few keys.
        guard context != nil || values.keys.contains(where: { $0.hasPrefix("u_") }) else { return nil }
        var call = CallAuthentication(context: context)
        if case .string(let reason)? = values["u_OpPrompt"] { call.reason = reason }
        call.mayAsk = values["u_AuthUI"] != .string("u_AuthUIF") && values["u_NoAuthUI"] != .bool(true)
        if values["u_AuthUI"] == .string("u_AuthUIS") { call.skippedItems = SkippedItems() }
        return call
    }
}

extension ItemRequest {
    /// Checks what does not depend on the class or on the program's groups; this comes before all other checks.
    func checkForm(for operation: ItemOperation) throws(KeychainError) {
        try Query.checkObjects { values[$0] }
        // A request has few keys, so comparing them is faster than looking up each of these.
        for (key, value) in values {
            switch key {
            case "u_AuthUI" where operation != .find && value == .string("u_AuthUIS"):
                throw .invalid(.keyNotAllowedHere(key))
            case "u_AuthCtx" where values["u_CredRef"] != nil: throw .invalid(.keyNotAllowedHere("u_CredRef"))
            case AttributeName.appClip.rawValue, "v_Ref": throw .invalid(.unknownKey(key))
            default: break
            }
        }
    }
}

extension ItemRequest {
    /// Copies the contents of a dictionary without checking them.
    ///
    /// Invalid keys and values are recorded as such, so that later checks can refuse them.
    init(_ dictionary: CFDictionary) {
        self.init()
        values.reserveCapacity(dictionary.count)
        dictionary.forEachEntry { key, value in
            switch key {
            case let key as NSString:
                let name = key as String
                values[name] = Self.value(value, for: name)
                if let policy = value as? SecPolicy, name == "m_Policy" { self.policy = policy.policy }
                if let context = value as? LAContext, name == "u_AuthCtx" { self.context = context.authentication }
            case is NSNumber: hasNumberKey = true
            default: hasOtherKey = true
            }
        }
    }

    /// Overwrites the copy of the data that this request holds.
    mutating func wipe() { values.wipe(Query.dataKey) }

    /// The only key that takes an array.
    private static let issuers = "m_Issuers"

    private static func value(_ object: AnyObject, for name: String) -> ItemValue {
        guard name == issuers, let values = object as? [Any] else { return ItemValue(object) }
        return .array(values.map { ItemValue($0 as AnyObject) })
    }
}

extension [String: ItemValue] {
    /// Removes the data for `name` and overwrites it, unless it is shared.
    mutating func wipe(_ name: String) {
        guard let index = index(forKey: name), case .data(var bytes) = values[index] else { return }
        self[name] = nil
        bytes.wipe()
    }
}

extension NSDictionary {
    /// Passes the keys and values to `body`, as the objects that the dictionary holds.
    ///
    /// Iterating over the dictionary itself would convert each array, and those nested in it, to Swift arrays: one
    /// nested too deeply for the stack would end the program.
    func forEachEntry(_ body: (_ key: AnyObject, _ value: AnyObject) -> Void) {
        let (keys, values) = (allKeys, allValues)
        for index in keys.indices { body(keys[index] as AnyObject, values[index] as AnyObject) }
    }
}

extension NSMutableDictionary {
    /// Sets the attributes that another dictionary has, that is, the values of keys that are strings.
    func setAttributes(of other: NSDictionary?) {
        other?.forEachEntry { key, value in if let key = key as? NSString { self[key] = value } }
    }
}

extension ItemValue {
    /// Converts a Foundation object in a request; arrays are handled by `ItemRequest`.
    init(_ object: AnyObject) {
        // Casting an object to the classes that the dictionary holds is much faster than casting `Any`, or casting to
        // the types they bridge to.
        switch object {
        case let text as NSString: self = .string(text as String)
        case let bytes as NSData: self = .data(bytes.copiedBytes)
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
