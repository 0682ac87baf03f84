internal import Coffer

extension VaultAccess {
    /// Whether there is a file where the vault should be.
    func isThere() throws -> Bool {
        let path = try path()
        do throws(VaultError) {
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

    /// Throws if what is stored first must not make the vault: one with a passphrase is missing.
    func checkMayMake() throws {
        guard !run.arguments.has(.newVault), try !isThere(), let loss = try loss() else { return }
        throw loss
    }

    /// That the vault is missing, if this machine remembers one that the device key alone did not open.
    func loss() throws -> CommandError? {
        let path = try path()
        let loss = try Vault.loss(at: path, options: options)
        guard let loss else { return nil }
        let hint = "--new-vault lets a command that stores something make a new one"
        return CommandError(.noVault, loss.description, hints: isNamed ? [] : [hint])
    }

    /// Whether a vault must be unlocked; one that opens with the key of a machine alone need not.
    func takesSecret() throws -> Bool {
        try slots(at: path()).contains(where: \.takesSecret)
    }
}
