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
            It does not ask: coffer undo brings the item back, as long as the vault keeps its past. A locked vault need not be \
            unlocked for it.
            """,
        examples: [Example(call: "coffer rm mail kim", purpose: "delete the password of kim for mail")]
    ) { run in
        let selection = try run.selectionOfClass()
        let removal = try run.vaults.withKeychain(for: .changing) { keychain in
            let removal = try selection.removal(in: keychain)
            try removal.reference.delete(in: keychain)
            return removal
        }
        run.messages.note("deleted \(removal.line); \(removal.wayBack) brings it back, as long as its past is kept")
    }
}

/// One item that is to be deleted.
struct ItemRemoval {
    let reference: PersistentReference
    /// What it is called, for people.
    let line: String
    /// What undoes the deletion.
    let wayBack: String
}

extension ItemSelection {
    /// The one item that is meant, which may be locked or damaged.
    func removal(in keychain: Keychain) throws -> ItemRemoval {
        let found = try itemsAsOpen(in: keychain)
        let (items, unreadable) = (found.items, found.unreadable)
        // What is meant may be in a group that cannot be looked into.
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
                    "an item that may be \(description) is damaged, and nobody can tell",
                    hints: ["coffer verify tells what is damaged"]
                )
            }
            throw notFound
        default: throw ambiguous(items, sealedCount: sealed.count)
        }
    }

    private func description(in group: String) -> String {
        self.group == nil ? "\(description) in \(group.printable)" : description
    }

    /// The call that undoes what was done to an item.
    func undoCall(_ service: AttributeText, _ account: AttributeText?) -> String {
        let words = [service.string, account?.string].compactMap(\.self)
        let dashes = words.contains { $0.hasPrefix("-") } ? ["--"] : []
        return (["coffer", "undo"] + dashes + words.map(\.shellWord)).joined(separator: " ")
    }
}

extension PersistentReference {
    /// Deletes the item.
    fileprivate func delete(in keychain: Keychain) throws {
        guard let type = itemClass.itemType else { throw KeychainError.itemNotFound }
        try delete(type, in: keychain)
    }

    private func delete<Item: KeychainItem>(_ type: Item.Type, in keychain: Keychain) throws {
        guard let reference = KeychainReference<Item>(self) else { throw KeychainError.itemNotFound }
        try keychain.delete(reference)
    }
}
