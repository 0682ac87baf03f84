internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles
internal import CofferScreen

// What the user does with items.
extension Browser {
    // MARK: - Secrets

    /// Shows the secret of an item and its current one-time password, or hides them.
    func toggleSecret(of item: FoundItem) throws {
        let generator = state.generator(of: item)
        try toggleSecret { keychain in try (item.secret(in: keychain), generator?.secret(in: keychain), nil) }
    }

    /// Shows the secret of a revision, or hides it.
    func toggleSecret(of change: HistoryChange) throws {
        let past = change.state.isCurrent ? nil : change.state.revision
        try toggleSecret { keychain in try (change.state.secret(in: keychain), nil, past) }
    }

    private func toggleSecret(
        _ read: (Keychain) throws -> (secret: HeldSecret?, generator: HeldSecret?, past: ItemRevision?)
    ) throws {
        guard state.secret == nil else { return state.hideSecret() }
        guard !options.hidesSecrets else { return say("--no-secrets hides all secrets") }
        let (secret, generator, past) = try run.vaults.withKeychain(read)
        guard let secret else { return say("there is no secret") }
        state.show(secret, of: past, generator: generator, at: now)
        // On a narrow screen only one pane is in sight.
        if !state.places.contains(where: { $0.pane == .details }) { state.focus = .details }
    }

    /// Copies the secret, or the current one-time password of a generator.
    func copy(_ item: FoundItem) throws {
        guard !options.hidesSecrets else { return say("--no-secrets hides all secrets") }
        guard let secret = try secret(of: item) else { return say("this item has no secret") }
        guard let generator = OneTimePasswordURI(uri: secret) else { return try copy(secret, "secret", of: item) }
        let code = try run.vaults.withKeychain(for: .changing) { keychain in
            try run.code(of: (item, generator), in: keychain)
        }
        try copy(code.text, "one-time password", of: item)
    }

    /// Copies what the user chooses, or opens the address.
    func copyPart(of item: FoundItem) throws {
        func text(_ text: String) -> HeldSecret { HeldSecret(copying: text.utf8Span.span) }
        var parts: [(letter: String, title: String, copy: () throws -> Void)] = []
        if let user = item.account.string, !user.isEmpty {
            parts.append(("u", "user", { try self.copy(text(user), "user", of: item) }))
        }
        if item.hasSecret { parts.append(("s", "secret", { try self.copy(item) })) }
        if let generator = state.generator(of: item) {
            parts.append(("c", "code", { try self.copy(generator) }))
        }
        if let address = try run.vaults.withKeychain({ try item.webAddress(in: $0) }) {
            parts.append(("a", "address", { try self.copy(text(address), "address", of: item) }))
            if run.hasDisplay, let site = WebAddress(address) {
                parts.append(("o", "open the address", { try self.run.open(site) }))
            }
        }
        let lines = parts.map { "\($0.title) (\($0.letter))" }
        guard !parts.isEmpty else { return say("there is nothing to copy") }
        guard let choice = try choose("Copy", lines, letters: parts.map(\.letter).joined()) else { return }
        try parts[choice].copy()
    }

    private func copy(_ text: HeldSecret, _ name: String, of item: FoundItem) throws {
        say("copied the \(name) of \(item.title) to \(try Clipboard(run.context).put(text))")
    }

    private func secret(of item: FoundItem) throws -> HeldSecret? {
        try run.vaults.withKeychain { keychain in try item.secret(in: keychain) }
    }

    // MARK: - Changes

    func add() throws {
        try fill(ItemForm(nil, secret: nil)) { form in
            var attributes = AttributeValues()
            for (name, value) in try form.attributes() { attributes[name] = value }
            let (hasService, hasAddress) = (attributes[.service] != nil, attributes[.server] != nil)
            guard hasService || hasAddress else { throw CommandError.usage("a name or an address is needed") }
            if hasAddress {
                attributes[.authenticationType] = "dflt"
                // With an address, the name is what people call it.
                attributes[.label] = attributes[.label] ?? attributes[.service]
                attributes[.service] = nil
            }
            var item: any KeychainPassword =
                hasAddress ? InternetPassword(attributes: attributes) : GenericPassword(attributes: attributes)
            if case .group(let group) = state.scope { item.accessGroup = group }
            guard form.secret.byteCount > 0 else { throw CommandError.usage("the secret is empty") }
            let stored = try form.secret.withSpan { secret in
                try run.vaults.withKeychain(for: .storing) { keychain in try item.add(to: keychain, secret: secret) }
            }
            if state.vault == nil { try open() }
            try changed("added \(stored.shownName)", stored)
        }
    }

    func edit(_ item: FoundItem) throws {
        guard item.itemClass == .genericPassword || item.itemClass == .internetPassword else {
            return say("only passwords have fields that can be edited")
        }
        let old = try secret(of: item)
        try fill(ItemForm(item, secret: options.hidesSecrets ? nil : old)) { form in
            let isUntouched = (old == nil || options.hidesSecrets) && form.secret.byteCount == 0
            let isSame = isUntouched || old == form.secret
            let secret = isSame || !form.hasSecret ? nil : form.secret
            let stored = try run.vaults.withKeychain(for: .changing) { keychain in
                try item.change(form.attributes(), secret: secret, in: keychain)
            }
            try changed("changed \(stored.shownName)", stored)
        }
    }

    func generate(for item: FoundItem) throws {
        guard item.itemClass == .genericPassword || item.itemClass == .internetPassword else {
            return say("only passwords can be generated")
        }
        guard try confirm("Replace the secret of \(item.shownName)?", yes: "Generate a new one") else { return }
        let secret = try newSecret()
        let stored = try run.vaults.withKeychain(for: .changing) { keychain in
            try item.change([:], secret: secret, in: keychain)
        }
        try changed("new secret for \(stored.shownName); z undoes it", stored)
    }

    /// Shows what was changed, and selects it.
    func changed(_ text: String, _ item: FoundItem? = nil) throws {
        justDone = []
        run.compactIfDue()
        try reload()
        if let item, !state.select(item.reference) {
            // It no longer matches what is searched for.
            state.clearSearch()
            state.filter()
            _ = state.select(item.reference)
        }
        try select()
        say(text)
    }

    func say(_ text: String) { state.message = (text, now) }

    private func newSecret() throws -> HeldSecret { SecretRecipe.usual.secret(from: try Vault.randomSource()) }

    /// Lets the user fill a form until it is stored, or the user gives up.
    private func fill(_ form: ItemForm, _ store: (ItemForm) throws -> Void) throws {
        var form = form
        while true {
            let event = try nextEvent { [state] grid in form.draw(on: &grid, state, self.now) }
            form.problem = nil
            switch event {
            case .key(.escape, _), .key(.character("c"), .control): return
            case .key(.enter, _) where !form.isAtEnd: form.handle(event)
            case .key(.character("s"), .control), .key(.enter, _):
                do { return try store(form) } catch { form.problem = try words(for: error) }
            case .key(.character("g"), .control): form.set(generated: try newSecret())
            case .key(.character("t"), .control): if !options.hidesSecrets { form.toggleSecret(at: now) }
            default: form.handle(event)
            }
        }
    }

    // MARK: - History

    /// Shows in what two revisions differ.
    func compare(_ change: HistoryChange) throws {
        guard let changes = state.details?.changes else { return }
        let other = changes[state.marked ?? 0]
        let (oldNumber, newNumber) = (min(other.number, change.number), max(other.number, change.number))
        let (old, new) = other.number < change.number ? (other.state, change.state) : (change.state, other.state)
        guard old.revision != new.revision else {
            return say("mark another revision with x to compare it with this one")
        }
        guard let names = try run.vaults.withKeychain({ keychain in try new.differences(from: old, in: keychain) })
        else {
            return say("one of the revisions cannot be read")
        }
        var lines = [(text: "- is revision \(oldNumber), + is revision \(newNumber)", isHeading: false)]
        if names.isEmpty { lines.append(("no differences", false)) }
        for name in names {
            lines.append((name, true))
            guard name != "secret" else {
                lines.append(("  another secret", false))
                continue
            }
            lines.append(("- \(old.shown(name, run) ?? "none")", false))
            lines.append(("+ \(new.shown(name, run) ?? "none")", false))
        }
        try show("Revisions \(oldNumber) and \(newNumber)", lines)
    }

    func restore(_ change: HistoryChange) throws {
        let number = change.number
        guard try confirm("Restore the item as of revision \(number)?", yes: "Restore") else { return }
        try run.vaults.withKeychain(for: .changing) { keychain in
            try keychain.transaction { transaction in try change.state.restoreRevision(in: &transaction) }
        }
        try changed("restored revision \(number)")
    }

    // MARK: - Work on the vault

    func work() throws {
        guard let vault = state.vault else { return }
        let kept = "Of earlier revisions and deleted items this is kept: \(try vault.historySettings.summary)."
        switch try choose(
            "The vault",
            [
                "Import a file (i)", state.marks.isEmpty ? "Export all items (e)" : "Export what is marked (e)",
                "Verify the vault (v)", "Change the passphrase (p)", "Compact the vault (c)",
            ],
            letters: "ievpc"
        ) {
        case 0:
            guard let path = try askPath("File to import: ") else { return }
            try perform(["import", path, "--dry-run"])
            let preview = conversation.takeMessage()
            guard try confirm("Import \(path)?", yes: "Import", said: preview) else { return }
            try perform(["import", path])
        case 1: try export()
        case 2:
            let summary = try run.perform(vault.verification(), "Verifying")
            let finding = summary.findings.first.map { "; \($0.description)" } ?? ""
            say(
                summary.findings.isEmpty
                    ? "intact: \(summary.itemCount.counted("item"))"
                    : "\(summary.findings.count.counted("finding"))\(finding)"
            )
        case 3:
            let said = "All keys are renewed. \(kept)"
            guard try confirm("Change the passphrase?", yes: "Change", said: said) else { return }
            try perform(["passwd"])
        case 4:
            guard try confirm("Compact the vault?", yes: "Compact", said: kept) else { return }
            let summary = try run.perform(vault.compaction(), "Compacting")
            say(
                "compacted: \(ByteSize.text(summary.byteCountBefore)) before, \(ByteSize.text(summary.byteCountAfter)) now"
            )
        default: break
        }
        try reload()
    }

    /// Does long work with a bar, until it is done or the user stops it.
    func performing<Report>(
        _ name: String,
        _ body: (_ shouldContinue: @escaping (VaultProgress) -> Bool) throws -> Report
    ) throws -> Report {
        try body { progress in !self.isStopped(self.progressBox(name, progress.fraction)) }
    }
}

extension FoundRevision {
    /// The value of the attribute with this title, as text.
    fileprivate func shown(_ title: String, _ run: CommandRun) -> String? {
        guard let attributes, let name = attributes.values.keys.first(where: { AttributeName.shown($0) == title })
        else {
            return nil
        }
        return attributes[name]?.shown { Timestamp.local($0, run.context.secondsFromUTC) }?.escapingInvisible
    }
}
