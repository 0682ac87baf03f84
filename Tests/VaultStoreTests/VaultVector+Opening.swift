import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

extension VaultVector {
    /// The vault, which lies at `path`, opened with all secrets that the vector names.
    func opened(at path: String) throws -> VaultStore {
        try VaultStore.open(at: path, environment: StoreEnvironment(suite: SodiumSuite()), roots: try roots())
    }

    /// What opens the vault, by all secrets that the vector names.
    func roots() throws -> (VaultPrelude) throws(VaultFormatError) -> Keyring<SodiumSuite>.Roots {
        let suite = try SodiumSuite()
        return { prelude throws(VaultFormatError) in try roots(prelude, suite: suite) }
    }
}
