extension Verb {
    static let help = Verb(
        "help",
        .help,
        "Print help for the command or for a verb",
        operands: [Operand(name: "VERB", presence: .rest, completion: .verb)],
        modes: [.allVerbs, .manual, .version],
        details: """
            The pages of the manual are \(Manual.allCases.map(\.rawValue).joined(separator: ", ")): see `man coffer`, \
            or `coffer help --man PAGE`.
            """
    ) { run in
        let arguments = run.arguments
        if arguments.has(.version) {
            guard arguments.operands.isEmpty else { throw CommandError.usage("--version takes no operands") }
            return try run.writeVersion()
        }
        if arguments.has(.manual) {
            let name = arguments.operand(0) ?? Manual.coffer.rawValue
            guard let page = Manual(rawValue: name) else {
                throw CommandError.unknown("page of the manual", name, among: Manual.allCases.map(\.rawValue))
            }
            return try run.output.write(page.text)
        }
        let isOfSecurity = arguments.isOfSecurity || arguments.operand(0) == VerbTable.security
        let words = Array(arguments.operands.drop { $0 == VerbTable.security })
        guard !words.isEmpty || isOfSecurity else { return try run.writeOverview(ofAll: arguments.has(.allVerbs)) }
        guard let named = VerbTable.named(words, ofSecurity: isOfSecurity) else {
            return try run.writeSubcommands(of: words.isEmpty ? VerbTable.security : words.joined(separator: " "))
        }
        try run.writeHelp(of: named.verb)
    }
}

extension Option {
    static let allVerbs = Option("--all", summary: "print all verbs and options")
    static let version = Option("--version", summary: "print the version")
    static let manual = Option(
        "--man",
        summary: "print a page of the manual in the format of man"
    )
}
