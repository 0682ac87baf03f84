internal import Coffer
internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat
internal import VaultStore

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
private struct VaultFacts {
    let path: String
    let vault: VaultID
    let generation: UInt64
    let byteCount: Int
    let itemCount: Int
    let groups: [String]
    let lastChange: Time?
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
            "vault": .string(path), "id": .string(vault.description),
            "generation": .integer(Int64(clamping: generation)), "bytes": JSON(byteCount),
            "items": JSON(itemCount), "groups": .array(groups.map { .string($0) }),
            "lastChange": lastChange.map { JSON(KeychainDate($0)) } ?? .null, "locked": .bool(!isUnlocked),
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
    fileprivate func facts(of vault: Vault) throws -> VaultFacts {
        let byteCount = try vault.store.byteCount()
        let (slots, devices, history) = (try vault.slots, try vault.devices, try vault.history)
        let (isUnlocked, isReadOnly) = (vault.isUnlocked, vault.readOnlyProblem != nil)
        return try vault.store.read { generation throws(StoreError) in
            VaultFacts(
                path: vault.path,
                vault: generation.vault,
                generation: generation.header.generation,
                byteCount: byteCount,
                itemCount: generation.itemCount,
                groups: generation.groupNames.values.compactMap { String(validating: $0, as: UTF8.self) }.sorted(),
                lastChange: generation.lastChangeTime,
                slots: slots,
                devices: devices,
                history: history,
                isUnlocked: isUnlocked,
                isReadOnly: isReadOnly
            )
        }
    }

    fileprivate func write(_ facts: VaultFacts) throws {
        var list = FactList()
        list.add("vault", facts.path.printable)
        list.add("id", facts.vault.description)
        list.add("size", output.size(facts.byteCount))
        list.add("items", String(facts.itemCount))
        list.add("groups", facts.groups.map(\.printable).joined(separator: ", "))
        list.add("state", facts.isUnlocked ? "unlocked" : "locked")
        list.add("writable", facts.isReadOnly ? "no" : "yes")
        list.add("protected by", facts.protection)
        list.add("machines", String(facts.devices.count))
        list.add("history", facts.history.summary)
        list.add("last change", facts.lastChange.map { shown(KeychainDate($0)) })
        list.add("generation", String(facts.generation))
        try list.write(to: output, isColoured: printsColour)
    }
}

extension KeychainDate {
    init(_ time: Time) { self.init(secondsSince1970: Double(time.microseconds) / 1_000_000) }
}
