internal import Coffer
internal import CofferBasics

/// A state that an item of any class had, or has.
///
/// Its secret is not in it.
struct FoundPast {
    let itemClass: KeychainClass
    /// What the item said; nil if that is locked, or damaged.
    let attributes: AttributeValues?
    let reference: PersistentReference
    let revision: ItemRevision
    let group: String
    let written: KeychainDate?
    let ended: KeychainDate?
    let hasSecret: Bool
    /// The state as an item; nil if what it said is locked, or damaged.
    let item: FoundItem?
    private let readSecret: (Keychain) throws -> HeldSecret?
    private let comeBack: (inout KeychainTransaction) throws -> Void

    init<Item: KeychainItem>(_ past: PastItem<Item>) {
        itemClass = Item.itemClass
        attributes = past.item?.attributes
        reference = past.reference.persistentReference
        revision = past.revision
        group = past.accessGroup
        written = past.written
        ended = past.ended
        hasSecret = past.hasSecret
        item = FoundItem(past)
        readSecret = { keychain in
            try keychain.withSecret(of: past) { bytes in HeldSecret(copying: bytes) }
        }
        comeBack = { transaction in try transaction.bringBack(past) }
    }

    /// Whether the item is so now.
    var isCurrent: Bool { ended == nil }

    /// The secret that the item had; nil if it had none.
    func secret(in keychain: Keychain) throws -> HeldSecret? {
        hasSecret ? try readSecret(keychain) : nil
    }

    /// Makes the item what it was.
    func bringBack(in transaction: inout KeychainTransaction) throws { try comeBack(&transaction) }
}

extension KeychainTransaction {
    /// Makes an item what it was, or gives what it said to the one that has its name now.
    fileprivate mutating func bringBack<Item: KeychainItem>(_ past: PastItem<Item>) throws {
        do throws(KeychainError) {
            try restore(past)
        } catch {
            guard error == .duplicateItem, let item = past.item else { throw error }
            let secret = try withSecret(of: past) { bytes in HeldSecret(copying: bytes) }
            guard let secret else { throw error }
            _ = try secret.bytes.withSpan { bytes in try save(item, secret: bytes) }
        }
    }
}

extension FoundItem {
    /// What an item was; nil if that is locked, or damaged.
    init?<Item: KeychainItem>(_ past: PastItem<Item>) {
        guard let item = past.item else { return nil }
        itemClass = Item.itemClass
        attributes = item.attributes
        reference = past.reference.persistentReference
        revision = past.revision
        created = past.created ?? past.written ?? KeychainDate(secondsSince1970: 0)
        modified = past.written ?? created
        hasSecret = past.hasSecret
        isDeleted = past.ended != nil
    }
}
