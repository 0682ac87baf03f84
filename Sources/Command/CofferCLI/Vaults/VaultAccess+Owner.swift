internal import Coffer
internal import CofferBasics

/// A vault opened by a secret that allows changing its slots.
struct VaultForKeyChange {
    let vault: Vault
    /// What opened it, as far as it was given.
    var secrets: VaultProtection
}

extension VaultAccess {
    /// The vault, opened by a secret that allows changing its slots; keys in the kernel keyring do not count.
    func openForKeyChange(for use: KeychainUse = .changing) throws -> VaultForKeyChange {
        let (path, options) = (try path(), options)
        let slots = try slots(at: path)
        var ladder = try ladder()
        ladder.usesKernelKeyring = false
        guard !ladder.usesCredential(options) else {
            let vault = try open(path, ladder, options)
            guard vault.grantedGroups == nil else {
                throw CommandError(
                    .locked,
                    "the credential of a grant opens \(path.printable), and only an owner can do this",
                    hints: ["unset COFFER_GRANT_FILE, or give another secret"]
                )
            }
            return VaultForKeyChange(vault: try take(vault, for: use), secrets: VaultProtection())
        }
        var secrets = VaultProtection(keyFile: ladder.keyFile)
        if ladder.secret != nil || slots.contains(where: \.needsPassphrase) {
            secrets = try VaultProtection.given(by: ladder, path: path, options: options).protection
            // A descriptor cannot be read twice. A file can, and errors then name it.
            if case .passphraseFile? = ladder.secret {} else { ladder.secret = secrets.given }
        }
        let vault: Vault
        do {
            vault = try whileOpening(with: ladder) {
                try open(path, ladder, options)
            }
        } catch let error as VaultError where error.needsSecret {
            return try askForKeyChange(secrets, CommandError(error), for: use) { ladder in
                try open(path, ladder, options)
            }
        }
        guard vault.isUnlocked else {
            let error = CommandError.locked(path)
            return try askForKeyChange(secrets, error, for: use) { ladder in
                try vault.unlock(with: ladder)
                return vault
            }
        }
        return VaultForKeyChange(vault: try take(vault, for: use), secrets: secrets)
    }

    private func askForKeyChange(
        _ secrets: VaultProtection,
        _ error: CommandError,
        for use: KeychainUse,
        _ open: (UnlockLadder) throws -> Vault
    ) throws -> VaultForKeyChange {
        guard run.prompter.canAsk else {
            var error = error
            // Keys in the kernel keyring are not enough, so `coffer unlock` is not suggested.
            error.hints = ["give the passphrase with --passphrase-file, --passphrase-fd or COFFER_PASSPHRASE_FILE"]
            throw error
        }
        var answer: UnlockLadder.Secret?
        let vault = try ask(try path()) { ladder in
            let vault = try open(ladder)
            answer = ladder.secret
            return vault
        }
        var secrets = secrets
        switch answer {
        case .passphrase(let passphrase)?: secrets.passphrase = passphrase
        case .recoveryCode(let code)?: secrets.recoveryCode = code
        case .passphraseFile?, .passphraseDescriptor?, .grant?, nil: break
        }
        return VaultForKeyChange(vault: try take(vault, for: use), secrets: secrets)
    }

    /// The slots of the vault at `path`, which are readable without a key.
    func slots(at path: String) throws -> [VaultOutline.Slot] {
        let outline = try outline(at: path)
        if let damage = outline.damage.first(where: \.isAboutKeys) { throw CommandError(damage.problem) }
        return outline.slots
    }

    /// What the vault at `path` shows without a key.
    func outline(at path: String) throws -> VaultOutline {
        let options = options
        return try existing(path) { try Vault.outline(at: path, options: options) }
    }

    /// The parts of the vault at `path`, which can be told without a key.
    func map(at path: String) throws -> VaultMap {
        let options = options
        return try existing(path) { try Vault.map(at: path, options: options) }
    }

    private func existing<Facts>(_ path: String, _ read: () throws -> Facts) throws -> Facts {
        do {
            return try read()
        } catch let error as VaultError where error.kind == .noVault {
            throw noVault(lookedForAt: path)
        }
    }

    /// The error for a missing vault at `path`, which need not be the selected vault.
    func noVault(lookedForAt path: String) -> CommandError {
        let isMeant = (try? self.path()) == path
        return isMeant ? noVault(at: path) : CommandError(.noVault, "there is no vault at \(path.printable)")
    }
}

extension VaultError {
    /// Whether a secret from the user could open the vault.
    var needsSecret: Bool {
        switch kind {
        case .secretNeeded, .deviceKeyNeeded: true
        default: false
        }
    }
}

extension VaultProtection {
    /// The passphrase or else the recovery code, as a secret given by the user.
    fileprivate var given: UnlockLadder.Secret? {
        passphrase.map { .passphrase($0) } ?? recoveryCode.map { .recoveryCode($0) }
    }
}
