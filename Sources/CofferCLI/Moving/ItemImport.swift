internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles

/// The items of an export of Coffer's own, with their history: `Spec/export.md`.
struct ItemImport: StoredImport {
    private var items: [ExportedItem] = []
    private var refused: [String] = []
    private let group: String?
    private let policy: ExistingItems

    init(_ file: ExportFile, group: String?, _ policy: ExistingItems) {
        (self.group, self.policy) = (group, policy)
        for index in 0..<file.itemCount {
            do throws(PasswordFileError) {
                items.append(try file.item(at: index))
            } catch {
                refused.append("item \(index + 1): \(error.description)")
            }
        }
    }

    var itemCount: Int { items.count + refused.count }

    /// What would happen in a new vault.
    var countsOfNewVault: PasswordImport.Counts { PasswordImport.Counts(added: items.count, refused: refused) }

    /// Stores the items.
    func store(in transaction: inout KeychainTransaction) throws(KeychainError) -> PasswordImport.Counts {
        var counts = PasswordImport.Counts(refused: refused)
        for (index, item) in items.enumerated() {
            do throws(KeychainError) {
                switch KeychainClass(rawValue: item.current.itemClass) {
                case .genericPassword: try store(item, as: GenericPassword.self, in: &transaction, &counts)
                case .internetPassword: try store(item, as: InternetPassword.self, in: &transaction, &counts)
                case .certificate: try store(item, as: Certificate.self, in: &transaction, &counts)
                case .key: try store(item, as: CryptographicKey.self, in: &transaction, &counts)
                case .identity, nil: counts.refused.append("item \(index + 1): unknown class")
                }
            } catch {
                guard case .invalid = error else { throw error }
                counts.refused.append("item \(index + 1): \(error.description)")
            }
        }
        return counts
    }

    private func store<Item: KeychainItem>(
        _ exported: ExportedItem,
        as type: Item.Type,
        in transaction: inout KeychainTransaction,
        _ counts: inout PasswordImport.Counts
    ) throws(KeychainError) {
        let revisions = exported.history + [exported.current]
        let first = revisions[0]
        do throws(KeychainError) {
            let created = first.created.map { KeychainDate(secondsSinceReferenceDate: $0.secondsSinceReferenceDate) }
            let modified = first.modified.map { KeychainDate(secondsSinceReferenceDate: $0.secondsSinceReferenceDate) }
            let stored = try first.withSecret { secret throws(KeychainError) in
                try transaction.add(first.item(type, group), secret: secret, created: created, modified: modified)
            }
            for revision in revisions.dropFirst() { try write(revision, type, stored.reference, in: &transaction) }
            counts.added += 1
        } catch {
            guard case .duplicateItem = error else { throw error }
            guard policy == .update else { return counts.skipped += 1 }
            let item = exported.current.item(type, group)
            guard let existing = try transaction.existing(item) else { return counts.skipped += 1 }
            try write(exported.current, type, existing.reference, in: &transaction)
            counts.updated += 1
        }
    }

    /// Makes a revision the current one of an item.
    private func write<Item: KeychainItem>(
        _ revision: ExportedItem.Revision,
        _ type: Item.Type,
        _ reference: KeychainReference<Item>,
        in transaction: inout KeychainTransaction
    ) throws(KeychainError) {
        let new = revision.item(type, group)
        try transaction.update(reference) { $0.attributes = new.attributes }
        let old = try transaction.withSecret(of: reference) { HeldSecret(copying: $0) }
        guard !HeldSecret.areSame(old, revision.secret) else { return }
        guard let secret = revision.secret else {
            _ = try transaction.removeSecret(of: reference)
            return
        }
        try secret.bytes.withSpan { bytes throws(KeychainError) in
            _ = try transaction.setSecret(bytes, of: reference)
        }
    }
}

extension ExportedItem.Revision {
    /// Lends the secret, if there is one.
    fileprivate func withSecret<Result>(
        _ body: (Span<UInt8>?) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        guard let secret else { return try body(nil) }
        return try secret.bytes.withSpan { bytes throws(KeychainError) in try body(bytes) }
    }

    /// The item with the attributes of this revision.
    fileprivate func item<Item: KeychainItem>(_ type: Item.Type, _ group: String?) -> Item {
        var item = Item(attributes: AttributeValues())
        for (name, value) in attributes { item.attributes[name] = ItemValue(value) }
        item.accessGroup = group ?? self.group
        item.isSynchronizable = isSynchronizable
        let accessibility = Accessibility(rawValue: protection)
        item.accessibility = accessibility
        if let control = accessControl {
            item.accessControl = AccessControl(
                accessibility ?? .whenUnlocked,
                AccessControl.Conditions(rawValue: control.flags)
            )
        }
        return item
    }
}

extension ItemValue {
    fileprivate init(_ value: ExportedItem.Value) {
        switch value {
        case .text(let text):
            self = .string(text.bytes.withSpan { String(decoding: Array(copying: $0), as: UTF8.self) })
        case .bytes(let bytes): self = .data(bytes.bytes.withSpan { Array(copying: $0) })
        case .integer(let number): self = .integer(Int64(clamping: number))
        case .real(let number): self = .real(number)
        case .bool(let flag): self = .bool(flag)
        case .date(let date): self = .date(secondsSinceReferenceDate: date.secondsSinceReferenceDate)
        }
    }
}
