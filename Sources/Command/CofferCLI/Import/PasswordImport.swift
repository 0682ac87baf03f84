internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles

/// What to do with an item that the vault has already.
enum ExistingItems: String, CaseIterable {
    case skip, update, keep
}

/// The items of a password file or of our own export, and what becomes of them in the vault.
struct PasswordImport {
    /// How many items there were of each fate.
    struct Counts: Equatable, Sendable {
        var added = 0
        /// Deleted items of the file that the vault did not know.
        var addedAsDeleted = 0
        var updated = 0
        var skipped = 0
        /// The same as in the vault, or twice in the file.
        var same = 0
        var refused: [String] = []
    }

    /// What the file is, in words.
    let form: String
    let recordCount: Int
    /// What could not be taken, each with the name of its record.
    private(set) var losses: [String]
    /// What is true of every file of this form.
    let remarks: [String]
    private var items: [NewItem] = []
    private let group: String?
    private let policy: ExistingItems
    /// What was decided without the vault.
    private var counts = Counts()
    private var contents: Set<NewItem>
    /// For each name, the last number that was added to it.
    private var names: [[[UInt8]]: Int]

    private init(
        _ form: String,
        _ recordCount: Int,
        _ losses: [String] = [],
        _ remarks: [String] = [],
        group: String?,
        _ policy: ExistingItems
    ) {
        (self.form, self.recordCount, self.losses, self.remarks) = (form, recordCount, losses, remarks)
        (self.group, self.policy) = (group, policy)
        contents = Set(minimumCapacity: recordCount)
        names = Dictionary(minimumCapacity: recordCount)
    }

    /// The items of a file of another program.
    init(_ file: PasswordFile, group: String?, _ policy: ExistingItems) {
        self.init(file.form, file.records.count, file.losses, file.remarks, group: group, policy)
        counts.refused = file.refused
        var trashed: [String] = []
        for record in file.records {
            guard !record.isTrashed else {
                trashed.append("\(record.name): in the trash")
                continue
            }
            losses += record.losses.map { "\(record.name): \($0)" }
            for var item in NewItem.items(of: record, &losses) {
                item.place = record.name
                add(item, record.title)
            }
        }
        losses += trashed
        forgetNames()
    }

    /// The items of an export of our own, with their history.
    init(_ file: ExportFile, group: String?, _ policy: ExistingItems) {
        self.init("export of Coffer", file.itemCount, group: group, policy)
        for index in 0..<file.itemCount {
            let item: NewItem
            do throws(PasswordFileError) {
                item = try NewItem(file.item(at: index), at: "item \(index + 1)")
            } catch {
                counts.refused.append("item \(index + 1): \(error.description)")
                continue
            }
            add(item, "")
        }
        forgetNames()
    }

    private mutating func add(_ item: NewItem, _ title: String) {
        var item = item
        if let group { item.move(to: group) }
        // It takes no name from another item, and what was deleted twice may have been the same.
        guard !item.isDeleted else { return items.append(item) }
        guard contents.insert(item).inserted else { return counts.same += 1 }
        if names[item.name] != nil, item.canBeDistinguished { item.distinguish(among: &names, title) }
        names[item.name] = 1
        items.append(item)
    }

    private mutating func forgetNames() { (contents, names) = ([], [:]) }

    /// What would happen in a new vault.
    var countsOfNewVault: Counts {
        var counts = counts
        counts.addedAsDeleted = items.count(where: \.isDeleted)
        counts.added = items.count - counts.addedAsDeleted
        return counts
    }

    // MARK: - Storing

    /// Stores the items.
    func store(in transaction: inout KeychainTransaction) throws(KeychainError) -> Counts {
        var counts = counts
        let known = items.contains(where: \.isDeleted) ? transaction.deletedIdentities() : []
        for item in items {
            guard !item.isDeleted || !known.contains(item.identity) else {
                counts.same += 1
                continue
            }
            do throws(KeychainError) {
                switch item.itemClass {
                case .genericPassword: try store(item, as: GenericPassword.self, in: &transaction, &counts)
                case .internetPassword: try store(item, as: InternetPassword.self, in: &transaction, &counts)
                case .certificate: try store(item, as: Certificate.self, in: &transaction, &counts)
                case .key, .identity: try store(item, as: CryptographicKey.self, in: &transaction, &counts)
                }
            } catch {
                switch error {
                case .invalid, .noSuchAttribute, .notEntitled, .noPassphrase:
                    counts.refused.append("\(item.place): \(error.description)")
                case .vault(let problem) where problem.kind == .tooLarge:
                    counts.refused.append("\(item.place): \(error.description)")
                default: throw error
                }
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
        guard try !add(new, as: type, in: &transaction) else {
            if new.isDeleted { counts.addedAsDeleted += 1 } else { counts.added += 1 }
            return
        }
        guard policy != .skip, let old = try transaction.existing(Item(attributes: new.attributes)) else {
            return counts.skipped += 1
        }
        guard try !isSame(new, old, in: &transaction) else { return counts.same += 1 }
        // A record without a password is no reason to remove the one that the vault has.
        guard policy == .keep ? new.canBeDistinguished : new.isWhole || new.secret != nil else {
            return counts.skipped += 1
        }
        guard policy == .keep else {
            let item = Item(attributes: new.attributes(replacing: old.item.attributes))
            _ = try new.secret.lend { secret throws(KeychainError) in
                try transaction.update(old.reference, secret: secret) { $0 = item }
            }
            return counts.updated += 1
        }
        for number in 2...99 {
            var other = new
            other.distinguish(by: String(number))
            guard try !add(other, as: type, in: &transaction) else { return counts.added += 1 }
        }
        counts.refused.append("\(new.place): there are 99 items with this name")
    }

    /// Adds an item with its other revisions; false if there is one of its name.
    private func add<Item: KeychainItem>(
        _ new: NewItem,
        as type: Item.Type,
        in transaction: inout KeychainTransaction
    ) throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            try transaction.add(new.revisions(as: type))
            return true
        } catch {
            guard case .duplicateItem = error else { throw error }
            return false
        }
    }

    /// Whether the vault has the same item already.
    private func isSame<Item: KeychainItem>(
        _ new: NewItem,
        _ old: Stored<Item>,
        in transaction: inout KeychainTransaction
    ) throws(KeychainError) -> Bool {
        guard new.attributes(replacing: old.item.attributes) == old.item.attributes else { return false }
        guard let secret = new.secret else { return !old.hasSecret }
        return try transaction.withSecret(of: old.reference) { bytes in
            secret.withSpan { bytes.isSame(as: $0) }
        } ?? false
    }
}

extension KeychainTransaction {
    /// What tells the deleted items of the vault apart, as far as they can be read; others may be added once more.
    fileprivate mutating func deletedIdentities() -> Set<NewItem.Identity> {
        var found: Set<NewItem.Identity> = []
        for type in KeychainClass.stored.compactMap(\.itemType) { found.formUnion(identities(of: type)) }
        return found
    }

    private mutating func identities<Item: KeychainItem>(of type: Item.Type) -> [NewItem.Identity] {
        ((try? deletedItems(type, where: .synchronizable(.any))) ?? []).compactMap { past in
            guard let attributes = past.item?.attributes else { return nil }
            var item = NewItem(Item.itemClass, [:], secret: nil)
            (item.attributes, item.created, item.modified) = (attributes, past.created, past.modified)
            return item.identity
        }
    }

    /// The item with the same primary key, if there is one.
    fileprivate mutating func existing<Item: KeychainItem>(_ item: Item) throws(KeychainError) -> Stored<Item>? {
        var conditions: [ItemCondition<Item>] = Item.itemClass.primaryKey.compactMap { name in
            item.attributes[name].map { .attribute(name, $0) }
        }
        conditions.append(.synchronizable(item.isSynchronizable ? .yes : .no))
        if let group = item.accessGroup { conditions.append(.group(group)) }
        return try items(Item.self, where: .all(conditions)).first { stored in
            Item.itemClass.primaryKey.allSatisfy { stored.item.attributes[$0] == item.attributes[$0] }
        }
    }
}

extension HeldSecret? {
    /// Lends the bytes, if there are any, to `body`.
    fileprivate func lend<Result>(
        _ body: (Span<UInt8>?) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        guard let self else { return try body(nil) }
        return try self.withSpan { bytes throws(KeychainError) in try body(bytes) }
    }
}

extension NewItem {
    /// All revisions of the item, as the vault adds them.
    fileprivate func revisions<Item: KeychainItem>(as type: Item.Type) -> ItemRevisions<Item> {
        let last = Revision(secret: secret, written: written)
        let live = isDeleted ? [] : [last] + conflicts
        let past = isDeleted ? former + [last] : former
        func converted(_ revision: Revision) -> ItemRevisions<Item>.Revision {
            ItemRevisions.Revision(
                Item(attributes: revision.attributes ?? attributes),
                secret: revision.secret,
                created: revision.created ?? created,
                modified: revision.modified ?? modified,
                written: revision.written
            )
        }
        return ItemRevisions(live: live.map(converted), past: past.map(converted))
    }

    /// The attributes of an item that had `old` and gets those of this one.
    fileprivate func attributes(replacing old: AttributeValues) -> AttributeValues {
        guard !isWhole else { return attributes }
        var merged = old
        for (name, value) in attributes.values { merged[name] = value }
        return merged
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
