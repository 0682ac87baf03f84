internal import Coffer
internal import CofferBasics

extension Verb {
    static let info = Verb(
        "info",
        .looking,
        "Tell about a vault: size, items, protection",
        details: """
            A vault that is locked is told about as far as it is open; nobody is asked for a passphrase. Without a terminal a \
            line has a name and a value, with a tab between them, sizes in bytes and dates in UTC.
            """,
        examples: [Example(call: "coffer info", purpose: "about the default vault")]
    ) { run in
        run.vaults.isExamining = true
        let vault = try run.vaults.vault()
        let facts = try run.facts(of: vault)
        try run.isJSON ? run.output.write(json: facts.json) : run.write(facts)
    }
}

/// What `info` tells.
private struct InfoReport {
    let path: String
    let content: VaultFacts
    let slots: [VaultSlot]
    let devices: [VaultDevice]
    let history: HistorySettings
    let isUnlocked: Bool
    let isReadOnly: Bool

    /// What protects the vault, for people.
    var protection: String {
        slots.isEmpty ? "nothing that is known here" : Set(slots.map(\.protection)).sorted().joined(separator: ", ")
    }

    var json: JSON {
        [
            "vault": .string(path), "id": .string(content.id),
            "generation": .integer(Int64(clamping: content.generation)), "bytes": JSON(content.byteCount),
            "items": JSON(content.itemCount), "groups": .array(content.groups.map { .string($0) }),
            "lastChange": JSON(content.lastChange), "locked": .bool(!isUnlocked),
            "writable": .bool(!isReadOnly), "history": history.json, "slots": .array(slots.map(\.json)),
            "devices": .array(devices.map(\.json)),
        ]
    }
}

extension VaultSlot {
    /// What opens it, without which of them.
    fileprivate var protection: String {
        switch kind {
        case .device: "device key"
        default: "\(kind)"
        }
    }
}

extension HistorySettings {
    /// What is kept, for machines: `Spec/command.md`, section 5.
    var json: JSON { ["revisions": JSON(revisions), "days": JSON(days)] }

    /// What is kept, for people.
    var summary: String {
        switch (revisions, days) {
        case (nil, nil): "kept until the vault is compacted"
        case (let revisions?, nil): revisions.counted("revision")
        case (nil, let days?): days.counted("day")
        case (let revisions?, let days?): "\(revisions.counted("revision")), \(days.counted("day"))"
        }
    }
}

extension Run {
    fileprivate func facts(of vault: Vault) throws -> InfoReport {
        InfoReport(
            path: vault.path,
            content: try vault.facts(),
            slots: try vault.slots,
            devices: try vault.devices,
            history: try vault.history,
            isUnlocked: vault.isUnlocked,
            isReadOnly: vault.readOnlyProblem != nil
        )
    }

    fileprivate func write(_ facts: InfoReport) throws {
        var list = FactList()
        list.add("vault", facts.path.printable)
        list.add("id", facts.content.id)
        list.add("size", output.size(facts.content.byteCount))
        list.add("items", String(facts.content.itemCount))
        list.add("groups", facts.content.groups.map(\.printable).joined(separator: ", "))
        list.add("state", facts.isUnlocked ? "unlocked" : "locked")
        list.add("writable", facts.isReadOnly ? "no" : "yes")
        list.add("protected by", facts.protection)
        list.add("machines", String(facts.devices.count))
        list.add("history", facts.history.summary)
        list.add("last change", facts.content.lastChange.map(shown))
        list.add("generation", String(facts.content.generation))
        try list.write(to: output, isColoured: printsColour)
    }
}
