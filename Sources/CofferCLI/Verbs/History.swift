internal import Coffer

extension Verb {
    static let history = Verb(
        "history",
        .history,
        "Show the history of an item, without its secrets",
        operands: [.service, .optionalAccount],
        options: [.itemClass],
        details: """
            The newest change comes first. A deleted item has a history too, as long as the vault keeps it: by \
            default until the vault is compacted, usually within a day of a change or deletion.

            Without a terminal, each line has the revision number, the date and what changed, separated by tabs.
            """,
        examples: [Example(call: "coffer history mail kim", purpose: "show when the password was changed")]
    ) { run in
        let selection = try run.selectionOfClass()
        let (changes, isComplete, start) = try run.withHistory(selection) { past, keychain in
            (try past.changes(in: keychain), past.isComplete, try keychain.historyStart)
        }
        if !isComplete {
            let since = start.map { " before \(run.shown($0))" } ?? ""
            run.messages.note("the history is incomplete\(since)")
        }
        guard !run.isJSON else {
            return try run.output.write(json: .array(changes.map(\.json)))
        }
        var table = TextTable(["REVISION", "WHEN", "CHANGED"])
        for change in changes {
            let number = if case .deleted = change.kind { "-" } else { String(change.state.revision.number) }
            table.add([number, change.date.map(run.shown) ?? "unknown", change.text])
        }
        try table.write(to: run.output, isColored: run.printsColor)
    }
}

extension HistoryChange {
    /// The change as JSON: `Spec/command.md`, section 5.
    fileprivate var json: JSON {
        let (word, changed): (String, JSON) =
            switch kind {
            case .added: ("added", nil)
            case .restored: ("restored", nil)
            case .changed(let names): ("changed", .array(names.map { .string($0) }))
            case .changedElsewhere(let names): ("changedElsewhere", .array(names.map { .string($0) }))
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
