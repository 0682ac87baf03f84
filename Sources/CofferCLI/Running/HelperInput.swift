internal import Coffer

extension Run {
    /// All that a program has to say to a helper, in memory that is wiped.
    func helperInput(byteCountLimit: Int) throws -> HeldSecret {
        guard let input = try standardInput(byteCountLimit: byteCountLimit) else {
            throw CommandError(.tooLarge, "the standard input has more than \(byteCountLimit) bytes")
        }
        return input
    }

    /// What `body` makes of the keychain; nil if nothing was ever stored where nobody has named a vault.
    func withKeychainIfAny<Result>(
        for use: KeychainUse = .reading,
        _ body: (Keychain) throws -> Result
    ) throws -> Result? {
        do {
            return try vaults.withKeychain(for: use, body)
        } catch {
            let error = CommandError(error)
            guard error.code == .noVault, !vaults.isNamed, try vaults.loss() == nil else { throw error }
            return nil
        }
    }
}
