internal import CofferBasics
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

// Vaults that may be damaged, or that nothing opens.
extension Vault {
    /// Returns what can be read of the vault at `path` without a key.
    ///
    /// - Parameters:
    ///   - path: The path of the vault.
    ///   - options: The options for using vaults.
    /// - Returns: An outline, none of which is authenticated.
    /// - Throws: ``VaultError`` if the file cannot be read or is not a vault.
    package static func outline(at path: String, options: VaultOptions) throws(VaultError) -> VaultOutline {
        VaultOutline(try inspection(at: path, options: options), path: path)
    }

    static func inspection(at path: String, options: VaultOptions) throws(VaultError) -> VaultInspection {
        let environment = try options.storeEnvironment()
        return try VaultError.converting { try VaultStore.inspect(at: path, environment: environment) }
    }

    /// Returns the parts of the vault at `path`, as far as they can be told without a key, even if it is damaged.
    ///
    /// - Parameters:
    ///   - path: The path of the vault.
    ///   - options: The options for using vaults.
    /// - Returns: A map, none of which is authenticated.
    /// - Throws: ``VaultError`` if the file cannot be read or is not a vault of this version.
    package static func map(at path: String, options: VaultOptions) throws(VaultError) -> VaultMap {
        let environment = try options.storeEnvironment()
        let parts = try VaultError.converting { try VaultStore.parts(at: path, environment: environment) }
        return VaultMap(parts, path: path)
    }

    /// Returns work that reads a whole vault, even one too damaged to open, and reports what is wrong and where.
    ///
    /// - Parameters:
    ///   - path: The path of the vault.
    ///   - ladder: The sources of the secrets that open the vault.
    ///   - options: The options for using the vault.
    ///   - acceptsLocked: Whether it is enough to read the vault locked.
    /// - Returns: The work, which starts when someone waits for it.
    package static func verification(
        at path: String,
        with ladder: UnlockLadder,
        options: VaultOptions,
        acceptsLocked: Bool
    ) -> VaultWork<VerificationSummary> {
        VaultWork { shouldContinue in
            let environment = try options.storeEnvironment()
            var attempt = try UnlockAttempt(ladder, path: path, environment, options, acceptsLocked: acceptsLocked)
            let report = try attempt.run { roots in
                try VaultStore.verify(
                    at: path,
                    environment: environment,
                    options: options.store,
                    progress: { shouldContinue(VaultProgress($0)) },
                    roots: roots
                )
            }
            return VerificationSummary(report)
        }
    }

    /// Returns work that creates a vault from everything in a damaged one that still verifies, which is only read.
    ///
    /// - Parameters:
    ///   - path: The path of the damaged vault.
    ///   - newPath: The path of the new vault, at which nothing may exist.
    ///   - ladder: The sources of the secrets that open the damaged vault.
    ///   - options: The options for using the vault.
    /// - Returns: The work, which starts when someone waits for it.
    package static func salvage(
        at path: String,
        to newPath: String,
        with ladder: UnlockLadder,
        options: VaultOptions
    ) -> VaultWork<SalvageSummary> {
        VaultWork { shouldContinue in
            let environment = try options.storeEnvironment()
            try checkNothing(isAt: newPath, options: options)
            var attempt = try UnlockAttempt(ladder, path: path, environment, options, acceptsLocked: false)
            let report = try attempt.run { roots in
                try VaultStore.salvage(
                    at: path,
                    to: newPath,
                    environment: environment,
                    options: options.store,
                    progress: { shouldContinue(VaultProgress($0)) },
                    roots: roots
                )
            }
            return SalvageSummary(report)
        }
    }

    /// Removes the keys that any process has left in the kernel keyring for the vault at `path`, without opening it.
    ///
    /// - Parameters:
    ///   - path: The path of the vault.
    ///   - options: The options for using the vault.
    /// - Returns: Whether there were any keys.
    /// - Throws: ``VaultError`` if there is no vault, or the keys cannot be removed.
    package static func stopKeepingUnlocked(at path: String, options: VaultOptions) throws(VaultError) -> Bool {
        let vault = try inspection(at: path, options: options).vault
        switch KeyCache(keyring: options.keyring).forget(vault) {
        case .forgotten: return true
        case .absent: return false
        case .unavailable(let failure): throw VaultError(.kernelKeyring, failure)
        }
    }
}

extension VaultProgress {
    init(_ progress: ReadingProgress) {
        self.init(byteCount: progress.byteCount, expectedByteCount: progress.expectedByteCount)
    }
}
