internal import Coffer
internal import CofferBasics
internal import VaultFormat
internal import VaultStore

// A vault whose content is not as it should be can be read all the same.
extension VaultAccess {
    /// Accepts a vault that was rolled back, if that was asked for; reading it changes nothing.
    func accept(_ vault: Vault) throws {
        guard run.arguments.has(.acceptRollback) else { return }
        try vault.acceptPlace()
        guard case .anchor(let verdict)? = vault.store.rollback else { return }
        try vault.acceptHistory()
        run.messages.warning(
            """
            \(verdict): \(vault.path.printable) counts as it is from now on, and what only a newer copy of it holds is \
            not in it
            """
        )
    }

    /// Says that changes are missing from a vault, once; nothing silences that.
    func tellRollback(of vault: Vault) {
        guard let reason = vault.store.rollback, options.acceptsRollback, !hasToldRollback else { return }
        hasToldRollback = true
        let verdict = if case .anchor(let verdict) = reason { verdict } else { AnchorVerdict.lostCommit }
        run.messages.alarm("\(vault.path.printable): \(verdict)")
    }

    /// Says what is wrong with the end of a vault, or with how new it is.
    func judgeContent(of vault: Vault) {
        tellRollback(of: vault)
        let path = vault.path.printable
        let (tail, offset) = vault.store.tail
        let reason = vault.store.readOnlyReason
        switch tail {
        case .clean: break
        case .damaged(let byteCount) where run.arguments.has(.acceptRollback):
            run.messages.note("\(path): the next change drops the damaged end, \(byteCount) bytes from byte \(offset)")
        case .damaged, .inconsistent:
            run.messages.warning("\(path), at byte \(offset): \(tail) (coffer verify tells more)")
        case .torn: run.messages.warning("\(path), at byte \(offset): \(tail)")
        }
        if reason == .writableByOthers {
            run.messages.warning("\(StoreError.readOnly(.writableByOthers, path: vault.path))")
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

extension StoreError {
    /// What somebody can do who has the command.
    var advice: [String] {
        switch self {
        // The description says how to accept it.
        case .rolledBack(.anchor(.rollback), _), .rolledBack(.anchor(.forked), _): ReadOnlyReason.lookFirst
        case .readOnly(let reason, _), .rolledBack(let reason, _): reason.advice
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
    fileprivate static let lookFirst = [
        "--accept-rollback with a verb that only reads shows what is in it, and changes nothing",
        "if you did not restore it, somebody may have replaced it: look for the newer file",
    ]

    /// What somebody can do who has the command.
    var advice: [String] {
        switch self {
        case .damagedTail, .anchor(.lostCommit):
            [
                Self.verify, Self.salvage,
                "--accept-rollback goes on with what is before the damaged end, which a verb that writes drops",
            ]
        case .inconsistent: [Self.verify, Self.salvage]
        case .anchor:
            ["coffer compact --accept-rollback accepts it for good, if you restored it from a backup"] + Self.lookFirst
        case .asked, .denied, .writableByOthers, .unsupportedFeatures, .anchorUnreadable, .syncFailed: []
        }
    }
}
