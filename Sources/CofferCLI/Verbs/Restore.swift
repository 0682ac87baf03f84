internal import Coffer
internal import CofferBasics
internal import VaultFiles

extension Option {
    static let at = Option("--at", argument: .value("TIME", .nothing), summary: "the moment to go back to")
}

extension Verb {
    static let restore = Verb(
        "restore",
        .past,
        "Bring back what items were at a moment in the past",
        operands: [.optionalService, .optionalAccount],
        options: [.at, .itemClass],
        details: """
            What each item was then comes back as a new revision: all of them, or none. Items that were made later stay as they \
            are. Without SERVICE it is about all items, and asks first; where nobody can be asked it needs --force. If not all of \
            the past back to then is kept, it needs --force too.

            TIME is a date, with or without a time and a zone (without one it is local time), how long ago it was, or seconds \
            since 1970: \(PastTime.forms).
            """,
        examples: [
            Example(call: "coffer restore --at '2h ago' mail kim", purpose: "what it was two hours ago"),
            Example(call: "coffer restore --at 2026-01-31T09:30", purpose: "all items, as they were that morning"),
        ]
    ) { run in
        let date = try run.pastTime()
        var selection = try run.selectionOfClass()
        if selection.service == nil, !run.arguments.has(.itemClass) { selection.classes = KeychainClass.stored }
        let then = try run.vaults.withKeychain { keychain in
            try selection.states(at: date, in: keychain)
        }
        let dateText = Timestamp.local(date, run.surroundings.secondsFromUTC)
        guard then.isWhole || run.arguments.has(.force) else { throw try run.pastIsNotWhole(dateText) }
        guard !then.states.isEmpty else {
            let name = selection.service == nil ? "" : " \(selection.description)"
            throw CommandError(.notFound, "there was no item\(name) at \(dateText)")
        }
        let different = try run.vaults.withKeychain { keychain in
            var different: [FoundPast] = []
            for state in then.states where try !state.isSameNow(in: keychain) { different.append(state) }
            return different
        }
        if selection.service == nil, !different.isEmpty {
            let question = "Bring back what \(different.count.counted("item was", "items were")) at \(dateText)?"
            try run.confirm(question, otherwise: "nothing was brought back")
        }
        try run.bringBack(different)
        let sameCount = then.states.count - different.count
        let rest = sameCount > 0 ? "; \(sameCount.counted("is", "are")) the same now" : ""
        run.messages.note(
            "brought \(different.count.counted("item")) back as \(different.count == 1 ? "it was" : "they were") at \(dateText)\(rest)"
        )
        if run.isJSON {
            let count: JSON = ["restored": JSON(different.count), "same": JSON(sameCount)]
            try run.output.write(json: count)
        }
    }
}

extension Run {
    /// The moment that `--at` names.
    fileprivate func pastTime() throws -> KeychainDate {
        guard let text = arguments.value(of: .at) else {
            throw CommandError.usage("--at TIME is missing", hints: ["TIME is such as \(PastTime.forms)"])
        }
        let seconds = PastTime.seconds(text, now: now, secondsFromUTC: surroundings.secondsFromUTC)
        guard let seconds else {
            throw CommandError.usage("\(text.printable) is no time", hints: ["write it as \(PastTime.forms)"])
        }
        guard seconds <= now else { throw CommandError.usage("\(text.printable) has not come yet") }
        return KeychainDate(secondsSince1970: seconds)
    }

    fileprivate func pastIsNotWhole(_ date: String) throws -> CommandError {
        let start = try vaults.withKeychain { keychain in try keychain.historyStart }
        let since = start.map { ": the past is kept since \(Timestamp.local($0, surroundings.secondsFromUTC))" } ?? ""
        return CommandError(
            .notFound,
            "not all of what the items were at \(date) is kept\(since); nothing was changed",
            hints: ["--force brings back what is kept"]
        )
    }

    /// Makes items what they were, all or none.
    fileprivate func bringBack(_ states: [FoundPast]) throws {
        guard !states.isEmpty else { return }
        try vaults.withKeychain(for: .changing) { keychain in
            try keychain.transaction { transaction in
                for state in states { try state.bringBack(in: &transaction) }
            }
        }
    }
}

extension ItemSelection {
    /// What the items were at a moment, and whether some may be missing.
    fileprivate func states(
        at date: KeychainDate,
        in keychain: Keychain
    ) throws -> (states: [FoundPast], isWhole: Bool) {
        var all: (states: [FoundPast], isWhole: Bool) = ([], true)
        for type in classes.compactMap(\.itemType) {
            let own = try states(type, at: date, in: keychain)
            all.states += own.states
            all.isWhole = all.isWhole && own.isWhole
        }
        return all
    }

    private func states<Item: KeychainItem>(
        _ type: Item.Type,
        at date: KeychainDate,
        in keychain: Keychain
    ) throws -> (states: [FoundPast], isWhole: Bool) {
        guard let conditions = conditions(for: Item.self) else { return ([], true) }
        let found = try keychain.items(Item.self, at: date, whereAll: conditions)
        return (found.items.map { FoundPast($0) }, found.isWhole)
    }
}

extension FoundPast {
    /// Whether the item is now what it was in this state.
    fileprivate func isSameNow(in keychain: Keychain) throws -> Bool {
        guard !isCurrent else { return true }
        guard let type = itemClass.itemType else { return false }
        return try isSameNow(type, in: keychain)
    }

    private func isSameNow<Item: KeychainItem>(_ type: Item.Type, in keychain: Keychain) throws -> Bool {
        guard let reference = KeychainReference<Item>(reference),
            let current = try current(reference, in: keychain), current.item.attributes == attributes
        else { return false }
        return HeldSecret.areSame(try keychain.heldSecret(of: current.reference), try secret(in: keychain))
    }

    /// The item as it is now, or the one that has its name now.
    private func current<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        in keychain: Keychain
    ) throws -> Stored<Item>? {
        if let current = try keychain.item(reference) { return current }
        guard let item else { return nil }
        var conditions: [ItemCondition<Item>] = [.synchronizable(.any), .group(group)]
        for name in item.itemClass.primaryKey {
            if let value = item.attributes[name] { conditions.append(.attribute(name, value)) }
        }
        let found = try keychain.items(Item.self, whereAll: conditions)
        return found.first { FoundItem($0).name == item.name }
    }
}
