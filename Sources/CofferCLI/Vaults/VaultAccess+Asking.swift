internal import Coffer
internal import CofferBasics

// What is locked opens with what somebody types.
extension VaultAccess {
    /// How often somebody is asked who gives a wrong answer.
    private static let promptCount = 3

    /// Unlocks the vault with what somebody types.
    func unlock(_ vault: Vault) throws {
        guard run.prompter.canAsk else {
            var error = CommandError.locked(vault.path)
            error.hints = [Self.sources]
            throw error
        }
        try ask(vault.path) { ladder in try vault.unlock(with: ladder) }
    }

    /// The vault, opened with what somebody types, where nothing else opens it.
    func asked(_ path: String, _ problem: VaultError) throws -> Vault {
        guard problem.isAboutSecret, run.prompter.canAsk else {
            var error = CommandError(problem)
            if problem.kind == .secretNeeded { error.hints.append(Self.sources) }
            if case .deviceKeyNeeded = problem.kind {
                error.hints.append("a recovery code is given with --recovery-code-file, a key file with --key-file")
            }
            if problem.kind == .noVault { error = try loss() ?? noVault(at: path) }
            throw error
        }
        let options = options
        return try ask(path) { ladder in try Vault.open(at: path, with: ladder, options: options) }
    }

    /// That there is no vault, and what makes one.
    func noVault(at path: String) -> CommandError {
        let hint =
            isNamed
            ? "coffer init \(path.shellPath) makes one" : "coffer init makes one, and so does the first coffer set"
        return CommandError(.noVault, "there is no vault at \(path.printable)", hints: [hint])
    }

    /// Tries what somebody types, up to three times.
    func ask<Result>(
        _ path: String,
        _ open: (UnlockLadder) throws -> Result
    ) throws -> Result {
        try answered(path) { ladder in
            try run.whileOpening {
                try open(ladder)
            }
        }
    }

    /// Tries what somebody types, up to three times.
    func answered<Result>(
        _ path: String,
        _ open: (UnlockLadder) throws -> Result
    ) throws -> Result {
        var ladder = try ladder()
        var attempt = 1
        while true {
            guard let answer = try run.prompter.passphrase(for: path) else {
                throw CommandError(.locked, "\(path.printable) stays locked: nobody gave its passphrase")
            }
            // A code has a checksum, so that a passphrase is not taken for one.
            let code = try? RecoveryCode(answer)
            ladder.given = code.map { .recoveryCode($0) } ?? .passphrase(answer)
            do {
                return try open(ladder)
            } catch {
                let error = CommandError(error)
                guard error.code == .wrongSecret, attempt < Self.promptCount else { throw error }
                run.messages.note("that does not open it; try again")
            }
            attempt += 1
        }
    }

    static let sources = """
        give the passphrase with --passphrase-file, --passphrase-fd or COFFER_PASSPHRASE_FILE, or run coffer unlock first
        """
}

extension CommandError {
    /// That the vault at a path is locked.
    static func locked(_ path: String) -> CommandError {
        CommandError(.locked, "\(path.printable) is locked, and nothing here unlocks it")
    }
}
