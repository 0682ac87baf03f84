internal import Coffer
internal import CofferBasics

extension Verb {
    static let list = Verb(
        "list",
        .items,
        "List items without their secrets",
        operands: [.optionalService],
        options: [.itemClass, .metadataOnly, .names],
        details: """
            Without a terminal, each line has the service, account, group and class, separated by tabs. The service of \
            an internet password is its server, that of a certificate or key its label.

            A locked vault is unlocked first, unless --metadata-only limits the list to what is readable without that.

            --names prints only the services, each once and unescaped. It leaves out names that are not text or \
            contain invisible characters.
            """,
        examples: [
            Example(call: "coffer list", purpose: "list all items of all groups"),
            Example(call: "coffer list --group coffer --json", purpose: "list the items of one group as JSON"),
        ]
    ) { run in
        var selection = try run.selectionOfClass()
        if !run.arguments.has(.itemClass) { selection.classes = KeychainClass.stored }
        let items = try run.arguments.has(.metadataOnly) ? run.openItems(selection) : run.items(selection)
        guard !run.arguments.has(.names) else { return try run.printNames(of: items) }
        guard !run.isJSON else { return try run.output.write(json: .array(items.map(\.json))) }
        var table = TextTable(["SERVICE", "ACCOUNT", "GROUP", "CLASS", "MODIFIED"], terminalOnly: [4])
        for item in items {
            table.add([
                item.service.shown, item.account.shown, item.group.printable, item.itemClass.shortName,
                Timestamp.local(item.modified, run.context.secondsFromUTC),
            ])
        }
        try table.write(to: run.output, isColored: run.printsColor)
    }
}

extension Option {
    static let metadataOnly = Option("--metadata-only", summary: "list only what is readable without unlocking")
    static let names = Option("--names", summary: "print only the services, each once")
}

extension Run {
    /// Prints the services that are visible text, each once.
    fileprivate func printNames(of items: [FoundItem]) throws {
        var printed: Set<AttributeText> = []
        let names = items.compactMap { item -> String? in
            guard let name = item.service.string, !name.isEmpty, name.isVisible else { return nil }
            return printed.insert(item.service).inserted ? name : nil
        }
        guard !isJSON else { return try output.write(json: .array(names.map { .string($0) })) }
        for name in names { try output.write(line: name) }
    }

    fileprivate func items(_ selection: ItemSelection) throws -> [FoundItem] {
        try vaults.withUnlockedKeychain { keychain in try selection.items(in: keychain) }
    }

    /// The items that are readable without unlocking the vault; a note says how many are not.
    fileprivate func openItems(_ selection: ItemSelection) throws -> [FoundItem] {
        let found = try vaults.withKeychain { keychain in
            try selection.itemsByReadability(in: keychain)
        }
        reportUnreadableItems(found)
        return found.items
    }

    /// Reports how many items could not be read.
    func reportUnreadableItems(_ found: FoundItemsByReadability) {
        let lockedCount = found.unreadable.count(where: \.isLocked)
        if lockedCount > 0 { messages.note("\(lockedCount.counted("item is", "items are")) locked and not listed") }
        let damagedCount = found.unreadable.count - lockedCount
        if damagedCount > 0 {
            messages.warning("\(damagedCount.counted("item is", "items are")) damaged; `coffer verify` shows which")
        }
        if found.hasClosedGroups { messages.note("further items may be in groups that are locked entirely") }
    }
}
