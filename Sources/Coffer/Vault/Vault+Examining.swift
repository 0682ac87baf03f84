internal import CofferBasics
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

// Vaults that may be damaged, or that nothing opens.
extension Vault {
    /// What anyone can tell of the vault at `path` without a key.
    ///
    /// - Parameters:
    ///   - path: Where the vault is.
    ///   - options: How vaults are used.
    /// - Returns: What can be told; nothing of it is authenticated.
    /// - Throws: That it cannot be read, or is no vault.
    package static func outline(at path: String, options: VaultOptions) throws(VaultError) -> VaultOutline {
        VaultOutline(try inspection(at: path, options: options), path: path)
    }

    static func inspection(at path: String, options: VaultOptions) throws(VaultError) -> VaultInspection {
        let environment = try options.storeEnvironment()
        return try translating(VaultError.ofStore, VaultStore.inspect(at: path, environment: environment))
    }

    /// Reads all of a vault that may be too damaged to be opened, and tells what is wrong with it and where.
    ///
    /// - Parameters:
    ///   - path: Where the vault is.
    ///   - ladder: Where to look for what opens it.
    ///   - options: How it is used.
    ///   - acceptsLocked: Whether it is enough to look at what can be read while the vault is locked.
    /// - Returns: The work, which begins when somebody waits for it.
    package static func verification(
        at path: String,
        with ladder: UnlockLadder,
        options: VaultOptions,
        acceptsLocked: Bool
    ) -> VaultWork<VerificationSummary> {
        VaultWork { isToGoOn throws(VaultError) in
            let environment = try options.storeEnvironment()
            var attempt = try UnlockAttempt(ladder, path: path, environment, options, acceptsLocked: acceptsLocked)
            let report = try attempt.run { roots throws(StoreError) in
                try VaultStore.verify(
                    at: path,
                    environment: environment,
                    options: options.store,
                    progress: { isToGoOn(VaultProgress($0)) },
                    roots: roots
                )
            }
            return VerificationSummary(report)
        }
    }

    /// Makes a new vault of everything in a damaged one that still verifies; the damaged one is only read.
    ///
    /// - Parameters:
    ///   - path: Where the damaged vault is.
    ///   - newPath: Where the new one shall be, where nothing may be.
    ///   - ladder: Where to look for what opens the damaged vault.
    ///   - options: How it is used.
    /// - Returns: The work, which begins when somebody waits for it.
    package static func salvage(
        at path: String,
        to newPath: String,
        with ladder: UnlockLadder,
        options: VaultOptions
    ) -> VaultWork<SalvageSummary> {
        VaultWork { isToGoOn throws(VaultError) in
            let environment = try options.storeEnvironment()
            try checkNothing(isAt: newPath, options: options)
            var attempt = try UnlockAttempt(ladder, path: path, environment, options, acceptsLocked: false)
            let report = try attempt.run { roots throws(StoreError) in
                try VaultStore.salvage(
                    at: path,
                    to: newPath,
                    environment: environment,
                    progress: { isToGoOn(VaultProgress($0)) },
                    roots: roots
                )
            }
            return SalvageSummary(report)
        }
    }

    /// Takes back what any process has left with the kernel for the vault at `path`, which need not be opened for that.
    ///
    /// - Parameters:
    ///   - path: Where the vault is.
    ///   - options: How it is used.
    /// - Returns: Whether there was something.
    /// - Throws: That there is no vault, or why the kernel does not give it back.
    package static func forgetUnlocked(at path: String, options: VaultOptions) throws(VaultError) -> Bool {
        let vault = try inspection(at: path, options: options).vault
        switch KeyCache(keyring: options.keyring).forget(vault) {
        case .forgotten: return true
        case .absent: return false
        case .unavailable(let failure): throw VaultError(.kernelKeyring, failure)
        }
    }
}

extension VaultProgress {
    fileprivate init(_ progress: ReadingProgress) {
        self.init(byteCount: progress.byteCount, expectedByteCount: progress.expectedByteCount)
    }
}
