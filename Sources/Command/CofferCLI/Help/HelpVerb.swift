extension Verb {
    static let help = Verb(
        "help",
        .help,
        "Print help for the command or for a verb",
        operands: [Operand(name: "VERB", presence: .rest, completion: .verb)],
        options: [.allVerbs, .manual]
    ) { run in
        let arguments = run.arguments
        guard !arguments.has(.manual) else { return try run.output.write(Manual.text) }
        let isOfSecurity = arguments.isOfSecurity || arguments.operand(0) == VerbTable.security
        let words = Array(arguments.operands.drop { $0 == VerbTable.security })
        guard !words.isEmpty || isOfSecurity else { return try run.writeOverview(ofAll: arguments.has(.allVerbs)) }
        guard let (verb, _) = VerbTable.verb(of: words, ofSecurity: isOfSecurity) else {
            return try run.writeSubcommands(of: words.isEmpty ? VerbTable.security : words.joined(separator: " "))
        }
        try run.writeHelp(of: verb)
    }
}

extension Option {
    static let allVerbs = Option("--all", summary: "print all verbs and options")
    static let manual = Option("--man", summary: "print the manual page in the format of man")
}
