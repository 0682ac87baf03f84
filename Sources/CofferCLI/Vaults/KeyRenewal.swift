internal import Coffer

/// What opens a vault after its keys were made anew, as far as the secrets for it are at hand.
///
/// A key change makes all ways to open a vault anew, and a slot is made of its secret: nobody can renew one without it.
struct KeyRenewal {
    /// What opens the vault at once.
    var protection = VaultProtection()
    /// What is added to it then.
    private(set) var additions: [VaultProtection] = []
    /// A code instead of one that nobody has given.
    private(set) var newCode: RecoveryCode?
    /// Whether there was another code before.
    private(set) var replacesCode = false
    /// The slots that should stay, and cannot.
    private(set) var lost: [VaultSlot] = []

    private let secrets: VaultProtection
    private let opened: Set<String>

    /// Renewal of nothing so far.
    ///
    /// - Parameters:
    ///   - target: The vault, and what opened it.
    ///   - kept: The slots that shall stay.
    /// - Throws: Why that cannot be told.
    init(of target: OwnedVault, keeping kept: [VaultSlot]) throws {
        secrets = target.secrets
        // Secrets that open the vault already are not judged.
        protection.allowsWeakSecrets = true
        opened = try target.vault.slots(openedBy: target.secrets)
        let own = try target.vault.devices.first { $0.isThisMachine }
        for slot in kept {
            switch slot.kind {
            case .passphrase, .passphraseAndKeyFile: keepPassphrase(slot)
            case .device(let id): if id != own?.id { lost.append(slot) }
            case .keyFile, .recoveryCode: break
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

    /// A key file that opens the vault already, and goes on doing so, however weak it is.
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

    /// Makes a recovery code, unless there will be one.
    mutating func makeCode() throws {
        guard protection.recoveryCode == nil else { return }
        newCode = try RecoveryCode()
        protection.recoveryCode = newCode
    }

    /// Sets the first passphrase, or another instead of the one that there was.
    mutating func setPassphrase(
        _ passphrase: Passphrase,
        replacing slot: VaultSlot?,
        allowsWeak: Bool
    ) throws {
        // A key file opened by itself, and goes on doing so.
        if let path = protection.keyFile { additions.append(kept(keyFile: path)) }
        protection.keyFile = nil
        if slot?.kind == .passphraseAndKeyFile {
            guard let path = secrets.keyFile else {
                throw CommandError.usage(
                    "the vault opens with passphrase and key file together; give the file with --key-file"
                )
            }
            protection.keyFile = path
        }
        protection.passphrase = passphrase
        protection.allowsWeakSecrets = allowsWeak
    }
}

extension Run {
    /// Throws unless somebody takes it that slots go whose secrets are not at hand.
    func checkLosses(of renewal: KeyRenewal) throws {
        guard !renewal.lost.isEmpty else { return }
        let list = renewal.lost.map(\.title).joined(separator: ", ")
        let message = "all keys are made anew, and nobody has given what opens \(list)"
        var hints = ["--force goes on all the same: the vault opens with that no more"]
        if renewal.lost.contains(where: { $0.kind == .keyFile }) {
            hints.insert("give a key file with --key-file", at: 0)
        }
        try confirm(
            "\(message). Open the vault with that no more?",
            unasked: CommandError(.usage, "\(message); nothing was changed", hints: hints)
        )
    }

    /// Makes the keys of a vault anew, says what came of it, and prints a new recovery code.
    ///
    /// - Parameters:
    ///   - target: The vault.
    ///   - renewal: What shall open it.
    ///   - removed: Slots that go because somebody wants it.
    ///   - device: A machine that goes because somebody wants it.
    ///   - deed: What was done, to follow "coffer: ".
    /// - Throws: Why it was not done.
    func changeKeys(
        of target: OwnedVault,
        to renewal: KeyRenewal,
        removing removed: [VaultSlot] = [],
        withoutMachine device: VaultDevice? = nil,
        deed: String
    ) throws {
        let vault = target.vault
        var options = KeyChangeOptions()
        options.acceptedLosses = Set(arguments.values(of: .acceptLoss))
        if let device { options.removedDevices = [device.id] }
        let work = vault.keyChange(to: renewal.protection, options: options)
        // A signal must keep neither the new code back nor a key file out.
        try toItsEnd {
            let summary = try whileDerivingKey { try perform(work, "changing the keys") }
            messages.note("\(deed): \(summary.resealedItemCount.counted("item")) sealed anew")
            if summary.carriedItemCount > 0 {
                let items = summary.carriedItemCount.counted("item")
                messages.note("\(items) of machines that are not here will be moved when these unlock the vault")
            }
            if summary.lostItemCount > 0 {
                let items = summary.lostItemCount.counted("item")
                messages.warning("\(items) that existed only with what was taken away: gone")
            }
            for slot in renewal.lost { messages.warning("\(slot.title) opens the vault no more") }
            messages.note("copies of the file that were made before still open with what opened them then")
            if renewal.newCode != nil, renewal.replacesCode {
                messages.warning("the old recovery code opens the vault no more; here is a new one")
            }
            let members: JSON = [
                "vault": .string(vault.path), "resealedItems": JSON(summary.resealedItemCount),
                "carriedItems": JSON(summary.carriedItemCount), "lostItems": JSON(summary.lostItemCount),
                "removedSlots": .array((removed + renewal.lost).map(\.json)),
            ]
            // The code first, since the vault opens with no other; that nobody reads it must not keep key files out.
            var untold: CommandError?
            do {
                try tell(members, renewal.newCode)
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
            failure.hints.append("the keys are changed, but for the key file: add it with coffer slot add key-file")
            throw failure
        }
    }
}
