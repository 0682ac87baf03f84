internal import Coffer
internal import CofferBasics

/// Which items are meant: a service, or a server, and perhaps an account, a group and a class.
struct ItemSelection {
    var service: AttributeText?
    var account: AttributeText?
    var group: String?
    /// The classes to look in.
    var classes: [KeychainClass] = [.genericPassword, .internetPassword]

    /// What is meant, for messages.
    var description: String {
        var text = service.map(\.shown) ?? "all"
        if let account { text += " \(account.shown)" }
        if let group { text += " in \(group.printable)" }
        return text
    }
}

extension ItemSelection {
    /// What words name, as far as they are there.
    init(service: String?, account: String?, group: String?) {
        self.init(
            service: service.map { AttributeText($0) },
            account: account.map { AttributeText($0) },
            group: group
        )
    }

    /// The items, by class and then the oldest first.
    func items(in keychain: Keychain) throws -> [FoundItem] {
        var found: [FoundItem] = []
        for type in classes.compactMap(\.itemType) { found += try items(type, in: keychain) }
        return found
    }

    private func items<Item: KeychainItem>(
        _ type: Item.Type,
        in keychain: Keychain
    ) throws -> [FoundItem] {
        guard let conditions = conditions(for: Item.self) else { return [] }
        return try keychain.items(Item.self, whereAll: conditions).map { FoundItem($0) }
    }

    /// The one item that is meant.
    func item(in keychain: Keychain) throws -> FoundItem {
        let found = try items(in: keychain)
        guard let item = found.first else { throw notFound }
        guard found.count == 1 else { throw ambiguous(found) }
        return item
    }

    /// The error that nothing is called so.
    var notFound: CommandError {
        CommandError(.notFound, "there is no item \(description)", hints: ["coffer list shows what there is"])
    }

    /// The error that several items are called so, and what tells them apart.
    func ambiguous(_ found: [FoundItem], sealedCount: Int = 0) -> CommandError {
        var ways: [String] = []
        if account == nil, Set(found.map(\.account)).count > 1 { ways.append("the account") }
        if group == nil, Set(found.map(\.group)).count > 1 { ways.append("the group with --group") }
        if Set(found.map(\.itemClass)).count > 1 { ways.append("the class with --class") }
        if ways.isEmpty { ways = ["the account, the group with --group", "the class with --class"] }
        var error = CommandError(
            .ambiguous,
            "\(found.count + sealedCount) items are called \(description)",
            hints: ["name \(ways.joined(separator: ", or "))"]
        )
        if sealedCount > 0 {
            error.hints.append("what \(sealedCount) of them say is locked or damaged; coffer unlock may show it")
        }
        error.candidates = found
        return error
    }
}

/// Items that are meant, and those that are or may be meant and cannot be read.
struct FoundAsOpen {
    var items: [FoundItem] = []
    var unreadable: [UnreadableItem] = []
    /// Whether there are groups whose contents cannot be read here.
    var hasClosedGroups = false
}

extension ItemSelection {
    /// The items, as far as they can be read while the vault is as locked as it is.
    func itemsAsOpen(in keychain: Keychain) throws -> FoundAsOpen {
        var all = FoundAsOpen()
        for type in classes.compactMap(\.itemType) { try append(type, to: &all, in: keychain) }
        return all
    }

    private func append<Item: KeychainItem>(
        _ type: Item.Type,
        to all: inout FoundAsOpen,
        in keychain: Keychain
    ) throws {
        guard let conditions = conditions(for: Item.self) else { return }
        let found = try keychain.itemsAsOpen(Item.self, whereAll: conditions)
        all.items += found.items.map { FoundItem($0) }
        all.unreadable += found.unreadable
        all.hasClosedGroups = all.hasClosedGroups || found.hasClosedGroups
    }
}

extension Run {
    /// What the operands say: a service, perhaps an account, and the group of `--group`.
    func selection() -> ItemSelection {
        ItemSelection(service: arguments.operand(0), account: arguments.operand(1), group: arguments.value(of: .group))
    }

    /// What the operands and `--class` say.
    func selectionOfClass() throws -> ItemSelection {
        var selection = selection()
        if let name = arguments.value(of: .itemClass) { selection.classes = [try KeychainClass(shortName: name)] }
        return selection
    }

    /// The one item that is meant, and what `body` makes of it.
    func withItem<Result>(
        _ selection: ItemSelection,
        _ body: (FoundItem, Keychain) throws -> Result
    ) throws -> Result {
        try vaults.withKeychain { keychain in try body(selection.item(in: keychain), keychain) }
    }
}

extension FoundItem {
    /// The secret; nil if the item has none.
    func secret(in keychain: Keychain) throws -> HeldSecret? {
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
