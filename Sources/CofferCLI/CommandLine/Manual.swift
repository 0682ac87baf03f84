/// The manual page, in the language of `man`.
enum Manual {
    static var text: String {
        var page = Page()
        page.line(".TH COFFER 1 \"\(Version.date)\" \"coffer \(Version.text)\" \"User Commands\"")
        page.section("NAME")
        page.text("coffer - keep secrets in one encrypted file")
        page.section("SYNOPSIS")
        page.line(".B coffer")
        page.text("[OPTION...] VERB [OPERAND...]")
        page.section("DESCRIPTION")
        page.text(
            """
            Keeps passwords and other secrets in one file, which is encrypted and can be copied anywhere. There is no \
            daemon. An item is named by its service, or server, and if need be its account.
            """
        )
        page.section("OPTIONS")
        page.options(Option.global)
        page.section("VERBS")
        for topic in Verb.Topic.allCases {
            let verbs = VerbTable.verbs.filter { $0.topic == topic }
            guard !verbs.isEmpty else { continue }
            page.line(".SS \(Page.escaped(topic.rawValue))")
            for verb in verbs { page.verb(verb) }
        }
        page.section("EXIT STATUS")
        for code in ExitCode.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
            page.term("\(code.rawValue)", code.meaning)
        }
        page.section("ENVIRONMENT")
        for (name, meaning) in variables { page.term(name, meaning) }
        page.section("FILES")
        for (name, meaning) in files { page.term(name, meaning) }
        page.section("SEE ALSO")
        page.text("git-credential(1), keyctl(1), pass(1)")
        return page.content
    }

    /// The environment variables that count.
    static let variables: [(name: String, meaning: String)] = [
        ("COFFER_VAULT", "the vault that is meant where none is named"),
        ("COFFER_PASSPHRASE_FILE", "a file with the passphrase"),
        ("COFFER_PASSPHRASE_COMMAND", "a command that prints the passphrase"),
        ("COFFER_PASSPHRASE", "the passphrase itself, which other programs of the user can read: better use a file"),
        ("COFFER_ENTITLEMENTS", "a file with the access groups that may be used"),
        ("COFFER_APPLICATION", "the access group to which items go that name none, instead of coffer"),
        ("COFFER_QUIET", "say nothing but errors"),
        ("NO_COLOR", "no colour, whatever the terminal can do"),
        ("CREDENTIALS_DIRECTORY", "where a service manager leaves coffer.passphrase and coffer.device"),
        ("XDG_DATA_HOME, XDG_STATE_HOME, STATE_DIRECTORY", "where the default vault and the device key are"),
    ]

    private static let files: [(name: String, meaning: String)] = [
        ("~/.local/share/coffer/login.coffer", "the default vault"),
        (
            "~/.local/state/coffer/device.key",
            "the key of this machine: who reads it can open vaults without a passphrase"
        ),
        (
            "~/.local/state/coffer/anchors/",
            "how far vaults had come, and where they were, to notice older and missing ones"
        ),
    ]
}

extension Manual {
    /// A page in the making.
    private struct Page {
        private(set) var content = ""

        mutating func line(_ line: String) { content += line + "\n" }

        mutating func section(_ name: String) { line(".SH \(name)") }

        mutating func text(_ text: String) {
            for part in Help.wrapped(text, 70) { line(Self.escaped(part)) }
        }

        mutating func term(_ term: String, _ meaning: String) {
            line(".TP")
            line(".B \(Self.escaped(term))")
            text(meaning)
        }

        mutating func options(_ options: [Option]) {
            for option in options where !option.isIgnored { term(option.usage, option.summary) }
        }

        mutating func verb(_ verb: Verb) {
            line(".TP")
            line(".B \(Self.escaped(verb.usage))")
            text("\(verb.summary).")
            let hasMore = !verb.details.isEmpty || !verb.options.allSatisfy(\.isIgnored) || !verb.examples.isEmpty
            guard hasMore else { return }
            line(".RS")
            for paragraph in verb.details.split(separator: "\n") {
                line(".PP")
                text(String(paragraph))
            }
            options(verb.options)
            for example in verb.examples {
                line(".PP")
                text("Example, \(example.purpose):")
                line(".PP")
                line(".nf")
                line("    \(Self.escaped(example.call))")
                line(".fi")
            }
            line(".RE")
        }

        /// Text in which nothing is an order to the formatter.
        static func escaped(_ text: String) -> String {
            let escaped = text.reduce(into: "") { result, character in
                switch character {
                case "\\": result += "\\e"
                case "-": result += "\\-"
                case "'": result += "\\(aq"
                case "`": result += "\\(ga"
                case "^": result += "\\(ha"
                case "~": result += "\\(ti"
                default: result.append(character)
                }
            }
            return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
        }
    }
}
