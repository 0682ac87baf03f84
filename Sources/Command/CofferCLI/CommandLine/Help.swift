internal import CofferScreen

/// The help, wrapped to 80 columns.
enum Help {
    private static let columnCount = 80

    /// Writes the overview of all verbs and global options.
    static func overview(to output: Output, isColored: Bool, isJSON: Bool) throws {
        guard !isJSON else { return try output.write(line: overviewJSON.text) }
        try output.write(line: "Usage: coffer [OPTION...] VERB [OPERAND...]")
        try output.write(line: "")
        try output.write(line: "Keep secrets in one encrypted file. See `coffer VERB --help` for details.")
        let verbs = VerbTable.verbs
        let width = (verbs.map(\.name.utf8.count).max() ?? 0) + 2
        for topic in Verb.Topic.allCases {
            let own = verbs.filter { $0.topic == topic }
            guard !own.isEmpty else { continue }
            try output.write(line: "")
            try output.write(line: Style.heading(topic.rawValue, isColored))
            for verb in own { try definition(verb.name, verb.summary, width, to: output) }
        }
        try options(Option.global + Option.beforeVerb, "Options", to: output, isColored: isColored)
        try output.write(line: "")
        try paragraph("An item is named by its service or server and, if needed, its account.", 0, to: output)
    }

    /// Writes the help of one verb.
    static func verb(_ verb: Verb, to output: Output, isColored: Bool, isJSON: Bool) throws {
        guard !isJSON else { return try output.write(line: json(verb).text) }
        try paragraph("Usage: \(verb.usage)", 0, to: output)
        try output.write(line: "")
        try paragraph("\(verb.summary).", 0, to: output)
        for text in verb.details.split(separator: "\n", omittingEmptySubsequences: true) {
            try output.write(line: "")
            try paragraph(String(text), 0, to: output)
        }
        try options(verb.options, "Options", to: output, isColored: isColored)
        if !verb.examples.isEmpty {
            try output.write(line: "")
            try output.write(line: Style.heading("Examples", isColored))
            for example in verb.examples {
                try output.write(line: "  \(example.call)")
                try paragraph(example.purpose, 6, to: output)
            }
        }
        try output.write(line: "")
        try output.write(line: "See `coffer --help` for the options that all verbs have.")
    }

    /// Writes the subcommands of a word.
    static func subcommands(
        _ verbs: [Verb],
        of word: String,
        to output: Output,
        isColored: Bool,
        isJSON: Bool
    ) throws {
        guard !isJSON else { return try output.write(line: JSON.object([("verbs", .array(verbs.map(json)))]).text) }
        try output.write(line: "Usage: coffer \(word) SUBCOMMAND [OPTION...] [OPERAND...]")
        try output.write(line: "")
        try output.write(line: Style.heading("Subcommands", isColored))
        let width = (verbs.map(\.name.utf8.count).max() ?? 0) + 2
        for verb in verbs { try definition(verb.name, verb.summary, width, to: output) }
        try output.write(line: "")
        try output.write(line: "See `coffer \(word) SUBCOMMAND --help` for details.")
    }

    private static func options(
        _ options: [Option],
        _ heading: String,
        to output: Output,
        isColored: Bool
    ) throws {
        let options = options.filter { !$0.isIgnored }
        guard !options.isEmpty else { return }
        try output.write(line: "")
        try output.write(line: Style.heading(heading, isColored))
        for option in options { try definition(option.usage, option.summary, 28, to: output) }
    }

    /// Writes a term with its meaning beside it, or below it if the term is too wide.
    private static func definition(
        _ term: String,
        _ meaning: String,
        _ width: Int,
        to output: Output
    ) throws {
        let lines = meaning.wrapped(to: columnCount - width - 2)
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

    private static func paragraph(_ text: String, _ indentation: Int, to output: Output) throws {
        for line in text.wrapped(to: columnCount - indentation) {
            try output.write(line: String(repeating: " ", count: indentation) + line)
        }
    }
}
