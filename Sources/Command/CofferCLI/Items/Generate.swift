internal import Coffer
internal import CofferBasics

extension Option {
    static let length = Option(
        "--length",
        argument: .value("N", .nothing),
        summary: "length in characters (default 20)"
    )
    static let words = Option(
        "--words",
        argument: .value("N", .nothing),
        summary: "generate a passphrase of N words (6 is a good choice)"
    )
    static let separator = Option(
        "--separator",
        argument: .value("TEXT", .nothing),
        summary: "text between words (default: a hyphen)"
    )
    static let symbols = Option("--symbols", summary: "use letters, digits and symbols (the default)")
    static let noSymbols = Option("--no-symbols", summary: "use only letters and digits")
    static let alphabet = Option(
        "--alphabet",
        argument: .value("CHARACTERS", .nothing),
        summary: "use only these characters"
    )
    static let secretCount = Option(
        "--count",
        argument: .value("N", .nothing),
        summary: "print N secrets, one per line"
    )
    static let store = Option("--set", summary: "store the secret as NAME [USER], without printing it")
}

extension Verb {
    static let generate = Verb(
        "generate",
        .items,
        "Generate a random password or passphrase",
        operands: [.optionalService, .optionalAccount],
        options: [
            .length, .words, .separator, .symbols, .noSymbols, .alphabet, .secretCount, .store, .itemClass, .label,
            .itemDescription, .comment, .accessible,
        ],
        details: """
            All possible results are equally likely. The entropy is printed in bits on standard error: 64 bits are \
            too many to guess, and each further bit doubles the work. Characters that look alike are left out: l, I, \
            o, O, 0, 1.

            With --set the secret is stored as by `coffer set`: the first item creates the vault, and an existing item \
            is replaced only with --force or after confirmation at the terminal.
            """,
        examples: [
            Example(call: "coffer generate", purpose: "generate a password of 20 characters"),
            Example(call: "coffer generate --words 6", purpose: "generate a passphrase that is easy to remember"),
            Example(call: "coffer generate --alphabet 0123456789 --length 6", purpose: "generate a PIN"),
            Example(call: "coffer generate --set mail kim", purpose: "store a new password without showing it"),
        ]
    ) { run in
        let recipe = try SecretRecipe(run.arguments)
        let count = try run.arguments.count(of: .secretCount, in: 1...1000)
        let random = try Vault.randomSource()
        guard !run.arguments.has(.store) else {
            guard count == nil else { throw CommandError.usage("--set and --count cannot be combined") }
            return try run.store(recipe, random)
        }
        if let word = run.arguments.operand(0) {
            throw CommandError.usage(
                "unexpected operand \(word.printable)",
                hints: ["use --set NAME [USER] to store the secret"]
            )
        }
        let ofItems: [Option] = [.itemClass, .label, .itemDescription, .comment, .accessible]
        for option in ofItems where run.arguments.has(option) {
            throw CommandError.usage("\(option.names[0]) needs --set: it describes the stored item")
        }
        for _ in 0..<(count ?? 1) {
            try run.reportResult(recipe.secret(from: random), recipe, isOneOfMany: count != nil)
        }
        // The note about the entropy must follow the secrets.
        try run.output.flush()
        run.reportStrength(
            of: recipe,
            "\(count.map { $0.counted("secret") + " of " } ?? "")\(recipe.description)"
        )
    }
}

extension SecretRecipe {
    /// The recipe that the options ask for.
    init(_ arguments: ParsedArguments) throws {
        let ofCharacters = [Option.length, .symbols, .noSymbols, .alphabet].filter { arguments.has($0) }
        if let count = try arguments.count(of: .words, in: 1...128) {
            if let option = ofCharacters.first {
                throw CommandError.usage("\(option.names[0]) and --words cannot be combined")
            }
            self = .words(count: count, separator: Array((arguments.value(of: .separator) ?? "-").utf8))
            guard !arguments.has(.separator) || arguments.value(of: .separator)?.utf8.count ?? 0 <= 64 else {
                throw CommandError.usage("--separator is too long (limit 64 bytes)")
            }
            return
        }
        guard !arguments.has(.separator) else {
            throw CommandError.usage("--separator needs --words")
        }
        let ofKinds = [Option.symbols, .noSymbols, .alphabet].filter { arguments.has($0) }
        guard ofKinds.count < 2 else {
            throw CommandError.usage("\(ofKinds[0].names[0]) and \(ofKinds[1].names[0]) cannot be combined")
        }
        let length = try arguments.count(of: .length, in: 1...1024) ?? 20
        var alphabet = Self.letters + Self.digits
        if let own = arguments.value(of: .alphabet) {
            alphabet = own
        } else if !arguments.has(.noSymbols) {
            alphabet += Self.symbols
        }
        try Self.check(alphabet)
        self = .characters(count: length, of: Self.alphabet(alphabet))
    }

    private static func check(_ alphabet: String) throws {
        var seen: Set<Unicode.Scalar> = []
        for scalar in alphabet.unicodeScalars {
            guard String(scalar).printable.unicodeScalars.elementsEqual([scalar]) else {
                throw CommandError.usage(
                    "--alphabet cannot contain \(String(scalar).printable)"
                )
            }
            guard seen.insert(scalar).inserted else {
                throw CommandError.usage("--alphabet contains \(scalar) twice, which would make it twice as likely")
            }
        }
        guard seen.count > 1 else { throw CommandError.usage("--alphabet needs at least two characters") }
    }
}

extension CommandRun {
    /// Stores a new secret without showing it.
    fileprivate func store(_ recipe: SecretRecipe, _ random: @escaping (inout MutableSpan<UInt8>) -> Void) throws {
        guard arguments.operand(0) != nil else {
            throw CommandError.usage("--set needs NAME", hints: ["usage: coffer generate --set NAME [USER]"])
        }
        let selection = try selectionToChange()
        let new = try passwordToStore(selection)
        let former = try former(selection)
        let stored = try store(
            new,
            secret: recipe.secret(from: random),
            selection.description,
            replacing: former
        )
        guard !isJSON else {
            let entropy: [(key: String, value: JSON)] = [("entropyBits", .decimal(recipe.entropyBits))]
            return try output.write(json: stored.json.with(entropy))
        }
        reportStrength(of: recipe, "stored \(stored.shownName): \(recipe.description)")
    }

    /// Prints a secret; a single one ends with a newline only at a terminal.
    fileprivate func reportResult(
        _ secret: HeldSecret,
        _ recipe: SecretRecipe,
        isOneOfMany: Bool
    ) throws {
        try secret.withSpan { bytes in
            if isJSON {
                let entropy: JSON = ["entropyBits": .decimal(recipe.entropyBits)]
                return try output.write(object: entropy, secret: bytes)
            }
            try output.write(bytes)
            if isOneOfMany || output.isTerminal { try output.write("\n") }
        }
    }

    fileprivate func reportStrength(of recipe: SecretRecipe, _ text: String) {
        guard !isJSON else { return }
        messages.note("\(text), \(Decimal.text(recipe.entropyBits, digits: 1)) bits of entropy")
        if recipe.entropyBits < 64 {
            messages.warning("a secret with less than 64 bits of entropy can be guessed; make it longer")
        }
    }
}
