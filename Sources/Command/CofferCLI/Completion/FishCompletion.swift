/// The completion script for fish.
enum FishCompletion {
    static var script: String {
        var lines = [
            "# Completion for coffer in fish.",
            "function __coffer_services",
            "    \(serviceListing)",
            "end",
            "complete -c coffer -f",
        ]
        lines += Option.global.map { "complete -c coffer \(description($0))" }
        var groups: Set<Substring> = []
        for verb in VerbTable.verbs {
            let words = verb.name.split(separator: " ")
            if words.count == 1 {
                lines.append("complete -c coffer -n __fish_use_subcommand -a \(words[0]) -d \(quoted(verb.summary))")
            } else {
                if groups.insert(words[0]).inserted {
                    lines.append("complete -c coffer -n __fish_use_subcommand -a \(words[0])")
                }
                let condition = quoted("__fish_seen_subcommand_from \(words[0])")
                lines.append("complete -c coffer -n \(condition) -a \(words[1]) -d \(quoted(verb.summary))")
            }
            let seen = words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
            let condition = quoted(seen)
            for option in verb.options where !option.isIgnored {
                lines.append("complete -c coffer -n \(condition) \(description(option))")
            }
            for operand in verb.operands {
                if operand.name == "SERVICE" {
                    lines.append("complete -c coffer -n \(condition) -a '(__coffer_services)'")
                } else if let action = action(operand.completion) {
                    lines.append("complete -c coffer -n \(condition) \(action)")
                }
            }
            if verb.isFollowedByCommand {
                lines.append("complete -c coffer -n \(condition) -a '(__fish_complete_command)'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func description(_ option: Option) -> String {
        var parts: [String] = []
        for name in option.names {
            if name.hasPrefix("--") {
                parts.append("-l \(name.dropFirst(2))")
            } else {
                parts.append("-s \(name.dropFirst())")
            }
        }
        if let completion = option.completion { parts.append(action(completion).map { "-r \($0)" } ?? "-r") }
        parts.append("-d \(quoted(option.summary))")
        return parts.joined(separator: " ")
    }

    private static func action(_ completion: Option.Completion) -> String? {
        switch completion {
        case .nothing: nil
        case .file: "-F"
        case .words(let words): "-a \(quoted(words.joined(separator: " ")))"
        case .verb:
            "-a \(quoted(VerbTable.verbs.map(\.name).filter { !$0.contains(" ") }.joined(separator: " ")))"
        }
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.reduce(into: "") { result, character in
            if "'\\".contains(character) { result += "\\" }
            result.append(character)
        }
        return "'\(escaped)'"
    }
}
