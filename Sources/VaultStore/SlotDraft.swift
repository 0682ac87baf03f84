internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

/// Slots and devices that a vault gets, made around its user root.
struct SlotDraft: Sendable {
    let vault: VaultID
    let userRoot: GuardedKey
    let epoch: UInt32
    /// In the order in which they were added.
    private(set) var entries: [KeybagEntry] = []
    private(set) var deviceRoots: [DeviceID: GuardedKey] = [:]
    private let suite: SodiumSuite
    private let created: Time
    private let argon2Limits: Argon2Limits

    /// Slots around a user root, which is a new one unless another is given.
    init(
        of vault: VaultID,
        userRoot: GuardedKey? = nil,
        epoch: UInt32,
        environment: StoreEnvironment,
        argon2Limits: Argon2Limits
    ) throws(StoreError) {
        self.vault = vault
        self.epoch = epoch
        self.argon2Limits = argon2Limits
        suite = environment.suite
        created = Time(microseconds: environment.time.wallMicroseconds())
        self.userRoot = try translating({ StoreError.refused(.cipher($0)) }) { () throws(CipherError) in
            if let userRoot { return userRoot }
            return try environment.suite.randomKey()
        }
    }

    /// The slots and devices as a keybag has them.
    var keybag: Keybag { Keybag(entries: entries) }

    private var slots: SlotMaker<SodiumSuite> {
        SlotMaker(
            userRoot: userRoot,
            epoch: epoch,
            created: created,
            vault: vault,
            suite: suite,
            limits: argon2Limits
        )
    }

    mutating func add(
        passphrase: Span<UInt8>,
        keyFile: Span<UInt8>?,
        parameters: Argon2Parameters
    ) throws(StoreError) {
        let slots = slots
        let slot = try translating(StoreError.refused) { () throws(Fault) in
            try slots.passphraseSlot(passphrase, keyFile: keyFile, parameters: parameters)
        }
        entries.append(.slot(slot))
    }

    mutating func add(keyFile: Span<UInt8>) throws(StoreError) {
        let slots = slots
        let slot = try translating(StoreError.refused) { () throws(Fault) in try slots.keyFileSlot(keyFile) }
        entries.append(.slot(slot))
    }

    mutating func add(recoverySeed seed: GuardedKey) throws(StoreError) {
        let slots = slots
        let slot = try translating(StoreError.refused) { () throws(Fault) in try slots.recoverySlot(seed: seed) }
        entries.append(.slot(slot))
    }

    /// Gives a machine a part in the vault, with a new device root.
    mutating func add(device: DeviceID, key: GuardedKey) throws(StoreError) {
        let (vault, suite, created) = (vault, suite, created)
        let (root, entry) = try translating(StoreError.refused) { () throws(Fault) in
            let root = try translating(Fault.cipher) { () throws(CipherError) in try suite.randomKey() }
            let entry = try DeviceEntry.entry(
                device,
                created: created,
                root: root,
                deviceKey: key,
                vault: vault,
                suite: suite
            )
            return (root, entry)
        }
        deviceRoots[device] = root
        entries.append(.device(entry))
    }

    /// Lets the key of a device open all of the vault.
    mutating func add(unlockOf device: DeviceID, key: GuardedKey) throws(StoreError) {
        let slots = slots
        let slot = try translating(StoreError.refused) { () throws(Fault) in
            try slots.deviceUnlockSlot(device, key: key)
        }
        entries.append(.slot(slot))
    }
}
