internal import Coffer
internal import CofferBasics

/// A past or current revision of an item of any class, without its secret.
struct FoundRevision {
    let itemClass: KeychainClass
    /// The attributes; nil if they are locked or damaged.
    let attributes: AttributeValues?
    let reference: PersistentReference
    let revision: ItemRevision
    let group: String
    let written: KeychainDate
    /// When the item was changed, which may be before it was written here.
    let modified: KeychainDate?
    let ended: KeychainDate?
    let hasSecret: Bool
    /// The revision as an item; nil if its attributes are locked or damaged.
    let item: FoundItem?
    private let readSecret: (Keychain) throws -> HeldSecret?
    private let restoreBody: (inout KeychainTransaction) throws -> Void

    init<Item: KeychainItem>(_ past: PastItem<Item>) {
        itemClass = Item.itemClass
        attributes = past.item?.attributes
        reference = past.reference.persistentReference
        revision = past.revision
        group = past.accessGroup
        written = past.written
        modified = past.modified
        ended = past.ended
        hasSecret = past.hasSecret
        item = FoundItem(past)
        readSecret = { keychain in
            try keychain.withSecret(of: past) { bytes in HeldSecret(copying: bytes) }
        }
        restoreBody = { transaction in try transaction.restoreRevision(past) }
    }

    /// The date of the revision, which is that of the item as `list` shows it; nil if it is locked.
    var date: KeychainDate { modified ?? written }

    /// Whether this is the current revision.
    var isCurrent: Bool { ended == nil }

    /// The secret of the revision; nil if it has none.
    func secret(in keychain: Keychain) throws -> HeldSecret? {
        hasSecret ? try readSecret(keychain) : nil
    }

    /// Restores the item to this revision.
    func restoreRevision(in transaction: inout KeychainTransaction) throws { try restoreBody(&transaction) }
}

extension KeychainTransaction {
    /// Restores a past revision; if another item has its name now, that item gets its attributes and secret.
    fileprivate mutating func restoreRevision<Item: KeychainItem>(_ past: PastItem<Item>) throws {
        guard let item = past.item, let found = FoundItem(past),
            let current = try items(Item.self, where: .all(found.nameConditions(Item.self)))
                .first(where: { FoundItem($0).name == found.name }),
            current.reference != past.reference,
            let secret = try withSecret(of: past, { bytes in HeldSecret(copying: bytes) })
        else {
            try restore(past)
            return
        }
        _ = try secret.withSpan { bytes in try save(item, secret: bytes) }
    }
}

extension FoundItem {
    /// A past revision as an item; nil if its attributes are locked or damaged.
    init?<Item: KeychainItem>(_ past: PastItem<Item>) {
        guard let item = past.item else { return nil }
        itemClass = Item.itemClass
        attributes = item.attributes
        reference = past.reference.persistentReference
        revision = past.revision
        created = past.created ?? past.written
        modified = past.modified ?? past.written
        hasSecret = past.hasSecret
        isDeleted = past.ended != nil
    }
}
