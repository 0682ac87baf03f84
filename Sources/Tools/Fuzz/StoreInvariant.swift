import CofferBasics
import KeyedArchive
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// The law for any file: the store gives an answer, and readable items stay readable whatever is done next.
struct StoreInvariant {
    private typealias Items = [ItemName: Item]

    /// A readable item.
    private struct Item: Equatable {
        let revision: Revision
        let attributes: ItemAttributes
        let secret: [UInt8]?
    }

    private static let path = "/vault.coffer"
    private static let savedPath = "/saved.coffer"

    let roots: Keyring.Roots
    let random: any RandomSource

    /// Opens the file and applies `choices` to it; a failure is a valid answer and changes nothing.
    func check(_ file: [UInt8], choices: [UInt8] = [0, 1, 2, 3, 4, 5]) {
        let files = MemoryFiles()
        let environment = StoreEnvironment(files: files, random: random)
        do {
            try files.put(file, at: Self.path)
            let store = try VaultStore.open(at: Self.path, environment: environment) { _ in roots }
            // Those that a log added too: a device that it added is in the keybag of the next file.
            let known = try store.read { vault in vault.keyring.roots }
            var items = try Self.items(of: store)
            try salvage(environment, known, keeping: items)
            for choice in choices {
                let touched = try? Self.change(store, choice)
                let after = try Self.items(of: store)
                for (name, item) in items where name != touched {
                    requireInvariant(after[name] == item, "an untouched item changed")
                }
                items = after
            }
            let reopened = try VaultStore.open(at: Self.path, environment: environment) { _ in known }
            let found = try Self.items(of: reopened)
            requireInvariant(found == items, "another reader finds different items")
        } catch {
            // Every failure is a valid answer.
        }
    }

    /// Salvages the intact items to another file, which must contain everything that could be read, unless frames behind
    /// a gap may have changed it.
    private func salvage(_ environment: StoreEnvironment, _ roots: Keyring.Roots, keeping items: Items) throws {
        let report = try VaultStore.salvage(at: Self.path, to: Self.savedPath, environment: environment) { _ in roots }
        if case .inconsistent = report.findings.tail { return }
        guard report.missingTransactions.isEmpty else { return }
        let store = try VaultStore.open(at: Self.savedPath, environment: environment) { _ in roots }
        let saved = try Self.items(of: store)
        let damaged = Set(report.findings.invalidItems.map(\.name))
        for (name, item) in items where saved[name] != item {
            // Entries that do not say that there are several hid another revision, which is damaged and current.
            let isConflict = try store.read { vault in
                try vault.liveRevisions(in: name.group).contains { $0.revision == item.revision }
            }
            requireInvariant(damaged.contains(name) && isConflict, "a salvage lost an item")
        }
    }

    /// Makes one change, and returns the item it was about.
    private static func change(_ store: VaultStore, _ choice: UInt8) throws -> ItemName? {
        switch choice % 7 {
        case 0: return try add(to: store)
        case 1:
            var request = CompactionRequest()
            request.dropsInvalid = choice >= 128
            try store.compact(request)
        case 2: _ = try store.verify()
        case 3: return try changeOne(store) { (transaction, item) in try transaction.delete(item) }
        case 4:
            return try changeOne(store) { (transaction, item) in
                let attributes = try transaction.vault.attributes(of: item)
                try transaction.update(item, attributes: attributes, secret: .keep)
            }
        case 5:
            try store.transaction { transaction in
                try transaction.change(Settings(revision: 0, values: ["historyDays": 7]))
            }
        default:
            try store.read { vault in
                for group in vault.groupNames.keys { _ = try vault.goneItems(of: group) }
            }
        }
        return nil
    }

    private static func add(to store: VaultStore) throws -> ItemName {
        let account = ArchiveValue.string("\(store.environment.random.bytes(8))")
        let attributes = try ItemAttributes(.genericPassword, ["acct": account, "svce": "mail"])
        return try store.transaction { transaction in
            let group = transaction.vault.groupNames.values.first ?? Array("group".utf8)
            return try transaction.add(
                attributes,
                secret: "secret".utf8Span.span,
                group: group,
                protection: .whenUnlocked
            ).name
        }
    }

    private static func changeOne(
        _ store: VaultStore,
        _ body: (inout Transaction, StoredItem) throws -> Void
    ) throws -> ItemName? {
        try store.transaction { transaction in
            for group in transaction.vault.groupNames.keys {
                guard let item = try transaction.vault.items(in: group).first else { continue }
                try body(&transaction, item)
                return item.name
            }
            return nil
        }
    }

    /// Returns the readable items, after reading the history of each.
    private static func items(of store: VaultStore) throws -> Items {
        try store.read { vault in
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
