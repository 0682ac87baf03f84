/// What the command says about itself, in at most 80 columns.
enum Help {
    private static let columnCount = 80

    /// All verbs.
    static func overview(to output: Output, isColoured: Bool, isJSON: Bool) throws {
        guard !isJSON else { return try output.write(line: overviewJSON.text) }
        try output.write(line: "Usage: coffer [OPTION...] VERB [OPERAND...]")
        try output.write(line: "")
        try output.write(line: "Keeps secrets in one encrypted file. coffer VERB --help tells more of a verb.")
        let verbs = VerbTable.verbs
        let width = (verbs.map(\.name.utf8.count).max() ?? 0) + 2
        for topic in Verb.Topic.allCases {
            let own = verbs.filter { $0.topic == topic }
            guard !own.isEmpty else { continue }
            try output.write(line: "")
            try output.write(line: Style.heading(topic.rawValue, isColoured))
            for verb in own { try definition(verb.name, verb.summary, width, to: output) }
        }
        try options(Option.global + Option.beforeVerb, "Options", to: output, isColoured: isColoured)
        try output.write(line: "")
        try paragraph("An item is named by its service, or server, and if need be its account.", 0, to: output)
    }

    /// One verb.
    static func verb(_ verb: Verb, to output: Output, isColoured: Bool, isJSON: Bool) throws {
        guard !isJSON else { return try output.write(line: json(verb).text) }
        try paragraph("Usage: \(verb.usage)", 0, to: output)
        try output.write(line: "")
        try paragraph("\(verb.summary).", 0, to: output)
        for text in verb.details.split(separator: "\n", omittingEmptySubsequences: true) {
            try output.write(line: "")
            try paragraph(String(text), 0, to: output)
        }
        try options(verb.options, "Options", to: output, isColoured: isColoured)
        if !verb.examples.isEmpty {
            try output.write(line: "")
            try output.write(line: Style.heading("Examples", isColoured))
            for example in verb.examples {
                try output.write(line: "  \(example.call)")
                try paragraph(example.purpose, 6, to: output)
            }
        }
        try output.write(line: "")
        try output.write(line: "coffer --help lists the options that all verbs have.")
    }

    private static func options(
        _ options: [Option],
        _ heading: String,
        to output: Output,
        isColoured: Bool
    ) throws {
        let options = options.filter { !$0.isIgnored }
        guard !options.isEmpty else { return }
        try output.write(line: "")
        try output.write(line: Style.heading(heading, isColoured))
        for option in options { try definition(option.usage, option.summary, 28, to: output) }
    }

    /// A term, and what it means, beside it or below.
    private static func definition(
        _ term: String,
        _ meaning: String,
        _ width: Int,
        to output: Output
    ) throws {
        let lines = wrapped(meaning, columnCount - width - 2)
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
        for line in wrapped(text, columnCount - indentation) {
            try output.write(line: String(repeating: " ", count: indentation) + line)
        }
    }

    /// The words of a text, on lines of so many columns at most.
    static func wrapped(_ text: String, _ columnCount: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if line.columnCount + 1 + String(word).columnCount <= columnCount {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
