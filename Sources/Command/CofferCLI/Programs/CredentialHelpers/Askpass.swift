internal import Coffer
internal import CofferBasics

extension Verb {
    static let askpassHelper = Verb(
        "helper askpass",
        .programs,
        "Answer password prompts of ssh, git and sudo",
        operands: [Operand(name: "PROMPT", presence: .rest)],
        details: """
            Other programs call it by the name coffer-askpass, a link to coffer, with the question that they would ask.

            The answer is the internet password for the server and user; for an ssh key, the secret with service ssh \
            and the path of the key as the account; for sudo, the secret with service sudo and the user as the \
            account. The variable COFFER_ASKPASS_ITEM, as [USER@]NAME, names another item.

            Questions that are unknown, lack a stored item or ask for confirmation are asked at the terminal.
            """,
        examples: [
            Example(
                call: "SSH_ASKPASS=coffer-askpass SSH_ASKPASS_REQUIRE=force ssh host",
                purpose: "log in with the stored password"
            ),
            Example(
                call: "coffer set ssh ~/.ssh/id_ed25519",
                purpose: "store the passphrase of a key"
            ),
        ]
    ) { run in
        guard run.arguments.operands.count == 1, let prompt = run.arguments.operand(0) else {
            throw CommandError.usage("exactly one PROMPT is needed", hints: ["usage: coffer helper askpass PROMPT"])
        }
        try Askpass(run, prompt).answer()
    }
}

/// The answer to the question of a program.
private struct Askpass {
    private let run: CommandRun
    private let text: String
    private let prompt: AskpassPrompt

    init(_ run: CommandRun, _ text: String) {
        self.run = run
        self.text = text
        prompt = AskpassPrompt(text)
    }

    func answer() throws {
        switch run.context.environment["SSH_ASKPASS_PROMPT"] {
        case "confirm": return try confirm()
        // A message without a question.
        case "none": return try run.prompter.reportResult(text.printableLines + "\n")
        default: break
        }
        guard prompt != .confirmation, prompt != .again else { return try ask(nil) }
        guard let selection = try selection() else {
            return try ask(CommandError(.failure, "unknown question: \(text.printable)"))
        }
        let found: Result<HeldSecret, CommandError>?
        found = try run.withKeychainIfAny { keychain in try self.answer(selection, keychain) }
        switch found ?? .failure(CommandError(.failure, "item not found: \(selection.description) (no vault yet)")) {
        case .success(let answer): try give(answer)
        case .failure(let error): try ask(error)
        }
    }

    /// The item that answers the question.
    private func selection() throws -> ItemSelection? {
        let group = run.arguments.value(of: .group)
        if let name = run.context.environment["COFFER_ASKPASS_ITEM"], !name.isEmpty {
            let item = try SecretAssignment.item(name, of: "COFFER_ASKPASS_ITEM")
            return ItemSelection(service: item, account: nil, group: group)
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
        var found = try selection.items(in: keychain).filter { isMeant($0) }
        if found.isEmpty, let address {
            found = try address.standIns(account: selection.account, group: selection.group, in: keychain)
        }
        guard let item = found.first else {
            try run.explainAbsence(in: keychain)
            return .failure(
                CommandError(
                    .failure,
                    "item not found: \(selection.description); cannot answer: \(text.printable)",
                    hints: ["set COFFER_ASKPASS_ITEM=[USER@]NAME to use another item"]
                )
            )
        }
        guard found.count == 1 else {
            var error = CommandError(
                .ambiguous,
                "\(found.count) items match \(selection.description)",
                hints: ["set COFFER_ASKPASS_ITEM=USER@NAME to choose one"]
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

    /// The address in the question of git; nil for other questions, and if the item is named.
    private var address: ServerAddress? {
        switch prompt {
        case .username(let url), .password(let url): isItemNamed ? nil : ServerAddress.of(url)?.address
        case .login, .key, .sudo, .confirmation, .again, .unknown: nil
        }
    }

    private var isItemNamed: Bool { !(run.context.environment["COFFER_ASKPASS_ITEM"]?.isEmpty ?? true) }

    /// Whether an item matches the protocol and port of the question, if it has any.
    private func isMeant(_ item: FoundItem) -> Bool {
        guard item.itemClass == .internetPassword, !isItemNamed else { return true }
        let scheme = InternetProtocol(of: item)
        guard let address else { return scheme == nil || scheme == .ssh }
        return address.isServer(of: item) || scheme == nil && ServerAddress(of: item).port == address.port
    }

    private func give(_ answer: HeldSecret) throws {
        try answer.withSpan { bytes in
            guard !bytes.contains(UInt8(ascii: "\n")), !bytes.contains(0) else {
                throw CommandError(
                    .failure,
                    "the secret contains a newline or a zero byte and cannot be an answer"
                )
            }
            try run.output.write(bytes)
            try run.output.write("\n")
        }
    }

    /// Asks at the terminal; throws `error` without one.
    private func ask(_ error: CommandError?) throws {
        guard run.prompter.canAsk else {
            throw error ?? CommandError(.failure, "there is no terminal to ask on: \(text.printable)")
        }
        let typed = try run.prompter.answer(to: text.printableLines, isShown: prompt.isShown)
        guard let typed else { throw CommandError(.failure, "no answer was entered") }
        try typed.withBytes { bytes in try run.output.write(bytes) }
        try run.output.write("\n")
    }

    private func confirm() throws {
        guard run.prompter.canAsk else {
            throw CommandError(.failure, "there is no terminal to ask on: \(text.printable)")
        }
        guard try run.prompter.confirms(text.printableLines) else { throw CommandError(.failure, "the answer is no") }
        try run.output.write("yes\n")
    }
}

extension String {
    /// The text with everything escaped that could control a terminal, except newlines.
    fileprivate var printableLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\n")
    }
}

extension ServerAddress {
    /// The user and the server in a URL; nil if the server is ambiguous.
    fileprivate static func of(_ url: String) -> (user: AttributeText?, address: ServerAddress)? {
        let bytes = url.utf8Span.span
        let parts = AddressParts(bytes)
        // Old versions of git do not escape the user: https://a/@b may mean the user a/ on server b.
        guard !bytes.extracting(parts.rest).contains(UInt8(ascii: "@")) else { return nil }
        var address = ServerAddress(scheme: parts.scheme.map { bytes.extracting($0).attributeText } ?? "")
        (address.server, address.port) = hostAndPort(bytes.extracting(parts.host).attributeText)
        // Git percent-encodes an @ in the user name, and a colon.
        let user = parts.user.map { $0.lowerBound..<(parts.password?.upperBound ?? $0.upperBound) }
        return (user.map { bytes.extracting($0).unescaped.text }, address)
    }
}
