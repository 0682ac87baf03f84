/// What bash needs.
enum BashCompletion {
    static var script: String {
        let options = Set(VerbTable.verbs.flatMap(\.completedOptions) + Option.global)
        let takingValue = options.filter { $0.completion != nil }.flatMap(\.names).sorted()
        return """
            # Completes the words of coffer in bash.
            _coffer_services() {
                local IFS=$'\\n'
                COMPREPLY=($(compgen -W "$(\(serviceListing))" -- "$cur"))
                compopt -o filenames 2>/dev/null
            }

            _coffer() {
                local cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb= operands=0 word i
                COMPREPLY=()
                for ((i = 1; i < COMP_CWORD; i++)); do
                    word=${COMP_WORDS[i]}
                    case $word in
                        \(takingValue.joined(separator: "|"))) ((i++)) ;;
                        -*) ;;
                        *)
                            if [[ -z $verb ]]; then
                                verb=$word
                            else
                                case "$verb $word" in
                                    \(twoWords.joined(separator: "|"))) verb="$verb $word" ;;
                                    *) ((operands++)) ;;
                                esac
                            fi
                            ;;
                    esac
                done
                case $previous in
            \(valueCases(options))
                esac
                case $verb in
                    '')
                        COMPREPLY=($(compgen -W '\(firstWords) \(names(Option.global))' -- "$cur"))
                        ;;
            \(verbCases)
                esac
            }

            complete -F _coffer coffer

            """
    }

    /// The first words of all verbs.
    private static var firstWords: String {
        var words: [String] = []
        for verb in VerbTable.verbs {
            let word = String(verb.name.prefix { $0 != " " })
            if !words.contains(word) { words.append(word) }
        }
        return words.joined(separator: " ")
    }

    /// Patterns of the verbs that have two words; one that matches nothing if there is none.
    private static var twoWords: [String] {
        let names = VerbTable.verbs.map(\.name).filter { $0.contains(" ") }
        return names.isEmpty ? ["' '"] : names.map { "'\($0)'" }
    }

    private static func names(_ options: [Option]) -> String {
        options.flatMap(\.names).joined(separator: " ")
    }

    /// What stands behind an option, by its name.
    private static func valueCases(_ options: Set<Option>) -> String {
        var cases: [String] = []
        for option in options.sorted(by: { $0.names[0] < $1.names[0] }) {
            guard let completion = option.completion else { continue }
            cases.append(
                "        \(option.names.joined(separator: "|"))) \(action(completion)); return ;;"
            )
        }
        return cases.joined(separator: "\n")
    }

    private static var verbCases: String {
        var cases: [String] = []
        for verb in VerbTable.verbs {
            cases.append("        '\(verb.name)')")
            cases.append("            if [[ $cur == -* ]]; then")
            cases.append("                COMPREPLY=($(compgen -W '\(names(verb.completedOptions))' -- \"$cur\"))")
            for index in verb.operands.indices {
                let isRest = verb.operands[index].presence == .rest
                cases.append("            elif ((operands \(isRest ? ">=" : "==") \(index))); then")
                let isService = verb.operands[index].name == "SERVICE"
                cases.append(
                    "                \(isService ? "_coffer_services" : action(verb.operands[index].completion))"
                )
            }
            if verb.isFollowedByCommand {
                cases.append("            else")
                cases.append("                COMPREPLY=($(compgen -c -- \"$cur\"))")
            }
            cases.append("            fi")
            cases.append("            ;;")
        }
        // The first word of verbs with two.
        let groups = Dictionary(grouping: VerbTable.verbs.map { $0.name.split(separator: " ") }.filter { $0.count > 1 })
        {
            $0[0]
        }
        for (first, verbs) in groups.sorted(by: { $0.key < $1.key }) {
            let seconds = verbs.map { String($0[1]) }.joined(separator: " ")
            cases.append("        \(first)) COMPREPLY=($(compgen -W '\(seconds)' -- \"$cur\")) ;;")
        }
        return cases.joined(separator: "\n")
    }

    private static func action(_ completion: Option.Completion) -> String {
        switch completion {
        case .nothing: ":"
        case .file: "COMPREPLY=($(compgen -f -- \"$cur\")); compopt -o filenames 2>/dev/null"
        case .words(let words): "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$cur\"))"
        case .verb: "COMPREPLY=($(compgen -W '\(firstWords)' -- \"$cur\"))"
        }
    }
}
