internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// The secrets that open a vault.
///
/// Without a passphrase or key file, this machine opens the vault: it is as safe as the device key file, and is lost
/// with it unless there is a recovery code.
///
/// ```swift
/// let code = try RecoveryCode()
/// let protection = VaultProtection(passphrase: passphrase, recoveryCode: code)
/// let vault = try Vault.create(at: path, protection: protection)
/// ```
public struct VaultProtection: Sendable {
    /// The passphrase, if any.
    public var passphrase: Passphrase?
    /// The path of a key file, if any; together with a passphrase, both are needed.
    public var keyFile: String?
    /// A recovery code, which opens the vault by itself.
    public var recoveryCode: RecoveryCode?
    /// Whether a passphrase or key file with almost no entropy, such as `aaaa` or a file of zeros, is accepted.
    ///
    /// If not, it is rejected with ``VaultError/Kind/weakSecret``. Secrets that are merely weak are always accepted;
    /// ``warnings()`` reports them. An existing vault always opens with the secrets that it has.
    public var allowsWeakSecrets = false
    /// Whether this machine becomes a device of a new vault.
    ///
    /// If not, the device key opens nothing, so someone who copies the vault and the key with the rest of a home
    /// directory cannot even test guesses of names. On the other hand, nothing can be read before the vault is
    /// unlocked, whatever its accessibility, and items that are bound to a machine cannot be stored. Only
    /// ``Vault/addThisMachine()`` adds the machine later. The vault requires a passphrase or key file. The setting has
    /// an effect only when a vault is created.
    public var includesThisMachine = true

    /// Creates protection by a passphrase, a key file, or both, or by this machine alone.
    public init(passphrase: Passphrase? = nil, keyFile: String? = nil, recoveryCode: RecoveryCode? = nil) {
        self.passphrase = passphrase
        self.keyFile = keyFile
        self.recoveryCode = recoveryCode
    }

    /// Creates protection by a passphrase, given as text or bytes, and a key file if both are to be needed.
    public init(
        passphrase: borrowing some SecretSource & ~Copyable & ~Escapable,
        keyFile: String? = nil,
        recoveryCode: RecoveryCode? = nil
    ) {
        self.init(passphrase: Passphrase(passphrase) as Passphrase?, keyFile: keyFile, recoveryCode: recoveryCode)
    }

    /// Whether a device key opens the vault by itself.
    package var isByDevice: Bool { passphrase == nil && keyFile == nil }

    /// The kinds of slots for this protection.
    var kinds: Set<Slot.Kind> {
        var kinds: Set<Slot.Kind> = []
        switch (passphrase == nil, keyFile == nil) {
        case (false, false): kinds.insert(.passphraseAndKeyFile)
        case (false, true): kinds.insert(.passphrase)
        case (true, false): kinds.insert(.keyFile)
        case (true, true): kinds.insert(.deviceUnlock)
        }
        if recoveryCode != nil { kinds.insert(.recoveryCode) }
        return kinds
    }

    /// Adds the slots for passphrase, key file and recovery code to `taker`.
    func addSlots(
        to taker: inout some SlotAccepting,
        cost: PassphraseCost,
        _ environment: StoreEnvironment
    ) throws {
        let keyFile = try keyFile.map { path in try Passphrase.keyFile(path) }
        try checkStrength(keyFile: keyFile)
        let seed = try recoveryCode.map { code in try code.seed() }
        let parameters = cost.fitting(availableByteCount: environment.memory.byteCount)
        if let passphrase {
            try passphrase.withBytes { bytes in
                guard let keyFile else { return try taker.add(passphrase: bytes, parameters: parameters) }
                try keyFile.withBytes { content in
                    try taker.add(passphrase: bytes, keyFile: content, parameters: parameters)
                }
            }
        } else if let keyFile {
            try keyFile.withBytes { content in try taker.add(keyFile: content) }
        }
        if let seed { try taker.add(recoverySeed: seed) }
    }
}
