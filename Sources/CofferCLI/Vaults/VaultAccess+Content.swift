internal import Coffer
internal import CofferBasics

// A vault whose content is not as it should be can be read all the same.
extension VaultAccess {
    /// Accepts a vault that was rolled back, if that was asked for; reading it changes nothing.
    func accept(_ vault: Vault) throws {
        guard run.arguments.has(.acceptRollback) else { return }
        try vault.acceptPlace()
        guard let accepted = try vault.acceptHistory() else { return }
        run.messages.warning(
            """
            \(accepted): \(vault.path.printable) counts as it is from now on, and what only a newer copy of it holds is \
            not in it
            """
        )
    }

    /// Says that changes are missing from a vault, once; nothing silences that.
    func tellRollback(of vault: Vault) {
        guard let missing = vault.missingChanges, options.acceptsRollback, !hasToldRollback else { return }
        hasToldRollback = true
        run.messages.alarm("\(vault.path.printable): \(missing)")
    }

    /// Says what is wrong with the end of a vault, or with how new it is.
    func judgeContent(of vault: Vault) {
        tellRollback(of: vault)
        let path = vault.path.printable
        if let finding = vault.endFinding {
            let acceptsLoss = finding.severity == .damaged && run.arguments.has(.acceptRollback)
            if acceptsLoss, let range = finding.range {
                run.messages.note(
                    """
                    \(path): the next change drops the damaged end, \(range.count) bytes from byte \(range.lowerBound)
                    """
                )
            } else {
                let more = finding.severity == .harmless ? "" : " (coffer verify tells more)"
                run.messages.warning("\(path): \(finding.description)\(more)")
            }
        }
        if let problem = vault.readOnlyProblem, problem.cause == .writableByOthers {
            run.messages.warning(problem.description)
        }
    }

    /// Does what opens a vault: if that takes a key from a passphrase, somebody at a terminal is told.
    func whileOpening<Result>(
        with ladder: UnlockLadder,
        _ body: () throws -> Result
    ) throws -> Result {
        let environment = run.surroundings.environment
        let names = ["COFFER_PASSPHRASE_FILE", "COFFER_PASSPHRASE", "CREDENTIALS_DIRECTORY"]
        // A command may ask somebody itself, so nothing is written beside its question.
        let isLong = ladder.given != nil || names.contains { environment[$0]?.isEmpty == false }
        return isLong ? try run.whileOpening(body) : try body()
    }
}

extension VaultError.Cause {
    private static let verify = "coffer verify tells what is damaged, and where"
    private static let salvage = "coffer salvage OLD NEW saves what is whole into a new vault"
    private static let lookFirst = [
        "--accept-rollback with a verb that only reads shows what is in it, and changes nothing",
        "if you did not restore it, somebody may have replaced it: look for the newer file",
    ]

    /// What somebody can do who has the command.
    var advice: [String] {
        switch self {
        case .damagedEnd:
            [
                Self.verify, Self.salvage,
                "--accept-rollback goes on with what is before the damaged end, which a verb that writes drops",
            ]
        case .inconsistent, .damagedItems: [Self.verify, Self.salvage]
        // The description says how to accept it.
        case .otherHistory(isRefused: true): Self.lookFirst
        case .otherHistory(isRefused: false):
            ["coffer compact --accept-rollback accepts it for good, if you restored it from a backup"] + Self.lookFirst
        case .lastSlot(let devices):
            ["\(devices.map { "--accept-loss \($0)" }.joined(separator: " ")) gives these items up"]
        case .damagedKeys: ["coffer inspect shows what can be told of it without its keys"]
        case .file, .noSpace, .writableByOthers, .unreadableMemory: []
        }
    }
}
