import VaultCompression
package import VaultCrypto
package import VaultFormat

/// Our reader, asked what a vector asks.
package struct VaultSubject {
    package let suite: SodiumSuite
    package let source: MemorySource

    package init(_ bytes: [UInt8]) throws {
        suite = try SodiumSuite()
        source = MemorySource(bytes)
    }

    private init(suite: SodiumSuite, source: MemorySource) {
        self.suite = suite
        self.source = source
    }

    /// The same reader over other bytes.
    package func reading(_ bytes: [UInt8]) -> VaultSubject {
        VaultSubject(suite: suite, source: MemorySource(bytes))
    }

    /// Opens the structure with all secrets that the vector names.
    package func opened(_ vector: VaultVector) throws(VaultFormatError) -> VaultOpening<SodiumSuite> {
        let prelude = try VaultPrelude(of: source, suite: suite)
        return try VaultOpening(prelude, roots: try roots(prelude, vector), suite: suite)
    }

    package func contents(_ opening: inout VaultOpening<SodiumSuite>) throws(VaultFormatError) -> VaultContents {
        try VaultContentsReader.contents(of: &opening, in: source, suite: suite, compressor: ZlibCompressor())
    }

    private func roots(
        _ prelude: VaultPrelude,
        _ vector: VaultVector
    ) throws(VaultFormatError) -> Keyring<SodiumSuite>.Roots {
        let recovery: GuardedKey?
        var deviceKeys: [DeviceID: GuardedKey] = [:]
        do {
            recovery = try vector.recoveryCode.map { try RecoveryCode(parsing: $0.span, suite: suite).seed() }
            if let (id, key) = vector.device {
                var key = key
                var span = key.mutableSpan
                deviceKeys[DeviceID(id.span)] = try suite.key(consuming: &span)
            }
        } catch {
            throw .noMatch
        }
        let passphrase = vector.passphrase
        let keyFile = vector.keyFile
        return try prelude.roots(
            passphrase: passphrase?.span,
            keyFile: keyFile?.span,
            recovery: recovery,
            deviceKeys: deviceKeys,
            limits: vector.allowsWeakDerivation
                ? .weak : .reader,
            availableByteCount: nil,
            suite: suite
        )
    }
}

extension Argon2Limits {
    /// The limits of a reader, but for the lower one: 8 KiB are enough, so that tests are fast.
    package static let weak = Argon2Limits(memoryKiB: 8...1_048_576, operations: 1...16, workKiB: 4_194_304)
}

extension VaultFormatError {
    /// The word for this failure in section 15 of the specification.
    package var kind: String {
        switch self {
        case .notAVault: "not a vault"
        case .unsupported: "unsupported"
        case .headerFailure: "header failure"
        case .keybagFailure: "keybag failure"
        case .noMatch: "no match"
        case .deviceKeyNeeded: "device key needed"
        case .notEnoughMemory: "not enough memory"
        case .limitExceeded: "limit exceeded"
        case .snapshotFailure: "snapshot failure"
        case .unknownTail, .unavailable: "unavailable"
        }
    }
}

extension VaultContents {
    /// The word for what came out, as a vector has it.
    package var outcome: String {
        switch tail {
        case .torn: "torn tail"
        case .damaged: "damaged tail"
        case .inconsistent: "inconsistent"
        case .clean: failures.isEmpty ? "success" : "record failure"
        }
    }

    package var tailByteCount: Int? {
        switch tail {
        case .clean, .inconsistent: nil
        case .torn(let byteCount), .damaged(let byteCount): byteCount
        }
    }
}
