internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles

/// What to do with an item that the vault has already.
enum ExistingItems: String, CaseIterable {
    case skip, update, keep
}

/// What an import stores.
protocol StoredImport {
    /// What would happen in a new vault.
    var countsOfNewVault: PasswordImport.Counts { get }

    /// Stores everything.
    func store(in transaction: inout KeychainTransaction) throws(KeychainError) -> PasswordImport.Counts
}

/// The items of a password file, and what becomes of them in the vault.
struct PasswordImport: StoredImport {
    /// How many items there were of each fate.
    struct Counts: Equatable, Sendable {
        var added = 0
        var updated = 0
        var skipped = 0
        /// The same as in the vault, or twice in the file.
        var same = 0
        var refused: [String] = []
    }

    private let items: [NewItem]
    /// What could not be taken, each with its place.
    let losses: [String]
    private let group: String?
    private let policy: ExistingItems
    private let sameInFile: Int

    init(_ file: PasswordFile, group: String?, _ policy: ExistingItems) {
        var (items, losses): ([NewItem], [String]) = ([], file.losses)
        var contents = Set<NewItem>(minimumCapacity: file.records.count)
        // For each name, the last number that was added to it.
        var names = [[[UInt8]]: Int](minimumCapacity: file.records.count)
        var sameInFile = 0
        var trashedCount = 0
        for record in file.records {
            losses += record.losses.map { "\(record.place): \($0)" }
            guard !record.isTrashed else {
                trashedCount += 1
                continue
            }
            for var item in NewItem.items(of: record, &losses) {
                guard contents.insert(item).inserted else {
                    sameInFile += 1
                    continue
                }
                if names[item.name] != nil { item.distinguish(among: &names, record.title) }
                names[item.name] = 1
                items.append(item)
            }
        }
        if trashedCount > 0 { losses.append("\(trashedCount.counted("record")) in the trash") }
        (self.items, self.losses, self.sameInFile) = (items, losses, sameInFile)
        (self.group, self.policy) = (group, policy)
    }

    /// What would happen in a new vault.
    var countsOfNewVault: Counts { Counts(added: items.count, same: sameInFile) }

    /// Stores the items.
    func store(in transaction: inout KeychainTransaction) throws(KeychainError) -> Counts {
        var counts = Counts(same: sameInFile)
        for item in items {
            switch item.itemClass {
            case .internetPassword: try store(item, as: InternetPassword.self, in: &transaction, &counts)
            default: try store(item, as: GenericPassword.self, in: &transaction, &counts)
            }
        }
        return counts
    }

    private func store<Item: KeychainItem>(
        _ new: NewItem,
        as type: Item.Type,
        in transaction: inout KeychainTransaction,
        _ counts: inout Counts
    ) throws(KeychainError) {
        var item = Item(attributes: new.attributes)
        item.accessGroup = group
        do throws(KeychainError) {
            try add(new, item, in: &transaction)
            counts.added += 1
        } catch {
            switch error {
            case .duplicateItem: try meet(new, item, in: &transaction, &counts)
            case .invalid: counts.refused.append("\(item.label?.shown ?? ""): \(error.description)")
            default: throw error
            }
        }
    }

    private func add<Item: KeychainItem>(
        _ new: NewItem,
        _ item: Item,
        in transaction: inout KeychainTransaction
    ) throws(KeychainError) {
        let secrets = new.formerSecrets + [new.secret].compactMap(\.self)
        guard let first = secrets.first else {
            _ = try transaction.add(item, secret: nil, created: new.created, modified: new.modified)
            return
        }
        let stored = try first.bytes.withSpan { bytes throws(KeychainError) in
            try transaction.add(item, secret: bytes, created: new.created, modified: new.modified)
        }
        for secret in secrets.dropFirst() {
            try secret.bytes.withSpan { bytes throws(KeychainError) in
                _ = try transaction.setSecret(bytes, of: stored.reference)
            }
        }
        // The last password that the record had is not one that it has.
        if new.secret == nil { _ = try transaction.removeSecret(of: stored.reference) }
    }

    /// Whether the vault has the same item already.
    private func isSame<Item: KeychainItem>(
        _ new: NewItem,
        _ item: Item,
        in transaction: inout KeychainTransaction
    ) throws(KeychainError) -> Bool {
        guard let old = try transaction.existing(item), new.changesNothing(of: old.item.attributes) else {
            return false
        }
        guard let secret = new.secret else { return !old.hasSecret }
        return try transaction.withSecret(of: old.reference) { bytes in
            secret.bytes.withSpan { bytes.isSame(as: $0) }
        } ?? false
    }

    /// Decides about an item that the vault has already.
    private func meet<Item: KeychainItem>(
        _ new: NewItem,
        _ item: Item,
        in transaction: inout KeychainTransaction,
        _ counts: inout Counts
    ) throws(KeychainError) {
        guard policy != .skip else { return counts.skipped += 1 }
        guard try !isSame(new, item, in: &transaction) else { return counts.same += 1 }
        switch policy {
        case .skip: break
        case .update:
            // A record without a password is no reason to remove the one that the vault has.
            guard let secret = new.secret else { return counts.skipped += 1 }
            _ = try secret.bytes.withSpan { bytes throws(KeychainError) in try transaction.save(item, secret: bytes) }
            counts.updated += 1
        case .keep:
            for number in 2...99 {
                var other = new
                other.distinguish(by: String(number))
                var item = Item(attributes: other.attributes)
                item.accessGroup = group
                do throws(KeychainError) {
                    try add(other, item, in: &transaction)
                    return counts.added += 1
                } catch {
                    guard case .duplicateItem = error else { throw error }
                }
            }
            counts.refused.append("\(item.label?.shown ?? ""): there are 99 items with this name")
        }
    }
}

extension KeychainTransaction {
    /// The item with the same primary key, if there is one.
    mutating func existing<Item: KeychainItem>(_ item: Item) throws(KeychainError) -> Stored<Item>? {
        var conditions: [ItemCondition<Item>] = Item.itemClass.primaryKey.compactMap { name in
            item.attributes[name].map { .attribute(name, $0) }
        }
        if let group = item.accessGroup { conditions.append(.group(group)) }
        return try items(Item.self, whereAll: conditions).first { stored in
            Item.itemClass.primaryKey.allSatisfy { stored.item.attributes[$0] == item.attributes[$0] }
        }
    }
}

extension NewItem {
    /// Whether an item has all attributes of this one already.
    fileprivate func changesNothing(of attributes: AttributeValues) -> Bool {
        self.attributes.values.allSatisfy { attributes[$0.key] == $0.value }
    }

    /// Gives it a name that no item of the file has.
    fileprivate mutating func distinguish(among names: inout [[[UInt8]]: Int], _ title: String) {
        let plain = self
        if !title.isEmpty { distinguish(by: title) }
        let first = name
        while names[name] != nil {
            let number = names[first, default: 1] + 1
            names[first] = number
            self = plain
            distinguish(by: title.isEmpty ? String(number) : "\(title) \(number)")
        }
    }
}
