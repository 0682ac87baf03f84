internal import Coffer
internal import CofferBasics
internal import CofferCertificates
internal import CofferPasswordFiles
internal import VaultFiles

extension Option {
    static let filePassphrase = Option(
        "--file-passphrase",
        argument: .value("PATH", .file),
        summary: "read the passphrase of the certificate file from PATH"
    )
    static let visibleFilePassphrase = Option(
        "-P",
        argument: .value("PASSPHRASE", .nothing),
        summary: "passphrase of the certificate file",
        isRepeatable: true
    )
}

/// A file of certificates and keys, as the user names it.
struct CertificateFile {
    /// Larger files of certificates do not occur.
    private static let byteCountLimit = 4 << 20

    let path: String
    /// The bytes of the file, if they were read already.
    var given: HeldSecret?

    /// Reads the file; asks for its passphrase if it needs one that no option gives.
    func content(_ run: CommandRun) throws -> KeyFileContent {
        var bytes = try bytes(run)
        defer { bytes.wipe() }
        let given = try run.givenFilePassphrase()
        do {
            return try KeyFileContent(bytes, passphrase: given?.ofFile)
        } catch {
            guard error == .passphraseNeeded else { throw CommandError(error, of: path) }
        }
        let question = "Passphrase of \(path.printable): "
        do {
            let typed = try run.prompter.secret(
                question,
                byteCountLimit: Passphrase.byteCountLimit,
                for: "the passphrase of \(path.printable)"
            )
            guard let typed else {
                throw CommandError(
                    .failure,
                    "no passphrase was entered; nothing was changed",
                    hints: ["give an empty one with -P ''"]
                )
            }
            return try KeyFileContent(bytes, passphrase: typed.ofFile)
        } catch let error as CertificateFileError {
            throw CommandError(error, of: path)
        } catch let error as CommandError where error.code == .locked {
            throw CommandError(.locked, error.message, hints: ["give it with --file-passphrase PATH"])
        }
    }

    /// The bytes of the file, or of standard input; the caller wipes them.
    private func bytes(_ run: CommandRun) throws -> [UInt8] {
        let limit = Self.byteCountLimit
        let bytes: [UInt8]?
        if let given {
            bytes = given.byteCount <= limit ? given.withSpan { Array(copying: $0) } : nil
        } else if path == "-" {
            bytes = try run.standardInput(byteCountLimit: limit)?.withSpan { Array(copying: $0) }
        } else {
            do throws(FileError) {
                bytes = try SequentialInput.contents(of: path, byteCountLimit: limit)
            } catch {
                // The file is not a vault.
                throw CommandError(.inputOutput, "\(error)")
            }
        }
        guard let bytes else {
            throw CommandError(.tooLarge, "\(path.printable) has more than \(limit.grouped) bytes")
        }
        return bytes
    }
}

extension CommandRun {
    /// The passphrase of a file of certificates that an option gives.
    func givenFilePassphrase() throws -> Passphrase? {
        if let text = arguments.value(of: .visibleFilePassphrase) {
            guard !arguments.has(.filePassphrase) else {
                throw CommandError.usage("the passphrase was given twice; leave out -P or --file-passphrase")
            }
            // An empty passphrase needs no warning.
            if !text.isEmpty { warnOfVisiblePassword("-P") }
            return Passphrase(text)
        }
        return try arguments.value(of: .filePassphrase).map { try Passphrase.inFile($0, of: .passphraseFile(path: $0)) }
    }

    /// The passphrase for a new file of certificates: that of an option, or the one that the user types.
    func newFilePassphrase() throws -> Passphrase {
        try givenFilePassphrase()
            ?? twice("Passphrase for the new file: ", "Repeat: ", "the passphrase of the new file") {
                "give it with --file-passphrase PATH"
            }
    }
}

extension Passphrase {
    /// The passphrase in the forms that files of certificates need.
    var ofFile: FilePassphrase { withBytes { FilePassphrase($0) } }
}

extension CommandError {
    /// The error for a file of certificates that cannot be read or written.
    init(_ error: CertificateFileError, of path: String) {
        let (code, hints): (ExitCode, [String]) =
            switch error {
            case .wrongPassphrase: (.wrongSecret, [])
            case .passphraseNeeded: (.locked, ["give it with --file-passphrase PATH"])
            case .malformed: (.undecodable, ["certificates and keys are read from PEM, DER and PKCS #12"])
            case .tooManyRounds: (.tooLarge, [])
            case .unsupported, .formatCannotHold: (.failure, [])
            case .library(.staticProgram): (.unavailable, ["use the command that `./dev install` installs"])
            case .library: (.unavailable, [])
            }
        self.init(code, "\(path.printable): \(error)", hints: hints)
    }
}
