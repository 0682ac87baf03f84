internal import Coffer
internal import CofferBasics
internal import VaultFiles

extension Option {
    fileprivate static let from = Option(
        "--from",
        argument: .value("COPY", .file),
        summary: "take the item from a copy of the vault, such as a backup"
    )
    fileprivate static let revision = Option(
        "--revision",
        argument: .value("N", .nothing),
        summary: "the revision to go back to, by its number in `coffer history`"
    )
    static let at = Option("--at", argument: .value("TIME", .nothing), summary: "time to go back to")
}

extension Verb {
    static let restore = Verb(
        "restore",
        .history,
        "Restore items to their state at a past time",
        operands: [.optionalService, .optionalAccount],
        options: [.at, .revision, .from, .copyPassphraseFile, .itemClass],
        details: """
            The state of each item at that time is stored as a new revision: of all of them, or none. Items added \
            later stay as they are. Without SERVICE all items are restored, after confirmation, or with --force if the \
            user cannot be asked. --force is also needed if the history back to that time is incomplete.

            With --revision one item becomes what it was in that revision. With --from the item becomes what it is in a copy of the vault; if it was deleted here, it is added again.

            TIME is a date with an optional time and zone (local time without a zone), a duration before now, or \
            seconds since 1970: \(PastTimeParser.forms).
            """,
        examples: [
            Example(call: "coffer restore --at '2h ago' mail kim", purpose: "restore it as it was two hours ago"),
            Example(call: "coffer restore --at 2026-01-31T09:30", purpose: "restore all items as they were then"),
            Example(call: "coffer restore --from old.coffer mail kim", purpose: "take one item from a backup"),
        ]
    ) { run in
        var selection = try run.selectionToChange()
        if let number = try run.arguments.count(of: .revision, in: 1...Int.max) {
            return try run.restore(selection, toRevision: UInt64(number))
        }
        if let path = run.arguments.value(of: .from) { return try run.restore(selection, fromCopyAt: path) }
        let date = try run.pastTime()
        if selection.service == nil, !run.arguments.has(.itemClass) { selection.classes = KeychainClass.stored }
        let then = try run.vaults.withKeychain { keychain in
            let form = try selection.resolved(in: keychain) { form in
                try !form.states(at: date, in: keychain).states.isEmpty
            }
            return try form.states(at: date, in: keychain)
        }
        let dateText = Timestamp.local(date, run.context.secondsFromUTC)
        guard then.isComplete || run.arguments.has(.force) else { throw try run.incompleteHistoryError(dateText) }
        guard !then.states.isEmpty else {
            let name = selection.service == nil ? "" : " \(selection.description)"
            throw CommandError(.notFound, "there was no item\(name) at \(dateText)")
        }
        let different = try run.vaults.withKeychain { keychain in
            var different: [FoundRevision] = []
            for state in then.states where try !state.isSameNow(in: keychain) { different.append(state) }
            return different
        }
        if selection.service == nil, !different.isEmpty {
            let question = "Restore \(different.count.counted("item", "items")) as of \(dateText)?"
            try run.confirm(question, otherwise: "nothing was restored")
        }
        try run.restoreRevision(different)
        let sameCount = then.states.count - different.count
        let rest = sameCount > 0 ? "; \(sameCount.counted("item is", "items are")) the same now" : ""
        run.messages.note(
            "restored \(different.count.counted("item")) as of \(dateText)\(rest)"
        )
        if run.isJSON {
            let count: JSON = ["restored": JSON(different.count), "same": JSON(sameCount)]
            try run.output.write(json: count)
        }
    }
}

extension CommandRun {
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

    fileprivate func restore(_ selection: ItemSelection, toRevision number: UInt64) throws {
        guard selection.service != nil else { throw CommandError.usage("--revision needs SERVICE") }
        try withHistory(selection, for: .changing) { past, keychain in
            guard let state = past.states.flatMap(\.self).first(where: { $0.revision.number == number }) else {
                throw CommandError(
                    .notFound,
                    "revision \(number) of \(selection.description) is not kept",
                    hints: ["`coffer history` shows what is kept"]
                )
            }
            try keychain.transaction { transaction in try state.restoreRevision(in: &transaction) }
        }
        messages.note("restored revision \(number) of \(selection.description)")
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
        let found = try keychain.items(Item.self, at: date, whereAll: conditions)
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
        return HeldSecret.areSame(try keychain.heldSecret(of: current.reference), try secret(in: keychain))
    }

    /// The item as it is now, or the item that has its name now.
    private func current<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        in keychain: Keychain
    ) throws -> Stored<Item>? {
        if let current = try keychain.item(reference) { return current }
        return try item?.current(Item.self, in: keychain)
    }
}

extension FoundItem {
    /// The item that has this name now.
    func current<Item: KeychainItem>(_ type: Item.Type, in keychain: Keychain) throws -> Stored<Item>? {
        let found = try keychain.items(Item.self, whereAll: nameConditions(Item.self))
        return found.first { FoundItem($0).name == name }
    }

    /// The conditions that the items with this name match.
    func nameConditions<Item: KeychainItem>(_ type: Item.Type) -> [ItemCondition<Item>] {
        [.synchronizable(isSynchronizable ? .yes : .no), .group(group)]
            + itemClass.primaryKey.compactMap { name in attributes[name].map { .attribute(name, $0) } }
    }
}
