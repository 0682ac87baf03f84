internal import Coffer
internal import CofferBasics

extension Verb {
    static let move = Verb(
        "mv",
        .items,
        "Rename an item, or move it to another group",
        operands: [.service, Operand(name: "NEW-NAME", presence: .optional)],
        options: [.itemClass, .targetGroup],
        details: """
            Each name is one word, as for `coffer get`: mail, kim@mail or mail/kim, or an address. A new name without an \
            account keeps the account; @mail removes it. A web password keeps its protocol, port and path unless the new \
            name is an address.

            One-time passwords, fields and files that an import has stored for the item are renamed and moved with it. \
            The history stays.
            """,
        examples: [
            Example(call: "coffer mv mail post", purpose: "rename the service"),
            Example(call: "coffer mv kim@mail lee@mail", purpose: "change the account"),
            Example(call: "coffer mv https://example.com https://example.org", purpose: "change the address"),
            Example(call: "coffer mv mail --to-group team", purpose: "move it to another group"),
        ]
    ) { run in
        let (word, group) = (run.arguments.operand(1), run.arguments.value(of: .targetGroup))
        guard word != nil || group != nil else {
            let hints = run.arguments.verb.map { ["usage: \($0.usage)"] } ?? []
            throw CommandError.usage("NEW-NAME is missing", hints: hints)
        }
        if let word { try ItemWord.check(word) }
        var selection = try run.selectionOfClass()
        selection.account = nil
        selection.call = run.arguments.callWithoutOperands.map { call in
            { FoundItem.call(of: call, [$0.word, word].compactMap(\.self)) }
        }
        let (old, new, partCount, change) = try run.vaults.withKeychain(for: .changing) { keychain in
            let item = try selection.item(in: keychain)
            var name = try item.attributes(named: word)
            if let group { name[.accessGroup] = .some(.string(group)) }
            let parts = try item.parts(in: keychain)
            do {
                let ((new, count), change) = try keychain.largeTransaction { transaction in
                    let count = try item.rename(parts, as: name, in: &transaction)
                    return (try item.change(name, in: &transaction), count)
                }
                return (item, new, count, change)
            } catch KeychainError.duplicateItem {
                let name = (word?.printable ?? item.shownName) + (group.map { " in \($0.printable)" } ?? "")
                throw CommandError(.duplicate, "\(name) already exists, for the item or what belongs to it")
            }
        }
        guard new.revision != old.revision else { return run.messages.note("nothing was changed") }
        let others = partCount == 0 ? "" : ", and \(partCount.counted("item")) of it"
        let deeds = [
            word == nil ? nil : "renamed \(old.shownName) to \(new.shownName)",
            group.map { "moved \(new.shownName) to \($0.printable)" },
        ]
        run.messages.note(deeds.compactMap(\.self).joined(separator: ", ") + others)
        run.noteUndo(of: change)
        if run.isJSON { try run.output.write(json: new.json) }
    }
}

extension Option {
    fileprivate static let targetGroup = Option(
        "--to-group",
        argument: .value("GROUP", .nothing),
        summary: "move the item to this access group"
    )
}

extension FoundItem {
    /// The attributes that a new name, if there is one, gives the item; what it does not say stays.
    fileprivate func attributes(named word: String?) throws -> [AttributeName: ItemValue?] {
        guard itemClass == .genericPassword || itemClass == .internetPassword else {
            throw CommandError.usage("only passwords can be renamed or moved")
        }
        guard let word else { return [:] }
        guard !word.isEmpty else { throw CommandError.usage("NEW-NAME is empty") }
        var attributes: [AttributeName: ItemValue?] = [:]
        if let address = ServerAddress(word) {
            guard itemClass == .internetPassword else {
                throw CommandError.usage(
                    "\(line) has no address, and cannot get one",
                    hints: ["`coffer set \(word.shellWord)` stores a web password"]
                )
            }
            let password = address.password(account: "")
            for name in [AttributeName.server, .protocol, .port, .path] {
                attributes[name] = .some(password.attributes[name])
            }
            if let user = ServerAddress.user(of: word) { attributes[.account] = .some(user.itemValue) }
            return attributes
        }
        let name = ItemWord.split(word).first
        attributes[itemClass == .internetPassword ? .server : .service] = .some(.string(name?.service ?? word))
        if let account = name?.account { attributes[.account] = .some(.string(account)) }
        return attributes
    }

    /// Renames what belongs to this item, which gets a name, and returns how many items that changed.
    func rename(
        _ parts: [FoundItem],
        as name: [AttributeName: ItemValue?],
        in transaction: inout KeychainTransaction
    ) throws(KeychainError) -> Int {
        var count = 0
        for part in parts {
            let attributes = part.attributes(asPartOf: self, named: name)
            if try part.change(attributes, in: &transaction).revision != part.revision { count += 1 }
        }
        return count
    }

    /// The attributes of a part when the item to which it belongs gets these.
    private func attributes(
        asPartOf item: FoundItem,
        named name: [AttributeName: ItemValue?]
    ) -> [AttributeName: ItemValue?] {
        var attributes = name.filter { $0.key == .accessGroup }
        guard let kind = companion?.kind, case .string(let new)?? = name[.server] ?? name[.service] else {
            return attributes
        }
        let rest = "\(service)".dropFirst("\(kind):\(item.service)".count)
        attributes[.service] = .some(.string("\(kind):\(new)\(rest)"))
        // The account of a file is its own name.
        if kind != .file, let account = name[.account] { attributes[.account] = account }
        return attributes
    }

    /// The items that are called after this one and belong to it.
    func parts(in keychain: Keychain) throws -> [FoundItem] { try [self].parts(in: group, of: keychain) }

    /// Changes attributes of a password, unless it was changed meanwhile.
    fileprivate func change(
        _ attributes: [AttributeName: ItemValue?],
        in transaction: inout KeychainTransaction
    ) throws(KeychainError) -> FoundItem {
        itemClass == .internetPassword
            ? try change(InternetPassword.self, attributes, &transaction)
            : try change(GenericPassword.self, attributes, &transaction)
    }

    private func change<Item: KeychainItem>(
        _ type: Item.Type,
        _ attributes: [AttributeName: ItemValue?],
        _ transaction: inout KeychainTransaction
    ) throws(KeychainError) -> FoundItem {
        guard let reference = KeychainReference<Item>(reference) else { throw KeychainError.itemNotFound }
        return FoundItem(
            try transaction.update(reference, ifRevision: revision) { item in
                for (name, value) in attributes { item.attributes[name] = value }
            }
        )
    }
}

extension [FoundItem] {
    /// The items of a group that are called after these and belong to them: `Spec/import.md`, section 3.
    func parts(in group: String, of keychain: Keychain) throws -> [FoundItem] {
        try parts(among: ItemSelection(group: group).itemsOfName(in: keychain.leavingOut(SkippedItems())))
    }

    /// Those of the items of a group that are called after these and belong to them.
    func parts(among all: [FoundItem]) -> [FoundItem] {
        let owners = Dictionary(grouping: all.filter { $0.companion == nil }) { "\($0.service)" }
        let references = Set(map(\.reference))
        return all.filter { part in
            // The service of a passkey is a site, whatever the item is called. The names are the longest first.
            guard let (kind, names) = part.companion, kind != .passkey else { return false }
            let named = names.lazy.compactMap { owners[$0] }.first ?? []
            let own = named.filter { item in
                kind == .file ? item.text(.label) == part.text(.label) : item.account == part.account
            }
            return own.count == 1 && references.contains(own[0].reference)
        }
    }
}
