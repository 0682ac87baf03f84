internal import Coffer
internal import CofferBasics

/// Everything that is readable of a vault without asking the user.
private struct InfoReport {
    let path: String
    let content: VaultSummary
    let slots: [VaultSlot]
    let devices: [VaultDevice]
    let history: HistorySettings
    let isUnlocked: Bool
    let state: String
    let until: KeychainDate?
    let isReadOnly: Bool

    var json: JSON {
        [
            "vault": .string(path), "id": .string(content.id),
            "generation": .integer(Int64(clamping: content.generation)), "bytes": JSON(content.byteCount),
            "items": JSON(content.itemCount), "groups": .array(content.groups.map { .string($0) }),
            "lastChange": JSON(content.lastChange), "locked": .bool(!isUnlocked), "until": JSON(until),
            "writable": .bool(!isReadOnly), "history": history.json, "slots": .array(slots.map(\.json)),
            "devices": .array(devices.map(\.json)),
        ]
    }
}

extension HistorySettings {
    /// The settings as JSON: `Spec/command.md`, section 5.
    var json: JSON { ["revisions": JSON(revisions), "days": JSON(days)] }

    /// The settings in words.
    var summary: String {
        switch (revisions, days) {
        case (nil, nil), (0, _), (_, 0): "nothing, once the vault is compacted"
        case (let revisions?, nil): "\(revisions.counted("revision")) of each item"
        case (nil, let days?): "all revisions, for \(days.counted("day"))"
        case (let revisions?, let days?): "\(revisions.counted("revision")) of each item, for \(days.counted("day"))"
        }
    }
}

extension CommandRun {
    /// Shows everything that is readable of the vault without asking the user.
    func writeDetails() throws {
        vaults.isExamining = true
        let facts = try facts(of: vaults.vault())
        try isJSON ? output.write(json: facts.json) : write(facts)
    }

    fileprivate func facts(of vault: Vault) throws -> InfoReport {
        InfoReport(
            path: vault.path,
            content: try vault.facts(),
            slots: try vault.slots,
            devices: try vault.devices,
            history: try vault.historySettings,
            isUnlocked: vault.isUnlocked,
            state: try state(of: vault),
            until: vault.unlockedUntil,
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
        list.add("state", facts.state)
        list.add("writable", facts.isReadOnly ? "no" : "yes")
        list.add("protected by", facts.slots.map(\.kind).protection)
        list.add("machines", String(facts.devices.count))
        list.add("history", facts.history.summary)
        list.add("last change", facts.content.lastChange.map(shown))
        list.add("generation", String(facts.content.generation))
        try list.write(to: output, isColored: printsColor)
    }
}
