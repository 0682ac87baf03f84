internal import CofferBasics
internal import VaultFiles
internal import VaultStore

// Sources in the environment of a program.
extension UnlockAttempt {
    /// Returns the passphrase of a source, or nil if it has none.
    mutating func passphrase(
        from source: UnlockSource,
        isNeeded: Bool
    ) throws -> Passphrase? {
        let surroundings = ladder.environment
        switch source {
        case .commandVariable where !ladder.runsCommands:
            report.note(source, .skipped(.notAllowed))
            return nil
        case .passphraseVariable:
            // Not as a `String`, which would be a copy that stays in memory.
            let isThere = surroundings.withVariable("COFFER_PASSPHRASE") { !$0.isEmpty } ?? false
            return try take(isThere ? "COFFER_PASSPHRASE" : nil, source, isNeeded) { name in
                try surroundings.withVariable(name) { bytes in try Passphrase.checked(bytes, of: source) }
            }
        case .commandVariable:
            let command = surroundings["COFFER_PASSPHRASE_COMMAND"]
            return try take(command, source, isNeeded) { command in
                try Passphrase.written(by: command, of: source)
            }
        case .fileVariable:
            return try take(surroundings["COFFER_PASSPHRASE_FILE"], source, isNeeded) { path in
                try Passphrase.inFile(path, of: source)
            }
        case .credential:
            let path = surroundings.credential("coffer.passphrase").flatMap { environment.files.mayHave($0) ? $0 : nil }
            return try take(path, source, isNeeded) { path in
                try Passphrase.inFile(path, of: source)
            }
        case .deviceKey, .passphrase, .passphraseFile, .passphraseDescriptor, .keyFile, .recoveryCode, .grant,
            .grantFile, .kernelKeyring, .prompt:
            // These sources are not in the environment.
            return nil
        }
    }

    /// Returns the result of `read` for a value, if there is one and something can be opened with it.
    private mutating func take(
        _ value: String?,
        _ source: UnlockSource,
        _ isNeeded: Bool,
        _ read: (String) throws -> Passphrase?
    ) throws -> Passphrase? {
        guard let value, !value.isEmpty else {
            report.note(source, .skipped(.notSet))
            return nil
        }
        guard isNeeded else {
            report.note(source, .skipped(.opensNothing))
            return nil
        }
        return try noting(source) { try read(value) }
    }
}

extension FileSystem {
    /// Whether there is a file at `path`, or an error that hides whether there is one.
    func mayHave(_ path: String) -> Bool {
        do {
            let (directory, name) = try locate(path)
            _ = try directory.status(of: name)
            return true
        } catch {
            return error.reason != .notFound && error.reason != .notADirectory
        }
    }
}

extension UnlockAttempt {
    /// Returns the protection of a new vault: what the ladder provides, or else this machine.
    ///
    /// A source that is set but provides nothing is an error, since it was meant to protect the vault.
    mutating func protection() throws -> VaultProtection {
        var protection = VaultProtection(keyFile: ladder.keyFile)
        if let path = ladder.keyFile { report.note(.keyFile(path: path), .opened) }
        switch ladder.secret {
        case .passphrase(let passphrase): take(passphrase, from: .passphrase, for: &protection)
        case .passphraseFile(let path):
            let source = UnlockSource.passphraseFile(path: path)
            take(try .inFile(path, of: source), from: source, for: &protection)
        case .passphraseDescriptor(let number):
            let source = UnlockSource.passphraseDescriptor(number)
            take(try .behind(descriptor: number, of: source), from: source, for: &protection)
        case .recoveryCode(let code): protection.recoveryCode = code
        case .grant: throw grantOfNothing
        case nil:
            if ladder.environment.grantPath(environment.files) != nil { throw grantOfNothing }
            for source in Self.variableSources {
                guard let passphrase = try passphrase(from: source, isNeeded: true) else { continue }
                take(passphrase, from: source, for: &protection)
                break
            }
        }
        return protection
    }

    /// The error for a program that may use a vault, but has none.
    private var grantOfNothing: VaultError {
        VaultError(
            kind: .noVault,
            description: "\(path.printable) could not be opened: not found; the credential opens an existing vault only"
        )
    }

    private mutating func take(
        _ passphrase: Passphrase,
        from source: UnlockSource,
        for protection: inout VaultProtection
    ) {
        protection.passphrase = passphrase
        report.note(source, .opened)
    }
}
