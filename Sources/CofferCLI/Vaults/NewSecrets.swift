internal import Coffer
internal import CofferBasics

extension Option {
    static let newPassphraseFile = Option(
        "--new-passphrase-file",
        argument: .value("FILE", .file),
        summary: "read the new passphrase from a file"
    )
    static let newPassphraseDescriptor = Option(
        "--new-passphrase-fd",
        argument: .value("N", .nothing),
        summary: "read the new passphrase from an open descriptor"
    )
    static let newKeyFile = Option(
        "--new-key-file",
        argument: .value("FILE", .file),
        summary: "the key file that shall open the vault"
    )
    static let allowWeak = Option(
        "--allow-weak",
        summary: "accept a passphrase or key file that is far too easy to guess"
    )
    static let make = Option("--make", summary: "make the key file, with random bytes; none is replaced")
}

extension Run {
    /// Warns of secrets that can be guessed, and throws if they are refused.
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

    /// The path of the key file that shall open the vault, which is made if somebody wants that.
    func givenNewKeyFile() throws -> String? {
        guard let path = arguments.value(of: .newKeyFile) else {
            guard !arguments.has(.make) else {
                throw CommandError.usage("--make makes the file that --new-key-file names")
            }
            return nil
        }
        guard !path.isEmpty else { throw CommandError.usage("--new-key-file needs the path of a file") }
        if arguments.has(.make) {
            let options = vaults.options
            try KeyFile.make(at: path, options: options)
            messages.note("made the key file \(path.printable); keep a copy of it elsewhere")
        }
        return path
    }

    /// Prints an object, with a recovery code at its end if there is one: this once, and never again.
    ///
    /// It goes out at once: the vault opens with it already.
    func tell(_ object: JSON, _ code: RecoveryCode?) throws {
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
                "the recovery code could not be shown, and all else is done: \(error.message)",
                hints: ["nobody knows that code; make another with coffer slot add recovery-code"]
            )
        }
    }
}
