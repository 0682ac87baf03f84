internal import KeyedArchive
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

extension Keychain {
    /// Adds an item: `SecItemAdd`.
    @discardableResult
    public func add(_ request: ItemRequest) throws(KeychainError) -> ItemAnswer {
        let item = try newItem(request)
        return try change { (transaction) throws(KeychainError) in try insert(item, &transaction) }
    }

    /// Adds the two items that make up an identity, or the one of them that is not there: `SecItemAdd` with a
    /// `SecIdentity`.
    ///
    /// If both are there, that is the error ``KeychainError/duplicateItem``. What comes back is the persistent reference of
    /// the identity, if the request for the certificate asks for it and the certificate is new; nothing else does.
    @discardableResult
    public func addIdentity(
        certificate: ItemRequest,
        key: ItemRequest
    ) throws(KeychainError) -> ItemAnswer {
        var (certificate, key) = (try newItem(certificate), try newItem(key))
        guard certificate.parsed.itemClass == .certificate, key.parsed.itemClass == .key else {
            throw .invalid(.value(of: "class"))
        }
        let isReferenceWanted = certificate.parsed.returns.contains(.persistentReference)
        certificate.parsed.returns = [.persistentReference]
        key.parsed.returns = []
        return try change { [certificate, key] (transaction) throws(KeychainError) in
            let reference = try insertUnlessThere(certificate, &transaction)
            let isKeyNew = try insertUnlessThere(key, &transaction) != nil
            guard reference != nil || isKeyNew else { throw .duplicateItem }
            guard isReferenceWanted, case .data(let bytes)? = reference,
                let item = PersistentReference(bytes)?.item
            else { return .none }
            return .data(PersistentReference(.identity, item).bytes)
        }
    }

    private struct NewItem: Sendable {
        var parsed: ParsedRequest
        let attributes: ItemAttributes
        let group: String
        let accessibility: Accessibility
    }

    private func newItem(_ request: ItemRequest) throws(KeychainError) -> NewItem {
        try request.checkForm(for: .add)
        try groups.checkAny(for: .add)
        let parsed = try ParsedRequest(request, for: .add)
        try Self.checkAddition(parsed)
        let named = try groups.named(parsed.group, for: .add)
        let group = if let named { named } else { try groups.defaultName(for: .add) }
        let accessibility = parsed.accessibility ?? parsed.accessControl?.accessibility
        return NewItem(
            parsed: parsed,
            attributes: try newAttributes(parsed),
            group: group,
            accessibility: accessibility ?? Self.defaultAccessibility(parsed.itemClass, group)
        )
    }

    private static func checkAddition(_ parsed: ParsedRequest) throws(KeychainError) {
        if let key = parsed.matches.keys.first { throw .invalid(.keyNotAllowedHere(key)) }
        if parsed.hasLimit { throw .invalid(.keyNotAllowedHere("m_Limit")) }
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        // Identities come as references, which are taken apart before.
        if parsed.itemClass == .identity { throw .invalid(.value(of: "class")) }
    }

    private static func defaultAccessibility(_ itemClass: KeychainClass, _ group: String) -> Accessibility {
        if group.isText("com.apple.apsd") { return .alwaysThisDeviceOnly }
        return itemClass == .certificate ? .always : .whenUnlocked
    }

    private func newAttributes(_ parsed: ParsedRequest) throws(KeychainError) -> ItemAttributes {
        var values = parsed.attributes
        if case .value(let value) = parsed.synchronizability { values["sync"] = value }
        let now = ItemValue.date(secondsSinceReferenceDate: now)
        values["cdat"] = now
        values["mdat"] = now
        if let accessControl = parsed.accessControl, accessControl.conditions != nil {
            values["accc"] = .accessControl(accessControl)
        }
        return try ItemAttributes(parsed.itemClass.stored[0], values)
    }

    /// Seconds since 2001 began, UTC.
    var now: Double { Double(store.environment.time.wallMicroseconds()) / 1e6 - 978_307_200 }

    /// Adds an item, or gives nil if another one has its primary key.
    private func insertUnlessThere(
        _ item: NewItem,
        _ transaction: inout Transaction
    ) throws(KeychainError) -> ItemAnswer? {
        do throws(KeychainError) {
            return try insert(item, &transaction)
        } catch {
            guard error == .duplicateItem else { throw error }
            return nil
        }
    }

    private func insert(_ item: NewItem, _ transaction: inout Transaction) throws(KeychainError) -> ItemAnswer {
        let parsed = item.parsed
        let protection = item.accessibility.protection
        let (name, revision) = try translating(KeychainError.init) { () throws(StoreError) in
            let name = try transaction.add(
                item.attributes,
                secret: parsed.data?.span,
                group: Array(item.group.utf8),
                protection: protection,
                owner: owner(for: protection)
            )
            return (name, try transaction.vault.item(name)?.revision)
        }
        guard !parsed.returns.isEmpty, let revision else { return .none }
        let added = ItemDescription(
            itemClass: parsed.itemClass,
            group: item.group,
            accessibility: item.accessibility,
            attributes: item.attributes,
            sha1: revision.sha1(vault: transaction.vault.vault, suite: transaction.vault.environment.suite),
            item: name.item,
            data: parsed.data
        )
        // An addition gives empty data for an item without; a query gives nothing.
        if parsed.returns == .data { return .data(parsed.data ?? []) }
        return added.answer(parsed.returns, values: added.addedValues) ?? .nothing
    }
}

extension ItemAttributes {
    /// Attributes of which each is of the right kind already, but for what the format does not take.
    init(_ itemClass: ItemClass, _ values: [String: ItemValue]) throws(KeychainError) {
        var entries: [(key: ArchiveValue, value: ArchiveValue)] = []
        for (name, value) in values {
            guard let archived = value.archived else { throw .invalid(.value(of: name)) }
            entries.append((.string(name), archived))
        }
        guard let dictionary = CanonicalDictionary(entries) else { throw .invalid(.value(of: "")) }
        do throws(Fault) {
            try self.init(itemClass, dictionary)
        } catch {
            throw .invalid(.value(of: ""))
        }
    }
}
