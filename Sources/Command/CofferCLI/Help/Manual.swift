internal import Coffer

/// The manual page, in the format that `man` reads.
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
            Keeps passwords and other secrets in one encrypted file, which can be copied anywhere. There is no daemon. \
            An item is named by its service or server and, if needed, its account.
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

    /// The environment variables that have an effect.
    static let variables: [(name: String, meaning: String)] = [
        ("COFFER_VAULT", "the vault to use instead of the default one"),
        ("COFFER_PASSPHRASE_FILE", "a file that contains the passphrase"),
        ("COFFER_PASSPHRASE_COMMAND", "a command that prints the passphrase"),
        ("COFFER_PASSPHRASE", "the passphrase itself; other programs of the user can read it, so prefer a file"),
        ("COFFER_GRANT_FILE", "the credential of a grant, which opens its groups and nothing else"),
        ("COFFER_WRITER_GROUPS", "the numbers of user groups that may write the vault too, separated by commas"),
        ("COFFER_ENTITLEMENTS", "an entitlements file; only the access groups that it declares can be used"),
        ("COFFER_TEAM", "the team prefix of programs whose entitlements name none (default LOCAL)"),
        ("COFFER_APPLICATION", "the access group for items stored without --group (default coffer)"),
        ("COFFER_FLEET", "the etcd cluster of vaults that machines share: https://HOST:2379[,...][/PREFIX]"),
        ("COFFER_FLEET_MACHINE", "the name of this machine there (default its host name)"),
        (
            "COFFER_FLEET_CA, COFFER_FLEET_CERTIFICATE, COFFER_FLEET_KEY",
            "files in PEM: the authorities to trust, and the certificate of this machine with its key"
        ),
        ("COFFER_FLEET_USER, COFFER_FLEET_PASSWORD_FILE", "a user of etcd, and a file with the password"),
        ("COFFER_FLEET_TOKEN_FILE", "a file with a token of etcd, instead of a user"),
        ("COFFER_QUIET", "if set, print only errors"),
        ("NO_COLOR", "if set, do not use color"),
        (
            "CREDENTIALS_DIRECTORY",
            "the directory where a service manager puts coffer.passphrase, coffer.device and coffer.grant"
        ),
        ("XDG_DATA_HOME, XDG_STATE_HOME, STATE_DIRECTORY", "directories for the default vault and the device key"),
    ]

    private static let files: [(name: String, meaning: String)] = [
        ("~/.local/share/coffer/login.coffer", "the default vault"),
        (
            "~/.local/state/coffer/device.key",
            "the key of this machine; anyone who can read it can open vaults that have no passphrase"
        ),
        (
            "~/.local/state/coffer/anchors/",
            "what this machine remembers of vaults, to notice older and missing ones and to open long ones fast"
        ),
    ]
}

extension Manual {
    /// A page under construction.
    private struct Page {
        private(set) var content = ""

        mutating func line(_ line: String) { content += line + "\n" }

        mutating func section(_ name: String) { line(".SH \(name)") }

        mutating func text(_ text: String) {
            for part in text.wrapped(to: 70) { line(Self.escaped(part)) }
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
                text("Example: \(example.purpose)")
                line(".PP")
                line(".nf")
                line("    \(Self.escaped(example.call))")
                line(".fi")
            }
            line(".RE")
        }

        /// The text with everything escaped that the formatter would interpret.
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
