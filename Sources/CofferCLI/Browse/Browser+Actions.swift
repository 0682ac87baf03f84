internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles
internal import CofferScreen

// What the user does with items.
extension Browser {
    // MARK: - Secrets

    func toggleSecret(of item: FoundItem) throws {
        guard state.secret == nil else { return state.hideSecret() }
        guard !options.hidesSecrets else { return say("--no-secrets hides all secrets") }
        guard let secret = try secret(of: item) else { return say("this item has no secret") }
        state.show(secret, at: now)
    }

    func copy(_ item: FoundItem) throws {
        guard !options.hidesSecrets else { return say("--no-secrets hides all secrets") }
        guard let secret = try secret(of: item) else { return say("this item has no secret") }
        let code = try OneTimePasswordURI(uri: secret).map { generator in
            try run.vaults.withKeychain(for: .changing) { keychain in try run.code(of: (item, generator), in: keychain)
            }
        }
        let owner = try Clipboard(run.context).put(code?.text ?? secret)
        say("copied\(code == nil ? "" : " the one-time password") to \(owner) for \(Clipboard.seconds) seconds")
    }

    private func secret(of item: FoundItem) throws -> HeldSecret? {
        try run.vaults.withKeychain { keychain in try item.secret(in: keychain) }
    }

    // MARK: - Changes

    func add() throws {
        guard let form = try fill(ItemForm(nil, secret: nil)) else { return }
        var item = GenericPassword(attributes: AttributeValues())
        for (name, value) in form.attributes { item.attributes[name] = value }
        if case .group(let group) = state.scope { item.accessGroup = group }
        guard !item.service.isEmpty else { return say("nothing was stored: the service is empty") }
        let stored = try form.secret.bytes.withSpan { secret in
            try run.vaults.withKeychain(for: .storing) { keychain in try keychain.add(item, secret: secret) }
        }
        if state.vault == nil { try open() }
        try changed("added \(FoundItem(stored).line)")
    }

    func edit(_ item: FoundItem) throws {
        guard item.itemClass == .genericPassword || item.itemClass == .internetPassword else {
            return say("only passwords have fields that can be edited")
        }
        let old = try secret(of: item)
        guard old.map({ TextField($0) != nil && !$0.bytes.withSpan { $0.contains(UInt8(ascii: "\n")) } }) ?? true else {
            return say("this secret has several lines, or is not text: `coffer edit` opens it in an editor")
        }
        guard let form = try fill(ItemForm(item, secret: old)) else { return }
        let secret = HeldSecret.areSame(old, form.secret) || (old == nil && form.secret.bytes.byteCount == 0)
        let stored = try run.vaults.withKeychain(for: .changing) { keychain in
            try item.change(form.attributes, secret: secret ? nil : form.secret, in: keychain)
        }
        try changed("changed \(stored.line)")
    }

    func generate(for item: FoundItem) throws {
        guard item.itemClass == .genericPassword || item.itemClass == .internetPassword else {
            return say("only passwords can be generated")
        }
        guard try confirm("Replace the secret of \(item.service.shown)?", yes: "Generate a new one") else { return }
        let secret = try newSecret()
        let stored = try run.vaults.withKeychain(for: .changing) { keychain in
            try item.change([:], secret: secret, in: keychain)
        }
        try changed("new secret for \(stored.line); z undoes it")
    }

    func delete(_ item: FoundItem) throws {
        guard try confirm("Delete \(item.service.shown)?", yes: "Delete") else { return }
        try run.vaults.withKeychain(for: .changing) { keychain in try item.reference.delete(in: keychain) }
        try changed("deleted \(item.line); z among the deleted items restores it")
    }

    func undo(_ item: FoundItem) throws {
        let restored = try run.vaults.withKeychain(for: .changing) { keychain in
            try item.past(in: keychain).undo(in: keychain)
        }
        try changed(restored.map { "\($0.line) is as it was before" } ?? "no earlier revision is kept")
    }

    func move(_ item: FoundItem) throws {
        let groups = Set(state.items.map(\.group)).union(try run.vaults.groups().names.filter { $0 != "*" }).sorted()
        let lines = groups.map(\.printable) + ["another group…"]
        guard let choice = try choose("Move to", lines, at: groups.firstIndex(of: item.group) ?? 0) else { return }
        var group = choice < groups.count ? groups[choice] : ""
        if choice == groups.count {
            guard let name = try ask("Name of the group: ", nil, isSecret: false) else { return }
            group = name.text.string ?? ""
        }
        guard !group.isEmpty, group != item.group else { return }
        let moved = try run.vaults.withKeychain(for: .changing) { keychain in
            try item.change([.accessGroup: .string(group)], secret: nil, in: keychain)
        }
        try changed("moved \(moved.line)")
    }

    private func changed(_ text: String) throws {
        run.compactIfDue()
        try reload()
        say(text)
    }

    private func say(_ text: String) { state.message = (text, now) }

    private func newSecret() throws -> HeldSecret {
        let alphabet = SecretRecipe.letters + SecretRecipe.digits + SecretRecipe.symbols
        return SecretRecipe.characters(count: 20, of: SecretRecipe.alphabet(alphabet)).secret(
            from: try run.randomSource()
        )
    }

    /// Lets the user fill a form; nil if the user does not want to.
    private func fill(_ form: ItemForm) throws -> ItemForm? {
        var form = form
        while true {
            let event = try nextEvent { [state] grid in form.draw(on: &grid, state) }
            switch event {
            case .key(.escape, _), .key(.character("c"), .control): return nil
            case .key(.character("s"), .control): return form
            case .key(.enter, _) where form.isAtEnd: return form
            case .key(.character("g"), .control): form.set(secret: try newSecret())
            case .key(.character("t"), .control) where options.hidesSecrets: break
            default: form.handle(event)
            }
        }
    }

    // MARK: - History

    /// Shows in what two revisions differ.
    func compare(_ change: HistoryChange) throws {
        guard let changes = state.details?.changes else { return }
        let other = changes[state.marked ?? 0].state
        let (old, new) =
            other.revision.number < change.state.revision.number ? (other, change.state) : (change.state, other)
        guard old.revision != new.revision else {
            return say("mark another revision with x to compare it with this one")
        }
        guard let names = try run.vaults.withKeychain({ keychain in try new.differences(from: old, in: keychain) })
        else {
            return say("one of the revisions cannot be read")
        }
        var lines: [(text: String, isHeading: Bool)] = names.isEmpty ? [("no differences", false)] : []
        for name in names {
            lines.append((name, true))
            guard name != "secret" else {
                lines.append(("  another secret", false))
                continue
            }
            lines.append(("- \(old.shown(name, run) ?? "none")", false))
            lines.append(("+ \(new.shown(name, run) ?? "none")", false))
        }
        try show("Revision \(old.revision.number) and \(new.revision.number)", lines)
    }

    func restore(_ change: HistoryChange) throws {
        let number = change.state.revision.number
        guard try confirm("Restore the item as of revision \(number)?", yes: "Restore") else { return }
        try run.vaults.withKeychain(for: .changing) { keychain in
            try keychain.transaction { transaction in try change.state.restoreRevision(in: &transaction) }
        }
        try changed("restored revision \(number)")
    }

    // MARK: - Work on the vault

    func work() throws {
        guard let vault = state.vault else { return }
        switch try choose("Work", ["Compact the vault", "Verify the vault", "Change the passphrase", "Import a file"]) {
        case 0:
            let summary = try run.perform(vault.compaction(), "Compacting")
            say(
                "compacted: \(ByteSize.text(summary.byteCountBefore)) before, \(ByteSize.text(summary.byteCountAfter)) now"
            )
        case 1:
            let summary = try run.perform(vault.verification(), "Verifying")
            let finding = summary.findings.first.map { "; \($0.description)" } ?? ""
            say(
                summary.findings.isEmpty
                    ? "intact: \(summary.itemCount.counted("item"))"
                    : "\(summary.findings.count.counted("finding"))\(finding)"
            )
        case 2: try perform(["passwd"])
        case 3:
            guard let name = try ask("File to import: ", nil, isSecret: false)?.text.string, !name.isEmpty else {
                return
            }
            try perform(["import", name])
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
    fileprivate func shown(_ title: String, _ run: Run) -> String? {
        guard let attributes, let name = attributes.values.keys.first(where: { AttributeName.shown($0) == title })
        else {
            return nil
        }
        return attributes[name]?.shown { Timestamp.local($0, run.context.secondsFromUTC) }
    }
}
