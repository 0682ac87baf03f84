internal import Coffer
internal import CofferBasics

extension Option {
    fileprivate static let withSecrets = Option("-d", summary: "print the secrets too")
}

extension Verb {
    static let dumpKeychain = Verb(
        "security dump-keychain",
        .macOS,
        "Print all items of a vault, as macOS does",
        operands: [.keychains],
        options: [
            .withSecrets, .metadataOnly,
            .ignored("-a", summary: "items have no access lists"),
            .ignored("-i", summary: "items have no access lists"),
            .ignored("-r", summary: "encrypted data is not printed"),
        ],
        details: "With --json each item is an object on a line of its own.",
        usesGetoptSyntax: true
    ) { run in
        guard !run.arguments.has(.metadataOnly) || !run.arguments.has(.withSecrets) else {
            throw CommandError.usage("--metadata-only and -d cannot be combined")
        }
        for access in try run.keychains() {
            let path = try access.path()
            let wantsSecrets = run.arguments.has(.withSecrets)
            var selection = ItemSelection(group: run.arguments.value(of: .group))
            selection.classes = KeychainClass.stored
            let dumped = { (keychain: Keychain, found: [FoundItem]) throws in
                var items: [(FoundItem, HeldSecret?)] = []
                for item in found {
                    items.append((item, wantsSecrets ? try item.secret(in: keychain) : nil))
                }
                return items
            }
            let items: [(FoundItem, HeldSecret?)]
            if run.arguments.has(.metadataOnly) {
                let found = try access.withKeychain { keychain in
                    try selection.itemsByReadability(in: keychain.showingEachGroup)
                }
                run.reportUnreadableItems(found)
                items = found.items.map { ($0, nil) }
            } else {
                items = try access.withUnlockedKeychain { keychain in
                    try dumped(keychain, try selection.items(in: keychain.showingEachGroup))
                }
            }
            for (item, secret) in items { try run.dump(item, secret, in: path) }
        }
    }
}

extension CommandRun {
    fileprivate func dump(_ item: FoundItem, _ secret: HeldSecret?, in path: String) throws {
        if isJSON {
            guard let secret else { return try output.write(json: item.json) }
            return try secret.withSpan { bytes in
                try output.write(object: item.json, secret: bytes)
            }
        }
        try item.writeAsApple(in: path, to: output)
        guard arguments.has(.withSecrets) else { return }
        try output.write("data:\n")
        try secret?.withSpan { bytes in try AppleText.write(bytes, to: output) }
        try output.write("\n")
    }
}
