internal import Coffer
internal import CofferBasics

extension Verb {
    static let purge = Verb(
        "purge",
        .history,
        "Erase the history of one item or of all items",
        operands: [.optionalService, .optionalAccount],
        options: [.itemClass, .unreadable],
        details: """
            Rewrites the vault without past revisions and deleted items: items stay, `coffer rm --for-good` erases one. \
            This cannot be undone, so it asks for confirmation and needs --force if the user cannot be asked. The history \
            of other items stays as far as the vault keeps it. Earlier copies of the file keep their history, and a merge with one brings it back.

            With --unreadable the history stays; changes that are invalid, or of a kind unknown to this version, are \
            dropped instead. A newer version of coffer may know that kind.
            """,
        examples: [
            Example(call: "coffer purge", purpose: "erase the history of all items"),
            Example(call: "coffer purge mail kim", purpose: "erase former mail passwords of kim, even deleted"),
        ]
    ) { run in
        if run.arguments.has(.unreadable) { return try run.dropUnreadableChanges() }
        let selection = try run.selectionToChange()
        var items: [PersistentReference]?
        if selection.service == nil {
            // Erased history cannot be restored, so a call that may mean only some items is refused.
            for option in [Option.group, .itemClass] where run.arguments.has(option) {
                throw CommandError.usage(
                    "\(option.names[0]) needs NAME: without it the history of all items is erased"
                )
            }
        } else {
            items = try run.withHistory(selection) { past, _ in past.references }
        }
        let vault = try run.vaults.vault(for: .changing)
        // The history of locked items could not be told from current data and would stay.
        if !vault.isUnlocked { try run.vaults.unlock(vault) }
        let what =
            items == nil ? "history of all items in \(vault.path.printable)" : "history of \(selection.description)"
        try run.confirm("Erase the \(what)? This cannot be undone.", otherwise: "nothing was erased")
        let work = VaultWork { [items] shouldContinue in
            try vault.purge(items, progress: shouldContinue)
        }
        let summary = try run.perform(work, "purging")
        let count = summary.droppedRevisionCount.counted("past revision")
        run.messages.note(
            """
            erased the \(what); \(count) \(summary.droppedRevisionCount == 1 ? "was" : "were") dropped in all, and the \
            file has \(summary.byteCountAfter.grouped) bytes (\(summary.byteCountBefore.grouped) before)
            """
        )
        if items == nil, summary.carriedChangeCount > 0 {
            let carried = summary.carriedChangeCount.counted("change was", "changes were")
            run.messages.warning("\(carried) kept, because only other machines have their keys; purge them there")
        }
        if run.isJSON { try run.output.write(json: summary.json(of: vault)) }
    }
}

extension Option {
    static let unreadable = Option(
        "--unreadable",
        summary: "drop only changes that are invalid or of unknown kinds"
    )
}

extension CommandRun {
    fileprivate func dropUnreadableChanges() throws {
        let selection = try selectionToChange()
        guard selection.service == nil, selection.group == nil, !arguments.has(.itemClass) else {
            throw CommandError.usage("--unreadable applies to the whole vault: leave out NAME, --group and --class")
        }
        let vault = try vaults.vault(for: .changing)
        // A locked change cannot be told from an invalid one and would stay.
        if !vault.isUnlocked { try vaults.unlock(vault) }
        try confirm(
            "Drop changes in \(vault.path.printable) that this version cannot read? This cannot be undone.",
            otherwise: "nothing was dropped"
        )
        let work = VaultWork { shouldContinue in
            try vault.dropUnreadableChanges(progress: shouldContinue)
        }
        let summary = try perform(work, "purging")
        messages.note(
            """
            dropped the unreadable changes; the file has \(summary.byteCountAfter.grouped) bytes \
            (\(summary.byteCountBefore.grouped) before)
            """
        )
        if isJSON { try output.write(json: summary.json(of: vault)) }
    }
}
