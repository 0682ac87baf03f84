internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles
internal import VaultFiles

extension Option {
    static let target = Option(
        "--for",
        argument: .value("PROGRAM", .words(ExportForm.targets)),
        summary:
            "passwords for another program: apple, chrome, firefox, bitwarden, keepassxc, 1password, cxf, or coffer"
    )
}

extension ExportForm {
    /// What an export can be for: the programs, and our own form, which has everything.
    static let targets = allCases.map(\.rawValue) + ["coffer"]
}

extension CommandRun {
    /// Writes the passwords of the vault for another program: all, those of a name, or `marked` items.
    func exportPasswords(
        for name: String,
        to path: String?,
        only marked: Set<PersistentReference>? = nil
    ) throws {
        let form = ExportForm(rawValue: name)
        guard form != nil || name == "coffer" else {
            throw CommandError.unknown("program", name, among: ExportForm.targets)
        }
        guard path != nil || !output.isTerminal else {
            throw CommandError.usage(
                "passwords are not written to a terminal",
                hints: ["use -o FILE, or -o - to see them"]
            )
        }
        let selection = ItemSelection(
            service: arguments.operand(0),
            account: nil,
            group: arguments.value(of: .group)
        )
        let access = try keychain(arguments.value(of: .keychain))
        let content = SecretBuilder()
        typealias Outcome = (count: Int, skippedCount: Int, losses: [String])
        let (count, skippedCount, losses) = try access.withUnlockedKeychain { keychain -> Outcome in
            let skippedItems = SkippedItems()
            let visible = arguments.has(.authenticate) ? keychain : keychain.leavingOut(skippedItems)
            content.removeAll()
            guard let form else {
                // Only this form says in which group each item is.
                let written = try writeAll(selection, marked, in: visible.showingEachGroup, to: content)
                return (written.count, skippedItems.count, written.losses)
            }
            let written = try write(selection, marked, in: visible, as: form, to: content)
            return (written.count, skippedItems.count, written.losses)
        }
        for loss in losses { messages.warning("not written, or written differently: \(loss)") }
        guard count > 0 else {
            throw CommandError(.notFound, "nothing to export: \(selection.description)")
        }
        try content.withSpan { bytes in
            if let path, path != "-" { try write(bytes, toFile: path) } else { try output.write(bytes) }
        }
        if skippedCount > 0 {
            messages.warning("not written, since authentication is required: \(skippedCount.counted("item"))")
        }
        if form == nil, marked == nil, selection.service == nil, selection.group == nil {
            messages.note("not in the file: \(try access.vault().contentBesidesItems.joined(separator: ", "))")
        }
        messages.warning(
            "the passwords of \(count.counted("record")) are readable in it by whoever can read it: delete it soon"
        )
    }

    private func write(
        _ selection: ItemSelection,
        _ marked: Set<PersistentReference>?,
        in keychain: Keychain,
        as form: ExportForm,
        to content: SecretBuilder
    ) throws -> (count: Int, losses: [String]) {
        var selection = selection
        selection.classes = [.genericPassword, .internetPassword]
        let all = try selection.itemsWithCompanions(in: keychain.showingEachGroup, marked)
        let items = try answering(all, keychain, selection.description) { [$0.group] }
        let readable = try items.compactMap { item in
            try unlessDamaged { (item, try item.secret(in: keychain)) }
        }
        let records = ExportedRecords(readable)
        let random = try Vault.randomSource()
        var identifier = [UInt8](repeating: 0, count: 32)
        var span = identifier.mutableSpan
        random(&span)
        var writer = PasswordFileWriter(form, to: content, time: Int64(now), identifier: identifier)
        for record in records.all { writer.write(record) }
        writer.end()
        let losses = writer.losses + [("items that are damaged", items.count - readable.count)]
        return (records.all.count, losses.filter { $0.count > 0 }.map { "\($0.what): \($0.count)" })
    }

    /// Writes all items, also deleted ones, with everything that the vault has of them; of `marked` items only those.
    private func writeAll(
        _ selection: ItemSelection,
        _ marked: Set<PersistentReference>?,
        in keychain: Keychain,
        to content: SecretBuilder
    ) throws -> (count: Int, losses: [String]) {
        var selection = selection
        selection.classes = KeychainClass.stored
        let writer = ExportedItemWriter(to: content)
        var (unreadable, unreadableFormer, unreadableConflicts, attributes) = (0, 0, 0, 0)
        var written: Set<[String]> = []
        let deleted = marked == nil ? try selection.readableDeletedItems(in: keychain) : []
        for item in try selection.itemsWithCompanions(in: keychain, marked, besides: deleted ?? []) {
            let states = try item.past(in: keychain).states.flatMap(\.self)
            // A former revision must not become the current one.
            guard let last = states.first, let current = try last.exported(in: keychain, &attributes) else {
                unreadable += 1
                continue
            }
            // Moved in one copy of the vault and changed in another, it is found in both groups.
            guard written.insert([item.reference.name, last.group]).inserted else { continue }
            var exported = ExportedItem(current, deleted: last.ended.map { ExportedDate($0) })
            for revision in states.dropFirst() {
                switch (try revision.exported(in: keychain, &attributes), revision.ended) {
                case (let readable?, nil): exported.conflicts.append(readable)
                case (let readable?, _): exported.history.insert(readable, at: 0)
                case (nil, nil): unreadableConflicts += 1
                case (nil, _): unreadableFormer += 1
                }
            }
            writer.write(exported)
        }
        writer.end()
        let losses = [
            ("items that cannot be read", unreadable), ("former revisions that cannot be read", unreadableFormer),
            ("conflicts that cannot be read", unreadableConflicts),
            ("attributes with values that the form does not have", attributes),
        ]
        let isMissing = deleted == nil ? ["deleted items, which cannot be read here"] : []
        return (written.count, losses.filter { $0.1 > 0 }.map { "\($0.0): \($0.1)" } + isMissing)
    }
}

/// The result of `body`; nil if an item is damaged, which must not keep others from being exported.
private func unlessDamaged<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
        return try body()
    } catch KeychainError.vault(let problem) where problem.kind == .damagedItem {
        return nil
    }
}

extension ItemSelection {
    /// The items that match, with what belongs to them, among those of the vault and `others`.
    fileprivate func itemsWithCompanions(
        in keychain: Keychain,
        _ marked: Set<PersistentReference>?,
        besides others: [FoundItem] = []
    ) throws -> [FoundItem] {
        if let marked { return try items(in: keychain).with(marked) }
        var all = self
        all.service = nil
        let items = try all.items(in: keychain) + others
        guard let service else { return items }
        let labels = Set(items.filter { $0.service == service }.compactMap { $0.text(.label) })
        return items.filter { item in
            guard let companion = item.companion else { return item.service == service }
            // The service of a passkey is a site, which need not be the name of the item.
            return item.service == service || companion.names.contains { AttributeText($0) == service }
                || companion.kind == .passkey && item.text(.label).map(labels.contains) ?? false
        }
    }
}

extension ItemSelection {
    /// All deleted items of the group, whatever their names, the one that was deleted last first.
    ///
    /// It is nil if they are damaged, or may have moved to a group that is closed here.
    fileprivate func readableDeletedItems(in keychain: Keychain) throws -> [FoundItem]? {
        var all = self
        all.service = nil
        do {
            return try unlessDamaged { try all.deletedItems(in: keychain) }
        } catch KeychainError.locked {
            return nil
        }
    }
}

extension [FoundItem] {
    /// Those of the items that are marked, and what belongs to them.
    fileprivate func with(_ marked: Set<PersistentReference>) -> [FoundItem] {
        let owners = Dictionary(grouping: filter { marked.contains($0.reference) }) { $0.service.string ?? "" }
        let titles = Set(owners.values.joined().map(\.title))
        return filter { item in
            if marked.contains(item.reference) { return true }
            guard let companion = item.companion else { return false }
            // The service of a passkey is a site, which need not be the name of the item.
            guard companion.kind != .passkey else { return titles.contains(item.title) }
            // Others may have the same name: the account or, of a file, the title tells them apart.
            return companion.names.flatMap { owners[$0] ?? [] }.contains { owner in
                companion.kind == .file ? owner.title == item.title : owner.account == item.account
            }
        }
    }
}

extension FoundRevision {
    /// The revision with everything that an export has; nil if it cannot be read.
    ///
    /// - Parameters:
    ///   - keychain: The keychain that has the revision.
    ///   - lossCount: Is increased by the attributes whose values the form does not have.
    /// - Returns: The revision.
    /// - Throws: An error if its secret cannot be read.
    fileprivate func exported(in keychain: Keychain, _ lossCount: inout Int) throws -> ExportedItem.Revision? {
        guard let attributes, let item, let accessibility = item.accessibility else { return nil }
        var revision = ExportedItem.Revision(
            itemClass: itemClass.rawValue,
            group: group,
            protection: accessibility.rawValue
        )
        revision.accessControl = attributes.accessControl.flatMap { control in
            control.conditions.map { ExportedItem.AccessControl(flags: $0.rawValue, enrolled: control.enrolled) }
        }
        revision.isSynchronizable = item.isSynchronizable
        revision.created = ExportedDate(item.created)
        revision.modified = modified.map { ExportedDate($0) }
        revision.written = ExportedDate(written)
        for name in attributes.values.keys.sorted() where !ExportedItem.namesOfMembers.contains(name) {
            guard let value = attributes[name].flatMap(ExportedItem.Value.init) else {
                lossCount += 1
                continue
            }
            revision.attributes.append((name, value))
        }
        return try unlessDamaged {
            revision.secret = try secret(in: keychain)
            return revision
        }
    }
}

extension ExportedDate {
    fileprivate init(_ date: KeychainDate) {
        self.init(secondsSinceReferenceDate: date.secondsSinceReferenceDate)
    }
}

extension ExportedItem.Value {
    fileprivate init?(_ value: ItemValue) {
        switch value {
        case .string(let text): self = .text(HeldSecret(copying: text.utf8Span.span))
        case .data(let bytes): self = .bytes(HeldSecret(copying: bytes.span))
        case .integer(let number): self = .integer(Int128(number))
        case .real(let number): self = .real(number)
        case .bool(let flag): self = .bool(flag)
        case .date(let seconds): self = .date(ExportedDate(secondsSinceReferenceDate: seconds))
        case .accessControl, .array, .null, .other: return nil
        }
    }
}
