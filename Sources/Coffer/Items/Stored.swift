internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

/// An item as the keychain has it: what it says, what names it, and which state of it this is.
///
/// What the item says can be asked of it directly. The secret is not in it: `withSecret` of ``Keychain``
/// lends it.
///
/// ```swift
/// if let stored = try keychain.item(GenericPassword.self, where: .service("mail")) {
///     print(stored.account, stored.revision.number)
/// }
/// ```
@dynamicMemberLookup public struct Stored<Item: KeychainItem>: Equatable, Sendable {
    /// What the item says.
    public let item: Item
    /// What names the item for good.
    public let reference: KeychainReference<Item>
    /// Which state of the item this is.
    public let revision: ItemRevision
    /// When it was added.
    public let created: KeychainDate
    /// When it was changed last, or added.
    public let modified: KeychainDate
    /// Whether it has a secret, which may be empty.
    public let hasSecret: Bool

    /// What the item says.
    public subscript<Value>(dynamicMember member: KeyPath<Item, Value>) -> Value { item[keyPath: member] }

    init(_ stored: StoredItem, _ attributes: ItemAttributes, in vault: borrowing OpenGeneration) {
        let group = vault.opening.keyring.groupNames[stored.group] ?? []
        item = Item(
            attributes: AttributeValues(
                attributes,
                group: String(decoding: group, as: UTF8.self),
                accessibility: Accessibility(stored.protection)
            )
        )
        reference = KeychainReference(stored.name.item)
        revision = ItemRevision(stored.revision)
        created = KeychainDate(attributes[.creationDate])
        modified = KeychainDate(attributes[.modificationDate])
        hasSecret = stored.hasData
    }
}

extension KeychainDate {
    /// The date of an attribute that all items have.
    init(_ value: ArchiveValue?) { self.init(secondsSinceReferenceDate: value?.date ?? 0) }
}
