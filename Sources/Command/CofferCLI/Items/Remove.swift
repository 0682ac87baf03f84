internal import Coffer
internal import CofferBasics

extension Option {
    fileprivate static let forGood = Option("--for-good", summary: "erase it with its history: this cannot be undone")
}

extension Verb {
    static let remove = Verb(
        "rm",
        .items,
        "Delete an item",
        operands: [.service, .optionalAccount],
        options: [.itemClass, .forGood],
        details: """
            Does not ask for confirmation: `coffer undo` restores the item as long as the vault keeps its history, and \
            until then it can be read with the keys of the vault. A locked vault need not be unlocked.

            With --for-good nothing of the item stays in the vault, which is rewritten. This asks for confirmation, and \
            needs --force if the user cannot be asked. Earlier copies of the file still have the item, and a merge with \
            one brings its history back: erase it there too.
            """,
        examples: [
            Example(call: "coffer rm mail kim", purpose: "delete the mail password of kim"),
            Example(call: "coffer rm --for-good mail kim", purpose: "erase it, with its former passwords"),
        ]
    ) { run in
        let selection = try run.selectionToChange()
        if run.arguments.has(.forGood) { return try run.erase(selection) }
        let removal = try run.vaults.withKeychain(for: .changing) { keychain in
            let removal = try selection.removal(in: keychain)
            try removal.reference.delete(in: keychain)
            return removal
        }
        run.messages.note("deleted \(removal.title); \(try run.wayBack(removal))")
        run.noteParts(of: removal)
    }
}

extension CommandRun {
    /// How, and until when, a removal can be undone.
    fileprivate func wayBack(_ removal: ItemRemoval) throws -> String {
        let settings = try vaults.vault(for: .changing).historySettings
        guard settings.revisions != 0, settings.days != 0, settings != HistorySettings() else {
            return "`\(removal.wayBack)` restores it until the vault is compacted"
        }
        guard let days = settings.days else { return "`\(removal.wayBack)` restores it" }
        let end = KeychainDate(secondsSince1970: now + Double(days) * 86_400)
        return "`\(removal.wayBack)` restores it until \(shown(end))"
    }

    fileprivate func erase(_ selection: ItemSelection) throws {
        let vault = try vaults.vault(for: .changing)
        if !vault.isUnlocked { try vaults.unlock(vault) }
        let removal: ItemRemoval
        do {
            removal = try vaults.withKeychain(for: .changing) { try selection.removal(in: $0) }
        } catch var error as CommandError where error.code == .notFound {
            error.hints.append("`coffer purge` erases the history of an item that is deleted already")
            throw error
        }
        try confirm("Erase \(removal.title) and its history? This cannot be undone.", otherwise: "nothing was erased")
        try vaults.withKeychain(for: .changing) { try removal.reference.erase(in: $0) }
        messages.note("erased \(removal.title) and its history; earlier copies still have it: erase it there too")
        noteParts(of: removal)
    }

    /// Says what an import has stored with the item, and stays.
    fileprivate func noteParts(of removal: ItemRemoval) {
        guard !removal.parts.isEmpty else { return }
        let calls = removal.parts.map { "`\($0.call(of: arguments.has(.forGood) ? "rm --for-good" : "rm"))`" }
        messages.note("what belongs to it stays: \(calls.joined(separator: ", "))")
    }
}

/// An item to delete.
struct ItemRemoval {
    let reference: PersistentReference
    /// What people call the item.
    let title: String
    /// The call that undoes the deletion.
    let wayBack: String
    /// The one-time password and the fields of the item.
    var parts: [FoundItem] = []
}

extension ItemSelection {
    /// The selected item, which may be locked or damaged.
    func removal(in keychain: Keychain) throws -> ItemRemoval {
        let found = try itemsByReadability(in: keychain, forDeletion: true)
        let (items, unreadable) = (found.items, found.unreadable)
        // The item may be in a group that cannot be read.
        guard !found.hasClosedGroups else { throw KeychainError.locked }
        guard !unreadable.contains(where: { $0.isLocked && !$0.isMeant }) else { throw KeychainError.locked }
        let sealed = unreadable.filter(\.isMeant)
        switch (items.count, sealed.count) {
        case (1, 0):
            let way = items[0].call(of: "undo")
            let (reference, title) = (items[0].reference, items[0].shownName)
            return ItemRemoval(
                reference: reference,
                title: title,
                wayBack: way,
                parts: items[0].mainParts(in: keychain)
            )
        case (0, 1):
            let state = sealed[0].isLocked ? "locked" : "damaged"
            let title = "\(description) (\(state))"
            let way = FoundItem.call(of: "undo", service ?? "", account)
            return ItemRemoval(reference: sealed[0].reference, title: title, wayBack: way)
        case (0, 0):
            guard unreadable.isEmpty else {
                throw CommandError(
                    .damaged,
                    "cannot tell whether \(description) exists: an item that may have that name is damaged",
                    hints: ["run `coffer verify` to see what is damaged"]
                )
            }
            throw try missing(in: keychain)
        default: throw ambiguous(items, sealedCount: sealed.count)
        }
    }
}

extension FoundItem {
    /// The one-time password and the fields of the item, if they are readable; to look for all parts would take long.
    fileprivate func mainParts(in keychain: Keychain) -> [FoundItem] {
        guard companion == nil else { return [] }
        return ["otp", "fields"].flatMap { kind in
            let name = AttributeText("\(kind):\(service)")
            let selection = ItemSelection(service: name, account: account, group: group, classes: [.genericPassword])
            return (try? selection.itemsOfName(in: keychain)) ?? []
        }
    }
}

extension PersistentReference {
    /// Deletes the item.
    func delete(in keychain: Keychain) throws {
        guard let type = itemClass.itemType else { throw KeychainError.itemNotFound }
        try delete(type, in: keychain)
    }

    private func delete<Item: KeychainItem>(_ type: Item.Type, in keychain: Keychain) throws {
        guard let reference = KeychainReference<Item>(self) else { throw KeychainError.itemNotFound }
        try keychain.delete(reference)
    }

    /// Deletes the item with its past.
    fileprivate func erase(in keychain: Keychain) throws {
        guard let type = itemClass.itemType else { throw KeychainError.itemNotFound }
        try erase(type, in: keychain)
    }

    private func erase<Item: KeychainItem>(_ type: Item.Type, in keychain: Keychain) throws {
        guard let reference = KeychainReference<Item>(self) else { throw KeychainError.itemNotFound }
        try keychain.erase(reference)
    }
}
