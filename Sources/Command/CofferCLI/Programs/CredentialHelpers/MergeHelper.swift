internal import Coffer
internal import CofferBasics

extension Verb {
    static let mergeHelper = Verb(
        "helper merge",
        .programs,
        "Merge two copies of a vault for git",
        operands: [
            Operand(name: "ANCESTOR", presence: .needed, completion: .file),
            Operand(name: "OURS", presence: .needed, completion: .file),
            Operand(name: "THEIRS", presence: .needed, completion: .file),
            Operand(name: "MARKER-SIZE", presence: .optional),
            Operand(name: "PATH", presence: .optional, completion: .file),
        ],
        details: """
            Git calls this if .gitattributes has the line `*.coffer -text -diff merge=coffer`, and this was run once:

            git config merge.coffer.driver "coffer helper merge %O %A %B %L %P"

            THEIRS is merged into OURS, and conflicts between items are no conflicts for git: `coffer conflicts` shows \
            them afterwards.
            """,
        examples: [Example(call: "coffer helper merge %O %A %B %L %P", purpose: "what git is told to run")]
    ) { run in
        let (ours, theirs) = (run.arguments.operand(1) ?? "", run.arguments.operand(2) ?? "")
        let name = run.arguments.operand(4) ?? ours
        let vault = try VaultAccess(run, copyAt: ours, mayWrite: true).vault(for: .changing)
        let copy = try run.copy(at: theirs, of: vault, place: theirs)
        // Git gives the result to clones that have had one of the copies.
        let summary = try run.perform(vault.merge(with: copy, replacesFile: true), "merging")
        run.messages.note("\(name.printable): \(summary.text())")
        run.noteConsequences(of: MergedCopy(path: name, summary: summary))
    }
}
