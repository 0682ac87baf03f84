internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

/// An item to add, as far as it is known without the vault.
package struct Addition: Sendable {
    package let query: Query
    let attributes: ItemAttributes
    let group: String
    let accessibility: Accessibility

    /// The existing item with the same primary key, if there is one.
    func existingItem(
        in vault: inout OpenGeneration,
        _ authentication: Authentication
    ) throws -> ItemSearch.Found? {
        guard let group = vault.keyring.group(named: Array(group.utf8))?.group else { return nil }
        guard let existingItem = try vault.items(withPrimaryKeyOf: attributes, in: group).first else { return nil }
        let attributes = try vault.attributes(of: existingItem)
        let sealed = try vault.sealedSecret(of: existingItem, attributes)
        guard try authentication.allows(attributes, sealed) else { throw KeychainError.authenticationRequired }
        return ItemSearch.Found(item: existingItem, attributes: attributes)
    }
}

extension ItemAttributes {
    /// Creates attributes from values of the right kind; throws if the format cannot store them.
    init(_ itemClass: ItemClass, _ values: AttributeList) throws(KeychainError) {
        var entries: [(key: ArchiveValue, value: ArchiveValue)] = []
        for (name, value) in values.entries {
            guard let archived = value.archived else { throw .invalid(.value(of: name.rawValue)) }
            entries.append((.string(name.rawValue), archived))
        }
        guard let dictionary = CanonicalDictionary(entries) else { throw .invalid(.value(of: "")) }
        do {
            try self.init(itemClass, dictionary)
        } catch {
            throw .invalid(.value(of: ""))
        }
    }
}
