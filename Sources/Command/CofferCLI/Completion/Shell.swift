/// A shell for which the command has a completion script.
enum Shell: String, CaseIterable {
    case bash
    case zsh
    case fish

    /// The completion script.
    var script: String {
        switch self {
        case .bash: BashCompletion.script
        case .zsh: ZshCompletion.script
        case .fish: FishCompletion.script
        }
    }
}

extension Verb {
    static let completions = Verb(
        "completions",
        .help,
        "Print a shell completion script",
        operands: [Operand(name: "SHELL", presence: .needed, completion: .words(Shell.allCases.map(\.rawValue)))],
        details: """
            The services of the default vault are completed too, as far as they are readable without a passphrase. \
            Names are quoted for the shell. Names that begin with a hyphen or contain invisible characters are not \
            offered.
            """,
        examples: [
            Example(call: "source <(coffer completions bash)", purpose: "enable completion in this shell"),
            Example(
                call: "coffer completions fish > ~/.config/fish/completions/coffer.fish",
                purpose: "enable completion in every new shell"
            ),
        ]
    ) { run in
        guard let shell = run.arguments.operand(0).flatMap(Shell.init) else {
            throw CommandError.usage(
                "unknown shell: choose \(Shell.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        guard !run.isJSON else {
            let members: [(key: String, value: JSON)] = [
                ("shell", .string(shell.rawValue)), ("script", .string(shell.script)),
            ]
            return try run.output.write(line: JSON.object(members).text)
        }
        try run.output.write(shell.script)
    }
}

extension Verb {
    /// Its options and the global ones, without those that have no effect.
    var completedOptions: [Option] { options.filter { !$0.isIgnored } + Option.global }

    /// The completion of the operand at `index`.
    func completion(ofOperand index: Int) -> Option.Completion {
        guard let last = operands.last else { return .nothing }
        if index < operands.count { return operands[index].completion }
        return last.presence == .rest ? last.completion : .nothing
    }
}

extension Option {
    /// The completion of its value; nil if it takes none.
    var completion: Completion? {
        switch argument {
        case .none: nil
        case .value(_, let completion): completion
        case .valueUnlessLast: .nothing
        }
    }
}

/// The shell command that lists the services of the vault, one per line, without asking or running anything.
///
/// It leaves out names that begin with a hyphen, which `coffer` would take for options. The scripts must treat the
/// lines as data: whoever can add an item to the vault can choose any name.
let serviceListing = """
    COFFER_PASSPHRASE_COMMAND= coffer list --names --metadata-only --no-prompt --quiet 2>/dev/null | grep -v '^-'
    """
