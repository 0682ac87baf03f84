package import CofferBasics
internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

/// An item that a query found or an addition made, of any class, with what was asked for.
package struct ItemContent: Sendable {
    package let reference: PersistentReference
    /// The data of the item, if it has any and it was asked for.
    package let secret: HeldSecret?
    private let group: String
    private let accessibility: Accessibility
    /// The stored attributes; nil if they were not needed.
    private let attributes: ItemAttributes?
    private let sha1: [UInt8]

    init(
        _ item: StoredItem,
        _ attributes: ItemAttributes?,
        _ secret: HeldSecret?,
        in vault: borrowing OpenGeneration
    ) {
        reference = PersistentReference(KeychainClass(item.itemClass), item.name.item)
        self.secret = secret
        accessibility = Accessibility(item.protection)
        self.attributes = attributes
        // A request that does not need the attributes does not need the group and the digest either.
        let group = attributes == nil ? nil : vault.opening.keyring.groupNames[item.group]
        self.group = String(decoding: group ?? [], as: UTF8.self)
        sha1 = attributes == nil ? [] : item.revision.sha1(vault: vault.vault)
    }

    /// The attributes with group, protection class and digest, and the defaults of those in the primary key; empty if
    /// they were not needed.
    package var values: [String: ItemValue] {
        guard let attributes else { return [:] }
        var values = Self.defaults(of: attributes.itemClass)
        for (name, value) in attributes.values {
            if let name = name.string { values[name] = ItemValue(value) }
        }
        values[.accessGroup] = .string(group)
        values[.accessibility] = .string(accessibility.rawValue)
        values[.sha1] = .data(sha1)
        if hasAccessControl { values[.accessControl] = .accessControl(accessControl) }
        return values
    }

    /// The values of attributes in the primary key that are not set.
    private static func defaults(of itemClass: ItemClass) -> [String: ItemValue] {
        var values: [String: ItemValue] = [:]
        values[.synchronizable] = .integer(0)
        for name in itemClass.primaryKey {
            values[name] =
                switch itemClass.attributes[name] {
                case .number: .integer(0)
                case .data: .data([])
                case .date: .date(secondsSinceReferenceDate: 0)
                default: .string("")
                }
        }
        return values
    }

    /// When the item can be read, and under which conditions.
    package var accessControl: AccessControl { AccessControl(accessibility, attributes?.accessControl) }

    private var hasAccessControl: Bool { attributes?[.accessControl] != nil }

    /// Whether this is a private key that may only be used, and demands the user for that.
    package var isPrivateKeyForUse: Bool { attributes?.isPrivateKeyForUse ?? false }

    /// Whether this is a key whose data must not leave the keychain.
    package var isHiddenKey: Bool {
        reference.itemClass == .key && (attributes?[.isExtractable] == .integer(0) || isPrivateKeyForUse)
    }
}

/// What matches a query: an item, or the certificate and the key of an identity.
package struct QueryMatch: Sendable {
    /// The item, or the certificate.
    package let item: ItemContent
    /// The key of an identity.
    package var key: ItemContent?

    package init(_ item: ItemContent, key: ItemContent? = nil) { (self.item, self.key) = (item, key) }
}
