internal import Coffer
internal import CofferBasics

/// Which items a call selects: a service or server, with an optional account, group and class.
struct ItemSelection {
    var service: AttributeText?
    var account: AttributeText?
    var group: String?
    /// The classes to look in.
    var classes: [KeychainClass] = [.genericPassword, .internetPassword]
    /// The address that the items are for, if the name is one.
    var address: ServerAddress?
    /// The same call for another item, for hints; nil if the words are not operands.
    var call: ((FoundItem) -> String)?
    /// The item that the user has chosen, which is then the only one that matches.
    var chosen: FoundItem?
    /// Whether an item that is the only one of its class is read with its secret.
    private(set) var readsSecret = false

    /// This selection, for items whose secret is wanted too.
    var withSecret: ItemSelection {
        var selection = self
        selection.readsSecret = true
        return selection
    }

    /// The selection in words, for messages.
    var description: String {
        if let chosen { return chosen.shownName }
        var text = service.map(\.shown) ?? "all"
        if let account { text += " \(account.shown)" }
        if let group { text += " in \(group.printable)" }
        return text
    }
}

extension ItemSelection {
    /// The selection given by words of the command line.
    init(service: String?, account: String?, group: String?) {
        self.init(
            service: service.map { AttributeText($0) },
            account: account.map { AttributeText($0) },
            group: group
        )
    }

    /// The items that match, by class and then the oldest first.
    func items(in keychain: Keychain) throws -> [FoundItem] {
        try firstFound(in: keychain, isNothing: \.isEmpty) { form in try form.itemsOfName(in: keychain) }
    }

    /// The items that match the selection as it is, not what its words can also mean.
    func itemsOfName(in keychain: Keychain) throws -> [FoundItem] {
        if let chosen { return [chosen] }
        var found: [FoundItem] = []
        for type in classes.compactMap(\.itemType) { found += try items(type, in: keychain) }
        return narrowed(found)
    }

    private func items<Item: KeychainItem>(
        _ type: Item.Type,
        in keychain: Keychain
    ) throws -> [FoundItem] {
        guard let conditions = conditions(for: Item.self) else { return [] }
        let found: [FoundItem]
        if readsSecret {
            let (items, secret) = try keychain.itemsAndSecret(Item.self, where: .all(conditions))
            found = items.map { FoundItem($0, secret: items.count == 1 ? .some(secret) : nil) }
        } else {
            found = try keychain.items(Item.self, where: .all(conditions)).map { FoundItem($0) }
        }
        // A reference names what its attributes do not tell apart.
        guard found.isEmpty, account == nil, let reference = service?.string.flatMap(KeychainReference<Item>.init)
        else {
            return found
        }
        return try keychain.item(reference).map { [FoundItem($0)] } ?? []
    }

    /// The only item that matches.
    ///
    /// - Parameters:
    ///   - keychain: The keychain to search.
    ///   - namesOthers: Whether the error names the other groups that have a match, if one group answers for all.
    /// - Returns: The item.
    /// - Throws: `CommandError` if none or several match.
    func item(in keychain: Keychain, namingOthers namesOthers: Bool = false) throws -> FoundItem {
        let found = try items(in: keychain)
        guard !found.isEmpty else { throw try missing(in: keychain, namingOthers: namesOthers) }
        return try only(of: found)
    }

    /// The only one of these items, of which there are some.
    func only(of found: [FoundItem]) throws -> FoundItem {
        guard found.count == 1 else { throw ambiguous(found) }
        return found[0]
    }

    /// The error that no item matches.
    var notFound: CommandError {
        CommandError(.notFound, "item not found: \(description)", hints: ["run `coffer list` to see all items"])
    }

    /// The error that several items match, with what tells them apart.
    func ambiguous(_ found: [FoundItem], sealedCount: Int = 0) -> CommandError {
        var error = CommandError(.ambiguous, "\(found.count + sealedCount) items match \(description)")
        error.candidates = found
        var ways: [String] = []
        if account == nil, Set(found.map(\.account)).count > 1 {
            ways.append(
                found.contains { $0.account.isEmpty } ? "the account, '' for an item without one" : "the account"
            )
        }
        if group == nil, Set(found.map(\.group)).count > 1 { ways.append("the group with --group") }
        if Set(found.map(\.itemClass)).count > 1 { ways.append("the class with --class") }
        let isOne = ways.isEmpty && Set(found.map(\.line)).count == 1
        if isOne { ways = found.map { "`\($0.reference.name)` instead of the name" } }
        if ways.isEmpty { ways = ["the account, the group with --group", "the class with --class"] }
        error.hints = ["give \(ways.joined(separator: ", or "))"]
        if sealedCount > 0 {
            error.hints.append("\(sealedCount) of them are locked or damaged; `coffer unlock` may make them readable")
        }
        return error
    }
}

/// The items that match, and those that match or may match but cannot be read.
struct FoundItemsByReadability {
    var items: [FoundItem] = []
    var unreadable: [UnreadableItem] = []
    /// The number of items that were left out, because their access control demands the user.
    var guardedCount = 0
    /// Whether there are groups whose contents cannot be read here.
    var hasClosedGroups = false
    /// The items that the caller knows, and that are as they were.
    var unchanged: [PersistentReference] = []
}

extension ItemSelection {
    /// The items that match, as far as they are readable without unlocking the vault.
    ///
    /// Items that demand the user are left out and counted, unless the items are to be deleted.
    func itemsByReadability(
        in keychain: Keychain,
        forDeletion isForDeletion: Bool = false,
        reading: (KeychainClass) throws -> ItemReading = { _ in ItemReading() }
    ) throws -> FoundItemsByReadability {
        try firstFound(in: keychain, isNothing: { $0.items.isEmpty && $0.unreadable.isEmpty }) { form in
            try form.itemsOfNameByReadability(in: keychain, isForDeletion, reading)
        }
    }

    private func itemsOfNameByReadability(
        in keychain: Keychain,
        _ isForDeletion: Bool,
        _ reading: (KeychainClass) throws -> ItemReading
    ) throws -> FoundItemsByReadability {
        var all = FoundItemsByReadability()
        for itemClass in classes {
            guard let type = itemClass.itemType else { continue }
            try append(type, to: &all, in: keychain, isForDeletion, try reading(itemClass))
        }
        all.items = narrowed(all.items)
        return all
    }

    private func append<Item: KeychainItem>(
        _ type: Item.Type,
        to all: inout FoundItemsByReadability,
        in keychain: Keychain,
        _ isForDeletion: Bool,
        _ reading: ItemReading
    ) throws {
        guard let conditions = conditions(for: Item.self) else { return }
        let found = try keychain.itemsByReadability(
            Item.self,
            where: .all(conditions),
            forDeletion: isForDeletion,
            reading: reading
        )
        all.guardedCount += found.guardedCount
        all.items += found.items.map { FoundItem($0) }
        all.unreadable += found.unreadable
        all.hasClosedGroups = all.hasClosedGroups || found.hasClosedGroups
        all.unchanged += found.unchanged
    }
}

extension CommandRun {
    /// The selection from the operands NAME and USER and from `--group`.
    func selection() throws -> ItemSelection {
        if let word = arguments.operand(0) { try ItemWord.check(word) }
        var selection = ItemSelection(
            service: arguments.operand(0),
            account: arguments.operand(1),
            group: arguments.value(of: .group)
        )
        selection.call = arguments.callWithoutOperands.map { call in { $0.call(of: call) } }
        return selection
    }

    /// The selection from the operands, `--group` and `--class`.
    func selectionOfClass() throws -> ItemSelection {
        var selection = try selection()
        if let name = arguments.value(of: .itemClass) { selection.classes = [try KeychainClass(shortName: name)] }
        return selection
    }

    /// Calls `body` with the only item that matches.
    func withItem<Result>(
        _ selection: ItemSelection,
        namingOthers namesOthers: Bool = false,
        _ body: (FoundItem, Keychain) throws -> Result
    ) throws -> Result {
        try vaults.withKeychain { keychain in
            try body(selection.item(in: keychain, namingOthers: namesOthers), keychain)
        }
    }
}

extension FoundItem {
    /// The secret; nil if the item has none.
    func secret(in keychain: Keychain) throws -> HeldSecret? {
        if let secretRead { return secretRead }
        guard let type = itemClass.itemType else { return nil }
        return try secret(type, keychain)
    }

    private func secret<Item: KeychainItem>(
        _ type: Item.Type,
        _ keychain: Keychain
    ) throws -> HeldSecret? {
        guard let reference = KeychainReference<Item>(reference) else { throw KeychainError.itemNotFound }
        return try keychain.heldSecret(of: reference)
    }
}
