internal import Coffer

extension VaultAccess {
    /// Whether there is a file at the path of the vault.
    func exists() throws -> Bool {
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

    /// Throws if storing must not create the vault, because one with a passphrase is missing.
    func checkMayMake() throws {
        guard !run.arguments.has(.newVault), try !exists(), let loss = try loss() else { return }
        throw loss
    }

    /// The error that the vault is missing, if this machine remembers one that the device key alone did not open.
    func loss() throws -> CommandError? {
        let path = try path()
        let loss = try Vault.loss(at: path, options: options)
        guard let loss else { return nil }
        let hint = "use --new-vault with a command that stores something to create a new one"
        return CommandError(.noVault, loss.description, hints: isNamed ? [] : [hint])
    }

    /// Whether the vault opens with a secret, rather than with the key of a machine alone.
    func takesSecret() throws -> Bool {
        try slots(at: path()).contains(where: \.takesSecret)
    }
}
