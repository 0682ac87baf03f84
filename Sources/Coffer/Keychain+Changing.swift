internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

extension Keychain {
    /// Changes all items that a query is about, or none: `SecItemUpdate`.
    public func update(_ query: ItemRequest, with changes: ItemRequest) throws(KeychainError) {
        let update = try self.update(of: query, to: changes)
        try change { (transaction) throws(KeychainError) in try apply(update, &transaction) }
    }

    /// Deletes all items that a query is about: `SecItemDelete`.
    public func delete(_ query: ItemRequest) throws(KeychainError) {
        let search = try deletion(query)
        try change { (transaction) throws(KeychainError) in try Self.delete(search, &transaction) }
    }

    /// What an update is about, and what it changes.
    struct Update {
        let search: ItemSearch
        let changes: ParsedChanges
    }

    func update(of query: ItemRequest, to changes: ItemRequest) throws(KeychainError) -> Update {
        try query.checkForm(for: .update)
        try changes.checkAccessControl()
        try groups.checkAny(for: .update)
        _ = try groups.named(query["agrp"], for: .update)
        let parsed = try ParsedRequest(query, for: .update)
        try Self.checkConditions(parsed)
        if !parsed.returns.isEmpty { throw .invalid(.keyNotAllowedHere("r_")) }
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        let changes = try ParsedChanges(changes, of: parsed.itemClass)
        _ = try groups.named(changes.group, for: .update)
        return Update(search: try search(parsed, for: .update), changes: changes)
    }

    func apply(_ update: Update, _ transaction: inout Transaction) throws(KeychainError) {
        let found = try update.search.items(in: &transaction.vault, limit: .max)
        guard !found.isEmpty else { throw .itemNotFound }
        for match in found {
            if let data = update.changes.data {
                try apply(update.changes, .replace(data.span), to: match, &transaction)
            } else {
                try apply(update.changes, .keep, to: match, &transaction)
            }
        }
    }

    /// What a deletion is about.
    func deletion(_ query: ItemRequest) throws(KeychainError) -> ItemSearch {
        try query.checkForm(for: .delete)
        try groups.checkAny(for: .delete)
        _ = try groups.named(query["agrp"], for: .delete)
        let parsed = try ParsedRequest(query, for: .delete)
        try Self.checkConditions(parsed)
        return try search(parsed, for: .delete)
    }

    static func delete(_ search: ItemSearch, _ transaction: inout Transaction) throws(KeychainError) {
        let found = try search.items(in: &transaction.vault, limit: .max)
        guard !found.isEmpty else { throw .itemNotFound }
        try translating(KeychainError.init) { () throws(StoreError) in
            for match in found { try transaction.delete(match.item) }
        }
    }

    /// What changes or deletes takes all that match, and no conditions but attributes.
    private static func checkConditions(_ parsed: ParsedRequest) throws(KeychainError) {
        if let key = parsed.matches.keys.first { throw .invalid(.keyNotAllowedHere(key)) }
        if parsed.hasLimit { throw .invalid(.keyNotAllowedHere("m_Limit")) }
    }

    /// Changes one item, and its data as `secret` says.
    func apply(
        _ changes: ParsedChanges,
        _ secret: SecretChange,
        to match: ItemSearch.Found,
        _ transaction: inout Transaction
    ) throws(KeychainError) {
        guard let old = match.attributes else { throw .itemNotFound }
        let attributes = try changed(old, changes, after: old)
        let accessibility = changes.accessibility ?? changes.accessControl?.accessibility
        let group = try groups.named(changes.group, for: .update)
        let target = group.flatMap { isIn($0, match.item, transaction.vault) ? nil : $0 }
        try translating(KeychainError.init) { () throws(StoreError) in
            try write(match.item, attributes, secret, accessibility, target, &transaction)
        }
    }

    /// Writes an item anew, in another group or with another protection where that is told.
    private func write(
        _ item: StoredItem,
        _ attributes: ItemAttributes,
        _ secret: SecretChange,
        _ accessibility: Accessibility?,
        _ group: String?,
        _ transaction: inout Transaction
    ) throws(StoreError) {
        let protection = accessibility?.protection
        guard let group else {
            return try transaction.update(
                item,
                attributes: attributes,
                secret: secret,
                protection: protection,
                owner: protection.map { owner(for: $0) } ?? .none
            )
        }
        try transaction.move(
            item,
            to: Array(group.utf8),
            attributes: attributes,
            secret: secret,
            protection: protection ?? item.protection,
            owner: owner(for: protection ?? item.protection)
        )
    }

    private func isIn(_ group: String, _ item: StoredItem, _ vault: OpenGeneration) -> Bool {
        vault.opening.keyring.groupNames[item.group].map { $0.elementsEqual(group.utf8) } ?? false
    }

    /// What `old` is after a change to an item that is `latest` now.
    func changed(
        _ old: ItemAttributes,
        _ changes: ParsedChanges,
        after latest: ItemAttributes
    ) throws(KeychainError) -> ItemAttributes {
        var values: [String: ItemValue] = [:]
        for (name, value) in old.values { if let name = name.string { values[name] = ItemValue(value) } }
        values["accc"] = nil
        for name in changes.removedNames { values[name] = nil }
        for (name, value) in changes.attributes { values[name] = value }
        if let synchronizable = changes.synchronizable { values["sync"] = synchronizable }
        if let creationDate = changes.creationDate { values["cdat"] = creationDate }
        values["mdat"] = .date(secondsSinceReferenceDate: later(than: latest["mdat"]))
        if let kept = accessControl(of: old, changes) { values["accc"] = .accessControl(kept) }
        return try ItemAttributes(old.itemClass, values)
    }

    /// The conditions that an item has after a change: a new protection takes the former ones away.
    private func accessControl(of old: ItemAttributes, _ changes: ParsedChanges) -> AccessControl? {
        if let new = changes.accessControl { return new.conditions == nil ? nil : new }
        guard changes.accessibility == nil, case .integer(let flags)? = old["accc"]?["flags"] else { return nil }
        return AccessControl(stored: .whenUnlocked, .init(rawValue: UInt32(truncatingIfNeeded: flags)))
    }

    /// Now, and later than the item was changed before, also when the clock stands still or was set back.
    private func later(than date: ArchiveValue?) -> Double {
        guard case .date(let before)? = date else { return now }
        return max(now, before + 0.001)
    }
}
