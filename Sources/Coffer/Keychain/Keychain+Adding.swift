internal import CofferBasics
internal import KeyedArchive
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

extension Keychain {
    /// Adds an item.
    package func add(_ addition: Addition) throws(KeychainError) -> ItemAnswer {
        try change { (transaction) throws(KeychainError) in try addition.answer(in: &transaction) }
    }

    /// Adds the two items that make up an identity, or the one of them that is not there.
    ///
    /// If both are there, that is the error ``KeychainError/duplicateItem``. What comes back is the persistent reference of
    /// the identity, if the addition of the certificate asks for it and the certificate is new; nothing else does.
    package func add(certificate: Addition, key: Addition) throws(KeychainError) -> ItemAnswer {
        guard certificate.query.itemClass == .certificate, key.query.itemClass == .key else {
            throw .invalid(.value(of: "class"))
        }
        let isReferenceWanted = certificate.query.returns.contains(.persistentReference)
        var (certificate, key) = (certificate, key)
        certificate.query.returns = [.persistentReference]
        key.query.returns = []
        return try change { [certificate, key] (transaction) throws(KeychainError) in
            let reference = try certificate.answerUnlessThere(in: &transaction)
            let isKeyNew = try key.answerUnlessThere(in: &transaction) != nil
            guard reference != nil || isKeyNew else { throw .duplicateItem }
            guard isReferenceWanted, case .data(let bytes)? = reference,
                let item = PersistentReference(bytes)?.item
            else { return .none }
            return .data(PersistentReference(.identity, item).bytes)
        }
    }

    /// Seconds since 2001 began, UTC.
    package var now: Double { Double(store.environment.time.wallMicroseconds()) / 1e6 - 978_307_200 }
}

/// An item that is to be added, as far as it can be known without the vault.
package struct Addition: Sendable {
    var query: Query
    let attributes: ItemAttributes
    let group: String
    let accessibility: Accessibility

    /// Adds the item with the data of the request, and tells what the request asks for.
    func answer(in transaction: inout Transaction) throws(KeychainError) -> ItemAnswer {
        let data = query.data
        let added = try insert(secret: data?.span, in: &transaction)
        guard !query.returns.isEmpty else { return .none }
        let description = ItemDescription(
            itemClass: query.itemClass,
            group: group,
            accessibility: accessibility,
            attributes: attributes,
            sha1: added.revision.sha1(vault: transaction.vault.vault),
            item: added.name.item,
            readData: data.map { ReadData($0.span) }
        )
        // An addition gives empty data for an item without; a query gives nothing.
        if query.returns == .data { return .data(data ?? []) }
        return description.answer(query.returns, values: description.addedValues) ?? .nothing
    }

    /// Adds the item, or gives nil if another one has its primary key.
    func answerUnlessThere(in transaction: inout Transaction) throws(KeychainError) -> ItemAnswer? {
        do throws(KeychainError) {
            return try answer(in: &transaction)
        } catch {
            guard error == .duplicateItem else { throw error }
            return nil
        }
    }

    /// Adds the item with these data.
    func insert(secret: Span<UInt8>?, in transaction: inout Transaction) throws(KeychainError) -> StoredItem {
        try translating(KeychainError.init) { () throws(StoreError) in
            let name = try transaction.add(
                attributes,
                secret: secret,
                group: Array(group.utf8),
                protection: accessibility.protection,
                owner: transaction.vault.owner(for: accessibility.protection)
            )
            guard let added = try transaction.vault.item(name) else { throw .noSuchItem(name) }
            return added
        }
    }
}

extension ItemAttributes {
    /// Attributes of which each is of the right kind already, but for what the format does not take.
    init(_ itemClass: ItemClass, _ values: [AttributeName: ItemValue]) throws(KeychainError) {
        var entries: [(key: ArchiveValue, value: ArchiveValue)] = []
        for (name, value) in values {
            guard let archived = value.archived else { throw .invalid(.value(of: name.rawValue)) }
            entries.append((.string(name.rawValue), archived))
        }
        guard let dictionary = CanonicalDictionary(entries) else { throw .invalid(.value(of: "")) }
        do throws(Fault) {
            try self.init(itemClass, dictionary)
        } catch {
            throw .invalid(.value(of: ""))
        }
    }
}
