internal import Coffer
internal import CofferBasics

extension Option {
    static let newPassphraseFile = Option(
        "--new-passphrase-file",
        argument: .value("FILE", .file),
        summary: "read the new passphrase from FILE"
    )
    static let newPassphraseDescriptor = Option(
        "--new-passphrase-fd",
        argument: .value("N", .nothing),
        summary: "read the new passphrase from file descriptor N"
    )
    static let newKeyFile = Option(
        "--new-key-file",
        argument: .value("FILE", .file),
        summary: "key file to add"
    )
    static let allowWeak = Option(
        "--allow-weak",
        summary: "accept a passphrase or key file that is easy to guess"
    )
    static let make = Option("--make", summary: "create the key file, with random bytes")
}

extension CommandRun {
    /// Warns of weak secrets, and throws if they are too weak.
    func warnOfWeakness(_ protection: VaultProtection) throws {
        for warning in try protection.warnings() {
            messages.warning(warning)
        }
    }

    /// The new passphrase: from a file, from a descriptor, or typed twice.
    func givenNewPassphrase(for path: String) throws -> Passphrase {
        let (file, descriptor) = (arguments.value(of: .newPassphraseFile), Option.newPassphraseDescriptor)
        guard file == nil || !arguments.has(descriptor) else {
            throw CommandError.usage("only one of --new-passphrase-file and --new-passphrase-fd can be given")
        }
        if let file {
            return try Passphrase.inFile(file, of: .passphraseFile(path: file))
        }
        if let number = try arguments.descriptor(of: descriptor) {
            return try Passphrase.behind(descriptor: number, of: .passphraseDescriptor(number))
        }
        return try typedPassphrase(for: path)
    }

    private func typedPassphrase(for path: String) throws -> Passphrase {
        do {
            if let typed = try newPassphrase(for: path, whenEmpty: nil) { return typed }
        } catch {
            var error = CommandError(error)
            guard error.code == .locked else { throw error }
            error.hints.append("give it with --new-passphrase-file or --new-passphrase-fd")
            throw error
        }
        throw CommandError.usage("the passphrase is empty; nothing was changed")
    }

    /// The path of the key file to add, which is created with `--make`.
    func givenNewKeyFile() throws -> String? {
        guard let path = arguments.value(of: .newKeyFile) else {
            guard !arguments.has(.make) else {
                throw CommandError.usage("--make needs --new-key-file")
            }
            return nil
        }
        guard !path.isEmpty else { throw CommandError.usage("--new-key-file needs the path of a file") }
        if arguments.has(.make) {
            let options = vaults.options
            try KeyFile.make(at: path, options: options)
            messages.note("created the key file \(path.printable); keep a copy elsewhere")
        }
        return path
    }

    /// Prints an object and a recovery code, if there is one; the code is never shown again.
    ///
    /// The output is flushed at once, since the code already opens the vault.
    func reportResult(_ object: JSON, _ code: RecoveryCode?) throws {
        do {
            guard isJSON else {
                guard let code else { return }
                messages.note("the recovery code opens the vault by itself; write it down, it is not shown again:")
                try code.withText { text in
                    try output.write(text)
                    try output.write("\n")
                }
                return try output.flush()
            }
            try output.write(String(object.text.dropLast()))
            try code?.withText { text in
                // A code contains only letters, digits and hyphens.
                try output.write(", \"recoveryCode\": \"")
                try output.write(text)
                try output.write("\"")
            }
            try output.write("}\n")
            try output.flush()
        } catch {
            let error = CommandError(error)
            guard code != nil else { throw error }
            throw CommandError(
                error.code,
                "the recovery code could not be printed, but everything else was done: \(error.message)",
                hints: ["that code is lost; make another with `coffer key add recovery-code`"]
            )
        }
    }
}
