internal import Coffer
internal import VaultCrypto

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
    private let readSecret: (Keychain) throws(KeychainError) -> HeldSecret?
    private let comeBack: (inout KeychainTransaction) throws(KeychainError) -> Void

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
        readSecret = { keychain throws(KeychainError) in
            HeldSecret(
                try keychain.withSecret(of: past) { (bytes) throws(KeychainError) in SecretBuffer(bytes) }
            )
        }
        comeBack = { transaction throws(KeychainError) in try transaction.bringBack(past) }
    }

    /// Whether the item is so now.
    var isCurrent: Bool { ended == nil }

    /// The secret that the item had; nil if it had none.
    func secret(in keychain: Keychain) throws(KeychainError) -> HeldSecret? {
        hasSecret ? try readSecret(keychain) : nil
    }

    /// Makes the item what it was.
    func bringBack(in transaction: inout KeychainTransaction) throws(KeychainError) { try comeBack(&transaction) }
}

extension KeychainTransaction {
    /// Makes an item what it was, or gives what it said to the one that has its name now.
    fileprivate mutating func bringBack<Item: KeychainItem>(_ past: PastItem<Item>) throws(KeychainError) {
        do throws(KeychainError) {
            try restore(past)
        } catch {
            guard error == .duplicateItem, let item = past.item else { throw error }
            let secret = HeldSecret(
                try withSecret(of: past) { (bytes) throws(KeychainError) in SecretBuffer(bytes) }
            )
            guard let secret else { throw error }
            _ = try secret.bytes.withSpan { (bytes) throws(KeychainError) in try save(item, secret: bytes) }
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

extension HeldSecret {
    /// Whether both are the same bytes, or both are none.
    static func areSame(_ one: HeldSecret?, _ other: HeldSecret?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.bytes.withSpan { one in
            other.bytes.withSpan { other in
                guard one.count == other.count else { return false }
                var difference: UInt8 = 0
                for index in one.indices { difference |= one[index] ^ other[index] }
                return difference == 0
            }
        }
    }
}
