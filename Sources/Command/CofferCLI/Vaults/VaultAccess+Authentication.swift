internal import Coffer
internal import CofferBasics

// Items whose access control demands the user.
extension VaultAccess {
    /// Asks the user for what a call lacked, so that it can be tried again.
    func authenticate(in keychain: Keychain, of vault: Vault, _ wrongAnswerCount: inout Int) throws {
        let context = run.openVaults.authentication(for: vault.path)
        guard let demand = context.missing else { throw KeychainError.authenticationRequired }
        let (name, question, isNew) = try description(of: demand, vault)
        guard run.prompter.canAsk else {
            throw CommandError(.locked, "an item requires \(name), and there is no terminal to ask for it on")
        }
        while wrongAnswerCount < Self.promptCount {
            if wrongAnswerCount > 0 { run.messages.note("wrong password; try again") }
            let answer =
                isNew
                ? try run.prompter.twice(question, byteCountLimit: Passphrase.byteCountLimit, for: name)
                : try run.prompter.secret(question, byteCountLimit: Passphrase.byteCountLimit, for: name)
            guard let answer else { throw CommandError(.locked, "an item requires \(name), and none was entered") }
            if case .password = demand { wrongAnswerCount += 1 }
            if try run.whileOpening({ try context.present(answer, for: demand, in: keychain) }) { return }
            wrongAnswerCount += 1
        }
        throw CommandError(.wrongSecret, "wrong password, three times; the item was neither read nor changed")
    }

    /// What the user must enter, as a noun and as a question, and whether it is new.
    private func description(
        of demand: AuthenticationDemand,
        _ vault: Vault
    ) throws -> (name: String, question: String, isNew: Bool) {
        switch demand {
        case .password: return ("its application password", "Application password of the item: ", false)
        case .newPassword: return ("an application password", "New application password of the item: ", true)
        case .user(let needed):
            guard needed.allSatisfy({ $0.contains(.passphrase) }) else {
                throw CommandError(
                    .locked,
                    "an item requires biometry or a paired device, which the command cannot use"
                )
            }
            guard try vault.slots.contains(where: { $0.kind == .passphrase }) else {
                throw CommandError(
                    .locked,
                    "an item requires the passphrase of the vault, but the vault has none",
                    hints: ["set a passphrase with `coffer passwd`"]
                )
            }
            let path = vault.path.printable
            return ("the passphrase of \(path)", "Passphrase for \(path), which an item requires: ", false)
        }
    }
}
