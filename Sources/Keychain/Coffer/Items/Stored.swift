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

/// A source of answers to requests: an item, or the two that make up an identity.
protocol AnswerSource {
    var itemClass: KeychainClass { get }
    /// The data, if the item has any and it was read.
    var data: [UInt8]? { get }
    /// Other data that a dictionary contains next to the data, by name.
    var accompanyingData: [String: [UInt8]] { get }
    var persistentReference: [UInt8] { get }
    /// The contents for an object, if it is a certificate, a key or an identity.
    var reference: ItemReference? { get }
}

extension AnswerSource {
    var accompanyingData: [String: [UInt8]] { [:] }

    /// The answer about one item, or nil if the item does not have the one thing that was asked for.
    func answer(
        _ returns: Query.Returns,
        values: @autoclosure () -> [String: ItemValue]
    ) -> ItemAnswer? {
        switch returns {
        case .data: return data.map { .data($0) }
        case .persistentReference: return .data(persistentReference)
        case .reference: return reference.map { .reference($0) }
        default: return .dictionary(dictionary(returns, values: values()))
        }
    }

    private func dictionary(_ returns: Query.Returns, values: [String: ItemValue]) -> ItemDictionary {
        // A request for data and persistent reference returns the attributes too, as in Apple's keychain.
        var dictionary = ItemDictionary(values: values)
        if returns.contains(.data) {
            if let data { dictionary.values[Query.dataKey] = .data(data) }
            for (name, data) in accompanyingData { dictionary.values[name] = .data(data) }
        }
        if returns.contains(.persistentReference) { dictionary.values["v_PersistentRef"] = .data(persistentReference) }
        if returns.contains(.reference) {
            dictionary.values["class"] = .string(itemClass.rawValue)
            dictionary.reference = reference
        }
        return dictionary
    }
}
