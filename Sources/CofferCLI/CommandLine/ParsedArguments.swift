internal import CofferBasics

/// The words behind the name of the command, told apart.
struct ParsedArguments: Sendable {
    private(set) var verb: Verb?
    /// Whether the verb could not be found, and so what was asked for.
    private(set) var unknownVerb: String?
    private(set) var operands: [String] = []
    /// What stands behind `--`, or from the first operand of a verb that runs a command.
    private(set) var commandLine: [String] = []
    private var values: [Option: [String]] = [:]

    /// Whether the option is there.
    func has(_ option: Option) -> Bool { values[option] != nil }

    /// The value of an option, the last if it is there several times; nil if it is not there, or has none.
    func value(of option: Option) -> String? { values[option]?.last }

    /// The values of an option.
    func values(of option: Option) -> [String] { values[option] ?? [] }

    /// The operand at a place, if there is one.
    func operand(_ index: Int) -> String? { index < operands.count ? operands[index] : nil }

    /// Whether lines of the standard input are meant.
    var isInteractive: Bool { has(.interactive) || has(.interactivePrompt) }

    /// Takes over the options for all verbs of a call that this one is part of, as far as it does not say otherwise.
    mutating func inherit(_ outer: ParsedArguments) {
        for option in Option.global where values[option] == nil { values[option] = outer.values[option] }
    }

    /// The options that are there and mean nothing.
    var ignored: [Option] { values.keys.filter(\.isIgnored).sorted { $0.names[0] < $1.names[0] } }
}

extension ParsedArguments {
    /// The number of an open descriptor that an option has, if it is there.
    func descriptor(of option: Option) throws -> Int32? {
        guard let text = value(of: option) else { return nil }
        guard let number = Int32(text), number >= 0 else {
            throw CommandError.usage("\(option.names[0]) takes the number of a descriptor")
        }
        return number
    }

    /// The whole number that an option has, if it is there.
    func count(of option: Option, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = value(of: option) else { return nil }
        guard let number = Int(text), range.contains(number), text.utf8.first != UInt8(ascii: "+") else {
            let bounds =
                range.upperBound == .max
                ? "\(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
            throw CommandError.usage("\(option.names[0]) takes a number, \(bounds)")
        }
        return number
    }
}

extension ParsedArguments {
    /// The words of a command line.
    ///
    /// - Parameters:
    ///   - words: The words.
    ///   - verb: The verb, where the name of the program says which; else the words name it.
    /// - Throws: What makes no sense.
    init(_ words: [String], verb: Verb? = nil) throws {
        self.verb = verb
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                if self.verb?.isFollowedByCommand == true { commandLine += rest } else { operands += rest }
                break
            }
            guard word.utf8.first == UInt8(ascii: "-"), word != "-", !isNumber(word) else {
                guard try take(word, &rest) else { break }
                continue
            }
            if word.hasPrefix("--") {
                try takeLong(word, &rest)
            } else {
                try takeShort(word, &rest)
            }
        }
        try checkOperands()
    }

    private func isNumber(_ word: String) -> Bool {
        verb?.takesNumbers == true && word.utf8.dropFirst().first.map { (0x30...0x39).contains($0) } == true
    }

    /// Takes a word that is no option; false if it and the rest belong to a command that is run.
    private mutating func take(_ word: String, _ rest: inout ArraySlice<String>) throws -> Bool {
        guard let verb else {
            guard let (found, wordCount) = VerbTable.verb(of: [word] + rest.prefix(1)) else {
                // Without its verb nobody can tell what the other words mean.
                if unknownVerb == nil { unknownVerb = word }
                return !has(.help)
            }
            self.verb = found
            rest = rest.dropFirst(wordCount - 1)
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
        guard verb?.isLikeGetopt ?? true else {
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
            throw CommandError.usage("\(option.names[0]) is there twice")
        }
        values[option, default: []] += value.map { [$0] } ?? []
    }

    /// The option that is written so.
    ///
    /// Those of a verb count before the global ones.
    private func option(named name: String) throws -> Option {
        let options = (verb?.options ?? Option.beforeVerb) + Option.global
        if let option = options.first(where: { $0.names.contains(name) }) { return option }
        if let unknownVerb { throw Run.unknown(unknownVerb) }
        let place = verb.map { "coffer \($0.name)" } ?? "coffer"
        // What stands behind an equals sign may be a secret, so only the name is repeated.
        var hints = [name.count > 2 ? name.nearest(in: options.flatMap(\.names)) : nil].compactMap {
            $0.map { "did you mean \($0)?" }
        }
        if verb == nil, ["--version", "-V"].contains(name) { hints = ["did you mean coffer version?"] }
        hints.append(
            verb == nil ? "options of a verb stand behind it; see coffer --help" : "see \(place) --help"
        )
        // The same goes for what stands behind one letter, as other commands take it.
        let isLong = name.hasPrefix("--") || name.unicodeScalars.count <= 2
        let shown = isLong ? name.printable : String(name.unicodeScalars.prefix(2)).printable + "…"
        throw CommandError.usage("\(place) has no option \(shown)", hints: hints)
    }

    private func checkOperands() throws {
        guard let verb, !has(.help) else { return }
        let needed = verb.operands.filter { $0.presence == .needed }
        guard operands.count >= needed.count else {
            throw CommandError.usage("\(needed[operands.count].name) is missing", hints: ["usage: \(verb.usage)"])
        }
        let takesMore = verb.operands.contains { $0.presence == .rest }
        guard takesMore || operands.count <= verb.operands.count else {
            throw CommandError.usage(
                "coffer \(verb.name) takes \(verb.operands.isEmpty ? "no" : "fewer") operands",
                hints: ["usage: \(verb.usage)"]
                    + (verb.operands.isEmpty ? [] : ["put a name with a blank in it into quotes"])
            )
        }
    }
}
