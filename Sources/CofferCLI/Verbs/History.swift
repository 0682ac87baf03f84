internal import Coffer

extension Verb {
    static let history = Verb(
        "history",
        .past,
        "Print what an item was before, without its secrets",
        operands: [.service, .optionalAccount],
        options: [.itemClass],
        details: """
            The newest comes first. An item that was deleted has a past too, as long as the vault keeps it: usually until the \
            vault is compacted, which happens by itself within a day of a change or deletion.

            Without a terminal a line has the number of the revision, the date, and what was changed, with a tab between them.
            """,
        examples: [Example(call: "coffer history mail kim", purpose: "when the password was changed")]
    ) { run in
        let selection = try run.selectionOfClass()
        let (changes, isWhole, start) = try run.withPast(selection) { past, keychain in
            (try past.changes(in: keychain), past.isWhole, try keychain.historyStart)
        }
        if !isWhole {
            let since = start.map { " before \(run.shown($0))" } ?? ""
            run.messages.note("not all of its past is kept\(since)")
        }
        guard !run.isJSON else {
            return try run.output.write(json: .array(changes.map(\.json)))
        }
        var table = TextTable(["REVISION", "WHEN", "CHANGED"])
        for change in changes {
            let number = if case .deleted = change.kind { "-" } else { String(change.state.revision.number) }
            table.add([number, change.date.map(run.shown) ?? "unknown", change.text])
        }
        try table.write(to: run.output, isColoured: run.printsColour)
    }
}

extension PastChange {
    /// The change for machines: `Spec/command.md`, section 5.
    fileprivate var json: JSON {
        let (word, changed): (String, JSON) =
            switch kind {
            case .added: ("added", nil)
            case .restored: ("restored", nil)
            case .changed(let names): ("changed", .array(names.map { .string($0) }))
            case .deleted: ("deleted", nil)
            case .unknown: ("unknown", nil)
            }
        return [
            "what": .string(word), "date": JSON(date), "changed": changed,
            "revision": .string(state.revision.description), "reference": .string(state.reference.name),
            "current": .bool(state.isCurrent), "item": state.item?.json ?? .null,
        ]
    }
}
