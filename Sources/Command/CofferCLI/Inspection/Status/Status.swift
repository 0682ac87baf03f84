internal import Coffer
internal import CofferBasics
internal import VaultSync

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
            each line has a name and a value, separated by a tab, with sizes in bytes and dates in UTC. `coffer doctor` \
            finds out why something does not work.

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
        let path = try vaults.path()
        let slots = try vaults.outline(at: path).slots
        let vault = try vaults.vaultWithoutAsking()
        let facts = try vault?.facts()
        let waiting = try served(at: path).waitingPaths
        guard !isJSON else {
            let members: JSON = [
                "vault": .string(path), "slots": .array(slots.map(\.json)), "locked": .bool(vault?.isUnlocked != true),
                "until": JSON(vault?.unlockedUntil), "items": JSON(facts?.itemCount),
                "lastChange": JSON(facts?.lastChange), "waiting": .array(waiting.map { .string($0) }),
            ]
            return try output.write(json: members)
        }
        var list = FactList()
        list.add("vault", path.printable)
        list.add("opens with", slots.map(\.kind).words)
        list.add("state", try vault.map(state) ?? Self.lockedState)
        list.add("items", facts.map { String($0.itemCount) } ?? "unknown until it is unlocked")
        list.add("last change", facts.map { $0.lastChange.map(shown) ?? ($0.generation == 1 ? "never" : Self.unknown) })
        for path in waiting { list.add("sent here", path.adviceAboutWaiting) }
        try list.write(to: output, isColored: printsColor)
    }

    private static let unknown = "unknown: the file was rewritten since"
    private static let lockedState = "locked; `coffer unlock` unlocks it for a while"

    /// Whether the vault is locked, and until when it is unlocked, in words.
    func state(of vault: Vault) throws -> String {
        guard vault.isUnlocked else { return Self.lockedState }
        if let until = vault.unlockedUntil { return "unlocked until \(shown(until)), for all programs of this user" }
        let isOpenedHere = try vault.slots.isOpenedHere(by: vault.devices)
        return isOpenedHere ? "always open on this machine" : "opened for this command only"
    }
}

extension Vault {
    /// Until when `coffer unlock` has unlocked the vault for all programs of this user; nil if it has not.
    var unlockedUntil: KeychainDate? { isUnlocked ? unlocking.unlockedUntil : nil }
}

extension [VaultSlot] {
    /// Whether the key of this machine opens the vault by itself.
    fileprivate func isOpenedHere(by devices: [VaultDevice]) -> Bool {
        let own = devices.first { $0.isThisMachine }?.id
        return contains { slot in if case .device(let id) = slot.kind { id == own } else { false } }
    }
}

extension [VaultSlot.Kind] {
    /// What opens the vault, as a person would say it.
    fileprivate var words: String {
        let onlyMachines = !isEmpty && allSatisfy { $0.title == "device" }
        return onlyMachines ? "this machine's key alone; `coffer passwd` sets a passphrase" : protection
    }

    /// What opens the vault, in words, without the ids of devices.
    var protection: String {
        let names = map { $0.title == "device" ? "device key" : $0.title }
        return isEmpty ? "nothing known to this version" : Set(names).sorted().joined(separator: ", ")
    }
}
