internal import Coffer
internal import CofferBasics

extension Verb {
    static let purge = Verb(
        "purge",
        .past,
        "Drop the past of all items, or of one: nothing of it stays in the file",
        operands: [.optionalService, .optionalAccount],
        options: [.itemClass, .unreadable],
        details: """
            The vault is written anew, without what items were before and without what was deleted. It cannot be undone, so it \
            asks first, and needs --force where nobody can be asked. The past of other items goes too, unless the vault keeps it. \
            Copies of the file that were made before keep what they have.

            With --unreadable the past stays, and changes go that are invalid or of a kind that this version does not know. A \
            newer version of coffer may know that kind.
            """,
        examples: [
            Example(call: "coffer purge", purpose: "the past of all items"),
            Example(call: "coffer purge mail kim", purpose: "former passwords of kim for mail, deleted ones too"),
        ]
    ) { run in
        if run.arguments.has(.unreadable) { return try run.dropUnreadableChanges() }
        let selection = try run.selectionOfClass()
        var items: [PersistentReference]?
        if selection.service == nil {
            // What is dropped cannot be brought back, so nobody must mean less than all.
            for option in [Option.group, .itemClass] where run.arguments.has(option) {
                throw CommandError.usage(
                    "\(option.names[0]) needs SERVICE: without it the past of all items is dropped"
                )
            }
        } else {
            items = try run.withPast(selection) { past, _ in past.references }
        }
        let vault = try run.vaults.vault(for: .changing)
        // The past of what is locked could not be told from what is needed, and would stay.
        if !vault.isUnlocked { try run.vaults.unlock(vault) }
        let what =
            items == nil ? "the past of all items in \(vault.path.printable)" : "the past of \(selection.description)"
        try run.confirm("Drop \(what)? It cannot be brought back.", otherwise: "nothing was dropped")
        let work = VaultWork { [items] isToGoOn throws(VaultError) in
            try vault.purge(items, progress: isToGoOn)
        }
        let summary = try run.perform(work, "purging")
        let count = summary.droppedRevisionCount.counted("past revision")
        run.messages.note(
            """
            \(what) is gone; \(count) \(summary.droppedRevisionCount == 1 ? "was" : "were") dropped in all, and the file has \
            \(summary.byteCountAfter) bytes, where it had \(summary.byteCountBefore)
            """
        )
        if items == nil, summary.carriedChangeCount > 0 {
            let carried = summary.carriedChangeCount.counted("change was", "changes were")
            run.messages.warning("\(carried) carried as they are: other machines have their keys, and can purge them")
        }
        if run.isJSON { try run.output.write(json: summary.json(of: vault)) }
    }
}

extension Option {
    static let unreadable = Option(
        "--unreadable",
        summary: "drop changes that are invalid or of unknown kinds, and nothing else"
    )
}

extension Run {
    fileprivate func dropUnreadableChanges() throws {
        let selection = try selectionOfClass()
        guard selection.service == nil, selection.group == nil, !arguments.has(.itemClass) else {
            throw CommandError.usage("--unreadable concerns the whole vault: it takes no SERVICE, --group or --class")
        }
        let vault = try vaults.vault(for: .changing)
        // A change that is locked cannot be told from an invalid one, and stays.
        if !vault.isUnlocked { try vaults.unlock(vault) }
        try confirm(
            "Drop changes in \(vault.path.printable) that this version cannot read? They cannot be brought back.",
            otherwise: "nothing was dropped"
        )
        let work = VaultWork { isToGoOn throws(VaultError) in try vault.dropUnreadableChanges(progress: isToGoOn) }
        let summary = try perform(work, "purging")
        messages.note(
            """
            dropped the changes that cannot be read; the file has \(summary.byteCountAfter) bytes, and had \
            \(summary.byteCountBefore)
            """
        )
        if isJSON { try output.write(json: summary.json(of: vault)) }
    }
}
