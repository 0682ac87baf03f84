internal import Coffer
internal import CofferBasics

extension Verb {
    static let askpass = Verb(
        "askpass",
        .running,
        "Answer ssh, git or sudo when they ask for a password",
        operands: [Operand(name: "PROMPT", presence: .rest)],
        details: """
            Other programs call it as coffer-askpass, a name that the program can have beside its own, with the question \
            that they would ask.

            Answers are the internet password of the server, with its user; for the passphrase of an ssh key the secret of \
            the service ssh and the path of the key as the account; for sudo that of the service sudo and the user. The \
            variable COFFER_ASKPASS_ITEM, as [ACCOUNT@]SERVICE, names another item.

            What is not stored or not understood is asked at the terminal, as are questions whether something shall be done.
            """,
        examples: [
            Example(
                call: "SSH_ASKPASS=coffer-askpass SSH_ASKPASS_REQUIRE=force ssh host",
                purpose: "log in with the password that is stored"
            ),
            Example(
                call: "coffer set ssh ~/.ssh/id_ed25519",
                purpose: "store the passphrase of a key"
            ),
        ]
    ) { run in
        guard run.arguments.operands.count == 1, let prompt = run.arguments.operand(0) else {
            throw CommandError.usage("one question is needed", hints: ["usage: coffer askpass PROMPT"])
        }
        try Askpass(run, prompt).answer()
    }
}

/// The answer to the question of a program.
private struct Askpass {
    private let run: Run
    private let text: String
    private let prompt: AskpassPrompt

    init(_ run: Run, _ text: String) {
        self.run = run
        self.text = text
        prompt = AskpassPrompt(text)
    }

    func answer() throws {
        switch run.surroundings.environment["SSH_ASKPASS_PROMPT"] {
        case "confirm": return try confirm()
        // It is only told.
        case "none": return try run.prompter.tell(text.printableLines + "\n")
        default: break
        }
        guard prompt != .confirmation, prompt != .again else { return try ask(nil) }
        guard let selection = try selection() else {
            return try ask(CommandError(.failure, "nobody knows what is asked for here: \(text.printable)"))
        }
        let found: Result<HeldSecret, CommandError>?
        found = try run.withKeychainIfAny { keychain in try self.answer(selection, keychain) }
        switch found ?? .failure(CommandError(.failure, "there is no vault, and so no item \(selection.description)")) {
        case .success(let answer): try give(answer)
        case .failure(let error): try ask(error)
        }
    }

    /// The item that is asked for.
    private func selection() throws -> ItemSelection? {
        let group = run.arguments.value(of: .group)
        if let name = run.surroundings.environment["COFFER_ASKPASS_ITEM"], !name.isEmpty {
            let (account, service) = SecretAssignment.item(name[...])
            guard !service.isEmpty else { throw CommandError.usage("COFFER_ASKPASS_ITEM names no service") }
            return ItemSelection(service: service, account: account, group: group)
        }
        let (service, account, itemClass): (AttributeText, AttributeText?, KeychainClass)
        switch prompt {
        case .username(let url), .password(let url):
            guard let (user, address) = ServerAddress.of(url) else { return nil }
            (service, account, itemClass) = (address.server, user, .internetPassword)
        case .login(let user, let host):
            (service, account, itemClass) = (AttributeText(host), AttributeText(user), .internetPassword)
        case .key(let path): (service, account, itemClass) = ("ssh", AttributeText(path), .genericPassword)
        case .sudo(let user): (service, account, itemClass) = ("sudo", AttributeText(user), .genericPassword)
        case .confirmation, .again, .unknown: return nil
        }
        return ItemSelection(service: service, account: account, group: group, classes: [itemClass])
    }

    private func answer(
        _ selection: ItemSelection,
        _ keychain: Keychain
    ) throws -> Result<HeldSecret, CommandError> {
        let found = try selection.items(in: keychain).filter { isMeant($0) }
        guard let item = found.first else {
            return .failure(
                CommandError(
                    .failure,
                    "there is no item \(selection.description) to answer: \(text.printable)",
                    hints: ["COFFER_ASKPASS_ITEM=[ACCOUNT@]SERVICE names another one"]
                )
            )
        }
        guard found.count == 1 else {
            var error = CommandError(
                .ambiguous,
                "\(found.count) items are called \(selection.description)",
                hints: ["COFFER_ASKPASS_ITEM=ACCOUNT@SERVICE names one"]
            )
            error.candidates = found
            return .failure(error)
        }
        if case .username = prompt { return .success(HeldSecret(copying: item.account.bytes.span)) }
        guard let secret = try item.secret(in: keychain) else {
            return .failure(CommandError(.failure, "the item \(selection.description) has no secret"))
        }
        return .success(secret)
    }

    /// Whether an item is for the protocol and the port that are asked about, if any are.
    private func isMeant(_ item: FoundItem) -> Bool {
        guard item.itemClass == .internetPassword, run.surroundings.environment["COFFER_ASKPASS_ITEM"] == nil else {
            return true
        }
        let scheme = item.text(.protocol).map { InternetProtocol(rawValue: $0) }
        let port = if case .integer(let number)? = item.attributes[.port] { Int(clamping: number) } else { 0 }
        switch prompt {
        case .username(let url), .password(let url):
            guard let address = ServerAddress.of(url)?.address else { return false }
            return (scheme == nil || scheme == address.itemProtocol) && port == address.port
        case .login: return scheme == nil || scheme == .ssh
        case .key, .sudo, .confirmation, .again, .unknown: return true
        }
    }

    private func give(_ answer: HeldSecret) throws {
        try answer.bytes.withSpan { bytes in
            guard !bytes.contains(UInt8(ascii: "\n")), !bytes.contains(0) else {
                throw CommandError(
                    .failure,
                    "the secret has a newline or a zero byte, and cannot be given as an answer"
                )
            }
            try run.output.write(bytes)
            try run.output.write("\n")
        }
    }

    /// Asks at the terminal; if there is none, `error` is why nobody answers.
    private func ask(_ error: CommandError?) throws {
        guard run.prompter.canAsk else {
            throw error ?? CommandError(.failure, "a person must answer, and there is no terminal: \(text.printable)")
        }
        let typed = try run.prompter.answer(to: text.printableLines, isShown: prompt.isShown)
        guard let typed else { throw CommandError(.failure, "nobody answered") }
        try typed.withBytes { bytes in try run.output.write(bytes) }
        try run.output.write("\n")
    }

    private func confirm() throws {
        guard run.prompter.canAsk else {
            throw CommandError(.failure, "a person must answer, and there is no terminal: \(text.printable)")
        }
        guard try run.prompter.confirms(text.printableLines) else { throw CommandError(.failure, "the answer is no") }
        try run.output.write("yes\n")
    }
}

extension String {
    /// The text without what a terminal could take for an order; its lines stay.
    fileprivate var printableLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\n")
    }
}

extension ServerAddress {
    /// The user and the server in an address; nil if another server may be meant as well.
    fileprivate static func of(_ url: String) -> (user: AttributeText?, address: ServerAddress)? {
        var rest = url[...]
        var address = ServerAddress()
        if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") {
            address.scheme = AttributeText(String(rest[..<colon]))
            rest = rest[colon...].dropFirst(3)
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        // Old versions of git write the user as it is: the server of https://a/@b is b then, and a its user.
        guard !rest[slash...].contains("@") else { return nil }
        rest = rest[..<slash]
        var user: AttributeText?
        if let at = rest.lastIndex(of: "@") {
            // Git writes an @ in a name so that it is not the one that ends the name.
            user = String(rest[..<at]).utf8Span.span.unescaped.bytes.withSpan { $0.attributeText }
            rest = rest[rest.index(after: at)...]
        }
        (address.server, address.port) = hostAndPort(AttributeText(String(rest)))
        return (user, address)
    }
}
