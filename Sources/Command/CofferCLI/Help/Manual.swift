internal import Coffer

/// The pages of the manual, in the format that `man` reads.
enum Manual: String, CaseIterable {
    case coffer
    case sync = "coffer-sync"
    case fleet = "coffer-fleet"
    case security = "coffer-security"

    private static func page(of topic: Verb.Topic) -> Manual {
        switch topic {
        case .copies: .sync
        case .fleet: .fleet
        case .macOS: .security
        default: .coffer
        }
    }

    private var title: String {
        switch self {
        case .coffer: "keep secrets in one encrypted file"
        case .sync: "make copies of a vault equal, and back it up"
        case .fleet: "share a vault with other machines through etcd"
        case .security: "the verbs of macOS security(1) for a vault"
        }
    }

    private var introduction: String {
        switch self {
        case .coffer:
            """
            Keeps passwords and other secrets in one encrypted file, which can be copied anywhere. There is no daemon. \
            An item has a name, such as mail or github.com, and perhaps a user.
            """
        case .sync: "A vault can be copied, and changed in every copy: merging two of them loses nothing."
        case .fleet: "Machines that see each other all the time can share a vault, of which each has a file."
        case .security:
            """
            These verbs take the options of macOS, print its text and exit with its status. A link to coffer with the \
            name security is the same without the first word.
            """
        }
    }

    var text: String {
        var page = Page()
        let heading = [Version.date, "coffer \(Version.text)", "User Commands"].map { "\"\($0)\"" }
        page.line(".TH \(Page.escaped(rawValue.uppercased())) 1 \(heading.joined(separator: " "))")
        page.section("NAME")
        page.text("\(rawValue) - \(title)")
        page.section("SYNOPSIS")
        page.line(".B coffer")
        page.text("[OPTION...] VERB [OPERAND...]")
        page.section("DESCRIPTION")
        page.text(introduction)
        let topics = Verb.Topic.allCases.filter { Self.page(of: $0) == self }
        if self == .coffer {
            page.section("OPTIONS")
            page.options(Option.global)
        }
        page.section("VERBS")
        for topic in topics {
            if topics.count > 1 { page.line(".SS \(Page.escaped(topic.rawValue))") }
            for verb in VerbTable.verbs where verb.topic == topic { page.verb(verb) }
        }
        if self == .coffer {
            page.section("EXIT STATUS")
            for code in ExitCode.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
                page.term("\(code.rawValue)", code.meaning)
            }
            page.section("ENVIRONMENT")
            for (name, meaning) in Self.variables { page.term(name, meaning) }
            page.section("FILES")
            for (name, meaning) in Self.files { page.term(name, meaning) }
        }
        page.section("SEE ALSO")
        let others = Self.allCases.filter { $0 != self }.map { "\($0.rawValue)(1)" }
        page.text((others + (self == .coffer ? ["git-credential(1)", "keyctl(1)"] : [])).joined(separator: ", "))
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
            for option in options where !option.isHidden { term(option.usage, option.summary) }
        }

        mutating func verb(_ verb: Verb) {
            line(".TP")
            line(".B \(Self.escaped(verb.usage))")
            text("\(verb.summary).")
            let hasMore = !verb.details.isEmpty || !verb.options.allSatisfy(\.isHidden) || !verb.examples.isEmpty
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
