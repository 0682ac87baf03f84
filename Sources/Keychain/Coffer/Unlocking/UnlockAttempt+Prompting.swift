internal import VaultFormat
internal import VaultStore

// The last sources: other processes, and the user.
extension UnlockAttempt {
    /// The number of times that the user may answer the prompt.
    private static let promptCount = 3

    /// Opens the vault with keys that another process has left in the kernel keyring.
    mutating func openByKeyring(_ prelude: VaultPrelude) throws -> Roots? {
        guard ladder.usesKernelKeyring else {
            report.note(.kernelKeyring, .skipped(.notAllowed))
            return nil
        }
        switch keyCache.load(for: prelude) {
        case .found(let keys, let until):
            var roots = Roots(user: nil, devices: try deviceRoots(prelude))
            roots.held = keys
            report.note(.kernelKeyring, .opened)
            report.unlockedUntil = KeychainDate(until)
            return roots
        case .absent: report.note(.kernelKeyring, .skipped(.notSet))
        case .unavailable(let failure): report.note(.kernelKeyring, .skipped(.unavailable("\(failure)")))
        // Unusable keys of another process are not a reason to give up.
        case .stale:
            let reason = "the keys there are out of date; unlock the vault again"
            report.note(.kernelKeyring, .failed(.secretUnavailable(.kernelKeyring, reason)))
        case .malformed(let fault):
            report.note(.kernelKeyring, .failed(.secretUnavailable(.kernelKeyring, "\(fault); unlock the vault again")))
        case .cipher(let error): throw error
        }
        return nil
    }

    /// Opens the vault with a passphrase that the user is asked for.
    mutating func openByPrompt(_ prelude: VaultPrelude, isNeeded: Bool) throws -> Roots? {
        guard let prompt = ladder.prompt else {
            report.note(.prompt, .skipped(.notAllowed))
            return nil
        }
        guard isNeeded else {
            report.note(.prompt, .skipped(.opensNothing))
            return nil
        }
        var problem: VaultError?
        for attempt in 1...Self.promptCount {
            guard let passphrase = prompt(path, attempt) else { break }
            do {
                return try open(prelude, passphrase, from: .prompt)
            } catch let error as VaultError where error.kind == .wrongSecret {
                problem = error
            }
        }
        if let problem { throw problem }
        report.note(.prompt, .skipped(.notSet))
        return nil
    }

    /// Runs `open` on a store in use, with roots that are determined while others can use the store.
    ///
    /// A user who is asked may take a while, and a program may use its vault while it asks.
    mutating func runWithoutLock<Result>(
        _ open: ((VaultPrelude) throws -> Roots) throws -> Result
    ) throws -> Result {
        var known: (prelude: VaultPrelude, roots: Roots)?
        while true {
            var other: VaultPrelude?
            do {
                return try open { prelude in
                    if let known, known.prelude.opensLike(prelude) { return known.roots }
                    other = prelude
                    throw VaultFormatError.noMatch
                }
            } catch {
                guard let other else { throw error }
                report = UnlockReport(warnings: report.warnings)
                known = (other, try roots(for: other))
            }
        }
    }
}

extension VaultPrelude {
    /// Whether the secrets that open this vault give the same roots in `other`, as after a compaction.
    fileprivate func opensLike(_ other: VaultPrelude) -> Bool {
        header.vault == other.header.vault && keybag.slots == other.keybag.slots
            && keybag.devices == other.keybag.devices
    }
}
