/// The completion script for bash.
enum BashCompletion {
    static var script: String {
        let options = Set(VerbTable.verbs.flatMap(\.completedOptions) + Option.global)
        let takingValue = options.filter { $0.completion != nil }.flatMap(\.names).sorted()
        return #"""
            # Completion for coffer in bash.

            # Splits the line up to the cursor into words, as the shell does, but without expanding anything. The last
            # word goes to `typed`. Readline replaces only the part of it after `kept`; `quote` is the open quote.
            _coffer_split() {
                local line=${COMP_LINE:0:COMP_POINT} char before= begun= i
                words=() typed= kept= quote=
                for ((i = 0; i < ${#line}; i++)); do
                    char=${line:i:1}
                    if [[ $char == [[:space:]] && -z $quote ]]; then
                        [[ -z $begun ]] || words+=("$typed")
                        typed= kept= begun=
                        continue
                    fi
                    begun=1
                    if [[ -n $quote && $char == "$quote" ]]; then
                        quote= kept=$before
                    elif [[ -z $quote && $char == [\'\"] ]]; then
                        quote=$char before=$kept kept=$typed
                    elif [[ $char == '\' && $quote != "'" ]]; then
                        ((i += 1))
                        char=${line:i:1}
                        [[ -z $quote || $char == [\"\$\`\\] ]] || char='\'$char
                        typed+=$char
                    else
                        typed+=$char
                        [[ -n $quote || $COMP_WORDBREAKS != *"$char"* ]] || kept=$typed
                    fi
                done
            }

            # Offers the words that begin with `typed`, quoted for their place in the line. They can be names from a
            # vault, so nothing here may expand or evaluate them.
            _coffer_offer() {
                local word rest
                for word; do
                    [[ $word == "$typed"* ]] || continue
                    rest=${word:${#kept}}
                    case $quote in
                        '') printf -v rest %q "$rest" ;;
                        \') rest=${rest//\'/"'\\''"} ;;
                        \")
                            rest=${rest//\\/'\\'}
                            rest=${rest//\$/'\$'}
                            rest=${rest//\`/'\`'}
                            rest=${rest//\"/'"\""'}
                            rest=${rest//!/'"\!"'}
                            ;;
                    esac
                    # Readline adds no closing quote after a word that ends with one.
                    [[ -z $quote || $rest != *"$quote" ]] || rest+=$quote
                    COMPREPLY+=("$rest")
                done
            }

            _coffer_files() {
                compopt -o filenames 2>/dev/null
                mapfile -t COMPREPLY < <(compgen -f -- "$cur")
            }

            _coffer_commands() {
                local commands
                mapfile -t commands < <(compgen -c -- "$cur")
                _coffer_offer "${commands[@]}"
            }

            _coffer_services() {
                local services
                mapfile -t services < <(\#(serviceListing))
                _coffer_offer "${services[@]}"
            }

            _coffer() {
                local cur=${COMP_WORDS[COMP_CWORD]} verb= operands=0 ended= words typed kept quote previous word i
                COMPREPLY=()
                _coffer_split
                previous=${words[${#words[@]} - 1]}
                for ((i = 1; i < ${#words[@]}; i++)); do
                    word=${words[i]}
                    if [[ -z $ended ]]; then
                        case $word in
                            --) ended=1 && continue ;;
                            \#(takingValue.joined(separator: "|"))) ((i++)) && continue ;;
                            -*) continue ;;
                        esac
                    fi
                    if [[ -z $verb ]]; then
                        verb=$word
                    else
                        case "$verb $word" in
                            \#(twoWords.joined(separator: "|"))) verb="$verb $word" ;;
                            *) ((operands++)) ;;
                        esac
                    fi
                done
                [[ -n $ended ]] || case $previous in
            \#(valueCases(options))
                esac
                case $verb in
                    '') _coffer_offer \#(firstWords) \#(names(Option.global)) ;;
            \#(verbCases)
                esac
            }

            complete -F _coffer coffer

            """#
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

    /// Patterns for the verbs of two words; one that matches nothing if there are none.
    private static var twoWords: [String] {
        let names = VerbTable.verbs.map(\.name).filter { $0.contains(" ") }
        return names.isEmpty ? ["' '"] : names.map { "'\($0)'" }
    }

    private static func names(_ options: [Option]) -> String {
        options.flatMap(\.names).joined(separator: " ")
    }

    /// The cases that complete the values of options.
    private static func valueCases(_ options: Set<Option>) -> String {
        let cases = options.compactMap { option in
            option.completion.map { "        \(option.names.joined(separator: "|"))) \(action($0)); return ;;" }
        }
        // Verbs have different options of the same name.
        return cases.sorted().joined(separator: "\n")
    }

    private static var verbCases: String {
        var cases: [String] = []
        for verb in VerbTable.verbs {
            cases.append("        '\(verb.name)')")
            cases.append("            if [[ $typed == -* && -z $ended ]]; then")
            cases.append("                _coffer_offer \(names(verb.completedOptions))")
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
                cases.append("                _coffer_commands")
            }
            cases.append("            fi")
            cases.append("            ;;")
        }
        // The first words of verbs of two words.
        let groups = Dictionary(grouping: VerbTable.verbs.map { $0.name.split(separator: " ") }.filter { $0.count > 1 })
        {
            $0[0]
        }
        for (first, verbs) in groups.sorted(by: { $0.key < $1.key }) {
            let seconds = verbs.map { String($0[1]) }.joined(separator: " ")
            cases.append("        \(first)) _coffer_offer \(seconds) ;;")
        }
        return cases.joined(separator: "\n")
    }

    private static func action(_ completion: Option.Completion) -> String {
        switch completion {
        case .nothing: ":"
        case .file: "_coffer_files"
        case .words(let words): "_coffer_offer \(words.joined(separator: " "))"
        case .verb: "_coffer_offer \(firstWords)"
        }
    }
}
