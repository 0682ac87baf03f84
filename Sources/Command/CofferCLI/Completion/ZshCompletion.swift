internal import CofferBasics

/// The completion script for zsh.
enum ZshCompletion {
    static var script: String {
        """
        #compdef coffer
        # Completion for coffer in zsh.
        _coffer_services() {
            local -a services
            services=("${(@f)$(\(serviceListing))}")
            compadd "$@" -a services
        }

        _coffer() {
            local curcontext=$curcontext state line
            local -a verbs
            verbs=(
        \(verbs)
            )
            _arguments -C \\
        \(options(Option.global))
                '1: :->verb' '*:: :->rest'
            case $state in
                verb) _describe -t verbs verb verbs ;;
                rest)
                    case $words[1] in
        \(cases)
                    esac
                    ;;
            esac
        }

        if [[ ${funcstack[1]} == _coffer ]]; then
            _coffer "$@"
        else
            compdef _coffer coffer
        fi

        """
    }

    /// The verbs of one word, and the first words of verbs of two words.
    private static var verbs: String {
        var lines: [String] = []
        var groups: Set<Substring> = []
        for verb in VerbTable.verbs {
            let words = verb.name.split(separator: " ")
            if words.count == 1 {
                lines.append("        \(quoted("\(escaped(verb.name)):\(verb.summary)"))")
            } else if groups.insert(words[0]).inserted {
                let seconds = VerbTable.verbs.map { $0.name.split(separator: " ") }
                    .filter { $0.count > 1 && $0[0] == words[0] }.map { String($0[1]) }
                lines.append("        \(quoted("\(words[0]):\(seconds.joined(separator: ", "))"))")
            }
        }
        return lines.joined(separator: "\n")
    }

    private static var cases: String {
        var lines: [String] = []
        var groups: Set<Substring> = []
        for verb in VerbTable.verbs {
            let words = verb.name.split(separator: " ")
            guard words.count > 1 else {
                lines.append("                \(verb.name)) _arguments \(arguments(verb)) ;;")
                continue
            }
            guard groups.insert(words[0]).inserted else { continue }
            let verbs = VerbTable.verbs.filter { $0.name.hasPrefix(words[0] + " ") }
            let seconds = verbs.map { String($0.name.split(separator: " ")[1]) }
            lines.append("                \(words[0]))")
            lines.append("                    if ((CURRENT == 2)); then")
            lines.append("                        compadd \(seconds.joined(separator: " "))")
            lines.append("                    else")
            lines.append("                        shift words; ((CURRENT--))")
            lines.append("                        case $words[1] in")
            for (second, verb) in zip(seconds, verbs) {
                lines.append("                            \(second)) _arguments \(arguments(verb)) ;;")
            }
            lines.append("                        esac")
            lines.append("                    fi")
            lines.append("                    ;;")
        }
        return lines.joined(separator: "\n")
    }

    private static func arguments(_ verb: Verb) -> String {
        var parts = verb.completedOptions.flatMap(specifications)
        for (index, operand) in verb.operands.enumerated() {
            let action = operand.name == "SERVICE" ? "_coffer_services" : action(operand.completion)
            let place =
                operand.presence == .rest ? "*" : operand.presence == .optional ? "\(index + 1):" : "\(index + 1)"
            parts.append(quoted("\(place):\(operand.name):\(action)"))
        }
        if verb.isFollowedByCommand { parts.append(quoted("*::command:_normal")) }
        return parts.joined(separator: " ")
    }

    private static func options(_ options: [Option]) -> String {
        options.flatMap(specifications).map { "        \($0) \\" }.joined(separator: "\n")
    }

    /// The specifications of an option for `_arguments`, one for each of its names.
    private static func specifications(_ option: Option) -> [String] {
        option.names.map { name in
            let value = option.completion.map { ":value:\(action($0))" } ?? ""
            let repeats = option.isRepeatable ? "*" : ""
            return quoted("\(repeats)\(name)[\(escaped(option.summary))]\(value)")
        }
    }

    private static func action(_ completion: Option.Completion) -> String {
        switch completion {
        case .nothing: " "
        case .file: "_files"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .verb: "(\(VerbTable.verbs.map(\.name).filter { !$0.contains(" ") }.joined(separator: " ")))"
        }
    }

    /// The text with the characters escaped that are special in a specification.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "[]:\\".contains(character) { result += "\\" }
            result.append(character)
        }
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacingQuotes + "'" }
}
