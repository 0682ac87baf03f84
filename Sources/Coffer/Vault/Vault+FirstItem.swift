internal import CofferBasics
internal import VaultStore

extension Vault {
    /// Makes a vault because something is stored and there is none, and tells what to say of it.
    ///
    /// - Parameters:
    ///   - path: Where the vault shall be.
    ///   - ladder: What it gives protects the vault; if it gives nothing, the machine does.
    ///   - options: How the vault is used.
    ///   - replacesLost: Whether one is made where a vault with a passphrase is missing.
    /// - Returns: The vault, and one line about where it is, what protects it, and what to do about that.
    /// - Throws: Why it was not made; a source of a secret that is there and gives none is a reason.
    package static func createForFirstItem(
        at path: String,
        with ladder: UnlockLadder,
        options: VaultOptions,
        replacesLost: Bool = false
    ) throws(VaultError) -> (vault: Vault, notice: String) {
        if !replacesLost, let loss = try loss(at: path, options: options) { throw loss }
        let (protection, report) = try VaultProtection.given(by: ladder, path: path, options: options)
        let vault = try Vault.create(at: path, protection: protection, options: options)
        return (vault, protection.madeNotice(of: vault, report: report))
    }
}

extension VaultProtection {
    /// What shall protect a vault that is made at `path`: what the ladder gives, or else this machine.
    ///
    /// - Parameters:
    ///   - ladder: Where to look.
    ///   - path: Where the vault shall be.
    ///   - options: How it is used.
    /// - Returns: The protection, and which sources gave it.
    /// - Throws: That a source is there, and gives nothing.
    package static func given(
        by ladder: UnlockLadder,
        path: String,
        options: VaultOptions
    ) throws(VaultError) -> (protection: VaultProtection, report: UnlockReport) {
        let environment = try options.storeEnvironment()
        var attempt = try UnlockAttempt(ladder, path: path, environment, options, acceptsLocked: true)
        return (try attempt.protection(), attempt.report)
    }
}

extension VaultProtection {
    /// What is said of a vault that was made without that anybody asked for it.
    fileprivate func madeNotice(of vault: Vault, report: UnlockReport) -> String {
        let path = vault.path.printable
        guard isByDevice else {
            let openers = report.steps.filter { $0.outcome == .opened }.map(\.source.description)
            return """
                made the vault \(path) for what is stored; it opens with what was given (\
                \(openers.joined(separator: ", "))), and is lost without that: add a recovery code with \
                coffer slot add recovery-code
                """
        }
        let key = vault.unlocking.steps.first { if case .deviceKey = $0.source { true } else { false } }?.source
        return """
            made the vault \(path) for what is stored; \(recoveryCode == nil ? "only " : "")the \
            \(key?.description ?? "device key") protects it: who reads that file can open the vault, and without it the vault \
            is lost. Add a recovery code with coffer slot add recovery-code, or set a passphrase with coffer passwd
            """
    }
}
