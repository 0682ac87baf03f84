internal import Coffer
internal import CofferBasics
internal import CommandSystem

extension Option {
    static let changeCount = Option("--count", argument: .value("N", .nothing), summary: "end after N changes")
}

extension Verb {
    static let watch = Verb(
        "watch",
        .looking,
        "Print a line for each change of an item, as it happens",
        operands: [.optionalService],
        options: [.changeCount, .itemClass],
        details: """
            It tells which items were added, changed or deleted, whoever does it, and never a secret, until it is stopped with \
            Ctrl-C or the signal TERM.

            Without a terminal a line has what happened, the service, the account, the group and the class, with a tab between \
            them; with --json it is an object.
            """,
        examples: [
            Example(call: "coffer watch --count 1 mail", purpose: "wait until a password for mail is changed"),
            Example(call: "coffer watch --json", purpose: "tell a program of all changes"),
        ]
    ) { run in
        var selection = try run.selectionOfClass()
        if !run.arguments.has(.itemClass) { selection.classes = KeychainClass.stored }
        var restCount = try run.arguments.count(of: .changeCount, in: 1...Int.max) ?? .max
        let vault = try run.vaults.vault()
        // Before the items are looked at: what changes in between is told.
        let changes = try vault.changes()
        var known = KnownItems(
            try run.vaults.withKeychain { keychain in try selection.items(in: keychain) }
        )
        try run.surroundings.machine.notingSignals { signal in
            run.messages.note("watching \(vault.path.printable); Ctrl-C ends it")
            while restCount > 0, signal() == nil {
                // So often it is looked whether a signal came.
                let hasChanged = try changes.next(timeout: .milliseconds(200))
                guard hasChanged else { continue }
                let found = try run.vaults.withKeychain { keychain in
                    try selection.itemsAsOpen(in: keychain)
                }
                for change in known.changes(to: found).prefix(restCount) {
                    try run.tell(change)
                    restCount -= 1
                }
            }
        }
    }
}

/// Something that happened to an item.
struct ItemChange: Equatable {
    enum Kind: String { case added, changed, deleted }

    let kind: Kind
    let item: FoundItem

    static func == (one: ItemChange, other: ItemChange) -> Bool {
        one.kind == other.kind && one.item.reference == other.item.reference
    }
}

/// Items as they were when they were last looked at.
struct KnownItems {
    private var items: [FoundItem]

    init(_ items: [FoundItem]) {
        self.items = items
    }

    /// What has happened since, and notes that: deletions first.
    mutating func changes(to found: FoundAsOpen) -> [ItemChange] {
        let former = Dictionary(items.map { ($0.reference, $0) }) { first, _ in first }
        let current = Set(found.items.map(\.reference))
        // What cannot be read now is not gone.
        let unreadable = Set(found.unreadable.map(\.reference))
        let missing = items.filter { !current.contains($0.reference) }
        var changes = missing.filter { !unreadable.contains($0.reference) }.map { ItemChange(kind: .deleted, item: $0) }
        for item in found.items {
            guard let old = former[item.reference] else {
                changes.append(ItemChange(kind: .added, item: item))
                continue
            }
            if old.revision != item.revision { changes.append(ItemChange(kind: .changed, item: item)) }
        }
        items = found.items + missing.filter { unreadable.contains($0.reference) }
        return changes
    }
}

extension Run {
    fileprivate func tell(_ change: ItemChange) throws {
        let (item, now) = (change.item, KeychainDate(secondsSince1970: now))
        if isJSON {
            let members: JSON = [
                "change": .string(change.kind.rawValue), "date": JSON(now), "item": item.json,
            ]
            try output.write(json: members)
        } else if output.isTerminal {
            try output.write(line: "\(shown(now))  \(change.kind.rawValue)  \(item.line)")
        } else {
            let words = [
                change.kind.rawValue, item.service.shown, item.account.shown, item.group.printable,
                item.itemClass.shortName,
            ]
            try output.write(line: words.joined(separator: "\t"))
        }
        // Somebody waits for it.
        try output.flush()
    }
}
