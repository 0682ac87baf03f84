internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// What shall open a new vault.
///
/// Without a passphrase and a key file it is this machine: the vault is as safe as the file of its device key, and lost
/// with it, unless there is a recovery code.
///
/// ```swift
/// let code = try RecoveryCode()
/// let protection = NewVaultProtection(passphrase: Passphrase("a long passphrase"), recoveryCode: code)
/// let vault = try Vault.create(at: path, protection: protection)
/// ```
public struct NewVaultProtection: Sendable {
    /// The passphrase, if there shall be one.
    public var passphrase: Passphrase?
    /// A key file; together with a passphrase both are needed.
    public var keyFile: String?
    /// A code that opens the vault by itself.
    public var recoveryCode: RecoveryCode?

    /// Protection by a passphrase, by a key file or both, or by this machine alone.
    public init(passphrase: Passphrase? = nil, keyFile: String? = nil, recoveryCode: RecoveryCode? = nil) {
        self.passphrase = passphrase
        self.keyFile = keyFile
        self.recoveryCode = recoveryCode
    }
}

extension Vault {
    /// Makes a vault, in a file that did not exist, and opens it.
    ///
    /// This machine becomes a device of the vault; if it has no device key yet, it gets one.
    ///
    /// - Parameters:
    ///   - path: Where the vault shall be. Its directory is made if it does not exist.
    ///   - protection: What shall open it.
    ///   - options: How it is used.
    /// - Returns: The vault.
    /// - Throws: Why it was not made. A file that is there already stays as it is, whatever it is.
    public static func create(
        at path: String,
        protection: NewVaultProtection = NewVaultProtection(),
        options: VaultOptions = VaultOptions()
    ) throws(VaultProblem) -> Vault {
        let environment = try options.storeEnvironment()
        try makePlace(for: path, environment)
        var report = UnlockReport()
        let new = try newVault(protection, options, environment, &report)
        let store = try translating(VaultProblem.init) { () throws(StoreError) in
            try VaultStore.create(new, at: path, environment: environment, options: options.store)
        }
        return Vault(store, at: path, options: options, report: report)
    }

    /// Makes the directory, and throws if there is something at `path`: neither work nor keys are wasted on it then.
    private static func makePlace(for path: String, _ environment: StoreEnvironment) throws(VaultProblem) {
        try translating({ VaultProblem(.file($0)) }) { () throws(FileError) in
            let (parent, _) = path.directoryAndName
            _ = try environment.files.makeDirectory(parent)
            let (directory, name) = try environment.files.locate(path)
            do throws(FileError) {
                _ = try directory.status(of: name)
            } catch {
                guard error.reason == .notFound else { throw error }
                return
            }
            throw FileError(.create, path, reason: .alreadyExists)
        }
    }

    private static func newVault(
        _ protection: NewVaultProtection,
        _ options: VaultOptions,
        _ environment: StoreEnvironment,
        _ report: inout UnlockReport
    ) throws(VaultProblem) -> NewVault {
        let keyFile = try protection.keyFile.map { path throws(VaultProblem) in try Passphrase.keyFile(path) }
        let seed = try protection.recoveryCode.map { code throws(VaultProblem) in try code.seed() }
        let device = try DeviceKey.foundOrMade(
            at: options.places,
            environment: environment,
            warnings: &report.warnings
        )
        let (cost, passphrase) = (options.passphraseCost, protection.passphrase)
        let parameters = cost.fitting(availableByteCount: environment.memory.byteCount)
        let opensByDevice = passphrase == nil && keyFile == nil
        let new = try translating(VaultProblem.init) { () throws(StoreError) in
            var new = try NewVault(environment: environment, argon2Limits: cost.limits)
            if let passphrase {
                try passphrase.withBytes { bytes throws(StoreError) in
                    guard let keyFile else { return try new.add(passphrase: bytes, parameters: parameters) }
                    try keyFile.withBytes { content throws(StoreError) in
                        try new.add(passphrase: bytes, keyFile: content, parameters: parameters)
                    }
                }
            } else if let keyFile {
                try keyFile.withBytes { content throws(StoreError) in try new.add(keyFile: content) }
            }
            if let seed { try new.add(recoverySeed: seed) }
            try new.add(device: device.device, key: device.key, opensAll: opensByDevice)
            return new
        }
        if passphrase != nil { report.note(.passphrase, .opened) }
        if let path = protection.keyFile { report.note(.keyFile(path: path), .opened) }
        report.note(device.source, opensByDevice ? .opened : .took)
        return new
    }
}
