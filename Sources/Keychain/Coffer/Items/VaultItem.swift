/// An item whose value follows the vault: it is read each time, and ``projectedValue`` tells of changes.
///
/// ```swift
/// @VaultItem(where: .service("mail")) var login: Result<Stored<GenericPassword>?, KeychainError>
/// ```
///
/// The value is a result, since an item that is locked is not absent.
@propertyWrapper public struct VaultItem<Item: KeychainItem>: Sendable {
    private let conditions: [ItemCondition<Item>]
    private let keychain: Keychain

    /// Creates the property for the oldest item that matches all conditions.
    public init(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...,
        in keychain: Keychain = .default
    ) {
        self.conditions = conditions
        self.keychain = keychain
    }

    /// The item as it is now; nil stands for no item.
    public var wrappedValue: Result<Stored<Item>?, KeychainError> {
        keychain.state(of: Item.self, where: .all(conditions))
    }

    /// The states of the item from now on, as ``Keychain/updates(of:where:)``.
    public var projectedValue: AsyncStream<Result<Stored<Item>?, KeychainError>> {
        keychain.updates(of: Item.self, where: .all(conditions))
    }
}
