internal import Coffer
internal import CofferBasics
internal import CommandSystem

extension Option {
    static let label = Option("--label", argument: .value("TEXT", .nothing), summary: "label of the item")
    static let comment = Option("--comment", argument: .value("TEXT", .nothing), summary: "note about the item")
    static let itemDescription = Option(
        "--description",
        argument: .value("TEXT", .nothing),
        summary: "kind of item, such as: web form password"
    )
    static let accessible = Option(
        "--accessible",
        argument: .value("CLASS", .words(Accessibility.allCases.map(\.commandName))),
        summary: "protection class: when the secret can be read"
    )
    static let requirement = Option(
        "--require",
        argument: .value("WHAT", .words(Requirement.allCases.map(\.rawValue))),
        summary: "what reading and changing the item requires: presence, passphrase or password"
    )
    fileprivate static let secretFile = Option(
        "--file",
        argument: .value("PATH", .file),
        summary: "store the content of a file, exactly as it is"
    )
    static let raw = Option("--raw", summary: "keep a newline at the end of the secret")
    static let allowEmpty = Option("--allow-empty", summary: "accept an empty secret")
}

/// What `--require` can demand of whoever uses an item.
enum Requirement: String, CaseIterable {
    case presence, passphrase, password

    init(named name: String) throws {
        guard let requirement = Requirement(rawValue: name) else {
            throw CommandError.unknown("requirement", name, among: Self.allCases.map(\.rawValue))
        }
        self = requirement
    }

    fileprivate var conditions: AccessControl.Conditions {
        switch self {
        case .presence: .userPresence
        case .passphrase: .devicePasscode
        case .password: .applicationPassword
        }
    }
}

extension Verb {
    static let set = Verb(
        "set",
        .items,
        "Store a secret",
        operands: [.service, .account],
        options: [.label, .itemDescription, .comment, .accessible, .requirement, .secretFile, .raw, .allowEmpty],
        details: """
            The secret is read from standard input, without one newline at its end; at a terminal it is asked for twice. \
            With --file it is the content of a file, such as a note, a key or an image, of at most 1 MiB, which `coffer \
            get` writes back byte for byte.

            An existing item is replaced only with --force or after confirmation at the terminal. The first item \
            creates the vault, if it is the default one.

            CLASS is whenUnlocked (the default), afterFirstUnlock or always, optionally followed by ThisDeviceOnly, or \
            whenPasscodeSetThisDeviceOnly.

            With --require the item is asked for whenever it is read or changed, even if the vault is unlocked. For \
            presence, the passphrase of the vault is enough, or biometry where a program offers it; passphrase accepts \
            only the passphrase. A password is a second one, for this item alone: the secret is sealed with it, and it \
            is lost with it.
            """,
        examples: [
            Example(call: "coffer set mail kim", purpose: "ask for the mail password of kim and store it"),
            Example(call: "coffer set ssh id --file ~/.ssh/id_ed25519", purpose: "keep a file"),
            Example(call: "pwgen 20 1 | coffer set mail kim --force", purpose: "replace it with a generated one"),
        ]
    ) { run in
        let selection = run.selection()
        let item = try run.passwordToStore(selection)
        // Do not ask for a secret that cannot be stored.
        let path = run.arguments.value(of: .secretFile)
        let isTyped = run.context.input.isTerminal && path == nil
        let isReplacing = isTyped ? try run.isReplacing(item, selection.description) : false
        let secret =
            try path.map { try run.secret(inFile: $0) }
            ?? run.secretToStore(
                for: selection.description,
                isExact: run.arguments.has(.raw),
                allowsEmpty: run.arguments.has(.allowEmpty)
            )
        let stored = try run.store(item, secret: secret, selection.description, isReplacing: isReplacing)
        if run.isJSON { try run.output.write(json: FoundItem(stored).json) }
    }
}

extension Run {
    /// The password to store, from the operands and options.
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
        if let requirement = try arguments.value(of: .requirement).map({ try Requirement(named: $0) }) {
            item.accessControl = AccessControl(item.accessibility ?? .whenUnlocked, requirement.conditions)
        }
        return item
    }

    /// Whether an existing item is replaced; afterwards the vault is open, if there is one.
    ///
    /// - Throws: `CommandError` if the item exists and is to stay, or if the vault cannot be read.
    fileprivate func isReplacing(_ item: GenericPassword, _ description: String) throws -> Bool {
        if !vaults.isNamed, try !vaults.exists() {
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

    /// Returns if an existing item is to be replaced.
    private func confirmReplacing(_ description: String) throws {
        guard !arguments.has(.force) else { return }
        guard try prompter.confirms("\(description) already exists. Replace it?") else {
            throw CommandError(
                .duplicate,
                "\(description) already exists",
                hints: ["--force replaces it; `coffer history` shows past revisions"]
            )
        }
    }

    /// Stores an item, and replaces an existing one with `--force` or after confirmation.
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
