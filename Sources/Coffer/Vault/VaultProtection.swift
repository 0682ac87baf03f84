internal import CofferBasics
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// What shall open a vault.
///
/// Without a passphrase and a key file it is this machine: the vault is as safe as the file of its device key, and lost
/// with it, unless there is a recovery code.
///
/// ```swift
/// let code = try RecoveryCode()
/// let protection = VaultProtection(passphrase: Passphrase("a long passphrase"), recoveryCode: code)
/// let vault = try Vault.create(at: path, protection: protection)
/// ```
public struct VaultProtection: Sendable {
    /// The passphrase, if there shall be one.
    public var passphrase: Passphrase?
    /// A key file; together with a passphrase both are needed.
    public var keyFile: String?
    /// A code that opens the vault by itself.
    public var recoveryCode: RecoveryCode?
    /// Whether a passphrase or key file is accepted that has next to no entropy, such as `aaaa` or a file of zeros.
    ///
    /// Otherwise it is refused with ``VaultError/Kind/weakSecret``. Secrets that are only weak are always accepted:
    /// ``warnings()`` tells about them. A vault that exists opens with whatever it was given.
    public var allowsWeakSecrets = false
    /// Whether a new vault has a part for this machine.
    ///
    /// Without it the device key opens nothing, so whoever copies the vault and the key with the rest of a home directory
    /// cannot even test guesses of names. In return nothing can be read before the vault is unlocked, whatever its
    /// accessibility, and items that are bound to a machine cannot be stored. ``Vault/addThisMachine()`` adds the part
    /// later; nothing else does. It takes a passphrase or key file, and counts only where a vault is made.
    public var includesThisMachine = true

    /// Protection by a passphrase, by a key file or both, or by this machine alone.
    public init(passphrase: Passphrase? = nil, keyFile: String? = nil, recoveryCode: RecoveryCode? = nil) {
        self.passphrase = passphrase
        self.keyFile = keyFile
        self.recoveryCode = recoveryCode
    }

    /// Whether a device key opens the vault by itself.
    package var isByDevice: Bool { passphrase == nil && keyFile == nil }

    /// The kinds of the slots that this makes.
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

    /// Gives `taker` the slots of passphrase, key file and code.
    func addSlots(
        to taker: inout some TakesSlots,
        cost: PassphraseCost,
        _ environment: StoreEnvironment
    ) throws(VaultError) {
        let keyFile = try keyFile.map { path throws(VaultError) in try Passphrase.keyFile(path) }
        try checkStrength(keyFile: keyFile)
        let seed = try recoveryCode.map { code throws(VaultError) in try code.seed() }
        let parameters = cost.fitting(availableByteCount: environment.memory.byteCount)
        try translating(VaultError.ofStore) { () throws(StoreError) in
            if let passphrase {
                try passphrase.withBytes { bytes throws(StoreError) in
                    guard let keyFile else { return try taker.add(passphrase: bytes, parameters: parameters) }
                    try keyFile.withBytes { content throws(StoreError) in
                        try taker.add(passphrase: bytes, keyFile: content, parameters: parameters)
                    }
                }
            } else if let keyFile {
                try keyFile.withBytes { content throws(StoreError) in try taker.add(keyFile: content) }
            }
            if let seed { try taker.add(recoverySeed: seed) }
        }
    }
}
