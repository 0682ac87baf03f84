internal import VaultFiles
internal import VaultStore

extension UnlockAttempt {
    /// What shall protect a new vault: what the ladder gives, or else this machine.
    ///
    /// A source that is there and gives nothing is an error: somebody meant to protect the vault with it.
    mutating func protection() throws(VaultProblem) -> VaultProtection {
        var protection = VaultProtection(keyFile: ladder.keyFile)
        switch ladder.given {
        case .passphrase(let passphrase): protection.passphrase = passphrase
        case .passphraseFile(let path): protection.passphrase = try .inFile(path, of: .passphraseFile(path: path))
        case .passphraseDescriptor(let number):
            protection.passphrase = try .behind(descriptor: number, of: .passphraseDescriptor(number))
        case .recoveryCode(let code): protection.recoveryCode = code
        case nil:
            for source in Self.variableSources {
                guard let passphrase = try passphrase(from: source, isNeeded: true) else { continue }
                protection.passphrase = passphrase
                break
            }
        }
        return protection
    }
}
