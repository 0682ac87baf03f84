internal import VaultFormat
internal import VaultStore

/// An item that exists but cannot be read, because it is locked or damaged.
package struct UnreadableItem: Equatable, Sendable {
    /// The permanent reference to the item.
    package let reference: PersistentReference
    /// The group that the item belongs to.
    package let accessGroup: String
    /// When the item can be read.
    package let accessibility: Accessibility
    /// Whether the item is locked; otherwise it is damaged.
    package let isLocked: Bool
    /// Whether the item certainly matches; otherwise it is unknown whether it does.
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

/// Items that match conditions, and unreadable items that match or may match.
package struct ItemsByReadability<Item: KeychainItem>: Sendable {
    /// The items that can be read, oldest first.
    package var items: [Stored<Item>] = []
    /// The items that cannot be read, oldest first.
    package var unreadable: [UnreadableItem] = []
    /// The number of items that were left out, because their access control demands the user.
    package var guardedCount = 0
    /// Whether there are groups whose contents cannot be read here.
    package var hasClosedGroups = false
    /// The items that the caller knows: they still are as they were when it read them.
    package var unchanged: [PersistentReference] = []
}

/// A long search for items: what need not be read again, and how far it is.
package struct ItemReading {
    /// The revisions that the caller has read before, with the same conditions.
    package let known: [PersistentReference: ItemRevision]
    /// Is told how many items of how many were read, from time to time, and returns false to stop.
    package let shouldContinue: (_ count: Int, _ of: Int) -> Bool

    package init(
        known: [PersistentReference: ItemRevision] = [:],
        shouldContinue: @escaping (_ count: Int, _ of: Int) -> Bool = { _, _ in true }
    ) {
        (self.known, self.shouldContinue) = (known, shouldContinue)
    }
}

extension Keychain {
    /// Returns the items that match all conditions, and unreadable items that match or may match.
    ///
    /// Items that demand the user are left out and counted, unless the items are to be deleted. The closures of
    /// `reading` must not use the keychain.
    package func itemsByReadability<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...,
        forDeletion isForDeletion: Bool = false,
        reading: ItemReading = ItemReading()
    ) throws(KeychainError) -> ItemsByReadability<Item> {
        let skippedItems = SkippedItems()
        return try leavingOut(skippedItems).read(.find, ItemTarget(conditions)) { (search, vault, authentication) in
            var found: ItemsByReadability<Item> = try search.itemsByReadability(
                in: &vault,
                isForDeletion ? nil : authentication,
                reading
            )
            found.guardedCount = skippedItems.count
            return found
        } ?? ItemsByReadability()
    }
}

extension ItemSearch {
    fileprivate func itemsByReadability<Item: KeychainItem>(
        in vault: inout OpenGeneration,
        _ authentication: Authentication?,
        _ reading: ItemReading
    ) throws -> ItemsByReadability<Item> {
        var found = ItemsByReadability<Item>()
        found.hasClosedGroups = vault.opening.keyring.hasClosedGroups
        // If the open groups are named one by one, they can be searched even if others are closed.
        let all = vault.groupNames.values.map { String(decoding: $0, as: UTF8.self) }.sorted()
        let names = scope.names(in: vault)
        let open = SearchScope(
            names: names.map { scope.names == nil ? $0.filter(all.contains) : $0 } ?? all,
            preferred: scope.preferred,
            answer: scope.answer == .first ? .first : .all
        )
        let stopsAfterGroup = open.stopsAfterGroup(in: vault)
        let search = ItemSearch(filter: filter, scope: open, needsAttributes: true, isForDeletion: false)
        let (candidates, areCertain) = try search.candidates(in: &vault)
        var answering: GroupID?
        for (number, item) in candidates.enumerated() {
            if number % 64 == 0, !reading.shouldContinue(number, candidates.count) { break }
            if stopsAfterGroup, let answering, answering != item.name.group { break }
            if !reading.known.isEmpty, item.presence == .readable {
                let reference = PersistentReference(Item.itemClass, item.name.item, in: vault.groupName(of: item))
                if reading.known[reference] == ItemRevision(item.revision) {
                    found.unchanged.append(reference)
                    continue
                }
            }
            switch try search.verdict(on: item, isCertain: areCertain, in: &vault, authentication) {
            case .noMatchingItem: continue
            case .match(let match):
                answering = answering ?? item.name.group
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
        let group = vault.groupName(of: item)
        return UnreadableItem(
            reference: PersistentReference(itemClass, item.name.item, in: group),
            accessGroup: group,
            accessibility: Accessibility(item.protection),
            isLocked: isLocked,
            isMeant: filter.hasOnlyKeyConditions
        )
    }
}

extension OpenGeneration {
    fileprivate func groupName(of item: StoredItem) -> String {
        String(decoding: opening.keyring.groupNames[item.group] ?? [], as: UTF8.self)
    }
}
