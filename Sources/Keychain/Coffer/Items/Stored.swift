internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

/// An item in the keychain: its attributes, its reference and its revision.
///
/// The attributes can be read directly from this value. It does not contain the secret; use
/// `withSecret` of ``Keychain`` to read it.
///
/// ```swift
/// if let stored = try keychain.item(GenericPassword.self, where: .service("mail")) {
///     print(stored.account, stored.revision.number)
/// }
/// ```
@dynamicMemberLookup public struct Stored<Item: KeychainItem>: Equatable, Sendable {
    /// The attributes of the item.
    public let item: Item
    /// The permanent reference to the item.
    public let reference: KeychainReference<Item>
    /// The revision of the item.
    public let revision: ItemRevision
    /// When the item was added.
    public let created: KeychainDate
    /// When the item was last changed, or added if it never was.
    public let modified: KeychainDate
    /// Whether the item has a secret, which may be empty.
    public let hasSecret: Bool

    /// A property of the item.
    public subscript<Value>(dynamicMember member: KeyPath<Item, Value>) -> Value { item[keyPath: member] }

    init(_ stored: StoredItem, _ attributes: ItemAttributes, in vault: borrowing OpenGeneration) {
        let group = String(decoding: vault.opening.keyring.groupNames[stored.group] ?? [], as: UTF8.self)
        item = Item(
            attributes: AttributeValues(
                attributes,
                group: group,
                accessibility: Accessibility(stored.protection)
            )
        )
        reference = KeychainReference(stored.name.item, in: group)
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
