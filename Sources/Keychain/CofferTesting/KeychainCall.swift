public import Coffer

/// A recorded call of a keychain, without the secrets in it.
///
/// Calls of `SecItem` and of `Keychain` look alike. A method that does several things, such as `save`, is one call; a
/// transaction is one call, and the calls within it are recorded separately.
///
/// ```swift
/// let call = try #require(TestKeychain.current.calls.last)
/// #expect(call.operation == .add)
/// #expect(call.itemClass == .genericPassword)
/// #expect(call.attributes[kSecAttrAccount as String] == "kim")
/// #expect(call.carriesSecret)
/// ```
public struct KeychainCall: Equatable, Sendable {
    /// The operation of a call.
    public typealias Operation = KeychainOperation

    /// The number of the call, starting with 1.
    public let number: Int
    /// The operation.
    public let operation: Operation
    /// The class of the items; nil if the call does not name one.
    public let itemClass: KeychainClass?
    /// The item or the conditions that the caller passed, by Apple's names; never `v_Data`.
    ///
    /// Typed conditions appear as the values they stand for, references as `v_PersistentRef`.
    public let attributes: [String: ItemValue]
    /// The changes passed to `SecItemUpdate`, by Apple's names; never `v_Data`.
    ///
    /// Changes made by a closure are not known when the call begins.
    public let changes: [String: ItemValue]
    /// Whether the caller passed a secret.
    public let carriesSecret: Bool
    /// Whether the call is part of a transaction.
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
