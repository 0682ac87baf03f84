/// A command line whose last word is being typed.
struct IncompleteCommand {
    /// What the last word can be.
    enum Offer {
        case nothing
        case words([(word: String, meaning: String?)])
        case services
        case accounts(service: String)
        case files
        /// Part of another command, which begins with the word at this index.
        case command(Int)
    }

    private var verb: Verb?
    /// The first word of verbs of two words.
    private var group: String?
    private var operands: [String] = []
    /// What the last word can be.
    private(set) var offer = Offer.nothing

    /// Reads the words, the first of which is the program.
    init(_ words: [String]) {
        guard words.count > 1 else { return }
        var rest = words[1..<(words.count - 1)]
        let typed = words[words.count - 1]
        var takesOptions = true
        while let word = rest.popFirst() {
            if takesOptions, word == "--" {
                takesOptions = false
            } else if takesOptions, word.hasPrefix("-"), word != "-" {
                guard let value = completion(ofValue: word), rest.popFirst() == nil else { continue }
                offer = offer(for: value)
                return
            } else if isCommandNext {
                offer = .command(rest.startIndex - 1)
                return
            } else if verb != nil {
                operands.append(word)
            } else {
                guard take(verb: word) else { return }
            }
        }
        offer = offer(for: typed, takesOptions: takesOptions, at: words.count - 1)
    }

    private func offer(for typed: String, takesOptions: Bool, at index: Int) -> Offer {
        if takesOptions, typed.hasPrefix("-") {
            guard typed.hasPrefix("--"), let equals = typed.firstIndex(of: "=") else {
                let options = (verb?.options ?? []).filter { !$0.isHidden } + Option.global
                return .words(options.flatMap { option in option.names.map { ($0, option.summary) } })
            }
            let value = completion(ofValue: String(typed[..<equals])).map { offer(for: $0) } ?? .nothing
            guard case .words(let words) = value else { return value }
            return .words(words.map { ("\(typed[...equals])\($0.word)", nil) })
        }
        guard !isCommandNext else { return .command(index) }
        guard let verb else { return .words(verbs(after: group)) }
        let last = verb.operands.last.flatMap { $0.presence == .rest ? $0 : nil }
        let operand = operands.count < verb.operands.count ? verb.operands[operands.count] : last
        return offer(for: operand?.completion ?? .nothing)
    }

    private func offer(for completion: Option.Completion) -> Offer {
        switch completion {
        case .nothing: .nothing
        case .file: .files
        case .service: .services
        case .account: operands.last.map { .accounts(service: $0) } ?? .nothing
        case .words(let words): .words(words.map { ($0, nil) })
        case .verb: .words(verbs(after: operands.last))
        }
    }

    /// Whether the command that the verb runs begins with the next operand.
    private var isCommandNext: Bool {
        guard let verb, verb.isFollowedByCommand else { return false }
        return operands.count >= verb.operands.count { $0.presence == .needed }
    }

    /// The completion of the value of an option; nil if it takes none.
    private func completion(ofValue name: String) -> Option.Completion? {
        let option = ((verb?.options ?? Option.beforeVerb) + Option.global).first { $0.names.contains(name) }
        return switch option?.argument {
        case .value(_, let completion): completion
        case .valueUnlessLast: .nothing
        case .some(.none), nil: nil
        }
    }

    /// Takes a word of the verb; returns false if there is no such verb.
    private mutating func take(verb word: String) -> Bool {
        let isSecurity = group == VerbTable.security
        let words = isSecurity ? [word] : [group, word].compactMap(\.self)
        if let named = VerbTable.named(words, ofSecurity: isSecurity), named.wordCount == words.count {
            verb = named.verb
            return true
        }
        guard group == nil, !VerbTable.subcommands(of: word).isEmpty else { return false }
        group = word
        return true
    }

    /// The first words of all verbs, or the second ones after a first.
    private func verbs(after group: String?) -> [(word: String, meaning: String?)] {
        if let group {
            return VerbTable.subcommands(of: group).map { ($0.lastWord, $0.summary) }
        }
        var seen: Set<Substring> = []
        return VerbTable.verbs.compactMap { verb in
            let words = verb.name.split(separator: " ")
            guard seen.insert(words[0]).inserted else { return nil }
            return (String(words[0]), words.count == 1 ? verb.summary : verb.topic.rawValue)
        }
    }
}
