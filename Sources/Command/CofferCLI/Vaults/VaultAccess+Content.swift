internal import Coffer
internal import CofferBasics

// Reading a vault that was rolled back or whose end is damaged.
extension VaultAccess {
    /// Accepts a vault that was rolled back, if `--accept-rollback` is given; for verbs that write.
    func accept(_ vault: Vault) throws {
        guard run.arguments.has(.acceptRollback) else { return }
        try vault.acceptPlace()
        guard let accepted = try vault.acceptHistory() else { return }
        run.messages.warning(
            """
            \(accepted): \(vault.path.printable) is accepted as it is from now on, without what only a newer copy of \
            it holds
            """
        )
    }

    /// Warns once that changes are missing from a vault, even with `--quiet`.
    func warnAboutRollback(of vault: Vault) {
        guard let missing = vault.missingChanges, options.acceptsRollback, !hasWarnedAboutRollback else { return }
        hasWarnedAboutRollback = true
        run.messages.alarm("\(vault.path.printable): \(missing)")
    }

    /// Warns if the end of a vault is damaged, or if changes are missing from it.
    func reportCondition(of vault: Vault) {
        warnAboutRollback(of: vault)
        let path = vault.path.printable
        if let finding = vault.endFinding {
            let acceptsLoss = finding.severity == .damaged && run.arguments.has(.acceptRollback)
            if acceptsLoss, let range = finding.range {
                run.messages.note(
                    """
                    \(path): the next change drops the damaged end, \(range.count.grouped) bytes from byte \
                    \(range.lowerBound)
                    """
                )
            } else {
                let more = finding.severity == .harmless ? "" : " (see `coffer verify`)"
                run.messages.warning("\(path): \(finding.description)\(more)")
            }
        }
        if let problem = vault.readOnlyProblem, problem.cause == .writableByOthers {
            run.messages.warning(problem.description)
        }
    }

    /// Opens a vault with `body`; if that derives a key from a passphrase, a terminal shows it.
    func whileOpening<Result>(
        with ladder: UnlockLadder,
        _ body: () throws -> Result
    ) throws -> Result {
        let environment = run.context.environment
        let names = ["COFFER_PASSPHRASE_FILE", "COFFER_PASSPHRASE", "CREDENTIALS_DIRECTORY"]
        // A command in COFFER_PASSPHRASE_COMMAND may ask the user itself, so nothing is written beside its question.
        let isLong = ladder.secret != nil || names.contains { environment[$0]?.isEmpty == false }
        return isLong ? try run.whileOpening(body) : try body()
    }
}

extension VaultError.Cause {
    private static let verify = "`coffer verify` shows what is damaged, and where"
    private static let salvage = "`coffer salvage OLD NEW` saves what is intact to a new vault"
    private static let lookFirst = [
        "use --accept-rollback with a verb that only reads to see its contents without changing it",
        "if you did not restore it, somebody may have replaced it: look for the newer file",
    ]

    /// What a user of the command can do about it.
    var advice: [String] {
        switch self {
        case .damagedEnd:
            [
                Self.verify, Self.salvage,
                "--accept-rollback uses what precedes the damaged end; a verb that writes drops that end",
            ]
        case .inconsistent, .damagedItems: [Self.verify, Self.salvage]
        // The description says how to accept it.
        case .otherHistory(isRefused: true): Self.lookFirst
        case .otherHistory(isRefused: false):
            ["if you restored it from a backup, accept it with `coffer compact --accept-rollback`"] + Self.lookFirst
        case .lastSlot(let devices):
            ["use \(devices.map { "--accept-loss \($0)" }.joined(separator: " ")) to give up these items"]
        case .olderCopy(let path, let laterPath):
            [
                """
                `coffer sync \(path.shellPath) --vault \(laterPath.shellPath)` makes both equal; then this one can be \
                written
                """
            ]
        case .damagedKeys: ["`coffer status --without-key` shows what is readable without its keys"]
        case .file, .noSpace, .writableByOthers, .unreadableMemory: []
        }
    }
}
