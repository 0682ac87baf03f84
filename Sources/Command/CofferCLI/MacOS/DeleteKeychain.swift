internal import Coffer
internal import CofferBasics

extension Verb {
    static let deleteKeychain = Verb(
        "security delete-keychain",
        .macOS,
        "Delete vaults with all their items",
        operands: [.keychains],
        details: """
            Asks for confirmation at the terminal; without a terminal it needs --force. Only vaults are deleted, never \
            other files, and the device key stays.
            """,
        examples: [
            Example(call: "coffer security delete-keychain old.coffer", purpose: "delete it after confirmation")
        ],
        usesGetoptSyntax: true
    ) { run in
        guard !run.arguments.operands.isEmpty || run.arguments.has(.vault) else {
            throw CommandError.usage(
                "KEYCHAIN is missing",
                hints: ["the default vault must also be named to be deleted"]
            )
        }
        for access in try run.keychains() {
            try run.checkNotInterrupted()
            let path = try access.path()
            try run.checkIsVault(at: path, access)
            let refusal = CommandError(
                .usage,
                "deleting \(path.printable) needs confirmation, but the user cannot be asked",
                hints: ["repeat with --force to delete it without asking"]
            )
            try run.confirm(
                "Delete \(path.printable) with all its items?",
                otherwise: "\(path.printable) was not deleted",
                unasked: refusal
            )
            try run.uninterrupted {
                try Vault.delete(at: path, options: access.options)
            }
            run.openVaults[path] = nil
            run.messages.note("deleted the vault \(path.printable)")
        }
    }
}

extension CommandRun {
    /// Throws if there is no vault; a locked or damaged one counts as a vault.
    fileprivate func checkIsVault(at path: String, _ access: VaultAccess) throws {
        do {
            _ = try access.outline(at: path)
        } catch {
            let error = CommandError(error)
            guard error.code == .damaged else { throw error }
            messages.warning(error.message)
        }
    }
}
