internal import KeyedArchive
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

extension Keychain {
    /// Adds an item.
    package func add(_ addition: Addition) throws(KeychainError) -> ItemAnswer {
        try change(creatingVault: true) { (transaction, authentication) in
            try addition.answer(in: &transaction, authentication)
        }
    }

    /// Adds the two items that make up an identity, or the one of them that is missing.
    ///
    /// If both already exist, ``KeychainError/duplicateItem`` is thrown. The answer is the persistent reference of the
    /// identity if the addition of the certificate asks for it and the certificate is new; otherwise it is empty.
    package func add(certificate: Addition, key: Addition) throws(KeychainError) -> ItemAnswer {
        guard certificate.query.itemClass == .certificate, key.query.itemClass == .key else {
            throw .invalid(.value(of: "class"))
        }
        let isReferenceWanted = certificate.query.returns.contains(.persistentReference)
        var (certificate, key) = (certificate, key)
        certificate.query.returns = [.persistentReference]
        key.query.returns = []
        return try change(creatingVault: true) { [certificate, key] (transaction, authentication) in
            let reference = try certificate.answerUnlessThere(in: &transaction, authentication)
            let isKeyNew = try key.answerUnlessThere(in: &transaction, authentication) != nil
            guard reference != nil || isKeyNew else { throw KeychainError.duplicateItem }
            guard isReferenceWanted, case .data(let bytes)? = reference,
                let item = PersistentReference(bytes)?.item
            else { return .notRequested }
            return .data(PersistentReference(.identity, item).bytes)
        }
    }

}

/// An item to add, as far as it is known without the vault.
package struct Addition: Sendable {
    var query: Query
    let attributes: ItemAttributes
    let group: String
    let accessibility: Accessibility

    /// Adds the item with the data of the request, and returns what the request asks for.
    func answer(
        in transaction: inout Transaction,
        _ authentication: Authentication
    ) throws -> ItemAnswer {
        let data = query.data
        let added = try insert(secret: data?.span, in: &transaction, authentication)
        guard !query.returns.isEmpty else { return .notRequested }
        let description = ItemDescription(
            itemClass: query.itemClass,
            group: group,
            accessibility: accessibility,
            attributes: attributes,
            sha1: added.revision.sha1(vault: transaction.vault.vault),
            item: added.name.item,
            readData: data.map { ReadData($0.span) }
        )
        // For an item without data, an addition returns empty data, while a query returns nothing.
        if query.returns == .data { return .data(data ?? []) }
        return description.answer(query.returns, values: description.addedValues) ?? .missing
    }

    /// Adds the item, or returns nil if an item with its primary key already exists.
    func answerUnlessThere(
        in transaction: inout Transaction,
        _ authentication: Authentication
    ) throws -> ItemAnswer? {
        do {
            return try answer(in: &transaction, authentication)
        } catch StoreError.duplicate {
            return nil
        }
    }

    /// Adds the item with this secret.
    func insert(
        secret: Span<UInt8>?,
        in transaction: inout Transaction,
        _ authentication: Authentication
    ) throws -> StoredItem {
        let password = secret == nil ? nil : try authentication.password(for: attributes)
        let name = try transaction.add(
            attributes,
            secret: secret,
            group: Array(group.utf8),
            protection: accessibility.protection,
            owner: transaction.vault.owner(for: accessibility.protection),
            password: password
        )
        guard let added = try transaction.vault.item(name) else { throw StoreError.noSuchItem(name) }
        return added
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
