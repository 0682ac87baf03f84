internal import VaultFormat
internal import VaultStore

// What is asked last: other processes, and people.
extension UnlockAttempt {
    /// How often somebody is asked who gives a wrong answer.
    private static let promptCount = 3

    /// What the keys open that another process has left with the kernel.
    mutating func openByKeyring(_ prelude: VaultPrelude) throws(VaultError) -> Roots? {
        guard ladder.usesKernelKeyring else {
            report.note(.kernelKeyring, .skipped(.notAllowed))
            return nil
        }
        switch keyCache.load(for: prelude) {
        case .found(let keys):
            var roots = Roots(user: nil, devices: try deviceRoots(prelude))
            roots.held = keys
            report.note(.kernelKeyring, .opened)
            return roots
        case .absent: report.note(.kernelKeyring, .skipped(.notSet))
        case .unavailable(let failure): report.note(.kernelKeyring, .skipped(.unavailable("\(failure)")))
        // What others have left there is no reason not to go on.
        case .stale:
            let reason = "the keys there are not those of the vault any more; unlock it anew"
            report.note(.kernelKeyring, .failed(.noSecret(.kernelKeyring, reason)))
        case .malformed(let fault):
            report.note(.kernelKeyring, .failed(.noSecret(.kernelKeyring, "\(fault); unlock the vault anew")))
        case .cipher(let error): throw VaultError.ofCipher(error)
        }
        return nil
    }

    /// What somebody opens who is asked.
    mutating func openByPrompt(_ prelude: VaultPrelude, isNeeded: Bool) throws(VaultError) -> Roots? {
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
            do throws(VaultError) {
                return try open(prelude, passphrase, from: .prompt)
            } catch  where error.kind == .wrongSecret {
                problem = error
            }
        }
        if let problem { throw problem }
        report.note(.prompt, .skipped(.notSet))
        return nil
    }

    /// Runs what opens a store anew, with roots that are found while others use the store: who is asked may take a while,
    /// and a program may look at its vault while it asks.
    mutating func runBeside<Result>(
        _ open: ((VaultPrelude) throws(VaultFormatError) -> Roots) throws(StoreError) -> Result
    ) throws(VaultError) -> Result {
        var known: (prelude: VaultPrelude, roots: Roots)?
        while true {
            var other: VaultPrelude?
            do throws(StoreError) {
                return try open { prelude throws(VaultFormatError) in
                    if let known, known.prelude.opensLike(prelude) { return known.roots }
                    other = prelude
                    throw .noMatch
                }
            } catch {
                guard let other else { throw VaultError.ofStore(error) }
                report = UnlockReport(warnings: report.warnings)
                known = (other, try roots(for: other))
            }
        }
    }
}

extension VaultPrelude {
    /// Whether what opens this vault gives the same roots in `other`, as it does after a compaction.
    fileprivate func opensLike(_ other: VaultPrelude) -> Bool {
        header.vault == other.header.vault && keybag.slots == other.keybag.slots
            && keybag.devices == other.keybag.devices
    }
}
