extension Verb {
    static let help = Verb(
        "help",
        .other,
        "Print help, of the command or of a verb",
        operands: [Operand(name: "VERB", presence: .rest, completion: .verb)],
        options: [.manual]
    ) { run in
        guard !run.arguments.has(.manual) else { return try run.output.write(Manual.text) }
        guard !run.arguments.operands.isEmpty else {
            return try Help.overview(to: run.output, isColoured: run.printsColour, isJSON: run.isJSON)
        }
        let words = run.arguments.operands
        guard let (verb, _) = VerbTable.verb(of: words) else { throw Run.unknown(words.joined(separator: " ")) }
        try Help.verb(verb, to: run.output, isColoured: run.printsColour, isJSON: run.isJSON)
    }
}

extension Option {
    static let manual = Option("--man", summary: "print the manual page, for man")
}
