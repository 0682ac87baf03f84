internal import Coffer
internal import CofferBasics

extension Option {
    fileprivate static let dropHistory = Option(
        "--drop-history",
        summary: "drop all past revisions and deleted items too, after asking"
    )
}

extension Verb {
    static let compact = Verb(
        "compact",
        .vaults,
        "Rewrite a vault without outdated data",
        options: [.dropHistory],
        details: """
            What the vault keeps of the past stays (`coffer history`); `coffer purge` erases it. This also happens \
            automatically when it is due. Others can read and write meanwhile. A failure leaves the vault unchanged.
            """,
        examples: [Example(call: "coffer compact", purpose: "make the file as small as possible")]
    ) { run in
        let vault = try run.vaults.vault(for: .changing)
        var work = vault.compaction()
        if run.arguments.has(.dropHistory) {
            try run.confirm(
                "Drop the history of all items in \(vault.path.printable)? This cannot be undone.",
                otherwise: "nothing was dropped"
            )
            work = VaultWork { shouldContinue in try vault.purge(nil, progress: shouldContinue) }
        }
        let summary = try run.perform(work, "compacting")
        guard !run.isJSON else { return try run.output.write(json: summary.json(of: vault)) }
        var list = FactList()
        list.add("before", run.output.size(summary.byteCountBefore))
        list.add("after", run.output.size(summary.byteCountAfter))
        list.add("dropped revisions", String(summary.droppedRevisionCount))
        if summary.carriedChangeCount > 0 {
            list.add("carried changes", String(summary.carriedChangeCount))
            run.messages.note("locked data was carried over; unlock the vault to compact it too")
        }
        try list.write(to: run.output, isColored: run.printsColor)
    }
}

extension CompactionSummary {
    /// The summary as JSON: `Spec/command.md`, section 5.
    func json(of vault: Vault) -> JSON {
        [
            "vault": .string(vault.path), "bytesBefore": JSON(byteCountBefore), "bytesAfter": JSON(byteCountAfter),
            "droppedRevisions": JSON(droppedRevisionCount), "carriedChanges": JSON(carriedChangeCount),
        ]
    }
}
