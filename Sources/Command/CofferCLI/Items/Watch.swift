internal import Coffer
internal import CofferBasics
internal import CommandSystem

extension CommandRun {
    /// Prints changes of items as they happen, until a signal arrives.
    func watch(_ selection: ItemSelection) throws {
        var restCount = try arguments.count(of: .changeCount, in: 1...Int.max) ?? .max
        let vault = try vaults.vault()
        // Watch before reading the items, so that no change in between is missed.
        let changes = try vault.changes()
        var known = KnownItems(try vaults.withKeychain { try selection.items(in: $0.showingEachGroup) })
        try context.machine.recordingSignals { signal in
            messages.note("watching \(vault.path.printable); press Ctrl-C to stop")
            while restCount > 0, signal() == nil {
                // The timeout is how often the loop checks for a signal.
                let hasChanged = try changes.next(timeout: .milliseconds(200))
                guard hasChanged else { continue }
                let found = try vaults.withKeychain { keychain in
                    try selection.itemsByReadability(in: keychain.showingEachGroup)
                }
                for change in known.changes(to: found).prefix(restCount) {
                    try reportResult(change)
                    restCount -= 1
                }
            }
        }
    }
}

/// A change of an item.
struct ItemChange: Equatable {
    enum Kind: String { case added, changed, deleted }

    let kind: Kind
    let item: FoundItem

    static func == (one: ItemChange, other: ItemChange) -> Bool {
        one.kind == other.kind && one.item.reference == other.item.reference
    }
}

/// The items as they were when they were last read.
struct KnownItems {
    private var items: [FoundItem]

    init(_ items: [FoundItem]) {
        self.items = items
    }

    /// Returns the changes since the last call, deletions first, and remembers the new state.
    mutating func changes(to found: FoundItemsByReadability) -> [ItemChange] {
        let former = Dictionary(items.map { ($0.reference, $0) }) { first, _ in first }
        let current = Set(found.items.map(\.reference))
        // An item that cannot be read now is not taken for deleted.
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

extension CommandRun {
    fileprivate func reportResult(_ change: ItemChange) throws {
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
        // A reader may be waiting for this line.
        try output.flush()
    }
}
