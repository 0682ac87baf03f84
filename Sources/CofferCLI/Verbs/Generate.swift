internal import Coffer
internal import CofferBasics

extension Option {
    static let length = Option(
        "--length",
        argument: .value("N", .nothing),
        summary: "so many characters; 20 if not said"
    )
    static let words = Option(
        "--words",
        argument: .value("N", .nothing),
        summary: "a passphrase of so many words, 6 is good"
    )
    static let separator = Option(
        "--separator",
        argument: .value("TEXT", .nothing),
        summary: "what stands between words; a hyphen if not said"
    )
    static let symbols = Option("--symbols", summary: "letters, digits and symbols, which is usual")
    static let noSymbols = Option("--no-symbols", summary: "letters and digits only")
    static let alphabet = Option(
        "--alphabet",
        argument: .value("CHARACTERS", .nothing),
        summary: "choose among these characters"
    )
    static let secretCount = Option("--count", argument: .value("N", .nothing), summary: "so many secrets, a line each")
    static let store = Option("--set", summary: "store it as SERVICE ACCOUNT, and do not print it")
}

extension Verb {
    static let generate = Verb(
        "generate",
        .items,
        "Make a password or a passphrase by chance",
        operands: [.optionalService, .optionalAccount],
        options: [
            .length, .words, .separator, .symbols, .noSymbols, .alphabet, .secretCount, .store, .label,
            .itemDescription,
            .comment, .accessible,
        ],
        details: """
            All passwords that can come are equally likely. How many there are is said beside, in bits: with 64 nobody guesses \
            one by trying, each bit more doubles the work. Letters and digits that look alike are left out: l, I, o, O, 0, 1.

            With --set it is stored as coffer set does it: the first item makes the vault, and an item that is there already is \
            replaced only with --force, or if somebody at the terminal says so.
            """,
        examples: [
            Example(call: "coffer generate", purpose: "a password of 20 characters"),
            Example(call: "coffer generate --words 6", purpose: "a passphrase that can be remembered"),
            Example(call: "coffer generate --alphabet 0123456789 --length 6", purpose: "a number for a lock"),
            Example(call: "coffer generate --set mail kim", purpose: "store a new password, unseen"),
        ]
    ) { run in
        let recipe = try SecretRecipe(run.arguments)
        let count = try run.arguments.count(of: .secretCount, in: 1...1000)
        let random = try run.randomSource()
        guard !run.arguments.has(.store) else {
            guard count == nil else { throw CommandError.usage("--set stores one secret, and --count makes several") }
            return try run.store(recipe, random)
        }
        if let word = run.arguments.operand(0) {
            throw CommandError.usage(
                "\(word.printable) has no meaning here",
                hints: ["with --set SERVICE ACCOUNT the secret is stored"]
            )
        }
        for option in [Option.label, .itemDescription, .comment, .accessible] where run.arguments.has(option) {
            throw CommandError.usage("\(option.names[0]) needs --set: it says something of an item")
        }
        for _ in 0..<(count ?? 1) { try run.tell(recipe.secret(from: random), recipe, isOneOfMany: count != nil) }
        // What is said of it stands behind it.
        try run.output.flush()
        run.tellStrength(
            of: recipe,
            "\(count.map { $0.counted("secret") + " of " } ?? "")\(recipe.description)"
        )
    }
}

extension SecretRecipe {
    /// What the options say.
    init(_ arguments: ParsedArguments) throws {
        let ofCharacters = [Option.length, .symbols, .noSymbols, .alphabet].filter { arguments.has($0) }
        if let count = try arguments.count(of: .words, in: 1...128) {
            if let option = ofCharacters.first {
                throw CommandError.usage("\(option.names[0]) and --words exclude each other")
            }
            self = .words(count: count, separator: Array((arguments.value(of: .separator) ?? "-").utf8))
            guard !arguments.has(.separator) || arguments.value(of: .separator)?.utf8.count ?? 0 <= 64 else {
                throw CommandError.usage("--separator takes 64 bytes at most")
            }
            return
        }
        guard !arguments.has(.separator) else {
            throw CommandError.usage("--separator stands between words, so it needs --words")
        }
        let ofKinds = [Option.symbols, .noSymbols, .alphabet].filter { arguments.has($0) }
        guard ofKinds.count < 2 else {
            throw CommandError.usage("\(ofKinds[0].names[0]) and \(ofKinds[1].names[0]) exclude each other")
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
                    "--alphabet takes characters that can be seen, not \(String(scalar).printable)"
                )
            }
            guard seen.insert(scalar).inserted else {
                throw CommandError.usage("--alphabet has \(scalar) twice: it would be twice as likely")
            }
        }
        guard seen.count > 1 else { throw CommandError.usage("--alphabet needs two characters or more") }
    }
}

extension Run {
    /// Where chance comes from.
    fileprivate func randomSource() throws -> (inout MutableSpan<UInt8>) -> Void {
        do throws(VaultError) {
            return try Vault.randomSource()
        } catch {
            throw CommandError(.failure, "no random numbers can be had: \(error)")
        }
    }

    /// Stores a new secret that nobody sees.
    fileprivate func store(_ recipe: SecretRecipe, _ random: @escaping (inout MutableSpan<UInt8>) -> Void) throws {
        let selection = selection()
        guard selection.service != nil, selection.account != nil else {
            throw CommandError.usage(
                "--set needs SERVICE and ACCOUNT",
                hints: ["usage: coffer generate --set SERVICE ACCOUNT"]
            )
        }
        let item = try passwordToStore(selection)
        let stored = FoundItem(try store(item, secret: recipe.secret(from: random), selection.description))
        guard !isJSON else {
            let entropy: [(key: String, value: JSON)] = [("entropyBits", .decimal(recipe.entropyBits))]
            return try output.write(json: stored.json.with(entropy))
        }
        tellStrength(of: recipe, "stored \(stored.line): \(recipe.description)")
    }

    /// Prints a secret; a single one ends in a newline on a terminal only.
    fileprivate func tell(
        _ secret: HeldSecret,
        _ recipe: SecretRecipe,
        isOneOfMany: Bool
    ) throws {
        try secret.bytes.withSpan { bytes in
            if isJSON {
                let entropy: JSON = ["entropyBits": .decimal(recipe.entropyBits)]
                return try output.write(object: entropy, secret: bytes)
            }
            try output.write(bytes)
            if isOneOfMany || output.isTerminal { try output.write("\n") }
        }
    }

    fileprivate func tellStrength(of recipe: SecretRecipe, _ text: String) {
        guard !isJSON else { return }
        messages.note("\(text), \(Decimal.text(recipe.entropyBits, digits: 1)) bits of entropy")
        if recipe.entropyBits < 64 { messages.warning("who can try often enough will guess that; make it longer") }
    }
}
