internal import Coffer
internal import KeyedArchive

extension Verb {
    static let list = Verb(
        "list",
        .items,
        "List items, without their secrets",
        operands: [.optionalService],
        options: [.metadataOnly],
        details: """
            Without a terminal a line has the service, the account, the group and the class, with a tab between them.
            """,
        examples: [Example(call: "coffer list", purpose: "all items of all groups")]
    ) { run throws(CommandError) in
        var selection = run.selection()
        selection.classes = [.genericPassword, .internetPassword, .certificate, .key]
        let items = try run.vaults.withKeychain { keychain throws(KeychainError) in try selection.items(in: keychain) }
        guard !run.isJSON else { return try run.output.write(line: JSON.array(items.map(\.json)).text) }
        var table = TextTable(["SERVICE", "ACCOUNT", "GROUP", "CLASS", "MODIFIED"], terminalOnly: [4])
        for item in items {
            table.add([
                item.service.shown, item.account.shown, item.group.printable, item.itemClass.shortName,
                Timestamp.local(item.modified, run.surroundings.secondsFromUTC),
            ])
        }
        try table.write(to: run.output, isColoured: run.printsColour)
    }
}

extension Option {
    static let metadataOnly = Option("--metadata-only", summary: "of a locked vault, list what is open")
}
