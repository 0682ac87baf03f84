/// An option of the command line.
struct Option: Hashable, Sendable {
    /// What a value or an operand can be, for shell completion.
    enum Completion: Hashable, Sendable {
        case nothing
        case file
        case service
        /// An account of the service before it.
        case account
        case words([String])
        case verb
    }

    /// The value that an option takes.
    enum Argument: Hashable, Sendable {
        case none
        /// A value, with its name in the help and its completion.
        case value(String, Completion)
        /// A value; if the option is the last word, the user is asked for it.
        case valueUnlessLast(String)
    }

    /// The names of the option, the usual one first.
    let names: [String]
    let argument: Argument
    /// A short description for the help.
    let summary: String
    /// Whether the option can be repeated.
    var isRepeatable = false
    /// The names of options of which one must be given too; empty if none is needed.
    var needed: [String] = []
    /// Whether the option is accepted for compatibility only: it has no effect, and the help leaves it out.
    var isIgnored = false
    /// Whether the help leaves the option out.
    var isHidden = false

    init(
        _ names: String...,
        argument: Argument = .none,
        summary: String,
        isRepeatable: Bool = false,
        needs needed: String...
    ) {
        self.names = names
        self.argument = argument
        self.summary = summary
        self.isRepeatable = isRepeatable
        self.needed = needed
    }

    /// An option that is accepted for compatibility and has no effect.
    static func ignored(_ name: String, argument: Argument = .none, summary: String) -> Option {
        var option = Option(name, argument: argument, summary: summary, isRepeatable: true)
        option.isIgnored = true
        option.isHidden = true
        return option
    }

    /// An option that a former name of a verb has, and that the help leaves out.
    static func former(_ name: String, argument: Argument) -> Option {
        var option = Option(name, argument: argument, summary: "")
        option.isHidden = true
        return option
    }

    /// The option and its value as the help shows them.
    var usage: String {
        let names = names.joined(separator: ", ")
        switch argument {
        case .none: return names
        case .value(let value, _): return "\(names) \(value)"
        case .valueUnlessLast(let value): return "\(names) [\(value)]"
        }
    }
}

// Global options: they can stand before or after any verb.
extension Option {
    static let vault = Option(
        "--vault",
        argument: .value("PATH", .file),
        summary: "vault to use instead of the default one"
    )
    static let group = Option(
        "--group",
        argument: .value("GROUP", .nothing),
        summary: "access group to search and to store in"
    )
    static let passphraseFile = Option(
        "--passphrase-file",
        argument: .value("FILE", .file),
        summary: "read the passphrase from FILE"
    )
    static let passphraseDescriptor = Option(
        "--passphrase-fd",
        argument: .value("N", .nothing),
        summary: "read the passphrase from file descriptor N"
    )
    static let keyFile = Option("--key-file", argument: .value("FILE", .file), summary: "key file that opens the vault")
    static let recoveryCodeFile = Option(
        "--recovery-code-file",
        argument: .value("FILE", .file),
        summary: "read the recovery code from FILE"
    )
    static let entitlements = Option(
        "--entitlements",
        argument: .value("FILE", .file),
        summary: "use only the access groups that FILE declares"
    )
    static let noPrompt = Option("--no-prompt", summary: "never ask; fail if something is missing")
    static let json = Option("--json", summary: "print JSON")
    static let quiet = Option("--quiet", "-q", summary: "print only errors")
    static let colorMode = Option(
        "--color",
        argument: .value("WHEN", .words(["auto", "always", "never"])),
        summary: "when to use color: auto, always or never"
    )
    static let progress = Option("--progress", summary: "report progress, even without a terminal")
    static let force = Option("--force", summary: "proceed without asking for confirmation")
    static let acceptRollback = Option(
        "--accept-rollback",
        summary: "accept a vault that is older than last seen here, or damaged at its end"
    )
    static let newVault = Option(
        "--new-vault",
        summary: "let the first item create a vault even if one with a passphrase is missing"
    )
    static let help = Option("--help", "-h", summary: "print help")

    static let global: [Option] = [
        .vault, .group, .passphraseFile, .passphraseDescriptor, .keyFile, .recoveryCodeFile, .entitlements, .noPrompt,
        .json, .quiet, .colorMode, .progress, .force, .acceptRollback, .newVault, .help,
    ]

    static let interactive = Option("-i", summary: "read commands from standard input, one per line")
    static let interactivePrompt = Option(
        "-p",
        argument: .value("PROMPT", .nothing),
        summary: "like -i, with PROMPT as the prompt at a terminal"
    )

    /// The options that stand before a verb or in place of one, as in macOS `security`.
    static let beforeVerb: [Option] = [
        .interactive, .interactivePrompt,
        .ignored("-v", summary: "every action is reported anyway"),
        .ignored("-l", summary: "there is no leak checker"),
    ]
}
