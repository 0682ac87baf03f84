internal import Coffer
internal import CofferBasics

extension Verb {
    static let keyList = Verb(
        "key list",
        .vaults,
        "List the slots and machines of a vault",
        details: """
            A slot is a way to open the vault. A machine has a part in the vault: its own items and those that are \
            never locked. Its key opens everything only if there is a slot of kind device for it.

            Without a terminal, each line has slot or machine, the id, the kind, the date and a note, separated by tabs.
            """,
        examples: [Example(call: "coffer key list", purpose: "list what opens the default vault")]
    ) { run in
        let vault = try run.vaults.vault()
        let (slots, devices) = (try vault.slots, try vault.devices)
        guard !run.isJSON else {
            let members: JSON = [
                "vault": .string(vault.path), "slots": .array(slots.map(\.json)),
                "devices": .array(devices.map(\.json)),
            ]
            return try run.output.write(json: members)
        }
        let own = devices.first { $0.isThisMachine }?.id
        var table = TextTable(["WHAT", "ID", "KIND", "CREATED", "NOTE"], dispensable: [3])
        for slot in slots {
            var (kind, isPresent) = ("\(slot.kind)", false)
            if case .device(let id) = slot.kind { (kind, isPresent) = ("device", id == own) }
            table.add(["slot", slot.id, kind, run.shown(slot.created), isPresent ? "this machine" : ""])
        }
        for device in devices {
            let note = device.isThisMachine ? "this machine" : ""
            table.add(["machine", device.id, "device", run.shown(device.created), note])
        }
        try table.write(to: run.output, isColored: run.printsColor)
    }

    static let keyAdd = Verb(
        "key add",
        .vaults,
        "Add a way to open a vault",
        operands: [
            Operand(
                name: "KIND",
                presence: .needed,
                completion: .words(["passphrase", "key-file", "recovery-code", "device", "recipient"])
            ),
            Operand(name: "REQUEST", presence: .optional),
        ],
        options: [.newPassphraseFile, .newPassphraseDescriptor, .newKeyFile, .make, .allowWeak],
        details: """
            KIND is one of these. Existing ways to open the vault stay.

            passphrase: another passphrase, asked for twice unless it is given; with --new-key-file both are needed \
            together. The first passphrase is set with `coffer passwd`, because it renews all keys.

            key-file: the file that --new-key-file names opens the vault by itself; --make creates it.

            recovery-code: a new code, printed only once, that opens the vault by itself.

            device: a part in the vault for this machine, so that it can have its own items. If the key of another \
            machine opens the vault by itself, the key of this one will too.

            recipient: a credential opens the whole vault, as an owner; REQUEST is what `coffer grant key` printed for \
            its holder. To let a program use some groups only, run `coffer grant issue`.
            """,
        examples: [
            Example(call: "coffer key add recovery-code", purpose: "add a recovery code"),
            Example(call: "coffer key add key-file --new-key-file /media/stick/key --make", purpose: "add a key file"),
        ]
    ) { run in
        let kinds: [(name: String, add: (VaultForKeyChange) throws -> Void)] = [
            ("passphrase", { target in try run.addPassphrase(to: target.vault) }),
            ("key-file", { target in try run.addKeyFile(to: target.vault) }),
            ("recovery-code", { target in try run.addRecoveryCode(to: target.vault) }),
            ("device", { target in try run.addMachine(to: target.vault) }),
            ("recipient", { target in try run.addRecipient(to: target.vault) }),
        ]
        let word = run.arguments.operand(0) ?? ""
        guard let kind = kinds.first(where: { $0.name == word }) else {
            throw CommandError.unknown("kind", word, among: kinds.map(\.name))
        }
        guard (run.arguments.operand(1) != nil) == (word == "recipient") else {
            throw CommandError.usage("only `coffer key add recipient` has a REQUEST, and needs one")
        }
        try run.checkSlotOptions(for: word)
        try kind.add(try run.vaults.openForKeyChange())
    }
}

extension CommandRun {
    /// Throws if an option was given that does not apply to the kind of slot.
    fileprivate func checkSlotOptions(for kind: String) throws {
        let allowed: [Option] =
            switch kind {
            case "passphrase": [.newPassphraseFile, .newPassphraseDescriptor, .newKeyFile, .make, .allowWeak]
            case "key-file": [.newKeyFile, .make, .allowWeak]
            default: []
            }
        for option in Verb.keyAdd.options where arguments.has(option) && !allowed.contains(option) {
            throw CommandError.usage("\(option.names[0]) cannot be used with `coffer key add \(kind)`")
        }
        guard kind != "key-file" || arguments.has(.newKeyFile) else {
            throw CommandError.usage(
                "`coffer key add key-file` needs --new-key-file FILE",
                hints: ["add --make to create the file"]
            )
        }
    }

    fileprivate func addPassphrase(to vault: Vault) throws {
        guard try vault.slots.contains(where: \.kind.needsPassphrase)
        else {
            throw CommandError(
                .failure,
                "\(vault.path.printable) has no passphrase yet, and the first one renews all keys",
                hints: ["set it with `coffer passwd`"]
            )
        }
        let passphrase = try givenNewPassphrase(for: vault.path)
        try add(VaultProtection(passphrase: passphrase, keyFile: try givenNewKeyFile()), to: vault)
    }

    fileprivate func addKeyFile(to vault: Vault) throws {
        try add(VaultProtection(keyFile: try givenNewKeyFile()), to: vault)
    }

    fileprivate func addRecoveryCode(to vault: Vault) throws {
        let code = try RecoveryCode()
        try add(VaultProtection(recoveryCode: code), to: vault, code)
    }

    private func add(
        _ protection: VaultProtection,
        to vault: Vault,
        _ code: RecoveryCode? = nil
    ) throws {
        var protection = protection
        protection.allowsWeakSecrets = arguments.has(.allowWeak)
        try warnOfWeakness(protection)
        try addSlot(to: vault, code) { try vault.add(protection) }
    }

    fileprivate func addRecipient(to vault: Vault) throws {
        try addSlot(to: vault, nil) { try vault.addRecipient(request: arguments.operand(1) ?? "") }
    }

    private func addSlot(to vault: Vault, _ code: RecoveryCode?, _ add: () throws -> Void) throws {
        let before = try vault.slots
        try whileDerivingKey(add)
        guard let slot = try vault.slots.first(where: { slot in !before.contains { $0.id == slot.id } }) else { return }
        messages.note("\(vault.path.printable) now also opens with a \(slot.kind) (slot \(slot.id))")
        try reportResult(["vault": .string(vault.path), "slot": slot.json], code)
    }

    fileprivate func addMachine(to vault: Vault) throws {
        let devices = try vault.devices
        if let own = devices.first(where: \.isThisMachine) {
            throw CommandError(
                .failure,
                "this machine already has a part in \(vault.path.printable): it is machine \(own.id)"
            )
        }
        try uninterrupted {
            try vault.addThisMachine()
        }
        let own = try vault.devices.first { $0.isThisMachine }
        let slots = try vault.slots
        let name = own.map { ", as machine \($0.id)" } ?? ""
        let opens = slots.contains { $0.kind == own.map { .device(id: $0.id) } } ? ", and its key opens it" : ""
        messages.note("this machine now has a part in \(vault.path.printable)\(name)\(opens)")
        if isJSON, let own {
            try output.write(json: ["vault": .string(vault.path), "device": own.json])
        }
    }
}
