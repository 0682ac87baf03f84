internal import VaultFiles
internal import VaultStore

// Sources in the environment of a program.
extension UnlockAttempt {
    /// Returns the passphrase of a source, or nil if it has none.
    mutating func passphrase(
        from source: UnlockSource,
        isNeeded: Bool
    ) throws(VaultError) -> Passphrase? {
        let surroundings = ladder.environment
        switch source {
        case .commandVariable where !ladder.runsCommands:
            report.note(source, .skipped(.notAllowed))
            return nil
        case .passphraseVariable:
            // Not as a `String`, which would be a copy that stays in memory.
            let isThere = surroundings.withVariable("COFFER_PASSPHRASE") { !$0.isEmpty } ?? false
            return try take(isThere ? "COFFER_PASSPHRASE" : nil, source, isNeeded) { name throws(VaultError) in
                try surroundings.withVariable(name) { bytes throws(VaultError) in
                    try Passphrase.checked(bytes, of: source)
                }
            }
        case .commandVariable:
            let command = surroundings["COFFER_PASSPHRASE_COMMAND"]
            return try take(command, source, isNeeded) { command throws(VaultError) in
                try Passphrase.written(by: command, of: source)
            }
        case .fileVariable:
            return try take(surroundings["COFFER_PASSPHRASE_FILE"], source, isNeeded) { path throws(VaultError) in
                try Passphrase.inFile(path, of: source)
            }
        case .credential:
            let path = surroundings.credential("coffer.passphrase").flatMap { environment.files.mayHave($0) ? $0 : nil }
            return try take(path, source, isNeeded) { path throws(VaultError) in
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
        _ read: (String) throws(VaultError) -> Passphrase?
    ) throws(VaultError) -> Passphrase? {
        guard let value, !value.isEmpty else {
            report.note(source, .skipped(.notSet))
            return nil
        }
        guard isNeeded else {
            report.note(source, .skipped(.opensNothing))
            return nil
        }
        return try noting(source) { () throws(VaultError) in try read(value) }
    }
}

extension FileSystem {
    /// Whether there is a file at `path`, or an error that hides whether there is one.
    func mayHave(_ path: String) -> Bool {
        do throws(FileError) {
            let (directory, name) = try locate(path)
            _ = try directory.status(of: name)
            return true
        } catch {
            return error.reason != .notFound && error.reason != .notADirectory
        }
    }
}
