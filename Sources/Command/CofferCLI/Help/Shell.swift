/// A shell for which the command has a completion script.
enum Shell: String, CaseIterable {
    case bash
    case zsh
    case fish

    /// The completion script: it shows what `coffer __complete` prints.
    ///
    /// The lines can be names from a vault, which anyone who can add an item to it chooses. So a script must treat them
    /// as data. Completion runs nothing of the user's either, such as a command for a passphrase.
    var script: String {
        switch self {
        case .bash:
            #"""
            # Completion for coffer in bash.
            _coffer() {
                local kind
                {
                    read -r kind
                    mapfile -t COMPREPLY
                } < <(COFFER_PASSPHRASE_COMMAND= coffer __complete bash -- "$COMP_WORDBREAKS" \
                    "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
                case $kind in
                    files) compopt -o default ;;
                    command*) mapfile -t COMPREPLY < <(compgen -c -- "$2") ;;
                esac
            }
            complete -F _coffer coffer

            """#
        case .zsh:
            #"""
            #compdef coffer
            # Completion for coffer in zsh.
            _coffer() {
                local -a lines shown
                lines=("${(@f)$(COFFER_PASSPHRASE_COMMAND= coffer __complete zsh -- \
                    "${(@Q)words[1,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
                case $lines[1] in
                    files) compset -P '--*='; _files ;;
                    command*) shift ${lines[1]#command } words; ((CURRENT -= ${lines[1]#command })); _normal ;;
                    words)
                        shown=("${(@)lines[2,-1]/$'\t'/  -- }")
                        lines=("${(@)lines[2,-1]%%$'\t'*}")
                        compadd -l -d shown -a lines
                        ;;
                esac
            }
            if [[ ${funcstack[1]} == _coffer ]]; then _coffer "$@"; else compdef _coffer coffer; fi

            """#
        case .fish:
            #"""
            # Completion for coffer in fish.
            function __coffer_complete
                set -l lines (COFFER_PASSPHRASE_COMMAND= coffer __complete fish -- (commandline -opc) (commandline -ct) \
                    2>/dev/null)
                switch "$lines[1]"
                    case files
                        set -l parts (string match -r '^(--[^=]*=|)(.*)$' -- (commandline -ct))
                        printf '%s\n' $parts[2](__fish_complete_path $parts[3])
                    case 'command*'
                        __fish_complete_command
                    case words
                        printf '%s\n' $lines[2..-1]
                end
            end
            complete -c coffer -f -a '(__coffer_complete)'

            """#
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
            The services and accounts of the default vault are completed too, as far as they are readable without a passphrase. \
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
        let shell = try run.shell()
        guard !run.isJSON else {
            return try run.output.write(json: ["shell": .string(shell.rawValue), "script": .string(shell.script)])
        }
        try run.output.write(shell.script)
    }

    /// Prints what can complete a command line; the scripts for the shells call it.
    ///
    /// The first line is `words`, `files`, `command N` (a command of its own, from the word at N) or `nothing`. Below
    /// `words` each line has a word, and after a tab its meaning. zsh and fish pass the words up to the cursor, and
    /// choose among those printed. bash passes its word breaks and the line, and gets what readline inserts.
    static let complete: Verb = {
        var verb = Verb(
            "__complete",
            .help,
            "Print what can complete a command line",
            operands: [Operand(name: "SHELL", presence: .needed)]
        ) { run in
            let shell = try run.shell()
            let given = run.arguments.commandLine
            let line = shell == .bash ? BashLine(given.last ?? "", wordBreaks: given.first ?? "") : nil
            let words: [(word: String, meaning: String?)]
            switch IncompleteCommand(line?.words ?? given).offer {
            case .nothing: words = []
            case .files: return try run.output.write(line: "files")
            case .command(let index): return try run.output.write(line: "command \(index)")
            case .words(let known): words = known
            case .services: words = run.namesWithoutAsking().map { ($0, nil) }
            case .accounts(let service): words = run.namesWithoutAsking(of: service).map { ($0, nil) }
            }
            let lines = words.compactMap { word, meaning in
                line.map { $0.replacement(for: word) } ?? meaning.map { "\(word)\t\($0)" } ?? word
            }
            try run.output.write(line: lines.isEmpty ? "nothing" : "words")
            for line in lines { try run.output.write(line: line) }
        }
        verb.isFollowedByCommand = true
        return verb
    }()
}

extension CommandRun {
    fileprivate func shell() throws -> Shell {
        guard let shell = arguments.operand(0).flatMap(Shell.init) else {
            throw CommandError.usage(
                "unknown shell: choose \(Shell.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        return shell
    }

    /// The services, or the accounts of one, that are readable without a question, except those that would look like
    /// options.
    fileprivate func namesWithoutAsking(of service: String? = nil) -> [String] {
        var context = context
        context.arguments = ["list", "--no-prompt", "--quiet"] + (service.map { ["--", $0] } ?? [])
        guard let list = try? CommandRun(line: context, of: self), let names = try? list.openNames() else { return [] }
        return names.filter { !$0.hasPrefix("-") }
    }
}
