internal import Coffer

extension Verb {
    static let undo = Verb(
        "undo",
        .history,
        "Undo the last change of an item, or its deletion",
        operands: [.service, .optionalAccount],
        options: [.itemClass],
        details: """
            Stores the previous revision, including its secret, as a new revision. This is a change itself: undoing \
            twice restores the original state.
            """,
        examples: [Example(call: "coffer undo mail kim", purpose: "restore the former or deleted password")]
    ) { run in
        let selection = try run.selectionOfClass()
        let (item, wasDeleted) = try run.withHistory(selection, for: .changing) { past, keychain in
            (try past.undo(in: keychain), past.newest.isDeleted)
        }
        guard let item else {
            throw CommandError(
                .notFound,
                "no earlier revision of \(selection.description) is kept",
                hints: ["`coffer history` shows what is kept; `coffer rm` deletes the item"]
            )
        }
        let done = wasDeleted ? "restored" : "undid the last change of"
        run.messages.note("\(done) \(item.line), now at revision \(item.revision.number)")
        if run.isJSON { try run.output.write(json: item.json) }
    }
}

extension NameHistory {
    /// Undoes the last change and returns the item as it is now; nil if no earlier revision is kept.
    fileprivate func undo(in keychain: Keychain) throws -> FoundItem? {
        guard let type = newest.itemClass.itemType else { return nil }
        do {
            return try undo(type, in: keychain)
        } catch KeychainError.noSuchRevision {
            return nil
        }
    }

    private func undo<Item: KeychainItem>(_ type: Item.Type, in keychain: Keychain) throws -> FoundItem {
        guard let reference = KeychainReference<Item>(newest.reference) else { throw KeychainError.itemNotFound }
        return FoundItem(try keychain.undo(reference))
    }
}
