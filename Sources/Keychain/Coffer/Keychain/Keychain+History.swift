internal import CofferBasics
internal import VaultFormat
internal import VaultStore

// History, as far as the vault keeps it, of items that are in the program's own groups and are not locked.
extension Keychain {
    /// Returns the known revisions of an item, even if it is deleted.
    ///
    /// ```swift
    /// for past in try keychain.history(of: stored.reference).revisions {
    ///     print(past.revision.number, past.item?.label ?? "-")
    /// }
    /// ```
    ///
    /// - Parameter reference: The reference to the item.
    /// - Returns: The revisions; those that are locked are included, without their attributes.
    /// - Throws: ``KeychainError/itemNotFound`` if no revision is known, or another ``KeychainError``.
    public func history<Item: KeychainItem>(
        of reference: KeychainReference<Item>
    ) throws(KeychainError) -> ItemHistory<Item> {
        let history = try read(.readHistory, ItemTarget(reference)) { try $0.history(Item.self, in: &$1, $2) }
        guard let history else { throw .itemNotFound }
        return history
    }

    /// The date from which the history of the vault is complete; nil if nothing was dropped since it was created.
    ///
    /// The history before this date may be incomplete.
    public var historyStart: KeychainDate? {
        get throws(KeychainError) {
            try calls.announce(.readHistory) { [:] }
            return try readIfAny { (vault, _) in
                let start = vault.historySince
                return start == .beginning ? nil : KeychainDate(start.time)
            } ?? nil
        }
    }

    /// Returns the items that matched all conditions at a point in the past.
    ///
    /// - Parameters:
    ///   - type: The type of the items.
    ///   - date: The point in time, by the clocks of the machines that made the changes.
    ///   - conditions: The conditions that the items must have matched.
    /// - Returns: The items as they were then, and whether some may be missing.
    /// - Throws: ``KeychainError/locked`` if an item that may match is locked, or another ``KeychainError``.
    public func items<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        at date: KeychainDate,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> PastItems<Item> {
        try read(.readHistory, ItemTarget(conditions)) { try $0.items(at: date, in: &$1, $2) }
            ?? PastItems(items: [], isComplete: true)
    }

    /// Returns the last revisions of deleted items, as far as they are kept.
    ///
    /// - Parameters:
    ///   - type: The type of the items.
    ///   - conditions: The conditions that the items must have matched.
    /// - Returns: The items as they were last, oldest first; ``restore(_:ifRevision:)`` restores one.
    /// - Throws: ``KeychainError/locked`` if an item that may match is locked, or another ``KeychainError``.
    public func deletedItems<Item: KeychainItem>(
        _ type: Item.Type = Item.self,
        where conditions: ItemCondition<Item>...
    ) throws(KeychainError) -> [PastItem<Item>] {
        try read(.readHistory, ItemTarget(conditions)) { try $0.deletedItems(in: &$1, $2) } ?? []
    }

    /// Lends `body` the secret that an item had, in memory that is wiped afterwards.
    ///
    /// - Parameters:
    ///   - past: The revision of the item.
    ///   - body: A closure that uses the bytes; if it copies them, it must wipe the copy.
    /// - Returns: The result of `body`, or nil if the item had no secret then.
    /// - Throws: The error of `body`, ``KeychainError/noSuchRevision`` if the revision is no longer kept,
    ///   ``KeychainError/locked`` if it is locked, or another ``KeychainError``.
    public func withSecret<Item: KeychainItem, Result: ~Copyable>(
        of past: PastItem<Item>,
        _ body: (Span<UInt8>) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result? {
        try check(past, to: calls)
        return try read { try $1.checkedSecret(of: past.past, in: &$0) }.lent(to: body)
    }

    /// Announces a call that reads a past secret, and throws if the program may not use its group.
    func check<Item: KeychainItem>(_ past: PastItem<Item>, to calls: CallAnnouncer) throws(KeychainError) {
        try calls.announce(.readHistory, ItemTarget(past.reference))
        try groups.check(past.accessGroup, for: .find)
    }

    /// Returns a copy of the secret that an item had, which cannot be wiped; nil if it had none.
    ///
    /// - Parameter past: The revision of the item.
    /// - Returns: The bytes.
    /// - Throws: ``KeychainError/noSuchRevision`` if the revision is no longer kept, ``KeychainError/locked`` if it is
    ///   locked, or another ``KeychainError``.
    public func secret<Item: KeychainItem>(of past: PastItem<Item>) throws(KeychainError) -> [UInt8]? {
        try withSecret(of: past) { bytes in [UInt8](copying: bytes) }
    }

    // MARK: - Restoring

    /// Restores a past revision of an item, including secret, group and protection, even if the item was deleted.
    ///
    /// This makes a new revision. The item keeps its reference, its creation date and its place in the order.
    ///
    /// ```swift
    /// if let gone = try keychain.deletedItems(GenericPassword.self, where: .service("mail")).last {
    ///     try keychain.restore(gone)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - past: The revision to restore.
    ///   - expected: The revision that must be the current one; nil to replace any.
    /// - Returns: The item as it is now.
    /// - Throws: ``KeychainError/duplicateItem`` if another item now has its primary key,
    ///   ``KeychainError/noSuchRevision`` if the revision is no longer kept, ``KeychainError/revisionDiffers`` if the
    ///   item was changed, ``KeychainError/locked`` if the revision is locked, or another ``KeychainError``.
    @discardableResult
    public func restore<Item: KeychainItem>(
        _ past: PastItem<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) -> Stored<Item> {
        try changeItem(.restore, past.reference) { try $0.restore(past, ifRevision: expected) }
    }

    /// Undoes the last change to an item, or its deletion, by restoring the revision before it.
    ///
    /// This is a change too, so undoing twice brings the item back to where it was.
    ///
    /// - Parameters:
    ///   - reference: The reference to the item.
    ///   - expected: The revision that must be the current one; nil to replace any.
    /// - Returns: The item as it is now.
    /// - Throws: ``KeychainError/noSuchRevision`` if there is no earlier revision or it is no longer kept,
    ///   ``KeychainError/itemNotFound`` if no revision is known, or an error of ``restore(_:ifRevision:)``.
    @discardableResult
    public func undo<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        ifRevision expected: ItemRevision? = nil
    ) throws(KeychainError) -> Stored<Item> {
        try changeItem(.restore, reference) { try $0.undo(reference, ifRevision: expected) }
    }
}

extension KeychainError {
    /// Returns the result of `body`, which uses a past revision: if that is not there, no item is missing.
    static func ofPast<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch StoreError.noSuchItem {
            throw KeychainError.noSuchRevision
        }
    }
}
