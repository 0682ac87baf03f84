internal import Coffer
internal import CofferBasics

extension Verb {
    static let slotRemove = Verb(
        "slot remove",
        .vaults,
        "Take a way to open a vault, or a machine, away",
        operands: [Operand(name: "ID", presence: .needed)],
        options: [.acceptLoss],
        details: """
            ID is that of coffer slot list, or as much of its beginning as one slot or machine alone has.

            What opens the vault stays secret only if all keys are made anew, so that is done, and whatever else opens the \
            vault needs its secret: the passphrase is asked for or taken from where passphrases come from, a key file from \
            --key-file, and for a recovery code a new one is made and printed, unless --recovery-code-file gives the old. \
            What is not given opens the vault no more; that takes an answer on the terminal, or --force.

            With a machine go its part in the vault, and the items that exist on it only. Copies of the file that were made \
            before still open with what is taken away.
            """,
        examples: [Example(call: "coffer slot remove 3f2a", purpose: "a slot whose id begins so")]
    ) { run in
        let word = run.arguments.operand(0) ?? ""
        guard !word.isEmpty else { throw CommandError.usage("the id is empty") }
        let target = try run.vaults.owned()
        let vault = target.vault
        let (slots, devices) = (try vault.slots, try vault.devices)
        let ids = (slots.map(\.id) + devices.map(\.id)).filter { $0.hasPrefix(word.lowercased()) }
        guard let id = ids.first else {
            throw CommandError(
                .notFound,
                "\(vault.path.printable) has no slot or machine \(word.printable)",
                hints: ["coffer slot list shows what there is"]
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

extension Run {
    fileprivate func remove(
        _ slot: VaultSlot,
        of target: OwnedVault,
        _ slots: [VaultSlot]
    ) throws {
        let kept = slots.filter { $0.id != slot.id }
        if slot.kind.needsPassphrase, !kept.contains(where: \.kind.needsPassphrase) {
            throw CommandError(
                .failure,
                "\(slot.title) is the only passphrase of \(target.vault.path.printable)",
                hints: ["coffer passwd --remove removes it", "coffer passwd sets another one instead"]
            )
        }
        guard kept.contains(where: { $0.kind != .recoveryCode }) else {
            throw CommandError(
                .failure,
                "\(slot.title) is the last way to open \(target.vault.path.printable), but for a recovery code",
                hints: ["add another with coffer slot add, or set a passphrase with coffer passwd"]
            )
        }
        let renewal = try KeyRenewal(of: target, keeping: kept)
        guard !kept.contains(where: \.kind.needsPassphrase) || renewal.protection.passphrase != nil else {
            throw CommandError(
                .failure,
                "the passphrase that stays must be given, and not the one that goes; nothing was changed"
            )
        }
        try checkLosses(of: renewal)
        let deed = "took \(slot.title) away from \(target.vault.path.printable)"
        try changeKeys(of: target, to: renewal, removing: [slot], deed: deed)
    }

    fileprivate func remove(
        _ device: VaultDevice,
        of target: OwnedVault,
        _ slots: [VaultSlot]
    ) throws {
        let path = target.vault.path.printable
        guard !device.isThisMachine || !slots.contains(where: \.isDevice) else {
            throw CommandError(
                .failure,
                "the key of this machine opens \(path); without it nothing here would",
                hints: ["set a passphrase with coffer passwd first"]
            )
        }
        let message = "items that exist on machine \(device.id) only go with it"
        try confirm(
            "I\(message.dropFirst()). Take it away from \(path)?",
            unasked: CommandError(.usage, message, hints: ["--force takes it away without asking"])
        )
        let own = slots.filter { slot in
            if case .device(let id) = slot.kind { id == device.id } else { false }
        }
        let renewal = try KeyRenewal(of: target, keeping: slots.filter { slot in !own.contains { $0.id == slot.id } })
        try checkLosses(of: renewal)
        let deed = "took machine \(device.id) away from \(path)"
        try changeKeys(of: target, to: renewal, removing: own, withoutMachine: device, deed: deed)
    }
}
