internal import Coffer
internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

// A vault whose content is not as it should be can be read all the same.
extension VaultAccess {
    /// Says what is wrong with the end of a vault, or with how new it is; accepts that if somebody wants it.
    func judgeContent(of vault: Vault) throws(CommandError) {
        if run.arguments.has(.acceptRollback), case .anchor(let verdict)? = vault.store.readOnlyReason {
            try commandErrors { () throws(VaultProblem) in try vault.acceptHistory() }
            run.messages.warning(
                """
                \(verdict): \(vault.path.printable) counts as it is from now on, and what only a newer copy of it holds is \
                not in it
                """
            )
            return
        }
        let (tail, offset) = vault.store.tail
        if tail != .clean { run.messages.warning("\(vault.path.printable), at byte \(offset): \(tail)") }
        guard let problem = vault.readOnlyProblem, ExitCode(problem).isAboutContent else { return tell(tail) }
        run.messages.warning(problem.description)
        for hint in problem.cause.map(\.advice) ?? [] { run.messages.hint(hint) }
    }

    private func tell(_ tail: TailVerdict) {
        switch tail {
        case .clean, .torn: break
        case .damaged: for hint in ReadOnlyReason.damagedTail(byteCount: 0).advice { run.messages.hint(hint) }
        case .inconsistent(let offset, let sequence):
            for hint in ReadOnlyReason.inconsistent(offset: offset, sequence: sequence).advice {
                run.messages.hint(hint)
            }
        }
    }

    /// Does what opens a vault: if that takes a key from a passphrase, somebody at a terminal is told.
    func whileDerivingKey<Result>(
        with ladder: UnlockLadder,
        _ body: () throws(VaultProblem) -> Result
    ) throws(VaultProblem) -> Result {
        let environment = run.surroundings.environment
        let names = ["COFFER_PASSPHRASE_FILE", "COFFER_PASSPHRASE", "CREDENTIALS_DIRECTORY"]
        // A command may ask somebody itself, so nothing is written beside its question.
        let isLong = ladder.given != nil || names.contains { environment[$0]?.isEmpty == false }
        return isLong ? try run.whileDerivingKey(body) : try body()
    }
}

extension StoreError {
    /// What somebody can do who has the command.
    var advice: [String] {
        switch self {
        case .readOnly(let reason, _): reason.advice
        case .vault(.snapshotFailure, _), .invalidItem: [ReadOnlyReason.verify, ReadOnlyReason.salvage]
        case .vault(.headerFailure, _), .vault(.keybagFailure, _):
            ["coffer inspect shows what can be told of it without a key"]
        default: []
        }
    }
}

extension ReadOnlyReason {
    fileprivate static let verify = "coffer verify tells what is damaged, and where"
    fileprivate static let salvage = "coffer salvage OLD NEW saves what is whole into a new vault"

    /// What somebody can do who has the command.
    var advice: [String] {
        switch self {
        case .damagedTail, .anchor(.lostCommit):
            [
                Self.verify, Self.salvage,
                "--accept-rollback drops the damaged end, and goes on with what is before it",
            ]
        case .inconsistent: [Self.verify, Self.salvage]
        case .anchor:
            [
                "if you have put it there yourself, as from a backup, --accept-rollback takes it as it is from now on",
                "else somebody may have replaced it: look for the newer one",
            ]
        case .asked, .denied, .writableByOthers, .unsupportedFeatures, .syncFailed: []
        }
    }
}

extension ExitCode {
    /// Whether it says that the content of the vault is not as it should be: it can be read all the same.
    var isAboutContent: Bool {
        switch self {
        case .damaged, .inconsistent, .rolledBack, .permissions: true
        default: false
        }
    }
}
