internal import Coffer

extension Verb {
    static let compact = Verb(
        "compact",
        .vaults,
        "Write a vault anew, without what need not be kept",
        details: """
            What was deleted or replaced goes, unless the settings of the vault keep it. It is done by itself when it is due. \
            Others can read and write meanwhile, and if something fails the vault stays as it is.
            """,
        examples: [Example(call: "coffer compact", purpose: "make the file as small as it can be")]
    ) { run in
        let vault = try run.vaults.vault(for: .changing)
        let summary = try run.perform(vault.compaction(), "compacting")
        guard !run.isJSON else { return try run.output.write(json: summary.json(of: vault)) }
        var list = FactList()
        list.add("before", run.output.size(summary.byteCountBefore))
        list.add("after", run.output.size(summary.byteCountAfter))
        list.add("dropped revisions", String(summary.droppedRevisionCount))
        if summary.carriedChangeCount > 0 {
            list.add("carried changes", String(summary.carriedChangeCount))
            run.messages.note("what is locked was carried as it is; unlock the vault to drop what is old of it")
        }
        try list.write(to: run.output, isColoured: run.printsColour)
    }
}

extension CompactionSummary {
    /// What was done, for machines: `Spec/command.md`, section 5.
    func json(of vault: Vault) -> JSON {
        [
            "vault": .string(vault.path), "bytesBefore": JSON(byteCountBefore), "bytesAfter": JSON(byteCountAfter),
            "droppedRevisions": JSON(droppedRevisionCount), "carriedChanges": JSON(carriedChangeCount),
        ]
    }
}
