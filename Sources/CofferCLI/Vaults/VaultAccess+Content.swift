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
        let path = vault.path.printable
        let (tail, offset) = vault.store.tail
        let reason = vault.store.readOnlyReason
        let isLost = reason == .anchor(.lostCommit)
        switch tail {
        case .clean: break
        case .damaged(let byteCount) where run.arguments.has(.acceptRollback):
            run.messages.note("\(path): the next change drops the damaged end, \(byteCount) bytes from byte \(offset)")
        case .damaged, .inconsistent:
            let loss = isLost ? "; changes that were saved here are missing" : ""
            run.messages.warning("\(path), at byte \(offset): \(tail)\(loss) (coffer verify tells more)")
        case .torn: run.messages.warning("\(path), at byte \(offset): \(tail)")
        }
        switch reason {
        case .anchor(let verdict)? where !isLost || tail == .clean:
            run.messages.warning("\(path) can be read, and not written: \(verdict) (coffer verify tells more)")
        case .writableByOthers?:
            run.messages.warning("\(StoreError.readOnly(.writableByOthers, path: vault.path))")
        default: break
        }
    }

    /// Does what opens a vault: if that takes a key from a passphrase, somebody at a terminal is told.
    func whileOpening<Result>(
        with ladder: UnlockLadder,
        _ body: () throws(VaultProblem) -> Result
    ) throws(VaultProblem) -> Result {
        let environment = run.surroundings.environment
        let names = ["COFFER_PASSPHRASE_FILE", "COFFER_PASSPHRASE", "CREDENTIALS_DIRECTORY"]
        // A command may ask somebody itself, so nothing is written beside its question.
        let isLong = ladder.given != nil || names.contains { environment[$0]?.isEmpty == false }
        return isLong ? try run.whileOpening(body) : try body()
    }
}

extension StoreError {
    /// What somebody can do who has the command.
    var advice: [String] {
        switch self {
        case .readOnly(let reason, _): reason.advice
        case .vault(.snapshotFailure, _), .invalidItem: [ReadOnlyReason.verify, ReadOnlyReason.salvage]
        case .keyChange(.lastSlot(let devices), _):
            ["\(devices.map { "--accept-loss \($0)" }.joined(separator: " ")) gives these items up"]
        case .vault(.keybagFailure, _): ["coffer inspect shows what can be told of it without its keys"]
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
                "--accept-rollback takes it as it is from now on, if you have put it there yourself, as from a backup",
                "if you have not, somebody may have replaced it: look for the newer one",
            ]
        case .asked, .denied, .writableByOthers, .unsupportedFeatures, .syncFailed: []
        }
    }
}
