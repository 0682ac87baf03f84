internal import Coffer
internal import CofferBasics

/// The history of a name: of the item that has it now or had it last, and of earlier items with the same name.
struct NameHistory {
    /// The references of the items, the newest first.
    let references: [PersistentReference]
    /// The newest item, or its last revision if it was deleted.
    let newest: FoundItem
    /// The revisions of each item, the newest first.
    let states: [[FoundRevision]]
    /// Whether the history is complete.
    let isComplete: Bool

    /// The revisions of all items, the newest first.
    var revisions: [FoundRevision] { states.flatMap(\.self) }

    /// The revision that has this id, or this number in the history of a selection.
    func revision(_ word: String, of selection: ItemSelection) throws -> FoundRevision {
        let all = revisions
        let found = all.enumerated().first { index, revision in
            revision.revision.description == word || String(all.count - index) == word
        }
        guard let found else {
            throw CommandError(
                .notFound,
                "revision \(word.printable) of \(selection.description) is not kept",
                hints: ["`coffer history` shows what is kept"]
            )
        }
        return found.element
    }
}

extension ItemSelection {
    /// The history of the selected item, which may be deleted.
    func past(in keychain: Keychain) throws -> NameHistory {
        var found: [[String]: [FoundItem]] = [:]
        var names: [[String]] = []
        let (form, existing) = try firstFound(in: keychain, isNothing: \.items.isEmpty) { form in
            (form: form, items: try form.itemsOfName(in: keychain))
        }
        let deleted =
            existing.isEmpty
            ? try firstFound(in: keychain, isNothing: \.isEmpty) { form in try form.deletedItems(in: keychain) }
            : try form.deletedItems(in: keychain)
        // Existing items first, then deleted ones, the most recently deleted first.
        for item in existing + deleted {
            if found[item.name] == nil { names.append(item.name) }
            found[item.name, default: []].append(item)
        }
        guard names.count < 2 else { throw ambiguous(names.compactMap { found[$0]?.first }) }
        guard let name = names.first, let items = found[name], let newest = items.first else {
            var error = try missing(in: keychain)
            error.hints = ["no deleted item with this name is kept either"] + error.hints
            throw error
        }
        let histories = try items.map { item in try item.past(in: keychain) }
        return NameHistory(
            references: histories.flatMap(\.references),
            newest: newest,
            states: histories.flatMap(\.states),
            isComplete: histories.allSatisfy(\.isComplete)
        )
    }

    /// The last revisions of deleted items, the most recently deleted first.
    func deletedItems(in keychain: Keychain) throws -> [FoundItem] {
        var found: [FoundRevision] = []
        // Of versions that were deleted together, the one that counted comes first, which is the newest.
        for type in classes.compactMap(\.itemType) { found += try deletedItems(type, in: keychain).reversed() }
        let latest = found.sorted { one, other in
            (one.ended?.secondsSince1970 ?? 0) > (other.ended?.secondsSince1970 ?? 0)
        }
        return narrowed(latest.compactMap(\.item))
    }

    private func deletedItems<Item: KeychainItem>(
        _ type: Item.Type,
        in keychain: Keychain
    ) throws -> [FoundRevision] {
        guard let conditions = conditions(for: Item.self) else { return [] }
        return try keychain.deletedItems(Item.self, where: .all(conditions)).map { FoundRevision($0) }
    }
}

extension FoundItem {
    /// The history of this item, and of those that lost against it.
    func past(in keychain: Keychain) throws -> NameHistory {
        guard let type = itemClass.itemType else { throw KeychainError.itemNotFound }
        return try past(type, in: keychain)
    }

    private func past<Item: KeychainItem>(_ type: Item.Type, in keychain: Keychain) throws -> NameHistory {
        guard let reference = KeychainReference<Item>(reference) else { throw KeychainError.itemNotFound }
        let own = try keychain.history(of: reference)
        var references = [reference]
        for lost in own.conflicts.map(\.reference) where !references.contains(lost) { references.append(lost) }
        let histories = try [own] + references.dropFirst().map { try keychain.history(of: $0) }
        return NameHistory(
            references: references.map(\.persistentReference),
            newest: self,
            states: zip(histories, references).map { history, reference in
                history.revisions.filter { $0.reference == reference }.map { FoundRevision($0) }
            },
            isComplete: histories.allSatisfy(\.isComplete)
        )
    }

    /// What identifies an item among the existing ones: class, group and primary key.
    var name: [String] {
        let key = itemClass.primaryKey + KeychainClass.sharedPrimaryKey
        return [itemClass.rawValue, group] + key.map { attributes[$0].map { "\($0)" } ?? "" }
    }
}

extension CommandRun {
    /// Calls `body` with the history of the selected item, which is to be changed unless `use` is reading.
    func withHistory<Result>(
        _ selection: ItemSelection,
        for use: KeychainUse = .reading,
        _ body: (NameHistory, Keychain) throws -> Result
    ) throws -> Result {
        try vaults.withKeychain(for: use) { keychain in
            try body(selection.past(in: keychain), keychain)
        }
    }
}
