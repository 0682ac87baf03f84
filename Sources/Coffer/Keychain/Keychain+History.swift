internal import CofferBasics
internal import VaultFormat
internal import VaultStore

// The past, as far as the vault keeps it: of the program's own groups, and of what is not locked.
extension Keychain {
    /// What is known of the past of an item, which may be deleted.
    ///
    /// ```swift
    /// for past in try keychain.history(of: stored.reference).revisions {
    ///     print(past.revision.number, past.item?.label ?? "-")
    /// }
    /// ```
    ///
    /// - Parameter reference: What names the item.
    /// - Returns: Its states; one that is locked is there, and does not tell what it said.
    /// - Throws: ``KeychainError/itemNotFound`` if nothing is known of it, and others.
    public func history<Item: KeychainItem>(
        of reference: KeychainReference<Item>
    ) throws(KeychainError) -> ItemHistory<Item> {
        try calls.announce(.readHistory) { reference.request }
        let search = try typedSearch(reference)
        return try read { (vault) throws(KeychainError) in try search.history(Item.self, in: &vault) }
    }

    /// Since when the past of the whole vault is kept; nil if nothing was dropped since it was made.
    ///
    /// States before it may lack something.
    public var historyStart: KeychainDate? {
        get throws(KeychainError) {
            try calls.announce(.readHistory) { [:] }
            return try read { (vault) throws(KeychainError) in
                let start = vault.historySince
                return start == .beginning ? nil : KeychainDate(start.time)
            }
        }
    }

    /// The items that fulfilled all conditions at a moment in the past.
    ///
    /// - Parameters:
    ///   - type: Which items.
    ///   - date: The moment, as the clocks of those who wrote had it.
    ///   - conditions: What the items must have been.
    /// - Returns: The items as they were then, and whether some may be missing.
    /// - Throws: ``KeychainError/locked`` if one that may match is locked, and others.
    public func items<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        at date: KeychainDate,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> PastItems<Item> {
        try items(type, at: date, whereAll: conditions)
    }

    /// The items that fulfilled all conditions at a moment in the past.
    package func items<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        at date: KeychainDate,
        whereAll conditions: [ItemCondition<Item>]
    ) throws(KeychainError) -> PastItems<Item> {
        try calls.announce(.readHistory) { [String: ItemValue](announcing: conditions) }
        let search = try typedSearch(conditions)
        return try read { (vault) throws(KeychainError) in try search.items(Item.self, at: date, in: &vault) }
    }

    /// The last states of items that were deleted, as far as they are kept.
    ///
    /// - Parameters:
    ///   - type: Which items.
    ///   - conditions: What the items must have been.
    /// - Returns: The items as they were last, the oldest first; ``restore(_:ifRevision:)`` brings one back.
    /// - Throws: ``KeychainError/locked`` if one that may match is locked, and others.
    public func deletedItems<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> [PastItem<Item>] {
        try deletedItems(type, whereAll: conditions)
    }

    /// The last states of items that were deleted, as far as they are kept.
    package func deletedItems<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        whereAll conditions: [ItemCondition<Item>]
    ) throws(KeychainError) -> [PastItem<Item>] {
        try calls.announce(.readHistory) { [String: ItemValue](announcing: conditions) }
        let search = try typedSearch(conditions)
        return try read { (vault) throws(KeychainError) in try search.deletedItems(Item.self, in: &vault) }
    }

    /// Lends `body` the secret that an item had, in memory that is wiped afterwards.
    ///
    /// - Parameters:
    ///   - past: The state of the item.
    ///   - body: What needs the bytes; who copies them has to wipe the copy.
    /// - Returns: What `body` returns; nil if the item had no secret then.
    /// - Throws: What `body` throws; ``KeychainError/noSuchRevision`` if it is not kept any more,
    ///   ``KeychainError/locked``, and others.
    public func withSecret<Item: KeychainItem, Result: ~Copyable>(
        of past: PastItem<Item>,
        _ body: (Span<UInt8>) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result? {
        try calls.announce(.readHistory) { past.reference.request }
        try groups.check(past.accessGroup, for: .find)
        let secret = try read { (vault) throws(KeychainError) in
            try translating(KeychainError.ofPast, vault.secret(of: past.past))
        }
        return try secret.lent(to: body)
    }

    /// A copy of the secret that an item had, which cannot be wiped; nil if it had none.
    ///
    /// - Parameter past: The state of the item.
    /// - Returns: The bytes.
    /// - Throws: ``KeychainError/noSuchRevision`` if it is not kept any more, ``KeychainError/locked``, and others.
    public func secret<Item: KeychainItem>(of past: PastItem<Item>) throws(KeychainError) -> [UInt8]? {
        try withSecret(of: past) { bytes in [UInt8](copying: bytes) }
    }

    // MARK: - Bringing back

    /// Makes an item what it was, secret and group and protection too: as a new revision, or anew if it was deleted.
    ///
    /// It keeps its reference, its date of creation and its place in the order.
    ///
    /// ```swift
    /// if let gone = try keychain.deletedItems(GenericPassword.self, where: .service("mail")).last {
    ///     try keychain.restore(gone)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - past: What the item was.
    ///   - expected: The revision that the caller takes for the current one; nil to replace whatever is there.
    /// - Returns: The item as it is now.
    /// - Throws: ``KeychainError/duplicateItem`` if another item has its primary key now, ``KeychainError/noSuchRevision``
    ///   if it is not kept any more, ``KeychainError/revisionDiffers``, ``KeychainError/locked``, and others.
    @discardableResult
    public func restore<Item: KeychainItem>(
        _ past: PastItem<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.restore) { past.reference.request }
        return try changeItems { (transaction) throws(KeychainError) in
            try transaction.restore(past, ifRevision: expected)
        }
    }

    /// Takes the last change of an item back, or its deletion: what it was before comes back as a new revision.
    ///
    /// That is a change too: undone twice, the item is what it was at first.
    ///
    /// - Parameters:
    ///   - reference: What names the item.
    ///   - expected: The revision that the caller takes for the current one; nil to replace whatever is there.
    /// - Returns: The item as it is now.
    /// - Throws: ``KeychainError/noSuchRevision`` if there is nothing before it, or it is not kept any more,
    ///   ``KeychainError/itemNotFound`` if nothing is known of it, and what ``restore(_:ifRevision:)`` throws.
    @discardableResult
    public func undo<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) -> Stored<Item> {
        try calls.announce(.restore) { reference.request }
        return try changeItems { (transaction) throws(KeychainError) in
            try transaction.undo(reference, ifRevision: expected)
        }
    }
}

extension KeychainError {
    /// What it means that a past state cannot be read.
    static func ofPast(_ error: StoreError) -> KeychainError {
        if case .noSuchItem = error { .noSuchRevision } else { KeychainError(error) }
    }
}
