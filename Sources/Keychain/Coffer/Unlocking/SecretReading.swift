internal import CofferBasics
internal import VaultFiles
internal import VaultFormat

// Reading secrets from files, descriptors, commands and variables.
extension Passphrase {
    /// Reads the passphrase in a file.
    package static func inFile(_ path: String, of source: UnlockSource) throws(VaultError) -> Passphrase {
        try read(from: source) { bytes in try SequentialInput.read(path, into: &bytes) }
    }

    /// Reads the passphrase from a descriptor.
    package static func behind(descriptor: Int32, of source: UnlockSource) throws(VaultError) -> Passphrase {
        try read(from: source) { bytes in try SequentialInput.read(descriptor: descriptor, into: &bytes) }
    }

    /// Reads the passphrase that a command writes.
    static func written(by command: String, of source: UnlockSource) throws(VaultError) -> Passphrase {
        try read(from: source) { bytes in try CommandOutput.read(command, into: &bytes) }
    }

    /// Creates a passphrase from these bytes; throws if there are too many.
    static func checked(_ bytes: Span<UInt8>, of source: UnlockSource) throws(VaultError) -> Passphrase {
        guard bytes.count <= Limits.passphraseByteCount else { throw .tooLong(source) }
        return Passphrase(bytes)
    }

    /// Reads the content of a key file.
    static func keyFile(_ path: String) throws(VaultError) -> Passphrase {
        let source = UnlockSource.keyFile(path: path)
        let limit = Limits.keyFileByteCount
        let content = try reading(atMost: limit, from: source) { bytes in
            try SequentialInput.read(path, into: &bytes)
        }
        guard let content else {
            throw .secretUnavailable(source, "too large: more than \(limit.grouped) bytes; check the path")
        }
        let byteCount = content.withBytes { $0.count }
        guard byteCount >= Limits.leastKeyFileByteCount else {
            throw .secretUnavailable(
                source,
                "too small: \(byteCount) bytes (at least \(Limits.leastKeyFileByteCount) required); check the path"
            )
        }
        return content
    }

    private static func read(
        from source: UnlockSource,
        _ read: (inout MutableSpan<UInt8>) throws -> Int
    ) throws(VaultError) -> Passphrase {
        let limit = Limits.passphraseByteCount
        let passphrase = try reading(atMost: limit, droppingNewline: true, from: source, read)
        guard let passphrase else { throw .tooLong(source) }
        guard !passphrase.isEmpty else { throw .secretUnavailable(source, "it provides no passphrase; put one there") }
        return passphrase
    }

    /// Reads a secret from `source`; returns nil if it is longer than the limit.
    static func reading(
        atMost byteCountLimit: Int,
        droppingNewline: Bool = false,
        from source: UnlockSource,
        _ read: (inout MutableSpan<UInt8>) throws -> Int
    ) throws(VaultError) -> Passphrase? {
        do {
            return try reading(atMost: byteCountLimit, droppingNewline: droppingNewline, read)
        } catch let failure as CommandOutput.Failure {
            throw .secretUnavailable(source, failure.reason)
        } catch {
            throw .secretUnavailable(source, "\(error)")
        }
    }
}

extension VaultError {
    /// The error for a source that provides no secret.
    static func secretUnavailable(_ source: UnlockSource, _ reason: String) -> VaultError {
        VaultError(kind: .secretUnavailable, description: "\(source): \(reason)")
    }

    fileprivate static func tooLong(_ source: UnlockSource) -> VaultError {
        .secretUnavailable(source, "the passphrase is too long: more than \(Limits.passphraseByteCount.grouped) bytes")
    }

}

extension CommandOutput.Failure {
    fileprivate var reason: String {
        switch self {
        case .notStarted(let code): "the command could not be started (system error \(code))"
        case .unreadable(let error): error.description
        case .unknownEnd:
            """
            it is unknown whether the command succeeded, since the program ignores SIGCHLD or waits for all \
            processes; it must do neither
            """
        case .status(let status): "the command exited with status \(status); run it by hand to see why"
        case .signal(let number): "the command was killed by signal \(number); run it by hand to see why"
        }
    }
}
