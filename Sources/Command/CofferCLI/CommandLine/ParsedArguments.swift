internal import CofferBasics

/// A parsed command line: the verb, its operands and the options.
struct ParsedArguments: Sendable {
    private(set) var verb: Verb?
    /// The name by which the verb was called, if it has another one now.
    private(set) var formerName: VerbTable.FormerName?
    /// Whether the verbs are only those of macOS, as after the word `security`.
    private(set) var isOfSecurity = false
    /// The word in place of the verb, if there is no such verb.
    private(set) var unknownVerb: String?
    private(set) var operands: [String] = []
    /// The command to run, for a verb that runs one: all words after the options, or after `--`.
    private(set) var commandLine: [String] = []
    private var values: [Option: [String]] = [:]

    /// Whether the option was given.
    func has(_ option: Option) -> Bool { values[option] != nil }

    /// The value of an option, the last one if it was repeated; nil if it was not given or has no value.
    func value(of option: Option) -> String? { values[option]?.last }

    /// All values of an option, in order.
    func values(of option: Option) -> [String] { values[option] ?? [] }

    /// The operand at `index`, if there is one.
    func operand(_ index: Int) -> String? { index < operands.count ? operands[index] : nil }

    /// Whether commands are read from standard input (`-i` or `-p`).
    var isInteractive: Bool { has(.interactive) || has(.interactivePrompt) }

    /// The verb with its options, for hints that repeat the call with other operands.
    var callWithoutOperands: String? {
        guard let verb else { return nil }
        let options = [.vault, .entitlements, .group] + verb.options
        let words = options.filter(has).flatMap { option in
            let values = values(of: option)
            return values.isEmpty ? [option.names[0]] : values.flatMap { [option.names[0], $0.shellWord] }
        }
        return ([verb.name] + words).joined(separator: " ")
    }

    /// Takes over the global options of the outer call, except those that are given here.
    mutating func inherit(_ outer: ParsedArguments) {
        for option in Option.global where values[option] == nil { values[option] = outer.values[option] }
    }

    /// The options that were given and have no effect.
    var ignored: [Option] { values.keys.filter(\.isIgnored).sorted { $0.names[0] < $1.names[0] } }
}

extension ParsedArguments {
    /// The file descriptor that an option names, if it was given.
    func descriptor(of option: Option) throws -> Int32? {
        guard let text = value(of: option) else { return nil }
        guard let number = Int32(text), number >= 0 else {
            throw CommandError.usage("\(option.names[0]) needs the number of a file descriptor")
        }
        return number
    }

    /// The number that an option has as its value, if it was given.
    func count(of option: Option, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = value(of: option) else { return nil }
        guard let number = Int(text), range.contains(number), text.utf8.first != UInt8(ascii: "+") else {
            let bounds =
                range.upperBound == .max
                ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            throw CommandError.usage("\(option.names[0]) needs a number \(bounds)")
        }
        return number
    }
}

extension ParsedArguments {
    /// Parses the words of a command line.
    ///
    /// - Parameters:
    ///   - words: The words.
    ///   - isOfSecurity: Whether they follow the word `security`.
    /// - Throws: `CommandError` if the command line is invalid.
    init(_ words: [String], isOfSecurity: Bool = false) throws {
        self.isOfSecurity = isOfSecurity
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                if verb?.isFollowedByCommand == true { commandLine += rest } else { operands += rest }
                break
            }
            guard word.utf8.first == UInt8(ascii: "-"), word != "-", !isNumber(word) else {
                guard try take(word, &rest) else { break }
                continue
            }
            if word == Option.version.names[0], verb == nil { verb = .help }
            if word.hasPrefix("--") {
                try takeLong(word, &rest)
            } else {
                try takeShort(word, &rest)
            }
        }
        try checkOptions()
        try checkOperands()
    }

    private func isNumber(_ word: String) -> Bool {
        verb?.takesNumbers == true && word.utf8.dropFirst().first.map { (0x30...0x39).contains($0) } == true
    }

    /// Takes a word that is not an option; returns false if it begins the command to run.
    private mutating func take(_ word: String, _ rest: inout ArraySlice<String>) throws -> Bool {
        guard let verb else {
            if !isOfSecurity, unknownVerb == nil, word == VerbTable.security {
                isOfSecurity = true
                return true
            }
            guard let named = VerbTable.named([word] + rest.prefix(1), ofSecurity: isOfSecurity) else {
                // Without the verb, the other words cannot be interpreted.
                if unknownVerb == nil { unknownVerb = word }
                return !has(.help)
            }
            (self.verb, formerName) = (named.verb, named.formerName)
            if let operands = named.formerName?.operands { self.verb?.operands = operands }
            for option in named.formerName?.options ?? [] { values[option] = [] }
            rest = rest.dropFirst(named.wordCount - 1)
            return true
        }
        if verb.isFollowedByCommand, operands.count >= verb.operands.count(where: { $0.presence == .needed }) {
            commandLine = [word] + rest
            return false
        }
        operands.append(word)
        return true
    }

    private mutating func takeLong(_ word: String, _ rest: inout ArraySlice<String>) throws {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let option = try option(named: name)
        let attached = parts.count > 1 ? String(parts[1]) : nil
        switch option.argument {
        case .none:
            guard attached == nil else { throw CommandError.usage("\(name) takes no value") }
            try add(option, nil)
        case .value:
            guard let value = attached ?? rest.popFirst() else { throw CommandError.usage("\(name) needs a value") }
            try add(option, value)
        case .valueUnlessLast: try add(option, attached ?? rest.popFirst())
        }
    }

    private mutating func takeShort(_ word: String, _ rest: inout ArraySlice<String>) throws {
        guard verb?.usesGetoptSyntax ?? true else {
            let option = try option(named: word)
            guard case .none = option.argument else {
                guard let value = rest.popFirst() else { throw CommandError.usage("\(word) needs a value") }
                return try add(option, value)
            }
            return try add(option, nil)
        }
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            let option = try option(named: "-\(letter)")
            let attached = letters.isEmpty ? nil : String(letters)
            switch option.argument {
            case .none: try add(option, nil)
            case .value:
                guard let value = attached ?? rest.popFirst() else {
                    throw CommandError.usage("-\(letter) needs a value")
                }
                return try add(option, value)
            case .valueUnlessLast: return try add(option, attached ?? rest.popFirst())
            }
        }
    }

    private mutating func add(_ option: Option, _ value: String?) throws {
        if has(option), !option.isRepeatable, case .value = option.argument {
            throw CommandError.usage("\(option.names[0]) was given twice")
        }
        values[option, default: []] += value.map { [$0] } ?? []
    }

    /// The option with this name.
    ///
    /// Options of the verb take precedence over the global ones.
    private func option(named name: String) throws -> Option {
        let options = (verb?.options ?? Option.beforeVerb) + Option.global
        if let option = options.first(where: { $0.names.contains(name) }) { return option }
        if let unknownVerb { throw CommandRun.unknown(unknownVerb, ofSecurity: isOfSecurity) }
        let place = verb.map { "coffer \($0.name)" } ?? "coffer"
        // The part after an equals sign may be a secret, so only the name is repeated.
        var hints = [name.count > 2 ? name.nearest(in: options.flatMap(\.names)) : nil].compactMap {
            $0.map { "did you mean `\($0)`?" }
        }
        if verb == nil, name == "-V" { hints = ["did you mean `coffer --version`?"] }
        hints.append(
            verb == nil ? "options of a verb go after it; see `coffer help --all`" : "see `\(place) --help`"
        )
        // So may the rest of a word with a short option, where other commands take its value.
        let isLong = name.hasPrefix("--") || name.unicodeScalars.count <= 2
        let shown = isLong ? name.printable : String(name.unicodeScalars.prefix(2)).printable + "…"
        throw CommandError.usage("unknown option \(shown) for `\(place)`", hints: hints)
    }

    private func checkOptions() throws {
        guard let verb, !has(.help) else { return }
        let modes = verb.modes.filter { has($0) }.map { $0.names[0] }
        guard modes.count < 2 else { throw CommandError.usage("\(modes[0]) and \(modes[1]) exclude each other") }
        for option in verb.options where has(option) && !option.needed.isEmpty {
            let isMet = verb.options.contains { has($0) && option.needed.contains($0.names[0]) }
            guard isMet else {
                throw CommandError.usage(
                    "\(option.names[0]) needs \(option.needed.joined(separator: " or "))",
                    hints: ["see `coffer \(verb.name) --help`"]
                )
            }
        }
    }

    private func checkOperands() throws {
        guard let verb, !has(.help) else { return }
        let needed = verb.operands.filter { $0.presence == .needed }
        guard operands.count >= needed.count else {
            throw CommandError.usage("\(needed[operands.count].name) is missing", hints: ["usage: \(verb.usage)"])
        }
        if verb.readsSecret, operands.count > verb.operands.count {
            throw CommandError.secretAsArgument(
                hints: ["type it when asked, or pipe it to `\(verb.usage)`"] + verb.hintAboutQuotes
            )
        }
        let takesMore = verb.operands.contains { $0.presence == .rest }
        guard takesMore || operands.count <= verb.operands.count else {
            throw CommandError.usage(
                """
                too many operands: `coffer \(verb.name)` takes \
                \(verb.operands.isEmpty ? "none" : "at most \(verb.operands.count)")
                """,
                hints: ["usage: \(verb.usage)"] + verb.hintAboutQuotes
            )
        }
    }
}

extension Verb {
    fileprivate var hintAboutQuotes: [String] {
        operands.isEmpty ? [] : ["put names that contain spaces in quotes"]
    }
}
