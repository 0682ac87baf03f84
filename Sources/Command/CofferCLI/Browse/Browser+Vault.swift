internal import Coffer
internal import CofferBasics
internal import CofferScreen
internal import CofferCertificates

// The vault of the screen: opening, locking, reading.
extension Browser {
    /// Opens the vault, after asking for its passphrase if needed; without one, what can be seen of it is shown.
    func open() throws {
        state.path = try run.vaults.path()
        let home = (run.context.environment["HOME"] ?? "") + "/"
        state.shownPath =
            home.count > 1 && state.path.hasPrefix(home) ? "~/" + state.path.dropFirst(home.count) : state.path
        do {
            // Drawn first: making a key of a passphrase, and reading many items, takes seconds.
            _ = isReading("opening the vault…", atOnce: true)
            state.progress = nil
            try checkEnd()
            state.outline = try? run.vaults.outline(at: state.path)
            let vault = try run.vaults.vault()
            // A locked vault may list items, but most need the passphrase.
            if !vault.isUnlocked {
                try? run.vaults.unlock(vault)
                try dropInput()
            }
            let outline = state.outline
            (state.vault, state.outline) = (vault, nil)
            watch(vault)
            try reload()
            // Nothing can be read, which does not mean that there is nothing.
            if !vault.isUnlocked, state.items.isEmpty { (state.vault, state.outline) = (nil, outline) }
        } catch {
            let text = try words(for: error)
            // There may be no vault yet: the first item creates the default one.
            if CommandError(error).code != .noVault || run.vaults.isNamed { say(text) }
        }
    }

    func lock() throws {
        guard let vault = state.vault else { return }
        guard try run.vaults.takesSecret() else {
            return say("the vault has no passphrase, so it cannot be locked; w sets one")
        }
        vault.lock()
        // A change of the passphrase has opened it a second time.
        for vault in run.openVaults.all { vault.lock() }
        hasLocked = true
        forget()
        state.outline = try? run.vaults.outline(at: state.path)
    }

    func changeVault() throws {
        let old = state.path
        guard let path = try askPath("Path of the vault: ") else { return }
        try use(vault: path)
        try open()
        guard state.vault == nil, state.outline == nil else { return }
        let message = state.message
        try use(vault: old)
        try open()
        state.message = message ?? state.message
    }

    /// Asks for the path of a file; nil if the user gives none.
    func askPath(_ question: String) throws -> String? {
        let completion = PathCompletion(home: run.context.environment["HOME"])
        let answer = try ask(question, nil, isSecret: false, completing: completion)
        guard let text = answer?.text.string, !text.isEmpty else { return nil }
        return completion.expanded(text)
    }

    // MARK: - Reading

    /// Reads the items again; with `authenticating`, also those for which the user must be asked.
    func reload(authenticating: Bool = false) throws {
        guard let vault = state.vault else { return }
        var selection = ItemSelection()
        selection.group = run.arguments.value(of: .group)
        selection.classes = KeychainClass.stored
        state.isUnlocked = vault.isUnlocked
        drawnTime = now
        defer { state.progress = nil }
        // What is changed from here on is read the next time.
        _ = hasOthersChanges
        let known = authenticating ? [:] : state.items.revisions
        var (found, deleted) = try run.vaults.withKeychain { keychain in
            let keychain = keychain.showingEachGroup
            var found = try selection.itemsByReadability(in: keychain) { itemClass in
                let text = "reading \(BrowserState.Scope.itemClass(itemClass).title.lowercased())…"
                _ = isReading(text)
                try checkEnd()
                return ItemReading(known: known) { count, all in
                    self.isReading("\(text) \(100 * count / max(1, all)) %")
                }
            }
            if authenticating, found.guardedCount > 0 {
                (found.items, found.guardedCount) = (try selection.items(in: keychain), 0)
            }
            try checkEnd()
            _ = isReading("reading deleted items…", atOnce: state.progress != nil)
            return (found, (try? selection.deletedItems(in: keychain)) ?? [])
        }
        let unchanged = Set(found.unchanged)
        found.items += state.items.filter { item in
            unchanged.contains(item.reference) && known[item.reference] == item.revision
        }
        state.isUnlocked = vault.isUnlocked
        // A name is long: only those of items that may have the name of a deleted one are made.
        let services = Set(deleted.map { $0.service })
        let names = Set(found.items.lazy.filter { services.contains($0.service) }.map { $0.name })
        found.items.removeAll { $0.isInvisible }
        state.take(found.items, deleted: deleted.filter { !names.contains($0.name) && !$0.isInvisible })
        state.missing = found.missing
        try select()
    }

    func filter() throws {
        state.filter()
        try select()
    }

    /// Shows what is known of the selected item.
    func select() throws {
        guard let item = state.selected else { return state.details = nil }
        if item.reference == state.details?.item.reference, item.revision == state.details?.item.revision { return }
        state.hideSecret()
        state.marked = nil
        state.changeWindow.select(0)
        do {
            state.details = try run.vaults.withKeychain { keychain in try details(of: item, in: keychain) }
        } catch {
            if error is End { throw error }
            state.details = BrowserState.Details(
                item: item,
                facts: [],
                certificate: nil,
                changes: [],
                problem: CommandError(error).message
            )
        }
    }

    private func details(of item: FoundItem, in keychain: Keychain) throws -> BrowserState.Details {
        let past = try item.past(in: keychain)
        let changes = try past.changes(in: keychain)
        let certificate = item.isDeleted ? nil : try? item.certificate(in: keychain)
        let size = item.isDeleted ? .none : try item.secretSize(in: keychain)
        var facts = run.facts(of: item, size, certificate).facts.filter { fact in
            !fact.value.isEmpty && !Self.hiddenFacts.contains(fact.name)
        }
        let abilities = facts.filter { $0.name.hasPrefix("can ") }
        facts.removeAll { $0.name.hasPrefix("can ") }
        let able = abilities.filter { $0.value == "1" }.map { $0.name.dropFirst("can ".count) }
        if !able.isEmpty { facts.append(("can", able.joined(separator: ", "))) }
        return BrowserState.Details(
            item: item,
            facts: facts.map { ($0.name, $0.name == "protection" ? item.protectionInWords : $0.value) },
            certificate: certificate,
            changes: changes,
            problem: past.isComplete ? nil : "older revisions are no longer kept"
        )
    }
}

extension Browser {
    /// What says little about an item, or is shown otherwise.
    private static let hiddenFacts: Set = ["class", "synchronizable", "revision", "reference", "type", "encoding"]
}

extension [FoundItem] {
    /// The revisions of the items, by reference.
    fileprivate var revisions: [PersistentReference: ItemRevision] {
        Dictionary(map { ($0.reference, $0.revision) }) { first, _ in first }
    }
}

extension FoundItemsByReadability {
    /// What is there and not listed, in words; nil if that is nothing.
    fileprivate var missing: String? {
        var parts: [String] = []
        if guardedCount > 0 { parts.append("\(guardedCount.counted("item")) need authentication (A)") }
        let lockedCount = unreadable.count(where: \.isLocked)
        if lockedCount > 0 { parts.append("\(lockedCount.counted("item")) locked") }
        if unreadable.count > lockedCount {
            parts.append("\((unreadable.count - lockedCount).counted("item")) damaged")
        }
        if hasClosedGroups { parts.append("some groups are locked entirely") }
        return parts.isEmpty ? nil : "not listed: " + parts.joined(separator: ", ")
    }
}

extension FoundItem {
    /// Whether the item is not meant to be shown: `kSecAttrIsInvisible`.
    var isInvisible: Bool {
        switch attributes[.isInvisible] {
        case .integer(let number)?: number != 0
        case .bool(let flag)?: flag
        default: false
        }
    }

    /// When the item can be read, in words.
    fileprivate var protectionInWords: String {
        guard let accessibility else { return "unknown" }
        let machine = accessibility.commandName.hasSuffix("ThisDeviceOnly") ? ", only on this machine" : ""
        switch accessibility {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly: return "readable while the vault is unlocked\(machine)"
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly:
            return "readable once the vault was unlocked\(machine)"
        case .always, .alwaysThisDeviceOnly: return "always readable\(machine)"
        case .whenPasscodeSetThisDeviceOnly:
            return "readable while the vault is unlocked and has a passphrase\(machine)"
        }
    }
}
