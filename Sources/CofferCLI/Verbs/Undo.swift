internal import Coffer

extension Verb {
    static let undo = Verb(
        "undo",
        .past,
        "Take the last change of an item back, or its deletion",
        operands: [.service, .optionalAccount],
        options: [.itemClass],
        details: """
            What the item was before, its secret too, comes back as a new revision. That is a change as well: undone twice, the \
            item is what it was at first.
            """,
        examples: [Example(call: "coffer undo mail kim", purpose: "the former password, or the one that was deleted")]
    ) { run in
        let selection = try run.selectionOfClass()
        let (item, wasDeleted) = try run.withPast(selection, for: .changing) { past, keychain in
            (try past.undo(in: keychain), past.newest.isDeleted)
        }
        guard let item else {
            throw CommandError(
                .notFound,
                "nothing is known of what \(selection.description) was before",
                hints: ["coffer history shows what is kept; coffer rm deletes the item"]
            )
        }
        let done = wasDeleted ? "brought back" : "took back the last change of"
        run.messages.note("\(done) \(item.line), which has revision \(item.revision.number) now")
        if run.isJSON { try run.output.write(json: item.json) }
    }
}

extension ItemPast {
    /// Undoes the last change, and tells what the item is now; nil if nothing is kept of what it was before.
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
