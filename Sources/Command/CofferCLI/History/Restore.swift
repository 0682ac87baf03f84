internal import Coffer
internal import CofferBasics
internal import VaultFiles

extension CommandRun {
    /// Gives all items that match the state that they had at the time of `--at`, or none.
    func restoreState(of items: ItemSelection) throws {
        var selection = items
        let date = try pastTime()
        if selection.service == nil, !arguments.has(.itemClass) { selection.classes = KeychainClass.stored }
        let then = try vaults.withKeychain { keychain in
            try selection.firstFound(in: keychain, isNothing: \.states.isEmpty) { form in
                try form.states(at: date, in: keychain)
            }
        }
        let dateText = Timestamp.local(date, context.secondsFromUTC)
        guard then.isComplete || arguments.has(.force) else { throw try incompleteHistoryError(dateText) }
        guard !then.states.isEmpty else {
            let name = selection.service == nil ? "" : " \(selection.description)"
            throw CommandError(.notFound, "there was no item\(name) at \(dateText)")
        }
        let different = try vaults.withKeychain { keychain in
            var different: [FoundRevision] = []
            for state in then.states where try !state.isSameNow(in: keychain) { different.append(state) }
            return different
        }
        if selection.service == nil, !different.isEmpty {
            let question = "Restore \(different.count.counted("item", "items")) as of \(dateText)?"
            try confirm(question, otherwise: "nothing was restored")
        }
        try restoreRevision(different)
        let sameCount = then.states.count - different.count
        let rest = sameCount > 0 ? "; \(sameCount.counted("item is", "items are")) the same now" : ""
        messages.note(
            "restored \(different.count.counted("item")) as of \(dateText)\(rest)"
        )
        if isJSON {
            let count: JSON = ["restored": JSON(different.count), "same": JSON(sameCount)]
            try output.write(json: count)
        }
    }

    /// The time that `--at` gives.
    fileprivate func pastTime() throws -> KeychainDate {
        guard let text = arguments.value(of: .at) else {
            throw CommandError.usage("--at TIME is missing", hints: ["TIME can be \(PastTimeParser.forms)"])
        }
        let seconds = PastTimeParser.seconds(text, now: now, secondsFromUTC: context.secondsFromUTC)
        guard let seconds else {
            throw CommandError.usage("invalid time: \(text.printable)", hints: ["TIME can be \(PastTimeParser.forms)"])
        }
        guard seconds <= now else { throw CommandError.usage("\(text.printable) is in the future") }
        return KeychainDate(secondsSince1970: seconds)
    }

    fileprivate func incompleteHistoryError(_ date: String) throws -> CommandError {
        let start = try vaults.withKeychain { keychain in try keychain.historyStart }
        let since = start.map { ": it is kept since \(Timestamp.local($0, context.secondsFromUTC))" } ?? ""
        return CommandError(
            .notFound,
            "the history back to \(date) is incomplete\(since); nothing was changed",
            hints: ["repeat with --force to restore what is kept"]
        )
    }

    /// Gives an item the content that it had in a revision, given by its number in the history or its id.
    func restore(_ selection: ItemSelection, toRevision word: String) throws {
        guard selection.service != nil else { throw CommandError.usage("--revision needs NAME") }
        try withHistory(selection, for: .changing) { past, keychain in
            let state = try past.revision(word, of: selection)
            try keychain.transaction { transaction in try state.restoreRevision(in: &transaction) }
        }
        messages.note("restored revision \(word.printable) of \(selection.description)")
        if isJSON { try output.write(json: ["restored": 1, "same": 0]) }
    }

    /// Restores all of the states, or none.
    fileprivate func restoreRevision(_ states: [FoundRevision]) throws {
        guard !states.isEmpty else { return }
        try vaults.withKeychain(for: .changing) { keychain in
            try keychain.transaction { transaction in
                for state in states { try state.restoreRevision(in: &transaction) }
            }
        }
    }
}

extension ItemSelection {
    /// The states of the items at a time, and whether none is missing.
    fileprivate func states(
        at date: KeychainDate,
        in keychain: Keychain
    ) throws -> (states: [FoundRevision], isComplete: Bool) {
        var all: (states: [FoundRevision], isComplete: Bool) = ([], true)
        for type in classes.compactMap(\.itemType) {
            let own = try states(type, at: date, in: keychain)
            all.states += own.states
            all.isComplete = all.isComplete && own.isComplete
        }
        guard address != nil else { return all }
        let meant = Set(narrowed(all.states.compactMap(\.item)).map(\.reference))
        all.states = all.states.filter { meant.contains($0.reference) }
        return all
    }

    private func states<Item: KeychainItem>(
        _ type: Item.Type,
        at date: KeychainDate,
        in keychain: Keychain
    ) throws -> (states: [FoundRevision], isComplete: Bool) {
        guard let conditions = conditions(for: Item.self) else { return ([], true) }
        let found = try keychain.items(Item.self, at: date, where: .all(conditions))
        return (found.items.map { FoundRevision($0) }, found.isComplete)
    }
}

extension FoundRevision {
    /// Whether the item is in this state now.
    fileprivate func isSameNow(in keychain: Keychain) throws -> Bool {
        guard !isCurrent else { return true }
        guard let type = itemClass.itemType else { return false }
        return try isSameNow(type, in: keychain)
    }

    private func isSameNow<Item: KeychainItem>(_ type: Item.Type, in keychain: Keychain) throws -> Bool {
        guard let reference = KeychainReference<Item>(reference),
            let current = try current(reference, in: keychain), current.item.attributes == attributes
        else { return false }
        return try keychain.heldSecret(of: current.reference) == secret(in: keychain)
    }

    /// The item that has its name now, or the item as it is now.
    private func current<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        in keychain: Keychain
    ) throws -> Stored<Item>? {
        if let current = try item?.current(Item.self, in: keychain) { return current }
        return try keychain.item(reference)
    }
}

extension FoundItem {
    /// The item that has this name now.
    func current<Item: KeychainItem>(_ type: Item.Type, in keychain: Keychain) throws -> Stored<Item>? {
        let found = try keychain.items(Item.self, where: .all(nameConditions(Item.self)))
        return found.first { FoundItem($0).name == name }
    }

    /// The conditions that the items with this name match.
    func nameConditions<Item: KeychainItem>(_ type: Item.Type) -> [ItemCondition<Item>] {
        [.synchronizable(isSynchronizable ? .yes : .no), .group(group)]
            + itemClass.primaryKey.compactMap { name in attributes[name].map { .attribute(name, $0) } }
    }
}
