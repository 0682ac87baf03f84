public import Coffer

/// A call of a keychain that a test has seen, without the secrets in it.
///
/// Calls of `SecItem` and of `Keychain` look alike. One that does several things at once, as `save` does, is one
/// call; a transaction is one, and what happens in it are others.
///
/// ```swift
/// let call = try #require(TestKeychain.current.calls.last)
/// #expect(call.operation == .add)
/// #expect(call.itemClass == .genericPassword)
/// #expect(call.attributes[kSecAttrAccount as String] == "kim")
/// #expect(call.carriesSecret)
/// ```
public struct KeychainCall: Equatable, Sendable {
    /// What a call does.
    public typealias Operation = KeychainOperation

    /// Which call it is: 1 for the first.
    public let number: Int
    /// What it does.
    public let operation: Operation
    /// What it is about, if it has said so.
    public let itemClass: KeychainClass?
    /// The item, or the conditions, as the caller has given them by Apple's names; never `v_Data`.
    ///
    /// A typed condition is here as what it stands for, a reference as `v_PersistentRef`.
    public let attributes: [String: ItemValue]
    /// What `SecItemUpdate` is to change, by Apple's names; never `v_Data`.
    ///
    /// What a closure will change is not known when the call begins.
    public let changes: [String: ItemValue]
    /// Whether the caller has given a secret.
    public let carriesSecret: Bool
    /// Whether the call is a part of a transaction.
    public let isInTransaction: Bool

    init(_ call: ObservedCall, number: Int) {
        self.number = number
        operation = call.operation
        itemClass = if case .string(let name)? = call.request["class"] { KeychainClass(rawValue: name) } else { nil }
        attributes = call.request.filter { $0.key != "class" }
        changes = call.changes
        carriesSecret = call.carriesSecret
        isInTransaction = call.isInTransaction
    }
}
