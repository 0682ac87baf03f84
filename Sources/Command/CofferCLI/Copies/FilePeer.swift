internal import Coffer
internal import CofferBasics
internal import VaultFiles

/// A copy of the vault in a file of this machine, such as on a stick or a network share.
final class FilePeer: SyncPeer {
    private let run: CommandRun
    private let vault: Vault
    private let path: String
    /// The copy, while it is open.
    private var copy: Vault?
    private var changes: VaultChanges?

    init(_ run: CommandRun, _ vault: Vault, at path: String) {
        (self.run, self.vault, self.path) = (run, vault, path)
    }

    func synchronize() throws -> SyncReport {
        var report = SyncReport()
        guard try VaultAccess(run, copyAt: path).exists() else {
            try run.checkOpensElsewhere(vault, "nothing was copied to \(path.printable)")
            report.created = [path]
            if !run.arguments.has(.dryRun) {
                try vault.copy(to: path)
                try vault.remember(vault, at: path)
            }
            return report
        }
        let memory = try vault.memory(ofCopyIn: path)
        let copy = try copy ?? run.copy(at: path, of: vault, place: path, mayWrite: true, memory: memory)
        if run.arguments.has(.acceptRollback), let accepted = try copy.acceptHistory() {
            run.messages.warning("\(path.printable): \(accepted)")
        }
        // Watch before merging, so that no change in between is missed.
        if changes == nil, run.arguments.has(.keepsOn) { changes = try copy.changes() }
        report.taken = [try run.take(copy, into: vault, from: path)]
        report.given = [try run.take(vault, into: copy, from: path)]
        if !run.arguments.has(.dryRun) { try vault.remember(copy, at: path) }
        self.copy = copy
        return report
    }

    func hasChanged(timeout: Duration) throws -> Bool {
        guard let changes else { return true }
        return try changes.next(timeout: timeout)
    }
}
