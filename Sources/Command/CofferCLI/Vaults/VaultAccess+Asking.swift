internal import Coffer
internal import CofferBasics
internal import VaultSync

// Unlocking with what the user types.
extension VaultAccess {
    /// How often the user may try.
    static let promptCount = 3

    /// Unlocks the vault with what the user types.
    func unlock(_ vault: Vault) throws {
        guard run.prompter.canAsk else {
            var error = CommandError.locked(vault.path)
            error.hints = [Self.sources]
            throw error
        }
        try ask(vault.path) { ladder in try vault.unlock(with: ladder) }
        mergeReceived(into: vault)
    }

    /// Calls `body`, and again after asking for the passphrase if the keys that `coffer unlock` has left are not enough.
    func asOwner<Result>(of vault: Vault, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let problem as VaultError where problem.kind == .secretNeeded && vault.isUnlocked {
            try unlockAsOwner(vault, for: problem)
            return try body()
        }
    }

    /// Opens an unlocked vault with what the user types, for what needs more than the keys that `coffer unlock` has left.
    func unlockAsOwner(_ vault: Vault, for problem: VaultError) throws {
        guard run.prompter.canAsk else {
            var error = CommandError(problem)
            error.hints = ["give the passphrase with --passphrase-file, --passphrase-fd or COFFER_PASSPHRASE_FILE"]
            throw error
        }
        run.messages.note(problem.description)
        try ask(vault.path) { ladder in try vault.unlock(with: ladder) }
    }

    /// The vault, opened with what the user types, if nothing else opens it.
    func asked(_ path: String, _ problem: VaultError) throws -> Vault {
        guard problem.needsSecret, run.prompter.canAsk else {
            var error = CommandError(problem)
            if problem.kind == .secretNeeded { error.hints.append(Self.sources) }
            if case .deviceKeyNeeded = problem.kind {
                error.hints.append("give a recovery code with --recovery-code-file, or a key file with --key-file")
            }
            if problem.kind == .wrongSecret { error.hints += waitingHints(beside: path) }
            if problem.kind == .noVault, !isCopy { error = try loss() ?? noVault(at: path) }
            throw error
        }
        let options = options
        return try ask(path) { ladder in try open(path, ladder, options) }
    }

    /// The error for a missing vault, with a hint how to create one.
    func noVault(at path: String) -> CommandError {
        let hint =
            isNamed
            ? "create it with `coffer init \(path.shellPath)`"
            : "create it with `coffer init` or the first `coffer set`"
        return CommandError(.noVault, "there is no vault at \(path.printable)", hints: [hint])
    }

    /// What else a passphrase may open that does not open the vault.
    private func waitingHints(beside path: String) -> [String] {
        guard !isCopy, let served = try? run.served(at: path) else { return [] }
        return served.waitingPaths.map { "another machine has sent \($0.adviceAboutWaiting)" }
    }

    /// Tries what the user types, up to three times.
    func ask<Result>(
        _ path: String,
        _ open: (UnlockLadder) throws -> Result
    ) throws -> Result {
        try withAnswer(path) { ladder in
            try run.whileOpening {
                try open(ladder)
            }
        }
    }

    /// Tries what the user types, up to three times.
    func withAnswer<Result>(
        _ path: String,
        _ open: (UnlockLadder) throws -> Result
    ) throws -> Result {
        var ladder = try ladder()
        if hasOtherKeys, let typed = run.typed {
            ladder.secret = .passphrase(typed)
            do {
                return try open(ladder)
            } catch {
                guard CommandError(error).code == .wrongSecret else { throw error }
            }
        }
        var attempt = 1
        while true {
            guard let answer = try run.prompter.passphrase(for: place ?? path, hasOtherKeys: hasOtherKeys) else {
                throw CommandError(.locked, "\((place ?? path).printable) stays locked: no passphrase was entered")
            }
            // A recovery code has a checksum, so a passphrase is not mistaken for one.
            let code = try? RecoveryCode(answer)
            ladder.secret = code.map { .recoveryCode($0) } ?? .passphrase(answer)
            do {
                let result = try open(ladder)
                // The user has just shown to know the passphrase.
                if code == nil { run.openVaults.authentication(for: path).noteAuthentication(.passphrase) }
                if code == nil, run.arguments.verb?.name == Verb.sync.name { run.typed = answer }
                return result
            } catch {
                var error = CommandError(error)
                guard error.code == .wrongSecret, attempt < Self.promptCount else {
                    if error.code == .wrongSecret { error.hints += waitingHints(beside: path) }
                    throw error
                }
                let hasCode = attempt == 1 && (try? slots(at: path).contains { $0.kind == .recoveryCode }) == true
                run.messages.note(
                    "that does not open the vault; try again\(hasCode ? ", or type the recovery code" : "")"
                )
            }
            attempt += 1
        }
    }

    static let sources = """
        give the passphrase with --passphrase-file, --passphrase-fd or COFFER_PASSPHRASE_FILE, or run `coffer unlock` \
        first
        """
}

extension CommandError {
    /// The error for a locked vault.
    static func locked(_ path: String) -> CommandError {
        CommandError(.locked, "\(path.printable) is locked, and nothing available unlocks it")
    }
}
