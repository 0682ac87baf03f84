/// An option of the command line.
struct Option: Hashable, Sendable {
    /// What can stand behind an option or as an operand, so that a shell can complete it.
    enum Completion: Hashable, Sendable {
        case nothing
        case file
        case words([String])
        case verb
    }

    /// What follows the option.
    enum Argument: Hashable, Sendable {
        case none
        /// A value, called so in the help.
        case value(String, Completion)
        /// A value, unless the option is the last word: then somebody is asked.
        case valueUnlessLast(String)
    }

    /// How it is written, the usual way first.
    let names: [String]
    let argument: Argument
    /// What it does, in a few words.
    let summary: String
    /// Whether it may stand several times.
    var isRepeatable = false
    /// Whether the help leaves it out: it is accepted for the sake of others, and does nothing.
    var isIgnored = false

    init(_ names: String..., argument: Argument = .none, summary: String, isRepeatable: Bool = false) {
        self.names = names
        self.argument = argument
        self.summary = summary
        self.isRepeatable = isRepeatable
    }

    /// An option that other commands have, and that means nothing here.
    static func ignored(_ name: String, argument: Argument = .none, summary: String) -> Option {
        var option = Option(name, argument: argument, summary: summary, isRepeatable: true)
        option.isIgnored = true
        return option
    }

    /// How the option and its value are written.
    var usage: String {
        let names = names.joined(separator: ", ")
        switch argument {
        case .none: return names
        case .value(let value, _): return "\(names) \(value)"
        case .valueUnlessLast(let value): return "\(names) [\(value)]"
        }
    }
}

// Those that stand before or after any verb.
extension Option {
    static let vault = Option(
        "--vault",
        argument: .value("PATH", .file),
        summary: "the vault, instead of the default one"
    )
    static let group = Option(
        "--group",
        argument: .value("GROUP", .nothing),
        summary: "the access group to look in, or to write to"
    )
    static let passphraseFile = Option(
        "--passphrase-file",
        argument: .value("FILE", .file),
        summary: "read the passphrase from a file"
    )
    static let passphraseDescriptor = Option(
        "--passphrase-fd",
        argument: .value("N", .nothing),
        summary: "read the passphrase from an open descriptor"
    )
    static let keyFile = Option("--key-file", argument: .value("FILE", .file), summary: "a key file that takes part")
    static let recoveryCodeFile = Option(
        "--recovery-code-file",
        argument: .value("FILE", .file),
        summary: "open the vault with the recovery code in a file"
    )
    static let entitlements = Option(
        "--entitlements",
        argument: .value("FILE", .file),
        summary: "use only the access groups that a file declares"
    )
    static let noPrompt = Option("--no-prompt", summary: "ask nothing: what is missing is an error")
    static let json = Option("--json", summary: "print JSON")
    static let quiet = Option("--quiet", "-q", summary: "say nothing but errors")
    static let colour = Option(
        "--color",
        argument: .value("WHEN", .words(["auto", "always", "never"])),
        summary: "colour: auto, always or never"
    )
    static let progress = Option("--progress", summary: "tell how far long work has come, also without a terminal")
    static let force = Option("--force", summary: "do it without asking")
    static let acceptRollback = Option(
        "--accept-rollback",
        summary: "take a vault as it is, though it is older than it was or its end is damaged"
    )
    static let newVault = Option(
        "--new-vault",
        summary: "let what is stored first make a vault, though one with a passphrase is missing"
    )
    static let help = Option("--help", "-h", summary: "print help")

    static let global: [Option] = [
        .vault, .group, .passphraseFile, .passphraseDescriptor, .keyFile, .recoveryCodeFile, .entitlements, .noPrompt,
        .json, .quiet, .colour, .progress, .force, .acceptRollback, .newVault, .help,
    ]

    static let interactive = Option("-i", summary: "read verbs from the standard input, one a line")
    static let interactivePrompt = Option(
        "-p",
        argument: .value("PROMPT", .nothing),
        summary: "the same, with another prompt on a terminal"
    )

    /// Those that stand before a verb or instead of one, as with macOS `security`.
    static let beforeVerb: [Option] = [
        .interactive, .interactivePrompt,
        .ignored("-v", summary: "what is done is told anyway"),
        .ignored("-l", summary: "there is no tool that looks for leaks"),
    ]
}
