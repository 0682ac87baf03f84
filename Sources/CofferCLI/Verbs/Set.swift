internal import Coffer
internal import CofferBasics
internal import CommandSystem

extension Option {
    static let label = Option("--label", argument: .value("TEXT", .nothing), summary: "how people call the item")
    static let comment = Option("--comment", argument: .value("TEXT", .nothing), summary: "a note beside the secret")
    static let itemDescription = Option(
        "--description",
        argument: .value("TEXT", .nothing),
        summary: "what kind of item it is, such as: web form password"
    )
    static let accessible = Option(
        "--accessible",
        argument: .value("CLASS", .words(Accessibility.allCases.map(\.commandName))),
        summary: "when the secret can be read"
    )
    static let raw = Option("--raw", summary: "a newline at the end belongs to the secret")
    static let allowEmpty = Option("--allow-empty", summary: "an empty secret is meant")
}

extension Verb {
    static let set = Verb(
        "set",
        .items,
        "Store a secret",
        operands: [.service, .account],
        options: [.label, .itemDescription, .comment, .accessible, .raw, .allowEmpty],
        details: """
            The secret is read from the standard input, without one newline at its end; on a terminal it is asked for twice.

            An item that is there already is replaced only with --force, or if somebody at the terminal says so. The first \
            item makes the vault, if it is the default one.

            CLASS is one of whenUnlocked (the usual one), afterFirstUnlock, always, each of them with ThisDeviceOnly behind \
            it, and whenPasscodeSetThisDeviceOnly.
            """,
        examples: [
            Example(call: "coffer set mail kim", purpose: "ask for the password of kim for mail, and store it"),
            Example(call: "pwgen 20 1 | coffer set mail kim --force", purpose: "replace it with what a program makes"),
        ]
    ) { run in
        let selection = run.selection()
        let item = try run.passwordToStore(selection)
        // Nobody is asked for a secret that has no place.
        let isTyped = run.surroundings.input.isTerminal
        let isReplacing = isTyped ? try run.isReplacing(item, selection.description) : false
        let secret = try run.secretToStore(
            for: selection.description,
            isExact: run.arguments.has(.raw),
            allowsEmpty: run.arguments.has(.allowEmpty)
        )
        let stored = try run.store(item, secret: secret, selection.description, isReplacing: isReplacing)
        if run.isJSON { try run.output.write(json: FoundItem(stored).json) }
    }
}

extension Run {
    /// What the operands and the options say of a password that is to be stored.
    func passwordToStore(_ selection: ItemSelection) throws -> GenericPassword {
        guard let service = selection.service, !service.isEmpty else { throw CommandError.usage("SERVICE is empty") }
        var item = GenericPassword(service: service, account: selection.account ?? "")
        item.accessGroup = selection.group
        item.label = arguments.value(of: .label).map { AttributeText($0) }
        item.itemDescription = arguments.value(of: .itemDescription).map { AttributeText($0) }
        item.comment = arguments.value(of: .comment).map { AttributeText($0) }
        item.accessibility = try arguments.value(of: .accessible).map { name in
            try Accessibility(commandName: name)
        }
        return item
    }

    /// Whether an item that is there already is replaced; the vault is open then, if there is one.
    ///
    /// - Throws: That the item is there already and stays, or why nobody can tell.
    fileprivate func isReplacing(_ item: GenericPassword, _ description: String) throws -> Bool {
        if !vaults.isNamed, try !vaults.isThere() {
            try vaults.checkMayMake()
            return false
        }
        let groups = try vaults.groups()
        guard let group = item.accessGroup ?? groups.names.first else { return false }
        let count = try vaults.withUnlockedKeychain(for: .changing) { keychain in
            try keychain.count(where: .service(item.service), .account(item.account), .group(group))
        }
        guard count > 0 else { return false }
        try confirmReplacing(description)
        return true
    }

    /// Goes on if an item that is there already is to be replaced.
    private func confirmReplacing(_ description: String) throws {
        guard !arguments.has(.force) else { return }
        guard try prompter.confirms("\(description) is there already. Replace it?") else {
            throw CommandError(
                .duplicate,
                "\(description) is there already",
                hints: ["--force replaces it, and coffer history shows what it was"]
            )
        }
    }

    /// Stores an item, and replaces the one that is there if somebody wants that.
    func store<Item: KeychainItem>(
        _ item: Item,
        secret: HeldSecret,
        _ description: String,
        isReplacing: Bool = false
    ) throws -> Stored<Item> {
        try secret.bytes.withSpan { bytes in
            if !isReplacing, !arguments.has(.force) {
                do {
                    return try vaults.withKeychain(for: .storing) { keychain in
                        try keychain.add(item, secret: bytes)
                    }
                } catch {
                    let error = CommandError(error)
                    guard error.code == .duplicate else { throw error }
                    try confirmReplacing(description)
                }
            }
            return try vaults.withKeychain(for: .storing) { keychain in
                try keychain.save(item, secret: bytes)
            }
        }
    }
}
