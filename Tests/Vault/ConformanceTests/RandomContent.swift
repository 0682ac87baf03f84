import CofferBasics
import KeyedArchive
import TestSupport
import VaultFormat
import VaultStore

/// Items that change at random, in a vault and beside it.
struct RandomContent {
    /// The expected state of an item.
    struct Item: Equatable {
        var itemClass: ItemClass
        var group: String
        var protection: ProtectionClass
        var attributes: CanonicalDictionary<ArchiveValue, ArchiveValue>
        var secret: [UInt8]?
    }

    private static let groups = ["a", "com.example.app", "\u{DC}bung \"1\"\n"]

    private(set) var items: [ItemID: Item] = [:]
    var random: SeededGenerator
    /// The protection classes that can be used.
    let protections: [ProtectionClass]
    let device: DeviceID

    mutating func change(_ transaction: inout Transaction) throws {
        let ids = items.keys.sorted()
        guard let id = ids.randomElement(using: &random), let item = items[id],
            Int.random(in: 0..<3, using: &random) > 0
        else { return try add(to: &transaction) }
        guard let group = transaction.vault.keyring.group(named: Array(item.group.utf8)),
            let stored = try transaction.vault.item(ItemName(group: group.group, item: id))
        else { throw StoreError.abandoned }
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
            try transaction.delete(stored)
            items[id] = nil
        case 2: try move(stored, item, &transaction)
        case 3: try restore(stored, item, &transaction)
        default: try update(stored, item, &transaction)
        }
    }

    private mutating func add(to transaction: inout Transaction) throws {
        let itemClass = ItemClass.allCases.randomElement(using: &random) ?? .key
        let item = Item(
            itemClass: itemClass,
            group: Self.groups.randomElement(using: &random) ?? "",
            protection: protection(),
            attributes: attributes(itemClass),
            secret: secret()
        )
        let added = try transaction.add(
            try valid(item),
            secret: item.secret?.span,
            group: Array(item.group.utf8),
            protection: item.protection,
            owner: owner(item.protection)
        )
        items[added.name.item] = item
    }

    private mutating func update(
        _ stored: StoredItem,
        _ old: Item,
        _ transaction: inout Transaction
    ) throws {
        var item = old
        item.attributes = attributes(item.itemClass)
        let changesProtection = Bool.random(using: &random)
        if changesProtection { item.protection = protection() }
        let keepsSecret = Bool.random(using: &random)
        if !keepsSecret { item.secret = secret() }
        let new = item.secret ?? []
        let secret: SecretChange = keepsSecret ? .keep : item.secret == nil ? .remove : .replace(new.span)
        try transaction.update(
            stored,
            attributes: try valid(item),
            secret: secret,
            protection: changesProtection ? item.protection : nil,
            owner: owner(item.protection)
        )
        items[stored.name.item] = item
    }

    private mutating func move(
        _ stored: StoredItem,
        _ old: Item,
        _ transaction: inout Transaction
    ) throws {
        var item = old
        item.group = Self.groups.filter { $0 != old.group }.randomElement(using: &random) ?? ""
        item.protection = protection()
        try transaction.move(
            stored,
            to: Array(item.group.utf8),
            attributes: try valid(item),
            secret: .keep,
            protection: item.protection,
            owner: owner(item.protection)
        )
        items[stored.name.item] = item
    }

    /// Deletes an item and brings it back as it was, with other attributes.
    private mutating func restore(
        _ stored: StoredItem,
        _ old: Item,
        _ transaction: inout Transaction
    ) throws {
        var item = old
        item.attributes = attributes(item.itemClass)
        try transaction.delete(stored)
        guard
            let past = try transaction.vault.revisions(of: stored.name).first(where: { $0.revision == stored.revision })
        else { throw StoreError.abandoned }
        try transaction.restore(past, attributes: try valid(item))
        items[stored.name.item] = item
    }

    // MARK: - Values

    private func owner(_ protection: ProtectionClass) -> DeviceID { protection.isBoundToDevice ? device : .none }

    private mutating func protection() -> ProtectionClass { protections.randomElement(using: &random) ?? .always }

    private mutating func secret() -> [UInt8]? {
        let counts = [nil, 0, 1, 40, 300, 5000]
        guard let count = counts.randomElement(using: &random) ?? nil else { return nil }
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }

    private mutating func attributes(_ itemClass: ItemClass) -> CanonicalDictionary<ArchiveValue, ArchiveValue> {
        var values: CanonicalDictionary<ArchiveValue, ArchiveValue> = [:]
        for (name, kind) in itemClass.attributes.sorted(by: { $0.key < $1.key })
        where Int.random(in: 0..<3, using: &random) == 0 {
            values[.string(name)] = .random(kind, using: &random)
        }
        return values
    }

    private func valid(_ item: Item) throws -> ItemAttributes {
        try ItemAttributes(item.itemClass, item.attributes)
    }
}
