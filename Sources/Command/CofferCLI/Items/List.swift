internal import Coffer
internal import CofferBasics

extension Verb {
    static let list = Verb(
        "list",
        .items,
        "List items without their secrets",
        operands: [.optionalService],
        options: [.listedClass, .metadataOnly, .authenticate, .changeCount],
        modes: [.names, .watch],
        details: """
            NAME is a whole name; `coffer find` takes parts of names, best match first.

            Without a terminal, each line has the service, account, group and class, separated by tabs. The service of \
            an internet password is its server, that of a certificate or key its label.

            With --class certificate or identity, the columns are the label, the subject, both ends of the validity, \
            the group and, for an identity, the label of the key; with --class key, the label, the kind, the tag and \
            the group. An identity is a certificate whose private key is in the vault too.

            In a vault that has or had a grant, the list is of the group to which new items go, and names the others, \
            unless --group is given.

            A locked vault is unlocked first, unless --metadata-only limits the list to what is readable without that.

            Items whose access control requires authentication are left out and counted, unless --authenticate is given.

            --watch prints which items any program adds, changes or deletes from now on, until it is stopped with \
            Ctrl-C or the signal TERM. Without a terminal, each line has the change, service, account, group and class.

            --names prints only the services, each once and unescaped. It leaves out names that are not text or \
            contain invisible characters.
            """,
        examples: [
            Example(call: "coffer list", purpose: "list all items"),
            Example(call: "coffer list --group coffer --json", purpose: "list the items of one group as JSON"),
            Example(call: "coffer list --watch --count 1 mail", purpose: "wait until a mail password changes"),
        ]
    ) { run in
        let listed = try run.listedClass()
        guard listed != .identity || !run.arguments.has(.watch) else {
            throw CommandError.usage("an identity is two items; watch certificates or keys")
        }
        let isPlain = run.arguments.has(.metadataOnly) || run.arguments.has(.watch)
        guard listed != .identity && (listed != .certificate || isPlain) else {
            return try run.listCertificates(areIdentities: listed == .identity)
        }
        var selection = try run.selection()
        selection.classes = listed.map { [$0] } ?? KeychainClass.stored
        guard !run.arguments.has(.watch) else { return try run.watch(selection) }
        let items = try run.arguments.has(.metadataOnly) ? run.openItems(selection) : run.items(selection)
        guard !run.arguments.has(.names) else { return try run.print(run.names(of: items)) }
        guard !run.isJSON else { return try run.output.write(json: .array(items.map(\.json))) }
        let shown = run.output.isTerminal ? items.arranged : items
        let table = listed == .key ? TextTable(keys: shown) : run.table(shown)
        try table.write(to: run.output, isColored: run.printsColor)
    }
}

extension Option {
    static let listedClass = Option(
        "--class",
        argument: .value("CLASS", .words(KeychainClass.listed.map(\.shortName))),
        summary: "only items of this class: generic, internet, certificate, key or identity"
    )
    static let metadataOnly = Option("--metadata-only", summary: "list only what is readable without unlocking")
    static let authenticate = Option("--authenticate", summary: "ask for what items require, and list those too")
    static let watch = Option("--watch", summary: "print changes of items as they happen")
    static let changeCount = Option(
        "--count",
        argument: .value("N", .nothing),
        summary: "with --watch: exit after N changes",
        needs: "--watch"
    )
    static let names = Option("--names", summary: "print only the services, each once")
}

extension [FoundItem] {
    /// The items for people: in the order of their names, without what belongs to another of them.
    fileprivate var arranged: [FoundItem] {
        let groups = Dictionary(grouping: self, by: \.group)
        let parts = Set(groups.values.flatMap { $0.parts(among: $0) }.map(\.reference))
        let places = filter { !parts.contains($0.reference) }.map { item in
            (item: item, place: (item.service.shown.lowercased(), item.account.shown, item.group))
        }
        return places.sorted { $0.place < $1.place }.map(\.item)
    }
}

extension KeychainClass {
    /// The classes that `--class` of `list` names.
    fileprivate static let listed = stored + [.identity]
}

extension TextTable {
    /// A table of keys.
    fileprivate init(keys: [FoundItem]) {
        self.init(["LABEL", "KIND", "TAG", "GROUP"])
        for key in keys {
            add([key.service.shown, key.keyKind, key.text(.applicationTag)?.shown ?? "", key.group.printable])
        }
    }
}

extension CommandRun {
    fileprivate func listedClass() throws -> KeychainClass? {
        try arguments.value(of: .listedClass).map { try KeychainClass(shortName: $0, among: KeychainClass.listed) }
    }

    /// A table of items of all classes.
    func table(_ items: [FoundItem]) -> TextTable {
        var table = TextTable(
            ["NAME", "USER", "GROUP", "CLASS", "MODIFIED"],
            terminalOnly: [4],
            dispensable: [4, 2]
        )
        for item in items {
            table.add([
                item.service.shown, item.account.shown, item.group.printable, item.itemClass.shortName,
                Timestamp.local(item.modified, context.secondsFromUTC),
            ])
        }
        return table
    }

    /// Prints certificates, or those of identities, with what they say.
    fileprivate func listCertificates(areIdentities: Bool) throws {
        guard !arguments.has(.metadataOnly) else {
            throw CommandError.usage("--metadata-only and --class identity cannot be combined")
        }
        let selection = try selection()
        let found = try vaults.withUnlockedKeychain { keychain throws -> [(StoredCertificate, FoundItem?)] in
            let all = keychain.showingEachGroup
            let found =
                try areIdentities
                ? selection.identities(in: all, self).map { ($0.certificate, $0.key) }
                : selection.certificates(in: all, self).map { ($0, FoundItem?.none) }
            return try answering(found, keychain, selection.description) { certificate, key in
                [certificate.item.group] + [key?.group].compactMap(\.self)
            }
        }
        guard !arguments.has(.names) else { return try print(names(of: found.map(\.0.item))) }
        guard !isJSON else {
            return try output.write(
                json: .array(
                    found.map { certificate, key in
                        let members = certificate.certificate.members + (key.map { [("key", $0.json)] } ?? [])
                        return certificate.item.json.with(members)
                    }
                )
            )
        }
        var table = TextTable(
            ["LABEL", "SUBJECT", "VALID FROM", "VALID UNTIL", "GROUP"] + (areIdentities ? ["KEY"] : [])
        )
        for (certificate, key) in found {
            let content = certificate.certificate
            table.add(
                [
                    certificate.item.service.shown, content.subjectText.printable, shown(content.start),
                    shown(content.end), (key ?? certificate.item).group.printable,
                ] + (key.map { [$0.service.shown] } ?? [])
            )
        }
        try table.write(to: output, isColored: printsColor)
    }

    /// The services, or the accounts, that are visible text, each once.
    fileprivate func names(_ name: KeyPath<FoundItem, AttributeText> = \.service, of items: [FoundItem]) -> [String] {
        var seen: Set<AttributeText> = []
        return items.compactMap { item in
            let bytes = item[keyPath: name]
            guard let text = bytes.string, !text.isEmpty, text.isVisible else { return nil }
            return seen.insert(bytes).inserted ? text : nil
        }
    }

    /// The services that are readable without unlocking the vault, as `--names` prints them; the accounts of a service if
    /// that is an operand.
    func openNames() throws -> [String] {
        var selection = try selection()
        selection.classes = KeychainClass.stored
        return names(selection.service == nil ? \.service : \.account, of: try openItems(selection))
    }

    fileprivate func print(_ names: [String]) throws {
        guard !isJSON else { return try output.write(json: .array(names.map { .string($0) })) }
        for name in names { try output.write(line: name) }
    }

    /// The items that match, of an unlocked vault; a note says how many require authentication and are left out.
    func items(
        _ selection: ItemSelection,
        matching isMatch: ([FoundItem]) -> [FoundItem] = { $0 }
    ) throws -> [FoundItem] {
        let (items, skippedCount) = try vaults.withUnlockedKeychain { keychain in
            let skippedItems = SkippedItems()
            let all = keychain.showingEachGroup
            let listed = arguments.has(.authenticate) ? all : all.leavingOut(skippedItems)
            let found = isMatch(try selection.items(in: listed))
            let items = try answering(found, keychain, selection.description) { [$0.group] }
            return (items, skippedItems.count)
        }
        reportGuardedItems(skippedCount)
        return items
    }

    /// The items that are readable without unlocking the vault; a note says how many are not.
    fileprivate func openItems(_ selection: ItemSelection) throws -> [FoundItem] {
        let found = try vaults.withKeychain { keychain in
            var found = try selection.itemsByReadability(in: keychain.showingEachGroup)
            found.items = try answering(found.items, keychain, selection.description) { [$0.group] }
            return found
        }
        reportUnreadableItems(found)
        return found.items
    }

    /// Reports how many items were left out because their access control demands the user.
    func reportGuardedItems(_ count: Int) {
        guard count > 0 else { return }
        messages.note("not listed, since authentication is required: \(count.counted("item", "items"))")
    }

    /// Reports how many items could not be read.
    func reportUnreadableItems(_ found: FoundItemsByReadability) {
        reportGuardedItems(found.guardedCount)
        let lockedCount = found.unreadable.count(where: \.isLocked)
        if lockedCount > 0 { messages.note("\(lockedCount.counted("item is", "items are")) locked and not listed") }
        let damagedCount = found.unreadable.count - lockedCount
        if damagedCount > 0 {
            messages.warning("\(damagedCount.counted("item is", "items are")) damaged; `coffer verify` shows which")
        }
        if found.hasClosedGroups { messages.note("further items may be in groups that are locked entirely") }
    }
}
