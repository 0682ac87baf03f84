internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// An attempt to open a vault, which tries the sources of a ladder in order and records the outcome of each.
struct UnlockAttempt {
    typealias Roots = Keyring.Roots

    let ladder: UnlockLadder
    let path: String
    let environment: StoreEnvironment
    let deviceKey: DeviceKey?
    let keyCache: KeyCache
    /// Whether it is enough to open the vault locked.
    let acceptsLocked: Bool
    var report: UnlockReport
    private var keyFile: Passphrase?

    init(
        _ ladder: UnlockLadder,
        path: String,
        environment: StoreEnvironment,
        deviceKey: DeviceKey?,
        keyCache: KeyCache,
        warnings: [String],
        acceptsLocked: Bool
    ) {
        self.ladder = ladder
        self.path = path
        self.environment = environment
        self.deviceKey = deviceKey
        self.keyCache = keyCache
        self.acceptsLocked = acceptsLocked
        report = UnlockReport(warnings: warnings)
    }

    /// Returns the roots that open the vault that begins with `prelude`.
    mutating func roots(for prelude: VaultPrelude) throws -> Roots {
        do {
            guard let roots = try trySources(prelude) else { throw nothingOpened(prelude) }
            noteKeyFile(prelude)
            for source in Self.lastSources where !report.steps.contains(where: { $0.source == source }) {
                report.note(source, .notReached)
            }
            return roots
        } catch {
            var problem = VaultError(error)
            problem.unlocking = report
            throw problem
        }
    }

    /// The sources to try if the program has given nothing, in this order.
    static let variableSources: [UnlockSource] = [
        .fileVariable, .commandVariable, .credential, .passphraseVariable,
    ]
    private static let lastSources = variableSources + [.kernelKeyring, .prompt]

    /// Records the outcome for a key file that did not open the vault by itself.
    private mutating func noteKeyFile(_ prelude: VaultPrelude) {
        guard let path = ladder.keyFile else { return }
        let source = UnlockSource.keyFile(path: path)
        guard !report.steps.contains(where: { $0.source == source }) else { return }
        let kinds = Set(prelude.keybag.slots.map(\.kind))
        let opener = report.steps.first { $0.outcome == .opened }?.source
        guard let opener, !kinds.isDisjoint(with: [.keyFile, .passphraseAndKeyFile]) else {
            return report.note(source, .skipped(.opensNothing))
        }
        report.note(source, opener.isPassphrase && kinds.contains(.passphraseAndKeyFile) ? .contributed : .notReached)
    }

    private mutating func trySources(_ prelude: VaultPrelude) throws -> Roots? {
        let isKnownDevice = try !deviceRoots(prelude).isEmpty
        if let path = ladder.keyFile {
            keyFile = try noting(.keyFile(path: path)) { try Passphrase.keyFile(path) }
        }
        if let given = ladder.secret {
            let roots = try open(prelude, given)
            if let deviceKey { report.note(deviceKey.source, isKnownDevice ? .contributed : .skipped(.opensNothing)) }
            return roots
        }
        if let path = ladder.environment.grantPath(environment.files) {
            let source = UnlockSource.grantFile(path: path)
            let credential = try noting(source) { try GrantCredential(readingFrom: path) }
            return try open(prelude, credential, from: source)
        }
        let byDevice = try openByDevice(prelude)
        if let byDevice, byDevice.user != nil { return byDevice }
        if let roots = try openByKeyFile(prelude) { return roots }
        let takesPassphrase = prelude.keybag.slots.contains { $0.kind.needsPassphrase }
        for source in Self.variableSources {
            guard let passphrase = try passphrase(from: source, isNeeded: takesPassphrase) else { continue }
            return try open(prelude, passphrase, from: source)
        }
        if let roots = try openByKeyring(prelude) { return roots }
        if let roots = try openByPrompt(prelude, isNeeded: takesPassphrase) { return roots }
        return acceptsLocked ? byDevice : nil
    }

    // MARK: - Given by the program

    private mutating func open(_ prelude: VaultPrelude, _ given: UnlockLadder.Secret) throws -> Roots {
        switch given {
        case .passphrase(let passphrase):
            return try open(prelude, passphrase, from: .passphrase)
        case .passphraseFile(let path):
            let source = UnlockSource.passphraseFile(path: path)
            let passphrase = try noting(source) { try Passphrase.inFile(path, of: source) }
            return try open(prelude, passphrase, from: source)
        case .passphraseDescriptor(let number):
            let source = UnlockSource.passphraseDescriptor(number)
            let passphrase = try noting(source) { try Passphrase.behind(descriptor: number, of: source) }
            return try open(prelude, passphrase, from: source)
        case .recoveryCode(let code):
            let seed = try code.seed()
            return try opened(by: .recoveryCode, prelude) { attempt in
                try attempt.roots(prelude, keyFile: nil, recovery: seed)
            }
        case .grant(let credential): return try open(prelude, credential, from: .grant)
        }
    }

    private mutating func open(
        _ prelude: VaultPrelude,
        _ credential: GrantCredential,
        from source: UnlockSource
    ) throws(VaultError) -> Roots {
        let devices = deviceKey.map { [$0.device: $0.key] } ?? [:]
        do {
            let now = Time(microseconds: environment.time.wallMicroseconds())
            let roots = try prelude.roots(credential.file, deviceKeys: devices, now: now)
            report.note(source, .opened)
            return roots
        } catch {
            guard error == .noMatch else { throw failure(error, of: source) }
            let problem = VaultError(
                kind: .wrongSecret,
                description: """
                    the \(source) does not open \(path.printable): the grant was revoked or not issued yet, or the file \
                    is another vault; ask its owner
                    """
            )
            report.note(source, .failed(problem))
            throw problem
        }
    }

    mutating func open(
        _ prelude: VaultPrelude,
        _ passphrase: Passphrase,
        from source: UnlockSource
    ) throws -> Roots {
        try opened(by: source, prelude) { attempt in
            try passphrase.withBytes { bytes in
                try attempt.roots(prelude, passphrase: bytes, keyFile: attempt.keyFile)
            }
        }
    }

    // MARK: - Found on this machine

    private mutating func openByDevice(_ prelude: VaultPrelude) throws -> Roots? {
        guard let deviceKey else { return nil }
        let roots: Roots
        do {
            roots = try self.roots(prelude, keyFile: nil)
        } catch VaultFormatError.noMatch, VaultFormatError.deviceKeyNeeded {
            report.note(deviceKey.source, .skipped(.opensNothing))
            return nil
        } catch let error as VaultFormatError {
            throw failure(error, of: deviceKey.source)
        }
        report.note(deviceKey.source, roots.user == nil ? .openedLocked : .opened)
        return roots
    }

    /// Returns the root of this machine, if the vault knows the machine.
    ///
    /// - Throws: ``VaultError`` if the vault knows the machine with another key, so that the items of the machine are
    ///   not taken for those of another one.
    mutating func deviceRoots(_ prelude: VaultPrelude) throws(VaultError) -> [DeviceID: Key] {
        guard let deviceKey else { return [:] }
        do {
            return try prelude.deviceRoots([deviceKey.device: deviceKey.key])
        } catch {
            guard error == .noMatch else { throw failure(error, of: deviceKey.source) }
            let problem = VaultError(
                kind: .deviceKeyNeeded([deviceKey.device.description]),
                description: """
                    \(path.printable) knows this machine with a key other than the \(deviceKey.source); restore the \
                    right file from a backup, or move this one away and open the vault with its passphrase
                    """
            )
            report.note(deviceKey.source, .failed(problem))
            throw problem
        }
    }

    /// Returns the roots that a key file opens by itself; nil if it may be one that also needs a passphrase.
    private mutating func openByKeyFile(_ prelude: VaultPrelude) throws -> Roots? {
        let kinds = prelude.keybag.slots.map(\.kind)
        guard let path = ladder.keyFile, kinds.contains(.keyFile) else { return nil }
        let source = UnlockSource.keyFile(path: path)
        do {
            let roots = try roots(prelude, keyFile: keyFile)
            report.note(source, .opened)
            return roots
        } catch let error as VaultFormatError {
            guard error == .noMatch, kinds.contains(.passphraseAndKeyFile) else { throw failure(error, of: source) }
            return nil
        }
    }

    // MARK: - Opening

    /// Returns the roots that these secrets open, together with the key file and the device key.
    private func roots(
        _ prelude: VaultPrelude,
        passphrase: Span<UInt8>? = nil,
        keyFile: Passphrase?,
        recovery: Key? = nil
    ) throws -> Roots {
        let devices = deviceKey.map { [$0.device: $0.key] } ?? [:]
        // Asked for only when Argon2id may need it, since the machine's answer takes a dozen files.
        let memory = passphrase == nil ? nil : environment.memory.byteCount
        guard let keyFile else {
            return try prelude.roots(
                passphrase: passphrase,
                recovery: recovery,
                deviceKeys: devices,
                availableByteCount: memory
            )
        }
        return try keyFile.withBytes { content in
            try prelude.roots(passphrase: passphrase, keyFile: content, deviceKeys: devices, availableByteCount: memory)
        }
    }

    /// Returns the roots that `source` opens, and throws if its secret is wrong.
    private mutating func opened(
        by source: UnlockSource,
        _ prelude: VaultPrelude,
        _ open: (UnlockAttempt) throws -> Roots
    ) throws -> Roots {
        do {
            let roots = try open(self)
            report.note(source, .opened)
            return roots
        } catch let error as VaultFormatError {
            throw failure(error, of: source)
        }
    }

    private mutating func failure(_ error: VaultFormatError, of source: UnlockSource) -> VaultError {
        var problem = VaultError.ofStore(.vault(error, path: path))
        if error == .noMatch {
            let isNamed = ![.passphrase, .prompt, .recoveryCode, .grant].contains(source)
            problem = VaultError(
                kind: problem.kind,
                description: "\(isNamed ? "\(source): " : "")wrong \(what(in: source)) for \(path.printable)"
            )
        }
        report.note(source, .failed(problem))
        return problem
    }

    /// The kind of secret that a source has, for messages.
    private func what(in source: UnlockSource) -> String {
        switch source {
        case .deviceKey: "device key"
        case .keyFile: "key file"
        case .recoveryCode: "recovery code"
        case .grant, .grantFile: "credential"
        default: keyFile == nil ? "passphrase" : "passphrase or key file"
        }
    }

    /// Returns the result of `read` for `source`; a source that is set but provides nothing ends the attempt.
    mutating func noting<Result>(
        _ source: UnlockSource,
        _ read: () throws -> Result
    ) throws -> Result {
        do {
            return try read()
        } catch {
            report.note(source, .failed(VaultError(error)))
            throw error
        }
    }

    /// The error if no source opened the vault.
    private func nothingOpened(_ prelude: VaultPrelude) -> VaultError {
        let devices = prelude.keybag.slots.compactMap(\.device)
        guard devices.isEmpty else { return VaultError.ofStore(.vault(.deviceKeyNeeded(devices), path: path)) }
        return VaultError(
            kind: .secretNeeded,
            description: """
                \(path.printable) is locked, and nothing on this machine opens it; provide its passphrase, key file or \
                recovery code. Sources tried:
                \(report)
                """
        )
    }
}
