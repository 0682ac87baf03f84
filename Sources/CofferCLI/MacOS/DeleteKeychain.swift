internal import Coffer
internal import CofferBasics

extension Verb {
    static let deleteKeychain = Verb(
        "delete-keychain",
        .macOS,
        "Delete vaults with all that is in them",
        operands: [.keychains],
        details: """
            It asks at the terminal; without one it needs --force. A file that is no vault is never deleted, and nothing that \
            belongs to a vault and is not in it: the device key stays.
            """,
        examples: [Example(call: "coffer delete-keychain old.coffer", purpose: "ask, and delete it")],
        isLikeGetopt: true
    ) { run in
        guard !run.arguments.operands.isEmpty || run.arguments.has(.vault) else {
            throw CommandError.usage(
                "KEYCHAIN is missing",
                hints: ["the default vault must be named too, to be deleted"]
            )
        }
        for access in try run.keychains() {
            try run.checkGoesOn()
            let path = try access.path()
            try run.checkIsVault(at: path, access)
            let refusal = CommandError(
                .usage,
                "nobody can be asked whether \(path.printable) is to be deleted",
                hints: ["--force deletes it without asking"]
            )
            try run.confirm(
                "Delete \(path.printable) with all that is in it?",
                otherwise: "\(path.printable) is left as it is",
                unasked: refusal
            )
            try run.toItsEnd {
                try Vault.delete(at: path, options: access.options)
            }
            run.openVaults[path] = nil
            run.messages.note("deleted the vault \(path.printable)")
        }
    }
}

extension Run {
    /// Throws if there is no vault; one that stays shut, or is damaged, is one.
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
