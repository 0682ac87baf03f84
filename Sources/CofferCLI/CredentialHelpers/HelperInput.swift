internal import Coffer
internal import CofferBasics

extension Run {
    /// All of standard input, in memory that is wiped; throws if it is too large.
    func helperInput(byteCountLimit: Int) throws -> HeldSecret {
        guard let input = try standardInput(byteCountLimit: byteCountLimit) else {
            throw CommandError(.tooLarge, "standard input is too large (limit \(byteCountLimit.grouped) bytes)")
        }
        return input
    }

    /// The result of `body`; nil if no vault is named and the default one was never created.
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
