internal import CofferBasics
internal import VaultFiles
internal import VaultFormat

// Where secrets come from: files, descriptors, commands, variables.
extension Passphrase {
    /// The passphrase in a file.
    package static func inFile(_ path: String, of source: UnlockSource) throws(VaultError) -> Passphrase {
        try read(from: source) { bytes throws(VaultError) in
            try translating({ VaultError($0, of: source) }, SequentialInput.read(path, into: &bytes))
        }
    }

    /// The passphrase that can be read from a descriptor.
    package static func behind(descriptor: Int32, of source: UnlockSource) throws(VaultError) -> Passphrase {
        try read(from: source) { bytes throws(VaultError) in
            try translating({ VaultError($0, of: source) }, SequentialInput.read(descriptor: descriptor, into: &bytes))
        }
    }

    /// The passphrase that a command writes.
    static func written(by command: String, of source: UnlockSource) throws(VaultError) -> Passphrase {
        try read(from: source) { bytes throws(VaultError) in
            try translating({ VaultError(command: $0, of: source) }, CommandOutput.read(command, into: &bytes))
        }
    }

    /// The passphrase that these bytes are.
    static func checked(_ bytes: Span<UInt8>, of source: UnlockSource) throws(VaultError) -> Passphrase {
        guard bytes.count <= Limits.passphraseByteCount else { throw .tooLong(source) }
        return Passphrase(bytes)
    }

    /// The content of a key file.
    static func keyFile(_ path: String) throws(VaultError) -> Passphrase {
        let source = UnlockSource.keyFile(path: path)
        let limit = Limits.keyFileByteCount
        let content = try Passphrase.reading(atMost: limit, droppingNewline: false) { bytes throws(VaultError) in
            try translating({ VaultError($0, of: source) }, SequentialInput.read(path, into: &bytes))
        }
        guard let content else { throw .noSecret(source, "it has more than \(limit) bytes; name the right file") }
        let byteCount = content.withBytes { $0.count }
        guard byteCount >= Limits.leastKeyFileByteCount else {
            throw .noSecret(
                source,
                "it has \(byteCount) bytes, and a key file at least \(Limits.leastKeyFileByteCount); name the right file"
            )
        }
        return content
    }

    private static func read(
        from source: UnlockSource,
        _ read: (inout MutableSpan<UInt8>) throws(VaultError) -> Int
    ) throws(VaultError) -> Passphrase {
        let passphrase = try reading(atMost: Limits.passphraseByteCount, droppingNewline: true, read)
        guard let passphrase else { throw .tooLong(source) }
        guard !passphrase.isEmpty else { throw .noSecret(source, "it gives nothing; put the passphrase there") }
        return passphrase
    }
}

extension VaultError {
    /// A source that gives no secret.
    static func noSecret(_ source: UnlockSource, _ reason: String) -> VaultError {
        VaultError(kind: .noSecret, description: "\(source): \(reason)")
    }

    fileprivate static func tooLong(_ source: UnlockSource) -> VaultError {
        .noSecret(source, "it gives more than the \(Limits.passphraseByteCount) bytes that a passphrase may have")
    }

    fileprivate init(_ error: FileError, of source: UnlockSource) {
        self = .noSecret(source, error.description)
    }

    fileprivate init(command failure: CommandOutput.Failure, of source: UnlockSource) {
        let reason =
            switch failure {
            case .notStarted(let code): "the command could not be started, error \(code) of the system"
            case .unreadable(let error): error.description
            case .unknownEnd:
                """
                nobody can tell whether the command succeeded, since the program ignores SIGCHLD or waits for all processes; \
                let it do neither
                """
            case .status(let status): "the command ended with status \(status); run it by hand to see why"
            case .signal(let number): "signal \(number) ended the command; run it by hand to see why"
            }
        self = .noSecret(source, reason)
    }
}
