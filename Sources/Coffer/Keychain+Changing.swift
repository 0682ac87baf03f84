internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

extension Keychain {
    /// Changes all items that a query is about, or none: `SecItemUpdate`.
    public func update(_ query: ItemRequest, with changes: ItemRequest) throws(KeychainError) {
        try query.checkForm(for: .update)
        try changes.checkObjects()
        try groups.checkAny(for: .update)
        _ = try groups.named(query["agrp"], for: .update)
        let parsed = try ParsedRequest(query, for: .update)
        try Self.checkConditions(parsed)
        if !parsed.returns.isEmpty { throw .invalid(.keyNotAllowedHere("r_")) }
        if parsed.hasItemList { throw .invalid(.keyNotAllowedHere("u_ItemList")) }
        guard parsed.itemClass != .identity else { return try updateIdentities(parsed, with: changes) }
        let changes = try ParsedChanges(changes, of: parsed.itemClass)
        let group = try groups.named(changes.group, for: .update)
        let search = try search(parsed, for: .update)
        try change { (transaction) throws(KeychainError) in
            let found = try search.items(in: &transaction.vault, limit: .max) { match, _ in match }.elements()
            var damages: [StoreError] = []
            for match in found {
                if let damage = try apply(changes, to: match, group: group, &transaction) { damages.append(damage) }
            }
            // What is damaged is left as it is, as it is left out of lists.
            if let damage = damages.first, damages.count == found.count { throw KeychainError(damage) }
        }
    }

    /// Deletes all items that a query is about: `SecItemDelete`.
    public func delete(_ query: ItemRequest) throws(KeychainError) {
        try query.checkForm(for: .delete)
        try groups.checkAny(for: .delete)
        _ = try groups.named(query["agrp"], for: .delete)
        let parsed = try ParsedRequest(query, for: .delete)
        try Self.checkConditions(parsed)
        guard parsed.itemClass != .identity else { return try deleteIdentities(parsed) }
        let search = try search(parsed, for: .delete)
        try change { (transaction) throws(KeychainError) in
            let found = try search.items(in: &transaction.vault, limit: .max) { match, _ in match }.elements()
            try translating(KeychainError.init) { () throws(StoreError) in
                for match in found { try transaction.delete(match.item) }
            }
        }
    }

    /// What changes or deletes takes all that match, and no conditions but attributes.
    static func checkConditions(_ parsed: ParsedRequest) throws(KeychainError) {
        if let key = parsed.matches.keys.first { throw .invalid(.keyNotAllowedHere(key)) }
        if parsed.hasLimit { throw .invalid(.keyNotAllowedHere("m_Limit")) }
    }

    /// Changes an item, or says how its data are damaged, which are to be kept and cannot be read.
    func apply(
        _ changes: ParsedChanges,
        to match: ItemSearch.Found,
        group: String?,
        _ transaction: inout Transaction
    ) throws(KeychainError) -> StoreError? {
        guard let old = match.attributes else { throw .itemNotFound }
        let attributes = try changed(old, changes)
        let accessibility = changes.accessibility ?? changes.accessControl?.accessibility
        let target = group.flatMap { isIn($0, match.item, transaction.vault) ? nil : $0 }
        do throws(StoreError) {
            if let data = changes.data {
                try write(match.item, attributes, .replace(data.span), accessibility, target, &transaction)
            } else {
                try write(match.item, attributes, .keep, accessibility, target, &transaction)
            }
            return nil
        } catch {
            // Anything else, such as a damaged page, is about more than this item.
            guard case .invalidItem = error, error.isDamageOfAnItem else { throw KeychainError(error) }
            return error
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

    private func changed(_ old: ItemAttributes, _ changes: ParsedChanges) throws(KeychainError) -> ItemAttributes {
        var values: [String: ItemValue] = [:]
        for (name, value) in old.values { if let name = name.string { values[name] = ItemValue(value) } }
        values["accc"] = nil
        for (name, value) in changes.attributes { values[name] = value }
        if let synchronizable = changes.synchronizable { values["sync"] = synchronizable }
        if let creationDate = changes.creationDate { values["cdat"] = creationDate }
        values["mdat"] = .date(secondsSinceReferenceDate: later(than: old["mdat"]))
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
