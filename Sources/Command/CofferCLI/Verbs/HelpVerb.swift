extension Verb {
    static let help = Verb(
        "help",
        .other,
        "Print help for the command or for a verb",
        operands: [Operand(name: "VERB", presence: .rest, completion: .verb)],
        options: [.manual]
    ) { run in
        guard !run.arguments.has(.manual) else { return try run.output.write(Manual.text) }
        guard !run.arguments.operands.isEmpty else {
            return try Help.overview(to: run.output, isColored: run.printsColor, isJSON: run.isJSON)
        }
        let words = run.arguments.operands
        guard let (verb, _) = VerbTable.verb(of: words) else {
            return try run.writeSubcommands(of: words.joined(separator: " "))
        }
        try Help.verb(verb, to: run.output, isColored: run.printsColor, isJSON: run.isJSON)
    }
}

extension Option {
    static let manual = Option("--man", summary: "print the manual page in the format of man")
}
