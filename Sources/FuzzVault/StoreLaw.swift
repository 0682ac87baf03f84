import CofferBasics
import KeyedArchive
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// What holds of any file: the store gives an answer, and what can be read stays readable whatever is done then.
struct StoreLaw {
    private typealias Items = [ItemName: Item]

    /// An item that can be read.
    private struct Item: Equatable {
        let revision: Revision
        let attributes: ItemAttributes
        let secret: [UInt8]?
    }

    private static let path = "/vault.coffer"
    private static let savedPath = "/saved.coffer"

    let roots: Keyring.Roots
    let random: any RandomSource

    /// Opens the file and does to it what `choices` say; a failure is an answer, and changes nothing.
    func check(_ file: [UInt8], choices: [UInt8] = [0, 1, 2, 3, 4, 5]) {
        let files = MemoryFiles()
        let environment = StoreEnvironment(files: files, random: random)
        do {
            try files.put(file, at: Self.path)
            let store = try VaultStore.open(at: Self.path, environment: environment) { _ in roots }
            var items = try Self.items(of: store)
            try salvage(environment, keeping: items)
            for choice in choices {
                let touched = try? Self.change(store, choice)
                let after = try Self.items(of: store)
                for (name, item) in items where name != touched {
                    demand(after[name] == item, "an item changed that was not touched")
                }
                items = after
            }
            let reopened = try VaultStore.open(at: Self.path, environment: environment) { _ in roots }
            let found = try Self.items(of: reopened)
            demand(found == items, "another reader finds other items")
        } catch {
            // Every failure is an answer.
        }
    }

    /// Saves what is whole in another file, which must have all that could be read.
    private func salvage(_ environment: StoreEnvironment, keeping items: Items) throws {
        _ = try VaultStore.salvage(at: Self.path, to: Self.savedPath, environment: environment) { _ in roots }
        let store = try VaultStore.open(at: Self.savedPath, environment: environment) { _ in roots }
        let saved = try Self.items(of: store)
        for (name, item) in items { demand(saved[name] == item, "a salvage lost an item") }
    }

    /// Does one thing, and returns the item that it was about.
    private static func change(_ store: VaultStore, _ choice: UInt8) throws -> ItemName? {
        switch choice % 7 {
        case 0: return try add(to: store)
        case 1:
            var request = CompactionRequest()
            request.dropsInvalid = choice >= 128
            try store.compact(request)
        case 2: _ = try store.verify()
        case 3: return try changeOne(store) { (transaction, item) throws(StoreError) in try transaction.delete(item) }
        case 4:
            return try changeOne(store) { (transaction, item) throws(StoreError) in
                let attributes = try transaction.vault.attributes(of: item)
                try transaction.update(item, attributes: attributes, secret: .keep)
            }
        case 5:
            try store.transaction { (transaction) throws(StoreError) in
                try transaction.change(Settings(revision: 0, values: ["historyDays": 7]))
            }
        default:
            try store.read { (vault) throws(StoreError) in
                for group in vault.groupNames.keys { _ = try vault.goneItems(of: group) }
            }
        }
        return nil
    }

    private static func add(to store: VaultStore) throws -> ItemName {
        let account = ArchiveValue.string("\(store.environment.random.bytes(8))")
        let attributes = try ItemAttributes(.genericPassword, ["acct": account, "svce": "mail"])
        return try store.transaction { (transaction) throws(StoreError) in
            let group = transaction.vault.groupNames.values.first ?? Array("group".utf8)
            return try transaction.add(
                attributes,
                secret: "secret".utf8Span.span,
                group: group,
                protection: .whenUnlocked
            )
        }
    }

    private static func changeOne(
        _ store: VaultStore,
        _ body: (inout Transaction, StoredItem) throws(StoreError) -> Void
    ) throws -> ItemName? {
        try store.transaction { (transaction) throws(StoreError) in
            for group in transaction.vault.groupNames.keys {
                guard let item = try transaction.vault.items(in: group).first else { continue }
                try body(&transaction, item)
                return item.name
            }
            return nil
        }
    }

    /// The readable items, after the past of each was read.
    private static func items(of store: VaultStore) throws(StoreError) -> Items {
        try store.read { (vault) throws(StoreError) in
            var items: Items = [:]
            for group in vault.groupNames.keys {
                for item in try vault.items(in: group) {
                    _ = try? vault.revisions(of: item.name)
                    guard let attributes = try? vault.attributes(of: item) else { continue }
                    let secret = try? vault.secret(of: item)?.withBytes { [UInt8](copying: $0) }
                    items[item.name] = Item(revision: item.revision, attributes: attributes, secret: secret)
                }
            }
            return items
        }
    }
}
