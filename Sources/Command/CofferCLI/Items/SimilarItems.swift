internal import Coffer
internal import CofferBasics
internal import CommandSystem

// Items whose names are not exactly what was typed: `Spec/command.md`, section 2.
extension ItemSelection {
    private static let hintCount = 3
    /// In how many items of a class similar names are looked for: a script that asks for a missing item must not wait.
    private static let searchedCount = 2000

    /// Calls for the items with the most similar names, as far as names are readable without asking.
    func hints(in keychain: Keychain, offering offered: (FoundItem) -> FoundItem?) -> [String] {
        // What cannot be read is no reason for another error.
        guard let similar = try? similarItems(in: keychain, offered) else { return [] }
        var calls: [String] = []
        for item in similar where calls.count < Self.hintCount {
            let call = call?(item) ?? item.word.shellWord
            if !calls.contains(call) { calls.append(call) }
        }
        return calls.map { "did you mean `\($0)`?" }
    }

    /// The items with similar names, the most similar first.
    private func similarItems(
        in keychain: Keychain,
        _ offered: (FoundItem) -> FoundItem?
    ) throws -> [FoundItem] {
        guard let service = service?.string, !FuzzySearch(service).isEmpty else { return [] }
        let words = [service, account?.string].compactMap(\.self).joined(separator: " ")
        // The service may be right, and the account wrong.
        let services = account == nil ? ItemWord.split(service).map(\.service) : [service]
        for group in try groupsInTurn(in: keychain) {
            let reading = ItemReading { _, count in count <= Self.searchedCount }
            let found = try all(in: group).itemsByReadability(in: keychain, reading: { _ in reading })
            let items = found.items.compactMap(offered)
            let similar = ([words] + services).flatMap { FuzzySearch($0).matches(in: items, byName: true) }
            if !similar.isEmpty { return similar }
            let misspelled = items.compactMap { item in
                item.spellings.compactMap { words.lowercased().typingErrors(for: $0.lowercased()) }.min()
                    .map { (item: item, count: $0) }
            }
            if !misspelled.isEmpty { return misspelled.sorted { $0.count < $1.count }.map(\.item) }
        }
        return []
    }

    /// All items of the same classes, of one group if it is given.
    private func all(in group: String?) -> ItemSelection {
        var all = ItemSelection(group: group)
        all.classes = classes
        return all
    }

    /// The items from which the user can choose, and those of them whose names match the words.
    fileprivate func offered(
        in keychain: Keychain,
        _ search: FuzzySearch,
        _ isOffered: (FoundItem) throws -> Bool
    ) throws -> (all: [FoundItem], matches: [FoundItem]) {
        for group in try groupsInTurn(in: keychain) {
            let items = try all(in: group).itemsOfName(in: keychain).filter(isOffered)
            let matches = search.isEmpty ? items : search.matches(in: items, byName: true)
            if !matches.isEmpty { return (items, matches) }
        }
        return ([], [])
    }
}

extension FoundItem {
    /// Whether the item can be offered: it is no part of another one, and not meant to be invisible.
    var canBeOffered: Bool { companion == nil && !isInvisible && service.string?.isEmpty == false }

    /// The item in one word.
    var word: String {
        guard !account.isEmpty else { return "\(service)" }
        let words = ["\(account)@\(service)", "\(service)/\(account)"]
        // Not every word is split where it was joined.
        let name = ("\(service)", "\(account)")
        return words.first { word in ItemWord.split(word).contains { $0 == name } } ?? words[0]
    }

    /// The ways to write what the item is called.
    fileprivate var spellings: [String] {
        let label = text(.label)?.string ?? ""
        let ofBoth = account.isEmpty ? [] : ["\(service) \(account)", "\(account)@\(service)", "\(service)/\(account)"]
        // Of the name of a host, people remember what precedes the first dot.
        return ["\(service)", String("\(service)".prefix { $0 != "." }), label] + ofBoth
    }
}

extension CommandRun {
    /// The selection, or if not exactly one name is meant, the item that the user chooses at the terminal.
    ///
    /// - Parameters:
    ///   - selection: The selection; without a service the user chooses from all items.
    ///   - found: The items with exactly the name.
    ///   - isOffered: Whether an item can be chosen.
    /// - Returns: The selection; nothing may match it.
    /// - Throws: `CommandError` if a name is needed, or the user chooses nothing.
    func chosen(
        _ selection: ItemSelection,
        unless found: (ItemSelection, Keychain) throws -> [FoundItem] = { try $0.items(in: $1) },
        from isOffered: (FoundItem, Keychain) throws -> Bool = { item, _ in item.canBeOffered }
    ) throws -> ItemSelection {
        let isAtTerminal =
            context.input.isTerminal && output.isTerminal && context.environment["TERM"] != "dumb"
            && !arguments.has(.noPrompt) && !isJSON
        guard isAtTerminal, let terminal = context.openScreen() else {
            guard selection.service == nil, let verb = arguments.verb else { return selection }
            throw CommandError.usage("\(verb.operands[0].name) is missing", hints: ["usage: \(verb.usage)"])
        }
        func choose(from items: [FoundItem], _ words: String = "") throws -> FoundItem {
            var picker = try ItemPicker(items, searchingFor: words, on: terminal, of: self)
            return try picker.choose()
        }
        var selection = selection
        defer { if let item = selection.chosen { messages.note("using \(item.shownName)") } }
        if selection.service != nil {
            let (exact, isElsewhere) = try vaults.withKeychain { keychain in
                let exact = try found(selection, keychain)
                // One in another group becomes an error.
                return (exact, try exact.isEmpty && selection.isInOtherGroup(in: keychain))
            }
            if Set(exact.map(\.name)).count > 1 { selection.chosen = try choose(from: exact) }
            if !exact.isEmpty || isElsewhere { return selection }
        }
        let words = arguments.operands.joined(separator: " ")
        let (all, matches) = try vaults.withUnlockedKeychain { keychain in
            let readable = keychain.leavingOut(SkippedItems())
            return try selection.offered(in: readable, FuzzySearch(words)) { try isOffered($0, readable) }
        }
        guard let first = matches.first else {
            guard selection.service == nil else { return selection }
            let verb = arguments.verb?.name ?? ""
            throw CommandError(
                .notFound,
                "there is no item for `coffer \(verb)`",
                hints: ["`coffer list` shows all items"]
            )
        }
        let isClear = matches.count == 1 && selection.service != nil
        selection.chosen = try isClear ? first : choose(from: all, words)
        return selection
    }
}
