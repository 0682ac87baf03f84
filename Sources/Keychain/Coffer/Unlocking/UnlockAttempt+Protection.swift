internal import CofferBasics
internal import VaultFiles
internal import VaultStore

extension UnlockAttempt {
    /// Returns the protection of a new vault: what the ladder provides, or else this machine.
    ///
    /// A source that is set but provides nothing is an error, since it was meant to protect the vault.
    mutating func protection() throws(VaultError) -> VaultProtection {
        var protection = VaultProtection(keyFile: ladder.keyFile)
        if let path = ladder.keyFile { report.note(.keyFile(path: path), .opened) }
        switch ladder.secret {
        case .passphrase(let passphrase): take(passphrase, from: .passphrase, for: &protection)
        case .passphraseFile(let path):
            let source = UnlockSource.passphraseFile(path: path)
            take(try .inFile(path, of: source), from: source, for: &protection)
        case .passphraseDescriptor(let number):
            let source = UnlockSource.passphraseDescriptor(number)
            take(try .behind(descriptor: number, of: source), from: source, for: &protection)
        case .recoveryCode(let code): protection.recoveryCode = code
        case .grant: throw grantOfNothing
        case nil:
            if ladder.environment.grantPath(environment.files) != nil { throw grantOfNothing }
            for source in Self.variableSources {
                guard let passphrase = try passphrase(from: source, isNeeded: true) else { continue }
                take(passphrase, from: source, for: &protection)
                break
            }
        }
        return protection
    }

    /// The error for a program that may use a vault, but has none.
    private var grantOfNothing: VaultError {
        VaultError(
            kind: .noVault,
            description: "\(path.printable) could not be opened: not found; the credential opens an existing vault only"
        )
    }

    private mutating func take(
        _ passphrase: Passphrase,
        from source: UnlockSource,
        for protection: inout VaultProtection
    ) {
        protection.passphrase = passphrase
        report.note(source, .opened)
    }
}
