internal import Coffer
internal import CofferBasics

extension Option {
    static let updates = Option("-U", summary: "update the item if it already exists")
    fileprivate static let openToAll = Option.ignored("-A", summary: "whoever can open the vault can read its items")
    fileprivate static let trusted = Option.ignored(
        "-T",
        argument: .value("PROGRAM", .file),
        summary: "whoever can open the vault can read its items"
    )
}

extension Verb {
    static let addGenericPassword = adding(
        GenericPassword.self,
        "security add-generic-password",
        "Store a password",
        [.password, .olderPassword, .hexadecimalPassword],
        Example(
            call: "coffer security add-generic-password -a kim -s mail -w",
            purpose: "ask for the password and store it"
        )
    )

    static let addInternetPassword = adding(
        InternetPassword.self,
        "security add-internet-password",
        "Store the password of a server",
        [.password, .hexadecimalPassword],
        Example(
            call: "coffer security add-internet-password -a kim -s example.com -r htps -w",
            purpose: "ask for the password of a web server and store it"
        )
    )

    private static func adding<Item: ApplePassword>(
        _ type: Item.Type,
        _ name: String,
        _ summary: String,
        _ passwordOptions: [Option],
        _ example: Example
    ) -> Verb {
        Verb(
            name,
            .macOS,
            summary,
            operands: [.optionalKeychain],
            options: Item.terms.map(\.option) + passwordOptions + [.updates, .openToAll, .trusted],
            details: """
                Without -l the \(Item.nameAttribute == "svce" ? "service" : "server") is also the label. Without a \
                password an empty one is stored.

                With -U the oldest existing item that matches the identifying options gets the password, if one is \
                given, and the other attributes.

                KEYCHAIN is the path of a vault. Without it the default vault is used, and the first item creates it.

                A password on the command line is visible to others; `coffer set` reads it from standard input.
                """,
            examples: [example],
            usesGetoptSyntax: true
        ) { run in
            let stored = try run.add(PasswordTerms<Item>(run.arguments))
            if run.isJSON { try run.output.write(json: FoundItem(stored).json) }
        }
    }
}

extension CommandRun {
    fileprivate func add<Item: ApplePassword>(_ terms: PasswordTerms<Item>) throws -> Stored<Item> {
        let access = try keychain(arguments.operand(0))
        // Do not ask for a password that cannot be stored.
        if access.isNamed { _ = try access.vault() } else { try access.checkMayMake() }
        let secret = try givenPassword()
        do {
            return try access.withKeychain(for: .storing) { keychain in
                if arguments.has(.updates), let updated = try keychain.updated(terms, secret) { return updated }
                guard let secret else { return try keychain.add(terms.newItem(), secret: [UInt8]()) }
                return try secret.withSpan { bytes in
                    try keychain.add(terms.newItem(), secret: bytes)
                }
            }
        } catch {
            let error = CommandError(error)
            guard error.code == .duplicate else { throw error }
            let place = arguments.operand(0).map(\.printable) ?? "<default>"
            throw CommandError(
                .duplicate,
                "SecKeychainItemCreateFromContent (\(place)): \(MacOSMessage.duplicateItem)",
                hints: ["use -U to update it"]
            )
        }
    }
}

extension Keychain {
    /// Updates the oldest item that matches; nil if none exists.
    fileprivate func updated<Item: ApplePassword>(
        _ terms: PasswordTerms<Item>,
        _ secret: HeldSecret?
    ) throws -> Stored<Item>? {
        let found = try item(Item.self, where: .all(terms.conditions(onlyKey: true)))
        guard let found else { return nil }
        return try transaction { transaction in
            let stored = try transaction.update(found.reference) { terms.apply(to: &$0) }
            guard let secret else { return stored }
            return try secret.withSpan { bytes in
                try transaction.setSecret(bytes, of: found.reference)
            }
        }
    }
}
