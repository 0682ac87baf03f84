internal import Coffer
internal import CofferBasics

extension Option {
    fileprivate static let change = Option(
        "--change",
        argument: .value("N", .nothing),
        summary: "undo change N, such as a merge or an import, as a whole"
    )
    static let at = Option("--at", argument: .value("TIME", .nothing), summary: "go back to the state at TIME")
    static let revision = Option(
        "--revision",
        argument: .value("N", .nothing),
        summary: "go back to revision N, by its number in `coffer history`"
    )
    static let from = Option(
        "--from",
        argument: .value("COPY", .file),
        summary: "take the item from a copy of the vault, such as a backup"
    )
}

extension Verb {
    static let undo = Verb(
        "undo",
        .history,
        "Take back a change, or go back to an earlier state",
        operands: [.optionalService, .optionalAccount],
        options: [.itemClass, .copyPassphraseFile],
        modes: [.change, .at, .revision, .from],
        details: """
            Without NAME it lists the items that were changed or deleted last, and changes nothing.

            With NAME it stores the previous revision, including its secret, as a new revision. This is a change itself: undoing \
            twice restores the original state.

            A merge and an import say their number. --change with that number gives all items the content that they \
            had before, but for those that were changed since. This is possible until the vault is compacted, or as \
            long as its settings keep the history.

            With --at the state of each item at that time is stored as a new revision: of all of them, or none. Items \
            added later stay as they are. Without NAME all items go back, after confirmation, or with --force if the \
            user cannot be asked. --force is also needed if the history back to that time is incomplete. TIME is a date \
            with an optional time and zone (local time without a zone), a duration before now, or seconds since 1970: \
            \(PastTimeParser.forms).

            With --revision one item becomes what it was in that revision. With --from the item becomes what it is in a \
            copy of the vault; if it was deleted here, it is added again.
            """,
        examples: [
            Example(call: "coffer undo", purpose: "see what was changed or deleted last"),
            Example(call: "coffer undo mail kim", purpose: "restore the former or deleted password"),
            Example(call: "coffer undo --change 17", purpose: "undo a merge or an import"),
            Example(call: "coffer undo --at '2h ago' mail kim", purpose: "restore it as it was two hours ago"),
            Example(call: "coffer undo --at 2026-01-31T09:30", purpose: "restore all items as they were then"),
            Example(call: "coffer undo --from old.coffer mail kim", purpose: "take one item from a backup"),
        ]
    ) { run in
        let arguments = run.arguments
        if let change = arguments.value(of: .change) { return try run.undo(change: change) }
        let selection = try run.selectionToChange()
        if let word = arguments.value(of: .revision) { return try run.restore(selection, toRevision: word) }
        if let path = arguments.value(of: .from) { return try run.restore(selection, fromCopyAt: path) }
        // `coffer restore` without an option was an error, and must not undo the last change.
        guard !arguments.has(.at), arguments.formerName == nil else { return try run.restoreState(of: selection) }
        guard selection.service != nil else { return try run.listLatestChanges(of: selection) }
        let (item, wasDeleted) = try run.withHistory(selection, for: .changing) { past, keychain in
            (try past.undo(in: keychain), past.newest.isDeleted)
        }
        guard let item else {
            throw CommandError(
                .notFound,
                "no earlier revision of \(selection.description) is kept",
                hints: ["`coffer history` shows what is kept; `coffer rm` deletes the item"]
            )
        }
        let done = wasDeleted ? "restored" : "undid the last change of"
        run.messages.note("\(done) \(item.shownName)")
        if run.isJSON { try run.output.write(json: item.json) }
    }
}

extension CommandRun {
    /// Says how to undo a change of many items.
    func noteUndo(of change: UInt64) { messages.note("`coffer undo --change \(change)` undoes this") }

    /// Lists the items that were changed or deleted last, as far as an earlier revision is kept.
    fileprivate func listLatestChanges(of selection: ItemSelection) throws {
        let listedCount = 10
        let changes = try vaults.withUnlockedKeychain { keychain in
            let readable = keychain.leavingOut(SkippedItems())
            let items = try selection.itemsOfName(in: readable)
            let names = Set(items.map(\.name))
            let deleted = try selection.deletedItems(in: readable).filter { !names.contains($0.name) }
            let changed = items.filter { $0.modified > $0.created }.sorted { $0.modified > $1.modified }
            let latest = [changed, deleted].flatMap { $0.filter(\.canBeOffered).prefix(listedCount) }
            return try latest.compactMap { item in
                let past = try item.past(in: readable)
                return past.revisions.count > 1 || item.isDeleted ? try past.changes(in: readable).first : nil
            }
        }.sorted { $0.date?.secondsSince1970 ?? 0 > $1.date?.secondsSince1970 ?? 0 }.prefix(listedCount)
        guard !isJSON else { return try output.write(json: .array(changes.map(\.json))) }
        var table = TextTable(["NAME", "USER", "WHEN", "CHANGED"])
        for change in changes {
            guard let item = change.state.item else { continue }
            table.add([
                item.service.shown, item.account.shown, change.date.map(shown) ?? "unknown", change.text,
            ])
        }
        try table.write(to: output, isColored: printsColor)
        messages.note(
            changes.isEmpty ? "nothing to undo" : "`coffer undo NAME [USER]` undoes the change of one of them"
        )
    }

    fileprivate func undo(change word: String) throws {
        guard arguments.operand(0) == nil else {
            throw CommandError.usage("--change undoes all of a change: name no item")
        }
        guard let change = UInt64(word), change > 0 else {
            throw CommandError.usage("invalid number \(word.printable) for --change: use the one that was printed")
        }
        let vault = try vaults.vault(for: .changing)
        if !vault.isUnlocked { try vaults.unlock(vault) }
        let (restored, leftAlone) = try uninterrupted { try vault.undo(change: change) }
        hasChangedItems = true
        if isJSON {
            return try output.write(
                json: ["vault": .string(vault.path), "restored": JSON(restored), "leftAlone": JSON(leftAlone)]
            )
        }
        try output.write(line: "\(restored.counted("item")) as before the change")
        if leftAlone > 0 {
            messages.note("\(leftAlone.counted("item was", "items were")) left alone: changed since, or not restorable")
        }
    }
}

extension NameHistory {
    /// Undoes the last change and returns the item as it is now; nil if no earlier revision is kept.
    func undo(in keychain: Keychain) throws -> FoundItem? {
        guard let type = newest.itemClass.itemType else { return nil }
        do {
            return try undo(type, in: keychain)
        } catch KeychainError.noSuchRevision {
            return nil
        }
    }

    private func undo<Item: KeychainItem>(_ type: Item.Type, in keychain: Keychain) throws -> FoundItem {
        guard let reference = KeychainReference<Item>(newest.reference) else { throw KeychainError.itemNotFound }
        // As `coffer mv` has renamed them; to look for them takes long, so only if the item ever had another name.
        let hadOtherName = states.joined().contains { $0.item.map { $0.name != newest.name } ?? false }
        let parts = hadOtherName && !newest.isDeleted ? try newest.parts(in: keychain) : []
        return try keychain.transaction { transaction throws(KeychainError) in
            let item = FoundItem(try transaction.undo(reference))
            let name: [AttributeName: ItemValue?] = [
                .service: item.service.string.map(ItemValue.string), .account: item.attributes[.account],
            ]
            _ = try newest.rename(parts, as: name, in: &transaction)
            return item
        }
    }
}
