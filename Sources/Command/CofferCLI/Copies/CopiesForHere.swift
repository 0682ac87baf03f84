internal import Coffer

extension Option {
    static let thisMachineOnly = Option(
        "--this-machine-only",
        summary: "accept that only this machine can open the copy"
    )
}

extension VaultAccess {
    /// Whether only the key of this machine opens `vault`, so that a copy is of no use anywhere else.
    func opensOnlyHere(_ vault: Vault) throws -> Bool {
        let slots = try slots(at: vault.path)
        return slots.count == 1 && slots.allSatisfy { if case .device = $0.kind { true } else { false } }
    }
}

extension CommandRun {
    /// Throws if a copy of `vault` could be opened only on this machine, unless the user accepts that.
    ///
    /// - Parameters:
    ///   - vault: The vault.
    ///   - outcome: What was done, or not done, about the copy.
    /// - Throws: `CommandError` if it could.
    func checkOpensElsewhere(_ vault: Vault, _ outcome: String) throws {
        guard !arguments.has(.thisMachineOnly), try vaults.opensOnlyHere(vault) else { return }
        throw CommandError(
            .opensOnlyHere,
            "\(outcome): only the device key of this machine opens the vault, and without its file no copy can be opened",
            hints: [
                "set a passphrase with `coffer passwd`, or add a code with `coffer key add recovery-code`",
                "--this-machine-only accepts it",
            ]
        )
    }
}
