internal import Coffer
internal import CofferBasics

extension Option {
    fileprivate static let kept = Option(
        "--keep",
        argument: .value("N", .nothing),
        summary: "resolve the conflict: version N becomes the only one"
    )
    fileprivate static let printed = Option(
        "--get",
        argument: .value("N", .nothing),
        summary: "print the secret of version N"
    )
}

extension Verb {
    static let conflicts = Verb(
        "conflicts",
        .copies,
        "Show items that were changed or added in several copies, and resolve that",
        operands: [.optionalService, .optionalAccount],
        options: [.itemClass, .printed, .kept],
        details: """
            Version 1 is the change that won: it is what all other verbs see. The others came with `coffer sync --take`, and \
            are kept until one is chosen with --keep. The versions that were not chosen go into the history. Items that \
            several machines added under one name are versions of one item.

            Without a terminal, each line has the service, the account, the number of the version, the date, and in \
            what it differs from version 1, separated by tabs.
            """,
        examples: [
            Example(call: "coffer conflicts", purpose: "list all of them"),
            Example(call: "coffer conflicts mail kim --get 2", purpose: "print the password that lost"),
            Example(call: "coffer conflicts mail kim --keep 2", purpose: "use it from now on"),
        ]
    ) { run in
        var selection = try run.arguments.has(.kept) ? run.selectionToChange() : run.selectionOfClass()
        if !run.arguments.has(.itemClass) { selection.classes = KeychainClass.stored }
        if let number = run.arguments.value(of: .printed) {
            return try run.vaults.withUnlockedKeychain { keychain in
                let conflict = try selection.conflict(in: keychain)
                let version = conflict.versions[try conflict.index(number)]
                guard let secret = try version.secret(in: keychain) else {
                    throw CommandError(.notFound, "version \(number) has no secret")
                }
                guard run.isJSON, let item = version.item else { return try run.print(secret) }
                try secret.withSpan { bytes in try run.output.write(object: item.json, secret: bytes) }
            }
        }
        if let number = run.arguments.value(of: .kept) {
            let item = try run.vaults.withUnlockedKeychain(for: .changing) { keychain in
                let conflict = try selection.conflict(in: keychain)
                return try conflict.keep(conflict.index(number), keychain)
            }
            run.messages.note("kept version \(number) of \(item.shownName)")
            if run.isJSON { try run.output.write(json: item.json) }
            return
        }
        try run.vaults.withUnlockedKeychain { keychain in
            let conflicts = try selection.conflicts(in: keychain)
            if conflicts.isEmpty { try run.explainAbsence(in: keychain) }
            guard !run.isJSON else {
                return try run.output.write(json: .array(try conflicts.map { try $0.json(in: keychain) }))
            }
            var table = TextTable(["NAME", "USER", "VERSION", "WHEN", "DIFFERS IN"])
            for conflict in conflicts {
                for (index, version) in conflict.versions.enumerated() {
                    let when = run.shown(version.date)
                    let differences = try conflict.differences(of: version, in: keychain).joined(separator: ", ")
                    let item = version.item ?? conflict.versions[0].item
                    table.add(
                        [
                            item?.service.shown ?? "", item?.account.shown ?? "", String(index + 1), when,
                            index == 0 ? "" : differences,
                        ]
                    )
                }
            }
            try table.write(to: run.output, isColored: run.printsColor)
        }
    }
}

/// A name whose item was changed, or for which items were added, in several copies of the vault.
private struct FoundConflict {
    /// The live revisions, the one that won first.
    let versions: [FoundRevision]
    /// Makes one of them the only one, and returns the item.
    let keep: (Int, Keychain) throws -> FoundItem

    init<Item: KeychainItem>(_ history: ItemHistory<Item>) {
        let live = history.revisions.filter { $0.ended == nil }
        versions = live.map { FoundRevision($0) }
        keep = { index, keychain in FoundItem(try keychain.resolveConflict(keeping: live[index])) }
    }

    /// The index of a version, by its number.
    func index(_ number: String) throws -> Int {
        guard let number = Int(number), versions.indices.contains(number - 1) else {
            throw CommandError.usage("no version \(number.printable): there are 1 to \(versions.count)")
        }
        return number - 1
    }

    /// In what a version differs from the one that won; "secret" stands for the secret.
    func differences(of version: FoundRevision, in keychain: Keychain) throws -> [String] {
        try versions.first.flatMap { try version.differences(from: $0, in: keychain) } ?? []
    }

    /// The conflict as JSON: `Spec/command.md`, section 5.
    func json(in keychain: Keychain) throws -> JSON {
        var list: [JSON] = []
        for (index, version) in versions.enumerated() {
            list.append([
                "version": JSON(index + 1), "revision": .string(version.revision.description),
                "date": JSON(version.date),
                "differs": .array(try differences(of: version, in: keychain).map { .string($0) }),
                "item": version.item?.json ?? .null,
            ])
        }
        return ["reference": .string(versions.first?.reference.name ?? ""), "versions": .array(list)]
    }
}

extension ItemSelection {
    /// The conflicts of the items that match.
    fileprivate func conflicts(in keychain: Keychain) throws -> [FoundConflict] {
        try firstFound(in: keychain, isNothing: \.isEmpty) { form in try form.conflictsOfName(in: keychain) }
    }

    private func conflictsOfName(in keychain: Keychain) throws -> [FoundConflict] {
        var found: [FoundConflict] = []
        for type in classes.compactMap(\.itemType) { found += try conflicts(type, in: keychain) }
        return found.filter { conflict in
            if let service = service?.string, conflict.versions.contains(where: { $0.reference.name == service }) {
                return true
            }
            guard let item = conflict.versions.compactMap(\.item).first else { return service == nil }
            return (service == nil || item.service == service) && (account == nil || item.account == account)
                && (group == nil || item.group == group) && (address == nil || !narrowed([item]).isEmpty)
        }
    }

    private func conflicts<Item: KeychainItem>(
        _ type: Item.Type,
        in keychain: Keychain
    ) throws -> [FoundConflict] {
        try keychain.conflicts(Item.self, in: group).map { FoundConflict($0) }
    }

    /// The only conflict that matches.
    fileprivate func conflict(in keychain: Keychain) throws -> FoundConflict {
        guard service != nil else { throw CommandError.usage("NAME is missing: which item is meant?") }
        let found = try conflicts(in: keychain)
        guard let conflict = found.first else {
            throw CommandError(.notFound, "no conflict: \(description)", hints: ["`coffer conflicts` lists all"])
        }
        guard found.count == 1 else { throw ambiguous(found.compactMap { $0.versions.first?.item }) }
        return conflict
    }
}
