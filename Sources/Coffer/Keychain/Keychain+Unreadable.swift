internal import VaultFormat
internal import VaultStore

/// An item that is there and does not tell what it says, since it is locked, or damaged.
package struct UnreadableItem: Equatable, Sendable {
    /// What names the item for good.
    package let reference: PersistentReference
    /// The group that the item belongs to.
    package let accessGroup: String
    /// When it could be read.
    package let accessibility: Accessibility
    /// Whether it is locked; else it is damaged.
    package let isLocked: Bool
    /// Whether the item is known to be meant all the same; else it only may be.
    package let isMeant: Bool

    package init(
        reference: PersistentReference,
        accessGroup: String,
        accessibility: Accessibility,
        isLocked: Bool,
        isMeant: Bool
    ) {
        self.reference = reference
        self.accessGroup = accessGroup
        self.accessibility = accessibility
        self.isLocked = isLocked
        self.isMeant = isMeant
    }
}

/// Items that fulfil conditions, and those that do or may do so and cannot be read.
package struct ItemsAsOpen<Item: KeychainItem>: Sendable {
    /// The items that can be read, the oldest first.
    package var items: [Stored<Item>] = []
    /// The others, the oldest first.
    package var unreadable: [UnreadableItem] = []
    /// Whether there are groups whose contents cannot be read here.
    package var hasClosedGroups = false
}

extension Keychain {
    /// The items that fulfil all conditions, as far as they can be read while the keychain is as locked as it is.
    package func itemsAsOpen<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        whereAll conditions: [ItemCondition<Item>]
    ) throws(KeychainError) -> ItemsAsOpen<Item> {
        try calls.announce(.find) { [String: ItemValue](announcing: conditions) }
        let search = try typedSearch(conditions)
        return try read { (vault) throws(KeychainError) in try search.itemsAsOpen(Item.self, in: &vault) }
    }
}

extension ItemSearch {
    fileprivate func itemsAsOpen<Item: KeychainItem>(
        _ type: Item.Type,
        in vault: inout OpenGeneration
    ) throws(KeychainError) -> ItemsAsOpen<Item> {
        var found = ItemsAsOpen<Item>()
        found.hasClosedGroups = vault.opening.keyring.hasClosedGroups
        // Named one by one, those that are open can be searched whatever others there are.
        let open = groups ?? vault.groupNames.values.map { String(decoding: $0, as: UTF8.self) }.sorted()
        let search = ItemSearch(filter: filter, groups: open, needsAttributes: true, isForDeletion: false)
        let (candidates, areCertain) = try search.candidates(in: &vault)
        for item in candidates {
            switch try search.verdict(on: item, isCertain: areCertain, in: &vault) {
            case .notMeant: continue
            case .meant(let match):
                guard let attributes = match.attributes else { continue }
                found.items.append(Stored(item, attributes, in: vault))
            case .locked: found.unreadable.append(unreadable(item, Item.itemClass, isLocked: true, in: vault))
            case .damaged: found.unreadable.append(unreadable(item, Item.itemClass, isLocked: false, in: vault))
            }
        }
        return found
    }

    private func unreadable(
        _ item: StoredItem,
        _ itemClass: KeychainClass,
        isLocked: Bool,
        in vault: borrowing OpenGeneration
    ) -> UnreadableItem {
        UnreadableItem(
            reference: PersistentReference(itemClass, item.name.item),
            accessGroup: String(decoding: vault.opening.keyring.groupNames[item.group] ?? [], as: UTF8.self),
            accessibility: Accessibility(item.protection),
            isLocked: isLocked,
            isMeant: filter.hasOnlyKeyConditions
        )
    }
}
