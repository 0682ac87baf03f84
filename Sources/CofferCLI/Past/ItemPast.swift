internal import Coffer

/// The past of what is called so: of the item that is there or was deleted last, and of those that had its name before.
struct ItemPast {
    /// What names the items, the newest first.
    let references: [PersistentReference]
    /// What the newest is, or was last.
    let newest: FoundItem
    /// The states of each item, the newest first.
    let states: [[FoundPast]]
    /// Whether nothing of it is missing.
    let isWhole: Bool
}

extension ItemSelection {
    /// The past of the one item that is meant, which may be deleted.
    func past(in keychain: Keychain) throws -> ItemPast {
        var found: [[String]: [FoundItem]] = [:]
        var names: [[String]] = []
        // Those that are there first, then the deleted ones, the last deleted first.
        for item in try items(in: keychain) + deletedItems(in: keychain) {
            if found[item.name] == nil { names.append(item.name) }
            found[item.name, default: []].append(item)
        }
        guard names.count < 2 else { throw ambiguous(names.compactMap { found[$0]?.first }) }
        guard let name = names.first, let items = found[name], let newest = items.first else {
            var error = notFound
            error.hints = ["nothing is known of its past either"] + error.hints
            throw error
        }
        var states: [[FoundPast]] = []
        var isWhole = true
        for item in items {
            guard let type = item.itemClass.itemType else { continue }
            let history = try history(type, item.reference, in: keychain)
            states.append(history.states)
            isWhole = isWhole && history.isWhole
        }
        return ItemPast(references: items.map(\.reference), newest: newest, states: states, isWhole: isWhole)
    }

    /// The last states of items that were deleted, the last deleted first.
    private func deletedItems(in keychain: Keychain) throws -> [FoundItem] {
        var found: [FoundPast] = []
        for type in classes.compactMap(\.itemType) { found += try deletedItems(type, in: keychain) }
        let latest = found.sorted { one, other in
            (one.ended?.secondsSince1970 ?? 0) > (other.ended?.secondsSince1970 ?? 0)
        }
        return latest.compactMap(\.item)
    }

    private func deletedItems<Item: KeychainItem>(
        _ type: Item.Type,
        in keychain: Keychain
    ) throws -> [FoundPast] {
        guard let conditions = conditions(for: Item.self) else { return [] }
        return try keychain.deletedItems(Item.self, whereAll: conditions).map { FoundPast($0) }
    }

    private func history<Item: KeychainItem>(
        _ type: Item.Type,
        _ reference: PersistentReference,
        in keychain: Keychain
    ) throws -> (states: [FoundPast], isWhole: Bool) {
        guard let reference = KeychainReference<Item>(reference) else { throw KeychainError.itemNotFound }
        let history = try keychain.history(of: reference)
        return (history.revisions.map { FoundPast($0) }, history.isWhole)
    }
}

extension FoundItem {
    /// What tells the item from all others that are there: class, group and primary key.
    var name: [String] {
        let key = itemClass.primaryKey + KeychainClass.sharedPrimaryKey
        return [itemClass.rawValue, group] + key.map { attributes[$0].map { "\($0)" } ?? "" }
    }
}

extension Run {
    /// The past of the one item that is meant, and what `body` makes of it.
    func withPast<Result>(
        _ selection: ItemSelection,
        for use: KeychainUse = .reading,
        _ body: (ItemPast, Keychain) throws -> Result
    ) throws -> Result {
        try vaults.withKeychain(for: use) { keychain in try body(selection.past(in: keychain), keychain) }
    }
}
