internal import Coffer

/// What opens a vault after a change of its keys, as far as the secrets for it were given.
///
/// A key change renews every slot, and a slot can only be renewed with its secret.
struct KeyRenewal {
    /// The protection that the key change sets.
    var protection = VaultProtection()
    /// The slots to add afterwards.
    private(set) var additions: [VaultProtection] = []
    /// A new recovery code, in place of one that was not given.
    private(set) var newCode: RecoveryCode?
    /// Whether the new code replaces an existing one.
    private(set) var replacesCode = false
    /// The slots that should stay but cannot, since their secrets were not given.
    private(set) var lost: [VaultSlot] = []

    private let secrets: VaultProtection
    private let opened: Set<String>

    /// Prepares a renewal that keeps the given slots.
    ///
    /// - Parameters:
    ///   - target: The vault and what opened it.
    ///   - kept: The slots to keep.
    /// - Throws: An error if the slots cannot be read or a recovery code cannot be generated.
    init(of target: VaultForKeyChange, keeping kept: [VaultSlot]) throws {
        secrets = target.secrets
        // Secrets that already open the vault are not checked for weakness.
        protection.allowsWeakSecrets = true
        opened = try target.vault.slots(openedBy: target.secrets)
        let own = try target.vault.devices.first { $0.isThisMachine }
        for slot in kept {
            switch slot.kind {
            case .passphrase, .passphraseAndKeyFile: keepPassphrase(slot)
            case .device(let id): if id != own?.id { lost.append(slot) }
            case .unknown: lost.append(slot)
            // A recipient's slot is renewed without its secret.
            case .keyFile, .recoveryCode, .recipient: break
            }
        }
        let isByDevice = kept.contains(where: \.isDevice)
        for slot in kept where slot.kind == .keyFile { keepKeyFile(slot, isByDevice: isByDevice) }
        for slot in kept where slot.kind == .recoveryCode { try keepCode(slot) }
    }

    private mutating func keepPassphrase(_ slot: VaultSlot) {
        guard protection.passphrase == nil, opened.contains(slot.id), let passphrase = secrets.passphrase else {
            return lost.append(slot)
        }
        protection.passphrase = passphrase
        if slot.kind == .passphraseAndKeyFile { protection.keyFile = secrets.keyFile }
    }

    private mutating func keepKeyFile(_ slot: VaultSlot, isByDevice: Bool) {
        guard opened.contains(slot.id), let path = secrets.keyFile else { return lost.append(slot) }
        if protection.isByDevice, !isByDevice {
            protection.keyFile = path
        } else {
            additions.append(kept(keyFile: path))
        }
    }

    /// A key file that already opens the vault and is kept, however weak it is.
    private func kept(keyFile path: String) -> VaultProtection {
        var protection = VaultProtection(keyFile: path)
        protection.allowsWeakSecrets = true
        return protection
    }

    private mutating func keepCode(_ slot: VaultSlot) throws {
        guard protection.recoveryCode == nil else { return lost.append(slot) }
        if opened.contains(slot.id), let code = secrets.recoveryCode {
            protection.recoveryCode = code
        } else {
            replacesCode = true
            try makeCode()
        }
    }

    /// Generates a recovery code, unless the renewal already has one.
    mutating func makeCode() throws {
        guard protection.recoveryCode == nil else { return }
        newCode = try RecoveryCode()
        protection.recoveryCode = newCode
    }

    /// Sets the first passphrase, or replaces an existing one.
    mutating func setPassphrase(
        _ passphrase: Passphrase,
        replacing slot: VaultSlot?,
        allowsWeak: Bool
    ) throws {
        // A key file that opened the vault by itself is kept.
        if let path = protection.keyFile { additions.append(kept(keyFile: path)) }
        protection.keyFile = nil
        if slot?.kind == .passphraseAndKeyFile {
            guard let path = secrets.keyFile else {
                throw CommandError.usage(
                    "the vault needs passphrase and key file together; give the file with --key-file"
                )
            }
            protection.keyFile = path
        }
        protection.passphrase = passphrase
        protection.allowsWeakSecrets = allowsWeak
    }
}

extension CommandRun {
    /// Asks for confirmation if slots are lost because their secrets were not given; throws if it is refused.
    func checkLosses(of renewal: KeyRenewal) throws {
        guard !renewal.lost.isEmpty else { return }
        let list = renewal.lost.map(\.title).joined(separator: ", ")
        let message = "all keys must be renewed, but the secret is missing for \(list)"
        var hints = ["repeat with --force to remove what cannot be kept"]
        if renewal.lost.contains(where: { $0.kind == .keyFile }) {
            hints.insert("give a key file with --key-file", at: 0)
        }
        try confirm(
            "\(message). Remove what cannot be kept?",
            unasked: CommandError(.usage, "\(message); nothing was changed", hints: hints)
        )
    }

    /// Changes the keys of a vault, reports the outcome and prints a new recovery code.
    ///
    /// - Parameters:
    ///   - target: The vault.
    ///   - renewal: What opens it from now on.
    ///   - removed: Slots that are removed on request.
    ///   - device: A machine that is removed on request.
    ///   - deed: What was done, to follow "coffer: ".
    /// - Throws: `CommandError` if it was not done, or not completely.
    func changeKeys(
        of target: VaultForKeyChange,
        to renewal: KeyRenewal,
        removing removed: [VaultSlot] = [],
        withoutMachine device: VaultDevice? = nil,
        deed: String
    ) throws {
        let vault = target.vault
        var options = KeyChangeOptions()
        options.acceptedLosses = Set(arguments.values(of: .acceptLoss))
        if let device { options.removedDevices = [device.id] }
        options.removedRecipients = Set(removed.filter { $0.kind == .recipient }.map(\.id))
        let work = vault.keyChange(to: renewal.protection, options: options)
        // A signal must neither suppress the new code nor keep a key file from being added.
        try uninterrupted {
            let summary = try whileDerivingKey { try perform(work, "changing the keys") }
            messages.note(deed)
            if summary.carriedItemCount > 0 {
                let items = summary.carriedItemCount.counted("item")
                messages.note("\(items) of other machines will be moved to the new keys when those unlock the vault")
            }
            if summary.lostItemCount > 0 {
                let items = summary.lostItemCount.counted("item")
                messages.warning("\(items) deleted that existed only with what was removed")
            }
            for slot in renewal.lost { messages.warning("\(slot.title) no longer opens the vault") }
            summary.lostGrantWarnings.forEach(messages.warning)
            messages.note("earlier copies of the file still open with what opened them before")
            if renewal.newCode != nil, renewal.replacesCode {
                messages.warning("the old recovery code no longer opens the vault; here is a new one")
            }
            let members: JSON = [
                "vault": .string(vault.path), "resealedItems": JSON(summary.resealedItemCount),
                "carriedItems": JSON(summary.carriedItemCount), "lostItems": JSON(summary.lostItemCount),
                "removedSlots": .array((removed + renewal.lost).map(\.json)),
                "lostGrants": .array(summary.lostGrants.map { .string($0) }),
            ]
            // Print the code first, since the old one no longer works; if that fails, key files are added all the same.
            var untold: CommandError?
            do {
                try reportResult(members, renewal.newCode)
            } catch {
                let error = CommandError(error)
                untold = error
            }
            do {
                for addition in renewal.additions { try add(addition, again: vault) }
            } catch {
                let error = CommandError(error)
                guard let untold else { throw error }
                var failure = error
                failure.hints += [untold.message] + untold.hints
                throw failure
            }
            if let untold { throw untold }
        }
    }

    private func add(_ protection: VaultProtection, again vault: Vault) throws {
        do throws(VaultError) {
            try vault.add(protection)
        } catch {
            var failure = CommandError(error)
            failure.hints.append("the keys were changed without the key file; add it with `coffer key add key-file`")
            throw failure
        }
    }
}
