internal import Coffer
internal import KeyedArchive

extension VaultAccess {
    /// The vault as far as it opens without that anybody is asked, or any secret is looked for; nil if it does not.
    ///
    /// - Parameter mayWrite: Whether it may be changed.
    /// - Returns: The vault, nil if it is one that stays shut.
    /// - Throws: That there is none, or what is wrong with it.
    func openedQuietly(mayWrite: Bool = true) throws(CommandError) -> Vault? {
        let path = try path()
        var options = options
        options.mayWrite = mayWrite
        let ladder = UnlockLadder(environment: ProgramEnvironment(variables: [:], isSetUserID: false))
        do throws(VaultProblem) {
            return try Vault.open(at: path, with: ladder, options: options)
        } catch {
            switch error.kind {
            case .secretNeeded, .deviceKeyNeeded, .wrongSecret: return nil
            case .noVault:
                var failure = CommandError(error)
                failure.hints.append("coffer init makes one")
                throw failure
            default: throw CommandError(error)
            }
        }
    }

    /// Whether there is a file where the vault should be.
    func isThere() throws(CommandError) -> Bool {
        let path = try path()
        do throws(VaultProblem) {
            try Vault.checkNothing(isAt: path, options: options)
            return false
        } catch {
            switch error.kind {
            case .fileExists: return true
            case .noVault: return false
            default: throw CommandError(error)
            }
        }
    }
}

extension Vault {
    /// Whether a passphrase opens the vault, alone or with a key file.
    func takesPassphrase() throws(VaultProblem) -> Bool {
        try slots.contains { $0.kind == .passphrase || $0.kind == .passphraseAndKeyFile }
    }
}
