internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles

// What is done to one item or to several together, and undone as one.
extension Browser {
    func delete(_ items: [FoundItem]) throws {
        guard !items.isEmpty, try confirm("Delete \(items.words)?", yes: "Delete", said: items.titles) else { return }
        try perform(.deletion, on: items)
        try changed("deleted \(items.words); z undoes it")
        justDone = items
    }

    func move(_ items: [FoundItem]) throws {
        // A group that all of them have already is not offered.
        let own = Set(items.map(\.group)).count == 1 ? items[0].group : ""
        let all = Set(state.items.map(\.group)).union(try run.vaults.groups().names.filter { $0 != "*" })
        let groups = all.filter { $0 != own }.sorted()
        let lines = groups.map(\.printable) + ["another group…"]
        guard !items.isEmpty, let choice = try choose("Move \(items.words) to", lines, said: items.titles) else {
            return
        }
        var group = choice < groups.count ? groups[choice] : ""
        if choice == groups.count {
            guard let name = try ask("Name of the group: ", nil, isSecret: false) else { return }
            group = name.text.string ?? ""
        }
        let moving = items.filter { $0.group != group }
        guard !group.isEmpty, !moving.isEmpty else { return }
        // From the vault, since the screen does not list what an import has hidden.
        let references = Set(moving.map(\.reference))
        let parts = try run.vaults.withKeychain { keychain in
            try Set(moving.map(\.group)).flatMap { try moving.parts(in: $0, of: keychain) }
        }.filter { !references.contains($0.reference) }
        let moved = try perform(.move(group), on: moving + parts)
        let others = parts.isEmpty ? "" : " with \(parts.count.counted("item")) of it"
        try changed("moved \(moving.words)\(others) to \(group.printable); z undoes it", moved.first)
        justDone = moved
    }

    func undo(_ items: [FoundItem]) throws {
        // To undo that would bring the change back, and each time the history would lose its oldest revision.
        let isUndone = items.contains { item in undone.contains { $0 == (item.reference, item.revision) } }
        guard !isUndone else { return say("already undone; 3 goes to the history, where r takes a revision back") }
        do {
            let restored = try perform(.undoing, on: items)
            undone += restored.map { ($0.reference, $0.revision) }
            let state = items.count == 1 ? "is as it was" : "are as they were"
            try changed("\(items.words) \(state) before", restored.first)
        } catch let error where (error as? KeychainError) == .noSuchRevision {
            say("no earlier revision is kept")
        }
    }

    /// Changes all items or, if that fails for one of them, none.
    @discardableResult
    private func perform(_ change: SharedChange, on items: [FoundItem]) throws -> [FoundItem] {
        var current: FoundItem?
        do {
            let changed = try run.vaults.withKeychain(for: .changing) { keychain in
                try keychain.largeTransaction { transaction in
                    var changed: [FoundItem] = []
                    for item in items {
                        current = item
                        if let item = try item.perform(change, in: &transaction) { changed.append(item) }
                    }
                    return changed
                }.result
            }
            state.clearMarks()
            return changed
        } catch let error as KeychainError where items.count > 1 {
            let (error, name) = (CommandError(error), current?.shownName ?? "an item")
            throw CommandError(
                error.code,
                "nothing was changed, because of \(name): \(error.message)",
                hints: error.hints
            )
        }
    }

    /// Writes the marked items, or all if none are marked, for another program.
    func export() throws {
        let marked = state.marks.isEmpty ? nil : state.chosen
        let programs = Array(ExportForm.targets.reversed())
        guard let choice = try choose("Export \(marked?.words ?? "all items") for", programs),
            let path = try askPath("File to write: ")
        else { return }
        try perform([]) { line in
            try line.exportPasswords(for: programs[choice], to: path, only: marked.map { Set($0.map(\.reference)) })
        }
        state.clearMarks()
    }
}

/// What is done to several items.
private enum SharedChange {
    case deletion
    case move(String)
    case undoing
}

extension FoundItem {
    /// Changes the item, and returns it as it is then; nil if it was deleted.
    fileprivate func perform(
        _ change: SharedChange,
        in transaction: inout KeychainTransaction
    ) throws(KeychainError) -> FoundItem? {
        guard let type = itemClass.itemType else { throw .itemNotFound }
        return try perform(change, type, &transaction)
    }

    private func perform<Item: KeychainItem>(
        _ change: SharedChange,
        _ type: Item.Type,
        _ transaction: inout KeychainTransaction
    ) throws(KeychainError) -> FoundItem? {
        guard let reference = KeychainReference<Item>(reference) else { throw .itemNotFound }
        switch change {
        case .deletion:
            try transaction.delete(reference, ifRevision: revision)
            return nil
        case .move(let group):
            return FoundItem(
                try transaction.update(reference, ifRevision: revision) { item in
                    item.attributes[.accessGroup] = .string(group)
                }
            )
        case .undoing: return FoundItem(try transaction.undo(reference))
        }
    }
}

extension [FoundItem] {
    /// The item, or the number of items, in words.
    fileprivate var words: String { count == 1 ? self[0].shownName : count.counted("item") }

    /// The titles of several items; nil for a single one.
    fileprivate var titles: String? {
        guard count > 1 else { return nil }
        return prefix(20).map(\.title).joined(separator: ", ") + (count > 20 ? ", …" : "")
    }
}
