internal import Coffer
internal import CofferBasics

/// A vault that was opened by what may change who opens it.
struct OwnedVault {
    let vault: Vault
    /// What opened it, as far as somebody gave it.
    var secrets: VaultProtection
}

extension VaultAccess {
    /// The vault, opened by what may change who opens it: keys that another process has left do not count.
    func owned(for use: KeychainUse = .changing) throws -> OwnedVault {
        let (path, options) = (try path(), options)
        let slots = try slots(at: path)
        var ladder = try ladder()
        ladder.usesKernelKeyring = false
        var secrets = VaultProtection(keyFile: ladder.keyFile)
        if ladder.given != nil || slots.contains(where: \.needsPassphrase) {
            secrets = try VaultProtection.given(by: ladder, path: path, options: options).protection
            // What was read from a descriptor cannot be read again; a file is named if it is the wrong one.
            if case .passphraseFile? = ladder.given {} else { ladder.given = secrets.given }
        }
        let vault: Vault
        do {
            vault = try whileOpening(with: ladder) {
                try Vault.open(at: path, with: ladder, options: options)
            }
        } catch let error as VaultError where error.isAboutSecret {
            return try askedOwner(secrets, CommandError(error), for: use) { ladder in
                try Vault.open(at: path, with: ladder, options: options)
            }
        }
        guard vault.isUnlocked else {
            let error = CommandError.locked(path)
            return try askedOwner(secrets, error, for: use) { ladder in
                try vault.unlock(with: ladder)
                return vault
            }
        }
        return OwnedVault(vault: try take(vault, for: use), secrets: secrets)
    }

    private func askedOwner(
        _ secrets: VaultProtection,
        _ error: CommandError,
        for use: KeychainUse,
        _ open: (UnlockLadder) throws -> Vault
    ) throws -> OwnedVault {
        guard run.prompter.canAsk else {
            var error = error
            // Keys that were left with the kernel do not do.
            error.hints = ["give the passphrase with --passphrase-file, --passphrase-fd or COFFER_PASSPHRASE_FILE"]
            throw error
        }
        var answer: UnlockLadder.Given?
        let vault = try ask(try path()) { ladder in
            let vault = try open(ladder)
            answer = ladder.given
            return vault
        }
        var secrets = secrets
        switch answer {
        case .passphrase(let passphrase)?: secrets.passphrase = passphrase
        case .recoveryCode(let code)?: secrets.recoveryCode = code
        case .passphraseFile?, .passphraseDescriptor?, nil: break
        }
        return OwnedVault(vault: try take(vault, for: use), secrets: secrets)
    }

    /// What opens the vault at `path`, as far as anyone can tell.
    func slots(at path: String) throws -> [VaultOutline.Slot] {
        let outline = try outline(at: path)
        if let damage = outline.damage.first(where: \.isAboutKeys) { throw CommandError(damage.problem) }
        return outline.slots
    }

    /// What anyone can tell of the vault at `path`.
    func outline(at path: String) throws -> VaultOutline {
        let options = options
        do throws(VaultError) {
            return try Vault.outline(at: path, options: options)
        } catch {
            guard error.kind == .noVault else { throw CommandError(error) }
            throw noVault(lookedForAt: path)
        }
    }

    /// That there is no vault at a path, which may be another one than that of the vault that is meant.
    func noVault(lookedForAt path: String) -> CommandError {
        let isMeant = (try? self.path()) == path
        return isMeant ? noVault(at: path) : CommandError(.noVault, "there is no vault at \(path.printable)")
    }
}

extension VaultError {
    /// Whether it says that somebody could open the vault who gives something.
    var isAboutSecret: Bool {
        switch kind {
        case .secretNeeded, .deviceKeyNeeded: true
        default: false
        }
    }
}

extension VaultProtection {
    /// The passphrase or the recovery code, as what somebody gives.
    fileprivate var given: UnlockLadder.Given? {
        passphrase.map { .passphrase($0) } ?? recoveryCode.map { .recoveryCode($0) }
    }
}
