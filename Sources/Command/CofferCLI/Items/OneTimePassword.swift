internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles

extension Verb {
    static let otp = Verb(
        "otp",
        .items,
        "Print the current one-time password of an account",
        operands: [.optionalService, .optionalAccount],
        options: [.clip, .store],
        details: """
            The generator is the item with the service otp:NAME, as an import stores it, or the item NAME if its \
            secret is an otpauth:// URI. At a terminal, a message says how many seconds the password is valid. A \
            generator that counts its uses is stored with the next count first.

            With --set the generator is read from standard input and stored for NAME and USER: an otpauth:// URI, \
            or only its secret in base32.
            """,
        examples: [
            Example(call: "coffer otp github.com", purpose: "print the code that the site asks for"),
            Example(call: "coffer otp --set github.com kim", purpose: "store the generator that the site shows"),
        ],
        readsSecret: true
    ) { run in
        if run.arguments.has(.store) { try run.storeGenerator() } else { try run.printCode() }
    }
}

extension ItemSelection {
    /// The service of the generator that belongs to this one.
    fileprivate var ofGenerator: ItemSelection {
        var selection = self
        selection.service = service.map { AttributeText("otp:\($0.string ?? "")") }
        (selection.classes, selection.address) = ([.genericPassword], nil)
        return selection
    }

    /// The items that match, or the generators that belong to them.
    fileprivate func generators(in keychain: Keychain) throws -> [FoundItem] {
        try firstFound(in: keychain, isNothing: \.isEmpty) { form in
            let companions = try form.ofGenerator.itemsOfName(in: keychain)
            return companions.isEmpty ? try form.itemsOfName(in: keychain) : companions
        }
    }

    /// The item that has the generator, and the generator.
    func generator(in keychain: Keychain, for run: CommandRun) throws -> (FoundItem, OneTimePasswordURI) {
        let found = try generators(in: keychain)
        guard !found.isEmpty else { throw try missing(in: keychain) { $0.generator(in: keychain) } }
        let item = try only(of: found)
        guard let secret = try item.secret(in: keychain), let generator = OneTimePasswordURI(uri: secret) else {
            throw CommandError(
                .notFound,
                "\(item.shownName) has no generator of one-time passwords",
                hints: ["`coffer otp --set` stores one"]
            )
        }
        return (item, generator)
    }
}

extension OneTimePasswordURI {
    /// The generator of a URI; nil for other text.
    init?(uri: HeldSecret) {
        let generator = uri.withSpan { text in
            text.starts(with: "otpauth://") ? try? OneTimePasswordURI(text) : nil
        }
        guard let generator else { return nil }
        self = generator
    }

    /// How long the current password is valid; nil if that does not depend on the time.
    func secondsLeft(at now: Double) -> Int? {
        guard case .time(let period) = kind else { return nil }
        return period - Int(max(0, now)) % period
    }

    /// The current password.
    func code(at now: Double) throws -> OneTimeCode {
        switch kind {
        case .time(let period): try OneTimeCode(self, count: UInt64(max(0, now)) / UInt64(period))
        case .counter(let count): try OneTimeCode(self, count: count)
        }
    }
}

extension FoundItem {
    /// Whether the item is a generator of one-time passwords.
    fileprivate func isGenerator(in keychain: Keychain) throws -> Bool {
        guard itemClass == .genericPassword, companion == nil || companion?.kind == .otp else { return false }
        return try companion != nil || secret(in: keychain).flatMap { OneTimePasswordURI(uri: $0) } != nil
    }

    /// A generator under the name of the item to which it belongs; nil if this is none, or cannot be read.
    fileprivate func generator(in keychain: Keychain) -> FoundItem? {
        guard (try? isGenerator(in: keychain)) == true else { return nil }
        var item = self
        if let name = companion?.names[0] { item.attributes[.service] = .string(name) }
        return item
    }
}

extension CommandRun {
    /// Prints the current password of the selected item, or puts it on the clipboard.
    func printCode() throws {
        let selection = try chosen(
            selectionOfClass(),
            unless: { try $0.generators(in: $1) },
            from: { item, keychain in try item.isGenerator(in: keychain) }
        )
        let (item, code, seconds) = try vaults.withKeychain(for: .changing) { keychain in
            let item = try selection.generator(in: keychain, for: self)
            return try (item, self.code(of: item, in: keychain), item.1.secondsLeft(at: now))
        }
        guard !arguments.has(.clip) else { return try copyToClipboard(code.text, "code", of: item.0.shownName) }
        if isJSON {
            let members: [(key: String, value: JSON)] = [("secondsLeft", JSON(seconds))]
            return try code.text.withSpan { bytes in
                try output.write(object: item.0.json.with(members), secret: bytes)
            }
        }
        try print(code.text)
        if let seconds, output.isTerminal { messages.note("valid for \(seconds.counted("second"))") }
    }

    /// The current password; a generator that counts is stored with the next count.
    func code(of item: (FoundItem, OneTimePasswordURI), in keychain: Keychain) throws -> OneTimeCode {
        var generator = item.1
        let code = try generator.code(at: now)
        if case .counter(let count) = generator.kind {
            // Stored before it is shown: a password that is used twice would be refused.
            generator.kind = .counter(count &+ 1)
            _ = try item.0.change([:], secret: generator.text, in: keychain)
        }
        return code
    }

    fileprivate func storeGenerator() throws {
        var selection = try selection()
        guard let service = selection.service, let account = selection.account else {
            throw CommandError.usage("--set needs NAME and USER")
        }
        let text = try secretToStore(
            for: "the generator of \(selection.description)",
            isExact: false,
            allowsEmpty: false
        )
        var generator: OneTimePasswordURI
        do throws(OneTimePasswordError) {
            generator = try text.withSpan { text throws(OneTimePasswordError) in try OneTimePasswordURI(text) }
        } catch {
            throw CommandError(.usage, "this is no generator of one-time passwords: \(error.description)")
        }
        let name = service.string.flatMap { ServerAddress($0)?.server.string ?? $0 } ?? ""
        generator.label(issuer: name, account: account.string ?? "")
        selection.service = AttributeText("otp:\(name)")
        var item = GenericPassword(service: selection.service ?? "", account: account)
        item.accessGroup = selection.group
        item.itemDescription = "one-time password"
        let stored = try store(item, secret: generator.text, selection.description)
        if isJSON { return try output.write(json: stored.json) }
        messages.note("stored \(stored.shownName)")
    }
}

extension Span<UInt8> {
    fileprivate func starts(with text: String) -> Bool {
        text.utf8.count <= count && zip(indices, text.utf8).allSatisfy { self[$0] == $1 }
    }
}
