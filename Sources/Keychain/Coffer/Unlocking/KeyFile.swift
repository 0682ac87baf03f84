internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// Files whose content opens a vault.
package enum KeyFile {
    /// Creates a file with 64 random bytes that only its owner can access.
    ///
    /// - Parameters:
    ///   - path: The path of the file, in a directory that exists.
    ///   - options: The options for using vaults.
    /// - Throws: ``VaultError`` if the file cannot be created; an existing file is not changed.
    package static func make(at path: String, options: VaultOptions) throws(VaultError) {
        let environment = try options.storeEnvironment()
        try Vault.checkNothing(isAt: path, options: options)
        var content = SecretBuffer(byteCount: 64)
        for start in [0, 32] {
            let half = try VaultError.converting { try environment.random.key() }
            half.withBytes { half in content.withMutableSpan { $0.copy(from: half, at: start) } }
        }
        let random = environment.random.number()
        try VaultError.converting {
            try content.withSpan { bytes in
                try DurableFile.create(at: path, bytes, in: environment.files, random: random)
            }
        }
    }
}
