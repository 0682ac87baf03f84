internal import CofferScreen

/// The help, wrapped to 80 columns.
struct Help {
    private static let columnCount = 80

    let output: Output
    let isColored: Bool

    /// Writes the first steps and the names of all verbs, on one screen.
    func firstPage() throws {
        try output.write(line: "Usage: coffer VERB [OPTION...] [OPERAND...]")
        try output.write(line: "")
        for example in Self.firstSteps { try definition(example.call, example.purpose, 36) }
        try output.write(line: "")
        for topic in Verb.Topic.allCases {
            var words: [String] = []
            for verb in VerbTable.verbs where verb.topic == topic && verb.firstWord != words.last {
                words.append(verb.firstWord)
            }
            try definition(topic.folder, words.joined(separator: " "), 12)
        }
        try output.write(line: "")
        try paragraph(
            """
            See `coffer help VERB` for one verb, `coffer help --all` for a line about each, and `man coffer` for \
            everything.
            """
        )
    }

    private static let firstSteps = [
        Verb.Example(call: "coffer set mail kim", purpose: "store a password: typed, or piped in"),
        Verb.Example(call: "coffer set https://github.com kim", purpose: "store one that git and docker find"),
        Verb.Example(call: "coffer get mail", purpose: "print it, or with --clip copy it"),
        Verb.Example(call: "coffer list", purpose: "see what is there"),
        Verb.Example(call: "coffer browse", purpose: "see it on the whole screen"),
        Verb.Example(call: "coffer status", purpose: "see what protects it"),
    ]

    /// Writes all verbs and global options.
    func all() throws {
        try output.write(line: "Usage: coffer [OPTION...] VERB [OPERAND...]")
        try output.write(line: "")
        try paragraph(
            """
            Keep secrets in one encrypted file. See `coffer VERB --help` for details; it lists what can follow \
            \(VerbTable.families.keys.sorted().joined(separator: ", ")).
            """
        )
        for topic in Verb.Topic.allCases {
            var lines: [(name: String, meaning: String)] = []
            for verb in VerbTable.verbs where verb.topic == topic {
                guard let family = VerbTable.families[verb.firstWord] else {
                    lines.append((verb.name, verb.summary))
                    continue
                }
                if lines.last?.name != verb.firstWord { lines.append((verb.firstWord, family)) }
            }
            try definitions(lines, topic.rawValue)
        }
        try options(Option.global + Option.beforeVerb)
        try output.write(line: "")
        try paragraph("An item has a name, such as mail or github.com, and perhaps a user.")
    }

    /// Writes the help of one verb.
    func verb(_ verb: Verb) throws {
        try paragraph("Usage: \(verb.usage)")
        try output.write(line: "")
        try paragraph("\(verb.summary).")
        for text in verb.details.split(separator: "\n", omittingEmptySubsequences: true) {
            try output.write(line: "")
            try paragraph(String(text))
        }
        try options(verb.options)
        if !verb.examples.isEmpty {
            try heading("Examples")
            for example in verb.examples {
                try output.write(line: "  \(example.call)")
                try paragraph(example.purpose, 6)
            }
        }
        try output.write(line: "")
        try output.write(line: "See `coffer help --all` for the options that all verbs have.")
    }

    /// Writes the subcommands of a word.
    func subcommands(_ verbs: [Verb], of word: String) throws {
        try output.write(line: "Usage: coffer \(word) SUBCOMMAND [OPTION...] [OPERAND...]")
        try definitions(verbs.map { ($0.name, $0.summary) }, "Subcommands")
        try output.write(line: "")
        try output.write(line: "See `coffer \(word) SUBCOMMAND --help` for details.")
    }

    private func heading(_ text: String) throws {
        try output.write(line: "")
        try output.write(line: Style.heading(text, isColored))
    }

    private func definitions(_ lines: [(name: String, meaning: String)], _ title: String) throws {
        try heading(title)
        let width = (lines.map(\.name.utf8.count).max() ?? 0) + 2
        for (name, meaning) in lines { try definition(name, meaning, width) }
    }

    private func options(_ options: [Option]) throws {
        let options = options.filter { !$0.isHidden }
        guard !options.isEmpty else { return }
        try heading("Options")
        for option in options { try definition(option.usage, option.summary, 28) }
    }

    /// Writes a term with its meaning beside it, or below it if the term is too wide.
    private func definition(_ term: String, _ meaning: String, _ width: Int) throws {
        let lines = meaning.wrapped(to: Self.columnCount - width - 2)
        var first = "  " + term
        if term.columnCount + 2 > width {
            try output.write(line: first)
            first = ""
        }
        for line in lines {
            try output.write(line: first + String(repeating: " ", count: width + 2 - first.columnCount) + line)
            first = ""
        }
    }

    private func paragraph(_ text: String, _ indentation: Int = 0) throws {
        for line in text.wrapped(to: Self.columnCount - indentation) {
            try output.write(line: String(repeating: " ", count: indentation) + line)
        }
    }
}
