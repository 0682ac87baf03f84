internal import Coffer
internal import CofferBasics

/// Where a vault is synced with: a copy in a file, copies in a folder, or a vault on another machine.
protocol SyncPeer: AnyObject {
    /// Merges both ways.
    func synchronize() throws -> SyncReport

    /// Returns whether there may be something to merge, waiting for that at most this long.
    func hasChanged(timeout: Duration) throws -> Bool
}

/// What a sync has changed.
struct SyncReport {
    /// What came into the vault, from each copy.
    var taken: [MergedCopy] = []
    /// What the other side got.
    var given: [MergedCopy] = []
    /// The places that got a copy for the first time.
    var created: [String] = []
    /// Whether the other machine merges later, because its vault is locked.
    var isWaiting = false
    /// Whether the passphrase of the vault there does not open what waits.
    var needsPassphrase = false
    /// The bytes that were sent to and received from another machine, if there is one.
    var transfer: (sentByteCount: Int, receivedByteCount: Int)?
    /// What kept some copies from being merged.
    var failures: [CommandError] = []

    var hasChanged: Bool {
        !created.isEmpty || (taken + given).contains { $0.summary.hasChanged }
    }
}

extension CommandRun {
    /// Merges a copy into the vault, or says what that would change.
    func take(_ copy: Vault, into vault: Vault, from place: String) throws -> MergedCopy {
        // Before it is listed, so that nothing else is taken over than what was listed.
        let basis = try vault.mergeBasis(with: copy)
        let takesAll = try arguments.has(.includeLeftOut) && confirmsLeftOut(of: vault.mergePreview(with: copy), place)
        let summary =
            arguments.has(.dryRun)
            ? try vault.mergePreview(with: copy, takingAll: takesAll)
            : try perform(vault.merge(with: copy, takingAllAt: takesAll ? basis : nil), "merging")
        if summary.hasChanged { hasChangedItems = true }
        return MergedCopy(path: place, summary: summary)
    }

    /// The vault at `path`, a copy of another one, opened with the keys of that, or else with what the user gives.
    ///
    /// - Parameters:
    ///   - path: The path of the copy.
    ///   - vault: The vault.
    ///   - place: The place of the copy, for messages.
    ///   - mayWrite: Whether the copy may be written.
    ///   - memory: The directory for what this machine remembers of the copy; nil to remember nothing.
    /// - Returns: The copy, unlocked.
    /// - Throws: `CommandError` if it cannot be opened, or is older than it was.
    func copy(
        at path: String,
        of vault: Vault,
        place: String,
        mayWrite: Bool = false,
        memory: String? = nil
    ) throws -> Vault {
        do {
            if let copy = try vault.openedCopy(at: path, mayWrite: mayWrite, memory: memory) {
                if let finding = copy.endFinding, finding.severity != .harmless {
                    messages.warning("\(place.printable): \(finding.description)")
                }
                return copy
            }
            let access = VaultAccess(self, copyAt: path, calledPlace: place, mayWrite: mayWrite, memory: memory)
            access.hasOtherKeys = true
            return try opened(
                access,
                orSay: "\(place.printable) has other keys than the vault, and nothing that was given opens it",
                hint: "its passphrase was changed there or here; give its own with --copy-passphrase-file"
            )
        } catch {
            let error = CommandError(error)
            guard error.isAboutRollback, memory != nil else { throw error }
            throw CommandError(
                .rolledBack,
                "\(place.printable) is older than at the last sync, or has another history",
                hints: [
                    "if you did not restore it from a backup, it may have been replaced",
                    "--accept-rollback merges it all the same; nothing is lost here",
                ]
            )
        }
    }

    /// Opens a copy with what the user gives, and says this if that does not open it.
    func opened(_ access: VaultAccess, orSay message: String, hint: String) throws -> Vault {
        do {
            let copy = try access.vault()
            if !copy.isUnlocked { try access.unlock(copy) }
            return copy
        } catch {
            let error = CommandError(error)
            guard [.wrongSecret, .locked, .deviceKeyNeeded].contains(error.code) else { throw error }
            throw CommandError(error.code, message, hints: [hint])
        }
    }
}

extension Option {
    static let copyPassphraseFile = Option(
        "--copy-passphrase-file",
        argument: .value("FILE", .file),
        summary: "read the passphrase of the other copy from FILE, if it is another one"
    )
}
