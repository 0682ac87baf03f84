internal import Coffer

extension Option {
    fileprivate static let keep = Option(
        "--keep",
        argument: .value("N", .nothing),
        summary: "keep at most N past revisions of each item (0: none)"
    )
    fileprivate static let days = Option(
        "--days",
        argument: .value("N", .nothing),
        summary: "keep what was overwritten or deleted for N days"
    )
}

extension Verb {
    static let history = Verb(
        "history",
        .history,
        "Show the history of an item, or set how much is kept",
        operands: [.optionalService, .optionalAccount],
        options: [.itemClass, .keep, .days],
        details: """
            The newest change comes first; `coffer get --revision N` prints a secret of the past, and `coffer undo` goes \
            back to it. A deleted item has a history too, as long as the vault keeps it. Without NAME, says how much of \
            the past the vault keeps: ten past revisions of each item and deleted items, for ninety days and within 32 \
            MiB, unless --keep and --days have set something else. Setting it needs the passphrase. What is kept can be \
            read with the keys of the vault; `coffer purge` and `coffer rm --for-good` erase it.

            Without a terminal, each line has the number of the revision, the date and what changed, separated by tabs.
            """,
        examples: [
            Example(call: "coffer history mail kim", purpose: "show when the password was changed"),
            Example(call: "coffer history --keep 20 --days 365", purpose: "keep more, for a year"),
        ]
    ) { run in
        let selection = try run.selectionOfClass()
        if selection.service == nil {
            for option in [Option.group, .itemClass] where run.arguments.has(option) {
                throw CommandError.usage("\(option.names[0]) needs NAME: what is kept applies to all items")
            }
            return try run.keepHistory()
        }
        guard !run.arguments.has(.keep), !run.arguments.has(.days) else {
            throw CommandError.usage("--keep and --days apply to all items: leave out NAME")
        }
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
            let number = if case .deleted = change.kind { "-" } else { String(change.number) }
            table.add([number, change.date.map(run.shown) ?? "unknown", change.text])
        }
        try table.write(to: run.output, isColored: run.printsColor)
    }
}

extension CommandRun {
    /// Sets how much of the past the vault keeps, or shows it.
    fileprivate func keepHistory() throws {
        let revisions = try arguments.count(of: .keep, in: 0...1_000_000)
        let days = try arguments.count(of: .days, in: 0...36_500)
        guard revisions != nil || days != nil else { return try showKept(in: vaults.vault()) }
        let vault = try vaults.openForKeyChange().vault
        var settings = try vault.historySettings
        settings.revisions = revisions ?? settings.revisions
        settings.days = days ?? settings.days
        try vault.setHistorySettings(settings)
        messages.note("what is kept of the past: \(settings.summary)")
        if isJSON { try showKept(in: vault) }
    }

    private func showKept(in vault: Vault) throws {
        let settings = try vault.historySettings
        let space = try vault.space()
        let used = space.uses.first { $0.name == "history" }?.byteCount ?? 0
        let maximum = HistorySettings.maximumByteCount
        let start = try vaults.withKeychain { try $0.historyStart }
        guard !isJSON else {
            return try output.write(
                json: [
                    "history": settings.json, "bytes": JSON(used),
                    "maximumBytes": JSON(maximum), "completeSince": JSON(start),
                ]
            )
        }
        var list = FactList()
        list.add("kept", settings.summary)
        list.add("past revisions", String(space.pastRevisionCount))
        list.add("space", output.size(used))
        list.add("at most", output.size(maximum))
        if let start { list.add("complete since", shown(start)) }
        try list.write(to: output, isColored: printsColor)
        if used > maximum / 4 * 3 {
            messages.warning("the past has little room left: the oldest revisions of large items go before their time")
        }
    }
}

extension HistoryChange {
    /// The change as JSON: `Spec/command.md`, section 5.
    var json: JSON {
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
            "number": JSON(number), "revision": .string(state.revision.description),
            "reference": .string(state.reference.name), "current": .bool(state.isCurrent),
            "item": state.item?.json ?? .null,
        ]
    }
}
