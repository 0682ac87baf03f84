internal import Coffer
internal import CofferBasics

extension Option {
    static let passwordShown = Option("-g", summary: "also print the password, on standard error")
    static let passwordOnly = Option("-w", summary: "print only the password")
}

extension Verb {
    static let findGenericPassword = finding(GenericPassword.self, "security find-generic-password", "Find a password")
    static let findInternetPassword = finding(
        InternetPassword.self,
        "security find-internet-password",
        "Find the password of a server"
    )
    static let deleteGenericPassword = deleting(
        GenericPassword.self,
        "security delete-generic-password",
        "Delete a password"
    )
    static let deleteInternetPassword = deleting(
        InternetPassword.self,
        "security delete-internet-password",
        "Delete the password of a server"
    )

    private static func finding<Item: ApplePassword>(_ type: Item.Type, _ name: String, _ summary: String) -> Verb {
        let server = Item.itemClass == .internetPassword ? "example.com" : "mail"
        return Verb(
            name,
            .macOS,
            summary,
            operands: [.keychains],
            options: Item.terms.map(\.option) + [.passwordShown, .passwordOnly],
            details: """
                Prints the oldest item that matches all options, in the group given by --group, else in all groups, or \
                in a vault that has or had a grant in the one to which new items go.

                A password with bytes that are not printable ASCII is printed in hexadecimal digits; `coffer get` \
                prints the bytes as they are.
                """,
            examples: [Example(call: "coffer \(name) -a kim -s \(server) -w", purpose: "print only the password")],
            usesGetoptSyntax: true
        ) { run in
            let wantsSecret = run.arguments.has(.passwordShown) || run.arguments.has(.passwordOnly)
            let terms = try PasswordTerms<Item>(run.arguments)
            for access in try run.keychains() {
                let found = try access.withKeychain { keychain throws -> (FoundItem, HeldSecret?)? in
                    let condition = ItemCondition<Item>.all(terms.conditions())
                    let (items, secret) =
                        wantsSecret
                        ? try keychain.itemsAndSecret(where: condition, limit: 1)
                        : (try keychain.items(where: condition, limit: 1), nil)
                    guard let item = items.first else {
                        try run.explainAbsence(in: keychain)
                        return nil
                    }
                    return (FoundItem(item), secret)
                }
                guard let (item, secret) = found else { continue }
                return try run.show(item, secret, in: access.path())
            }
            throw CommandError.nothingMatches
        }
    }

    private static func deleting<Item: ApplePassword>(_ type: Item.Type, _ name: String, _ summary: String) -> Verb {
        Verb(
            name,
            .macOS,
            summary,
            operands: [.keychains],
            options: Item.terms.map(\.option),
            details: "Deletes the oldest item that matches all options, and prints it.",
            usesGetoptSyntax: true
        ) { run in
            let terms = try PasswordTerms<Item>(run.arguments)
            for access in try run.keychains() {
                let deleted = try access.withKeychain(for: .changing) { keychain throws -> FoundItem? in
                    let found = try keychain.item(Item.self, where: .all(terms.conditions()))
                    guard let found else {
                        try run.explainAbsence(in: keychain)
                        return nil
                    }
                    try keychain.delete(found.reference, ifRevision: found.revision)
                    return FoundItem(found)
                }
                guard let deleted else { continue }
                if !run.messages.isQuiet { run.messages.say("password has been deleted.") }
                return try run.show(deleted, nil, in: access.path())
            }
            throw CommandError.nothingMatches
        }
    }
}

extension CommandRun {
    /// Prints an item, and its password if asked for.
    fileprivate func show(_ item: FoundItem, _ secret: HeldSecret?, in path: String) throws {
        let isSecretWanted = arguments.has(.passwordOnly) || arguments.has(.passwordShown)
        guard !isJSON else {
            guard isSecretWanted, let secret else { return try output.write(json: item.json) }
            return try secret.withSpan { bytes in
                try output.write(object: item.json, secret: bytes)
            }
        }
        // An item without a secret and one with an empty secret look the same on macOS.
        let shown = secret ?? HeldSecret(buffer: SecretBuffer(byteCount: 0))
        if arguments.has(.passwordOnly) {
            try shown.withSpan { bytes in try AppleText.writeBare(bytes, to: output) }
            return
        }
        try item.writeAsApple(in: path, to: output)
        guard arguments.has(.passwordShown) else { return }
        try output.flush()
        try messages.write { errors in
            try errors.write("password: ")
            try shown.withSpan { bytes in try AppleText.write(bytes, to: errors) }
            try errors.write("\n")
        }
    }
}
