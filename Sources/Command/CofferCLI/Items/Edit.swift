internal import Coffer
internal import CofferBasics
internal import CommandSystem
internal import VaultFiles

extension Verb {
    static let edit = Verb(
        "edit",
        .items,
        "Change an item in an editor",
        operands: [.service, .optionalAccount],
        options: [.itemClass],
        details: """
            Opens the item as text: lines of the form NAME: VALUE, then an empty line and the secret. A value of several \
            lines continues in lines that begin with a blank. `coffer set` replaces the secret alone, without an editor.

            The editor is the one in VISUAL or EDITOR, else vi. The text is in a directory that only the user can enter, \
            in memory if the system has such a directory, and is removed afterwards with all that the editor leaves \
            there. If the item was changed meanwhile, nothing is stored.
            """,
        examples: [Example(call: "coffer edit mail kim", purpose: "change account, label, comment or password")]
    ) { run in
        let selection = try run.selectionToChange()
        // Before the editor opens, so that nothing is typed that cannot be stored.
        if let problem = try run.vaults.vault(for: .changing).readOnlyProblem { throw CommandError(problem) }
        let (item, secret) = try run.vaults.withKeychain { keychain in
            let item = try selection.item(in: keychain)
            return (item, try item.secret(in: keychain))
        }
        guard let document = ItemDocument(item), secret.map({ $0.withSpan { $0.isText } }) ?? true else {
            throw CommandError(
                .usage,
                "\(item.shownName) is not text",
                hints: ["`coffer set` replaces a secret of any kind"]
            )
        }
        let text = document.text(secret: secret)
        guard let changed = try run.edited(text) else {
            throw CommandError(.tooLarge, "the text is too large; nothing was changed")
        }
        guard text != changed else { return run.messages.note("nothing was changed") }
        let (attributes, newSecret) = try document.changes(in: changed)
        let stored = try run.vaults.withKeychain(for: .changing) { keychain in
            try item.change(attributes, secret: secret == newSecret ? nil : newSecret, in: keychain)
        }
        run.messages.note("changed \(stored.shownName)")
        if run.isJSON { try run.output.write(json: stored.json) }
    }
}

extension CommandRun {
    /// Lets the user change text in an editor; nil if the result is larger than an item can be.
    fileprivate func edited(_ text: HeldSecret) throws -> HeldSecret? {
        // The file is removed before a signal ends the process.
        try context.machine.recordingSignals { signal in
            let changed = try edited(text, signal)
            if let signal = signal() { throw CommandError.stopped("nothing was changed", by: signal) }
            return changed
        }
    }

    private func edited(_ text: HeldSecret, _ signal: () -> Int32?) throws -> HeldSecret? {
        let environment = context.environment
        let editor = [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self).first { !$0.isEmpty } ?? "vi"
        let last = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        let parents = [environment["XDG_RUNTIME_DIR"], "/dev/shm", last].compactMap(\.self).filter { $0.hasPrefix("/") }
        let machine = context.machine
        let (directory, isInMemory) = try machine.privateDirectory(in: parents)
        defer { machine.removePrivateDirectory(directory) }
        if !isInMemory {
            messages.warning("no directory in memory is available; the text is in \(directory.printable) meanwhile")
        }
        let path = "\(directory)/item.txt"
        try text.withSpan { bytes in try machine.privateFile(at: path, holding: bytes) }
        guard signal() == nil else { return nil }
        let call = ProgramCall(
            words: ["sh", "-c", "\(editor) \"$0\"", path],
            removedPrefixes: ["COFFER_PASSPHRASE"],
            closedDescriptors: []
        )
        let noVariables: [UInt8] = []
        let outcome: ProgramOutcome
        do throws(ProgramFailure) {
            outcome = try machine.run(call, adding: noVariables.span, streams: nil)
        } catch {
            throw CommandError(.unavailable, "the editor was not started; nothing was changed")
        }
        guard outcome == .status(0) else {
            throw CommandError(
                .failure,
                "the editor \(editor.printable) failed; nothing was changed",
                hints: ["set VISUAL or EDITOR to an editor"]
            )
        }
        return try machine.privateFileContent(at: path, byteCountLimit: Keychain.secretByteCountLimit + 65_536)
    }
}

extension FoundItem {
    /// Changes attributes and secret, unless the item was changed meanwhile.
    func change(
        _ attributes: [AttributeName: ItemValue?],
        secret: HeldSecret?,
        in keychain: Keychain
    ) throws -> FoundItem {
        guard let type = itemClass.itemType else { return self }
        return try change(type, attributes, secret, in: keychain)
    }

    private func change<Item: KeychainItem>(
        _ type: Item.Type,
        _ attributes: [AttributeName: ItemValue?],
        _ secret: HeldSecret?,
        in keychain: Keychain
    ) throws -> FoundItem {
        guard let reference = KeychainReference<Item>(reference) else { throw KeychainError.itemNotFound }
        func set(_ item: inout Item) { for (name, value) in attributes { item.attributes[name] = value } }
        return try keychain.transaction { transaction in
            guard let secret else {
                return FoundItem(try transaction.update(reference, ifRevision: revision, set))
            }
            return try secret.withSpan { bytes in
                FoundItem(try transaction.update(reference, ifRevision: revision, secret: bytes, set))
            }
        }
    }
}
