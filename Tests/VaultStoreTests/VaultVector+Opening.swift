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
        var deviceKeys: [DeviceID: GuardedKey] = [:]
        if let (id, key) = device {
            var key = key
            var span = key.mutableSpan
            deviceKeys[DeviceID(id.span)] = try suite.key(consuming: &span)
        }
        let recovery = try recoveryCode.map { try RecoveryCode(parsing: $0.span, suite: suite).seed() }
        let (passphrase, keyFile) = (passphrase, keyFile)
        let limits: Argon2Limits = allowsWeakDerivation ? .weak : .reader
        return { [deviceKeys] prelude throws(VaultFormatError) in
            try prelude.roots(
                passphrase: passphrase?.span,
                keyFile: keyFile?.span,
                recovery: recovery,
                deviceKeys: deviceKeys,
                limits: limits,
                availableByteCount: nil,
                suite: suite
            )
        }
    }
}
