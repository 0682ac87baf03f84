/// A shell that completes the words of the command.
enum Shell: String, CaseIterable {
    case bash
    case zsh
    case fish

    /// The script that the shell reads.
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
        .other,
        "Print what a shell needs to complete words",
        operands: [Operand(name: "SHELL", presence: .needed, completion: .words(Shell.allCases.map(\.rawValue)))],
        details: """
            The services of the default vault are completed too, as far as they can be read without asking anybody. Names are \
            quoted for the shell. Those that begin with a hyphen or contain invisible characters are not offered.
            """,
        examples: [
            Example(call: "source <(coffer completions bash)", purpose: "for this shell"),
            Example(
                call: "coffer completions fish > ~/.config/fish/completions/coffer.fish",
                purpose: "for all that come"
            ),
        ]
    ) { run in
        guard let shell = run.arguments.operand(0).flatMap(Shell.init) else {
            throw CommandError.usage(
                "coffer completions knows \(Shell.allCases.map(\.rawValue).joined(separator: ", "))"
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
    /// Its options and those of all verbs, but for those that mean nothing.
    var completedOptions: [Option] { options.filter { !$0.isIgnored } + Option.global }

    /// What its operand at a place can be.
    func completion(ofOperand index: Int) -> Option.Completion {
        guard let last = operands.last else { return .nothing }
        if index < operands.count { return operands[index].completion }
        return last.presence == .rest ? last.completion : .nothing
    }
}

extension Option {
    /// What can stand behind it; nil if nothing stands there.
    var completion: Completion? {
        switch argument {
        case .none: nil
        case .value(_, let completion): completion
        case .valueUnlessLast: .nothing
        }
    }
}

/// The command that lists the services of the vault for a shell, one on each line, without asking or running anything.
///
/// It leaves out names that begin with a hyphen, which `coffer` would take for options. The scripts must treat the lines as
/// data: whoever can add an item to the vault can choose any name.
let serviceListing = """
    COFFER_PASSPHRASE_COMMAND= coffer list --names --metadata-only --no-prompt --quiet 2>/dev/null | grep -v '^-'
    """
