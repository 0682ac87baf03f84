internal import Coffer
internal import CofferBasics

extension Verb {
    static let keyRemove = Verb(
        "key remove",
        .vaults,
        "Remove a slot or a machine from a vault",
        operands: [Operand(name: "ID", presence: .needed)],
        options: [.acceptLoss],
        details: """
            ID is an id from `coffer key list`, or enough of its beginning to be unique.

            All keys are renewed, because the removed secret gave access to them, and each remaining slot needs its \
            secret for that: the passphrase is asked for or comes from another source, a key file comes from \
            --key-file, and a recovery code is replaced by a new one, which is printed, unless --recovery-code-file \
            gives the current one. Slots whose secrets are not given are removed too, after confirmation at the \
            terminal or with --force.

            Removing a machine also deletes the items that exist only on it. Earlier copies of the file still open \
            with what was removed.
            """,
        examples: [Example(call: "coffer key remove 3f2a", purpose: "remove the slot whose id begins with 3f2a")]
    ) { run in
        let word = run.arguments.operand(0) ?? ""
        guard !word.isEmpty else { throw CommandError.usage("ID is empty") }
        let target = try run.vaults.openForKeyChange()
        let vault = target.vault
        let (slots, devices) = (try vault.slots, try vault.devices)
        let ids = (slots.map(\.id) + devices.map(\.id)).filter { $0.hasPrefix(word.lowercased()) }
        guard let id = ids.first else {
            throw CommandError(
                .notFound,
                "\(vault.path.printable) has no slot or machine \(word.printable)",
                hints: ["run `coffer key list` to see them all"]
            )
        }
        guard ids.count == 1 else {
            throw CommandError(
                .ambiguous,
                "\(ids.count) ids begin with \(word.printable)",
                hints: ids.map { "\($0)" }
            )
        }
        if let device = devices.first(where: { $0.id == id }) {
            try run.remove(device, of: target, slots)
        } else if let slot = slots.first(where: { $0.id == id }) {
            try run.remove(slot, of: target, slots)
        }
    }
}

extension CommandRun {
    fileprivate func remove(
        _ slot: VaultSlot,
        of target: VaultForKeyChange,
        _ slots: [VaultSlot]
    ) throws {
        let kept = slots.filter { $0.id != slot.id }
        if slot.kind.needsPassphrase, !kept.contains(where: \.kind.needsPassphrase) {
            throw CommandError(
                .failure,
                "\(slot.title) is the only passphrase of \(target.vault.path.printable)",
                hints: ["remove it with `coffer passwd --remove`", "set another one with `coffer passwd`"]
            )
        }
        guard kept.contains(where: { $0.kind != .recoveryCode && $0.kind != .recipient }) else {
            throw CommandError(
                .failure,
                "\(slot.title) is the only way to open \(target.vault.path.printable) besides a recovery code",
                hints: ["add another with `coffer key add`, or set a passphrase with `coffer passwd`"]
            )
        }
        let renewal = try KeyRenewal(of: target, keeping: kept)
        guard !kept.contains(where: \.kind.needsPassphrase) || renewal.protection.passphrase != nil else {
            throw CommandError(
                .failure,
                "give the passphrase that stays, not the one to remove; nothing was changed"
            )
        }
        try checkLosses(of: renewal)
        let deed = "\(slot.title) no longer opens \(target.vault.path.printable)"
        try changeKeys(of: target, to: renewal, removing: [slot], deed: deed)
    }

    fileprivate func remove(
        _ device: VaultDevice,
        of target: VaultForKeyChange,
        _ slots: [VaultSlot]
    ) throws {
        let path = target.vault.path.printable
        guard !device.isThisMachine || !slots.contains(where: \.isDevice) else {
            throw CommandError(
                .failure,
                "only the key of this machine opens \(path) here, so it cannot be removed",
                hints: ["set a passphrase with `coffer passwd` first"]
            )
        }
        let message = "items that exist only on machine \(device.id) are deleted with it"
        try confirm(
            "I\(message.dropFirst()). Remove it from \(path)?",
            unasked: .usage(
                "confirmation is needed: \(message)",
                hints: ["repeat with --force to remove it without asking"]
            )
        )
        let own = slots.filter { slot in
            if case .device(let id) = slot.kind { id == device.id } else { false }
        }
        let renewal = try KeyRenewal(of: target, keeping: slots.filter { slot in !own.contains { $0.id == slot.id } })
        try checkLosses(of: renewal)
        let deed = "machine \(device.id) is removed from \(path)"
        try changeKeys(of: target, to: renewal, removing: own, withoutMachine: device, deed: deed)
        if renewal.protection.passphrase != nil {
            messages.note(
                "whoever has that machine and knows the passphrase can still sync: `coffer passwd` sets a new one"
            )
        }
    }
}
