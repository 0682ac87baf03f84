internal import Coffer
internal import CofferBasics

extension Verb {
    static let remove = Verb(
        "rm",
        .items,
        "Delete an item",
        operands: [.service, .optionalAccount],
        options: [.itemClass],
        details: """
            Does not ask for confirmation: `coffer undo` restores the item as long as the vault keeps its history. A \
            locked vault need not be unlocked.
            """,
        examples: [Example(call: "coffer rm mail kim", purpose: "delete the mail password of kim")]
    ) { run in
        let selection = try run.selectionOfClass()
        let removal = try run.vaults.withKeychain(for: .changing) { keychain in
            let removal = try selection.removal(in: keychain)
            try removal.reference.delete(in: keychain)
            return removal
        }
        run.messages.note("deleted \(removal.line); `\(removal.wayBack)` restores it as long as its history is kept")
    }
}

/// An item to delete.
struct ItemRemoval {
    let reference: PersistentReference
    /// The item in words.
    let line: String
    /// The call that undoes the deletion.
    let wayBack: String
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
            let way = undoCall(items[0].service, items[0].account.isEmpty ? nil : items[0].account)
            return ItemRemoval(reference: items[0].reference, line: items[0].line, wayBack: way)
        case (0, 1):
            let state = sealed[0].isLocked ? "locked" : "damaged"
            let line =
                "\(description(in: sealed[0].accessGroup)) (\(sealed[0].reference.itemClass.shortName), \(state))"
            let way = undoCall(service ?? "", account)
            return ItemRemoval(reference: sealed[0].reference, line: line, wayBack: way)
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

    private func description(in group: String) -> String {
        self.group == nil ? "\(description) in \(group.printable)" : description
    }

    /// The call that undoes the last change of an item.
    func undoCall(_ service: AttributeText, _ account: AttributeText?) -> String {
        let words = [service.string, account?.string].compactMap(\.self)
        let dashes = words.contains { $0.hasPrefix("-") } ? ["--"] : []
        return (["coffer", "undo"] + dashes + words.map(\.shellWord)).joined(separator: " ")
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
}
