internal import Coffer
internal import VaultFormat

extension VaultAccess {
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

    /// Whether a vault must be unlocked; one that opens with the key of a machine alone need not.
    func takesSecret() throws(CommandError) -> Bool {
        try slots(at: path()).contains(where: \.kind.takesSecret)
    }
}
