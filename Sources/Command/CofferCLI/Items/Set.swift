internal import Coffer
internal import CofferBasics
internal import CommandSystem

extension Option {
    static let label = Option("--label", argument: .value("TEXT", .nothing), summary: "label of the item")
    static let comment = Option(
        "--notes",
        "--comment",
        argument: .value("TEXT", .nothing),
        summary: "notes about the item"
    )
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
        operands: [.service, .optionalAccount],
        options: [
            .itemClass, .label, .itemDescription, .comment, .accessible, .requirement, .secretFile, .raw, .allowEmpty,
        ],
        details: """
            The secret is read from standard input, without one newline at its end; at a terminal it is asked for twice. \
            With --file it is the content of a file, such as a note, a key or an image, of at most 1 MiB, which `coffer \
            get` writes back byte for byte. `coffer edit` changes what else an item has, and `coffer mv` its name.

            NAME can be an address, such as https://github.com: then it is a web password, which git, docker and \
            askpass find for this server. They also find a secret whose NAME is the name of the server, if it has a \
            dot. With the address of a registry, such as sparse+https://example.com/index/, it is a token for cargo.

            An existing item, the one that `coffer get` of the same words gives, is replaced only with --force or \
            after confirmation at the terminal. The first item creates the vault, if it is the default one.

            --accessible takes whenUnlocked (the default), afterFirstUnlock or always, optionally followed by \
            ThisDeviceOnly, or whenPasscodeSetThisDeviceOnly.

            With --require the item is asked for whenever it is read or changed, even if the vault is unlocked. For \
            presence, the passphrase of the vault is enough, or biometry where a program offers it; passphrase accepts \
            only the passphrase. A password is a second one, for this item alone: the secret is sealed with it, and it \
            is lost with it.
            """,
        examples: [
            Example(call: "coffer set mail kim", purpose: "ask for the mail password of kim and store it"),
            Example(call: "coffer set https://github.com kim", purpose: "store a password for a web site, and for git"),
            Example(call: "coffer set token", purpose: "store a secret without an account"),
            Example(call: "coffer set ssh id --file ~/.ssh/id_ed25519", purpose: "keep a file"),
            Example(call: "pwgen 20 1 | coffer set mail kim --force", purpose: "replace it with a generated one"),
        ],
        readsSecret: true
    ) { run in
        let selection = try run.selectionToChange()
        let new = try run.passwordToStore(selection)
        // Do not ask for a secret that cannot be stored.
        let path = run.arguments.value(of: .secretFile)
        let isTyped = run.context.input.isTerminal && path == nil
        var former = isTyped ? try run.former(selection, unlocking: true) : nil
        let secret =
            try path.map { try run.secret(inFile: $0) }
            ?? run.secretToStore(
                for: selection.description,
                isExact: run.arguments.has(.raw),
                allowsEmpty: run.arguments.has(.allowEmpty)
            )
        if !isTyped { former = try run.former(selection) }
        let stored = try run.store(new, secret: secret, selection.description, replacing: former)
        if run.isJSON { try run.output.write(json: stored.json) }
    }
}

extension CommandRun {
    /// The password to store, from the operands and options; the values of an existing one stay unless they are given.
    func passwordToStore(_ selection: ItemSelection) throws -> any KeychainPassword {
        guard let word = selection.service?.string, !word.isEmpty else { throw CommandError.usage("NAME is empty") }
        guard selection.isOfPasswords else { throw CommandError.usage("--class must be generic or internet") }
        var item = try newPassword(word, selection.account, selection.classes)
        item.accessGroup = selection.group
        let texts: [(Option, AttributeName)] = [
            (.label, .label), (.itemDescription, .itemDescription), (.comment, .comment),
        ]
        for (option, name) in texts {
            if let value = arguments.value(of: option) { item.attributes[name] = .string(value) }
        }
        item.accessibility = try arguments.value(of: .accessible).map { name in
            try Accessibility(commandName: name)
        }
        if let requirement = try arguments.value(of: .requirement).map({ try Requirement(named: $0) }) {
            item.accessControl = AccessControl(item.accessibility ?? .whenUnlocked, requirement.conditions)
        }
        return item
    }

    /// A password of the class that the word asks for: an address, a registry of cargo, or the name of a service.
    private func newPassword(
        _ word: String,
        _ account: AttributeText?,
        _ classes: [KeychainClass]
    ) throws -> any KeychainPassword {
        let isWeb = !classes.contains(.genericPassword)
        if !isWeb, let service = ItemWord.cargoService(word) {
            guard account?.isEmpty ?? true else {
                throw CommandError.usage("a token of cargo has no account", hints: ["leave out USER"])
            }
            var item = GenericPassword(service: service)
            item.attributes[.label] = service.itemValue
            return item
        }
        let host = isWeb ? ServerAddress(scheme: "https", server: AttributeText(word)) : nil
        guard classes.contains(.internetPassword),
            let address = ServerAddress(word, withoutScheme: isWeb ? "https" : nil) ?? host
        else { return GenericPassword(service: AttributeText(word), account: account ?? "") }
        let user = ServerAddress.user(of: word)
        guard user == nil || account == nil || user == account else {
            throw CommandError.usage("the account was given twice")
        }
        return address.password(account: account ?? user ?? "")
    }

    /// The item that is to be replaced: what `get` of the same words gives.
    ///
    /// - Parameters:
    ///   - selection: The words.
    ///   - isUnlocking: Whether the vault is unlocked first, so that nothing is asked for later.
    /// - Returns: The item; nil if there is none.
    /// - Throws: `CommandError` if the item is to stay, or several match.
    func former(_ selection: ItemSelection, unlocking isUnlocking: Bool = false) throws -> FoundItem? {
        if !vaults.isNamed, try !vaults.exists() {
            try vaults.checkMayMake()
            return nil
        }
        let find = { (keychain: Keychain) in try self.former(selection, in: keychain) }
        let found =
            try isUnlocking
            ? vaults.withUnlockedKeychain(for: .changing, find) : vaults.withKeychain(for: .changing, find)
        guard let found else { return nil }
        let name = ItemSelection(service: found.service, account: found.account.isEmpty ? nil : found.account)
        let kind = found.itemClass == .genericPassword ? "" : " (\(found.itemClass.shortName))"
        let word = selection.service?.string ?? ""
        let isOther = selection.account == nil && !found.account.isEmpty && !word.contains(text: "://")
        try confirmReplacing(
            name.description + kind,
            hints: isOther ? ["`\(call(word, ""))` stores one without an account"] : []
        )
        return found
    }

    private func former(_ selection: ItemSelection, in keychain: Keychain) throws -> FoundItem? {
        let groups = try keychain.groups
        guard let own = selection.group ?? groups.names.first else { return nil }
        // What others have stored in another group of a grant must not get the secret.
        let isAboutAll = arguments.has(.force) && groups.level != .granted
        var scoped = selection
        if !isAboutAll { scoped.group = own }
        // Without --force, what cannot be read is no reason to ask for anything.
        let all =
            try arguments.has(.force)
            ? scoped.items(in: keychain) : scoped.itemsByReadability(in: keychain, forDeletion: true).items
        let found = all.contains { $0.group == own } ? all.filter { $0.group == own } : all
        guard found.count < 2 else { throw selection.ambiguous(found) }
        return found.first
    }

    /// Returns if an existing item is to be replaced.
    private func confirmReplacing(_ description: String, hints: [String] = []) throws {
        guard !arguments.has(.force) else { return }
        guard try prompter.confirms("\(description) already exists. Replace it?") else {
            throw CommandError(
                .duplicate,
                "\(description) already exists",
                hints: ["--force replaces it; `coffer history` shows past revisions"] + hints
            )
        }
    }

    /// Stores a password in place of `former`, or as a new item, which replaces one with the same primary key only with
    /// `--force` or after confirmation.
    func store(
        _ new: any KeychainPassword,
        secret: HeldSecret,
        _ description: String,
        replacing former: FoundItem? = nil
    ) throws -> FoundItem {
        try secret.withSpan { bytes in
            if former == nil, !arguments.has(.force) {
                do {
                    return try vaults.withKeychain(for: .storing) { try new.add(to: $0, secret: bytes) }
                } catch {
                    let error = CommandError(error)
                    guard error.code == .duplicate else { throw error }
                    try confirmReplacing(description)
                }
            }
            let item = former.map { $0.password(with: new) } ?? new
            return try vaults.withKeychain(for: .storing) { keychain in
                try keychain.transaction { transaction in try item.save(in: &transaction, secret: bytes) }
            }
        }
    }
}
