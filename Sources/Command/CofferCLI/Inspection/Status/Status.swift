internal import Coffer
internal import CofferBasics

extension Option {
    static let details = Option("--details", summary: "show everything that is readable without the passphrase")
    static let space = Option("--space", summary: "show what the vault contains and how its space is used")
    static let withoutKey = Option("--without-key", summary: "show what anyone can see of the vault without a key")
    static let map = Option("--map", summary: "draw the file: its parts, their sizes, and damage")
}

extension Verb {
    static let status = Verb(
        "status",
        .inspection,
        "Show what opens the vault, and until when it is unlocked",
        operands: [.optionalPath],
        modes: [.details, .space, .withoutKey, .map],
        details: """
            Never asks for a passphrase: of a locked vault only what is readable without it is shown. Without a terminal, \
            each line has a name and a value, separated by a tab, with sizes in bytes and dates in UTC.

            --space counts live bytes, which hold the current items, and dead bytes, which belong to changed or deleted \
            items: `coffer history` and `coffer undo` use them until the vault is compacted. Both are partly estimated.

            --without-key and --map read any file, such as a backup at PATH. Nothing that they show is authenticated: \
            whoever can write the file can change all of it. `coffer verify` checks a vault, with what opens it.
            """,
        examples: [
            Example(call: "coffer status", purpose: "show the default vault in a few lines"),
            Example(call: "coffer status --space", purpose: "show bar charts at a terminal"),
            Example(call: "coffer status --map backup.coffer", purpose: "draw a copy of a vault at a terminal"),
        ]
    ) { run in
        let arguments = run.arguments
        if arguments.has(.withoutKey) { return try run.writeOutline() }
        if arguments.has(.map) { return try run.writeMap() }
        guard arguments.operand(0) == nil else {
            throw CommandError.usage("PATH is for --without-key and --map; name another vault with --vault")
        }
        if arguments.has(.details) { return try run.writeDetails() }
        if arguments.has(.space) { return try run.writeSpace() }
        try run.writeStatus()
    }
}

extension CommandRun {
    /// Shows the vault in the words of people.
    fileprivate func writeStatus() throws {
        vaults.isExamining = true
        let vault = try vaults.vault()
        let (facts, slots) = (try vault.facts(), try vault.slots)
        let needsSecret = !slots.isOpenedHere(by: try vault.devices)
        let until = vault.isUnlocked ? vault.unlocking.unlockedUntil : nil
        guard !isJSON else {
            let members: JSON = [
                "vault": .string(vault.path), "slots": .array(slots.map(\.json)), "locked": .bool(!vault.isUnlocked),
                "until": JSON(until), "items": JSON(facts.itemCount), "lastChange": JSON(facts.lastChange),
            ]
            return try output.write(json: members)
        }
        let state =
            switch (vault.isUnlocked, until) {
            case (false, _): "locked; `coffer unlock` unlocks it for a while"
            case (true, let until?): "unlocked until \(shown(until)), for all programs of this user"
            case (true, nil): needsSecret ? "opened for this command only" : "always open on this machine"
            }
        var list = FactList()
        list.add("vault", vault.path.printable)
        list.add("opens with", slots.words)
        list.add("state", state)
        list.add("items", String(facts.itemCount))
        list.add("last change", facts.lastChange.map(shown) ?? "never")
        try list.write(to: output, isColored: printsColor)
    }
}

extension [VaultSlot] {
    /// Whether the key of this machine opens the vault by itself.
    fileprivate func isOpenedHere(by devices: [VaultDevice]) -> Bool {
        let own = devices.first { $0.isThisMachine }?.id
        return contains { slot in if case .device(let id) = slot.kind { id == own } else { false } }
    }

    /// What opens the vault, as a person would say it.
    fileprivate var words: String {
        let onlyMachines = !isEmpty && allSatisfy { if case .device = $0.kind { true } else { false } }
        return onlyMachines
            ? "the key of this machine alone; set a passphrase with `coffer passwd`"
            : protection
    }

    /// What opens the vault, in words.
    var protection: String {
        isEmpty ? "nothing known to this version" : Set(map(\.protection)).sorted().joined(separator: ", ")
    }
}

extension VaultSlot {
    /// The kind of the slot, without the id of a device.
    fileprivate var protection: String {
        switch kind {
        case .device: "device key"
        default: "\(kind)"
        }
    }
}
