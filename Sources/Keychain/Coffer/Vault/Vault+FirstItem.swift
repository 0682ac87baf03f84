internal import CofferBasics
internal import VaultStore

extension Vault {
    /// Creates a vault because something is stored and there is none, and returns it with a notice.
    ///
    /// - Parameters:
    ///   - path: The path of the vault.
    ///   - ladder: The sources of the secret that protects the vault; if they provide none, this machine does.
    ///   - options: The options for using the vault.
    ///   - replacesLost: Whether to create a vault where one with a passphrase is missing.
    /// - Returns: The vault, and one line about where it is, what protects it, and what to do about that.
    /// - Throws: ``VaultError`` if the vault cannot be created, or a source of a secret is set but provides none.
    package static func createForFirstItem(
        at path: String,
        with ladder: UnlockLadder,
        options: VaultOptions,
        replacesLost: Bool = false
    ) throws(VaultError) -> (vault: Vault, notice: String) {
        if !replacesLost, let loss = try loss(at: path, options: options) { throw loss }
        let (protection, report) = try VaultProtection.given(by: ladder, path: path, options: options)
        let vault = try Vault.create(at: path, protection: protection, options: options)
        return (vault, protection.creationNotice(of: vault, report: report))
    }
}

extension VaultProtection {
    /// Returns the protection of a new vault at `path`: what the ladder provides, or else this machine.
    ///
    /// - Parameters:
    ///   - ladder: The sources of the secret that protects the vault.
    ///   - path: The path of the vault.
    ///   - options: The options for using the vault.
    /// - Returns: The protection, and the sources that provided it.
    /// - Throws: ``VaultError`` if a source is set but provides nothing.
    package static func given(
        by ladder: UnlockLadder,
        path: String,
        options: VaultOptions
    ) throws(VaultError) -> (protection: VaultProtection, report: UnlockReport) {
        let environment = try options.storeEnvironment()
        return try VaultError.converting {
            var attempt = try UnlockAttempt(ladder, path: path, environment, options, acceptsLocked: true)
            return (try attempt.protection(), attempt.report)
        }
    }
}

extension VaultProtection {
    /// The notice about a vault that was created without an explicit request.
    fileprivate func creationNotice(of vault: Vault, report: UnlockReport) -> String {
        let path = vault.path.printable
        guard isByDevice else {
            let openers = report.steps.filter { $0.outcome == .opened }.map(\.source.description)
            return """
                created the vault \(path), which is unlocked only with \(openers.joined(separator: " and ")); add a \
                recovery code with `coffer key add recovery-code`
                """
        }
        return """
            created the vault \(path), which opens without a passphrase: whoever can read your home directory can read \
            it; set a passphrase with `coffer passwd`
            """
    }
}
