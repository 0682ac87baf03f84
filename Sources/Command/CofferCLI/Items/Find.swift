internal import Coffer

extension Verb {
    static let find = Verb(
        "find",
        .items,
        "Find items by parts of their names",
        operands: [Operand(name: "TEXT", presence: .needed), Operand(name: "TEXT", presence: .rest)],
        options: [.itemClass],
        details: """
            Prints the items in whose service or server, account, label, comment, path or description all words of TEXT \
            appear, the best match first: at the beginning, at the beginning of a word, within a word, or with letters \
            left out. Case does not matter.

            The output is that of `coffer list`.
            """,
        examples: [
            Example(call: "coffer find git", purpose: "find everything about git"),
            Example(call: "coffer find kim ghub", purpose: "find the account of kim at github.com"),
        ]
    ) { run in
        let search = FuzzySearch(run.arguments.operands.joined(separator: " "))
        guard !search.isEmpty else { throw CommandError.usage("TEXT is empty") }
        var selection = try run.selectionOfClass()
        if !run.arguments.has(.itemClass) { selection.classes = KeychainClass.stored }
        (selection.service, selection.account) = (nil, nil)
        let found = try run.items(selection) { search.matches(in: $0) }
        guard !found.isEmpty else {
            throw CommandError(.notFound, "no item matches", hints: ["run `coffer list` to see all items"])
        }
        guard !run.isJSON else { return try run.output.write(json: .array(found.map(\.json))) }
        try run.table(found).write(to: run.output, isColored: run.printsColor)
    }
}
