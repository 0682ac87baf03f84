import CofferBasics
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

extension VaultVector {
    /// Returns the vault at `path`, opened with all secrets that the vector names.
    func opened(at path: String) throws -> VaultStore {
        try VaultStore.open(at: path, environment: StoreEnvironment(random: try SystemRandom()), roots: rootsOfPrelude)
    }

    /// Finds the roots that open the vault, with all secrets that the vector names.
    var rootsOfPrelude: (VaultPrelude) throws(VaultFormatError) -> Keyring.Roots {
        { prelude throws(VaultFormatError) in try self.roots(prelude) }
    }
}
