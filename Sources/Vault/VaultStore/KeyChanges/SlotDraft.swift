internal import CofferBasics
package import VaultCrypto
internal import VaultFiles
package import VaultFormat

/// Slots and devices to give to a vault, made around its user root.
package struct SlotDraft: Sendable {
    let cipher: Cipher
    let userRoot: Key
    let epoch: UInt32
    /// In the order in which they were added.
    private(set) var entries: [KeybagEntry] = []
    private(set) var deviceRoots: [DeviceID: Key] = [:]
    private let created: Time
    private let argon2Limits: Argon2Limits

    /// Creates a draft around `userRoot`, or around a new one if that is nil.
    init(
        cipher: Cipher,
        userRoot: Key? = nil,
        epoch: UInt32,
        environment: StoreEnvironment,
        argon2Limits: Argon2Limits
    ) throws {
        self.cipher = cipher
        self.epoch = epoch
        self.argon2Limits = argon2Limits
        created = Time(microseconds: environment.time.wallMicroseconds())
        self.userRoot =
            if let userRoot { userRoot } else { try cipher.random.key() }
    }

    /// The slots and devices as a keybag has them.
    var keybag: Keybag { Keybag(entries: entries) }

    private var slots: SlotMaker {
        SlotMaker(userRoot: userRoot, epoch: epoch, created: created, limits: argon2Limits, cipher: cipher)
    }
}

/// Something to which slots and devices can be added.
package protocol SlotAccepting {
    var draft: SlotDraft { get set }
}

extension SlotAccepting {
    /// Lets a passphrase open the vault, together with a key file if one is given.
    package mutating func add(
        passphrase: Span<UInt8>,
        keyFile: Span<UInt8>? = nil,
        parameters: Argon2Parameters
    ) throws {
        try draft.add { slots in
            try slots.passphraseSlot(passphrase, keyFile: keyFile, parameters: parameters)
        }
    }

    /// Lets a key file alone open the vault.
    package mutating func add(keyFile: Span<UInt8>) throws {
        try draft.add { slots in try slots.keyFileSlot(keyFile) }
    }

    /// Lets a recovery code with this seed open the vault.
    package mutating func add(recoverySeed seed: Key) throws {
        try draft.add { slots in try slots.recoverySlot(seed: seed) }
    }

    /// Lets the key of a device that is in the vault open all of it, which requires a vault without a passphrase.
    package mutating func add(unlockOf device: DeviceID, key: Key) throws {
        try draft.add { slots in try slots.deviceUnlockSlot(device, key: key) }
    }

    /// Adds a machine to the vault, in which it gets a root of its own; `opensAll` lets its key open a vault without a
    /// passphrase.
    package mutating func add(device: DeviceID, key: Key, opensAll: Bool = false) throws {
        try draft.add(device: device, key: key)
        if opensAll { try add(unlockOf: device, key: key) }
    }
}

extension SlotDraft {
    fileprivate mutating func add(_ slot: (SlotMaker) throws -> Slot) throws {
        entries.append(.slot(try Self.made { try slot(slots) }))
    }

    /// Adds a machine to the vault, in which it gets a root of its own.
    fileprivate mutating func add(device: DeviceID, key: Key) throws {
        let (entry, root) = try Self.made {
            try DeviceEntry.made(for: device, created: created, deviceKey: key, vault: cipher.vault)
        }
        deviceRoots[device] = root
        entries.append(.device(entry))
    }

    /// Returns what `make` makes for a vault that need not have a file yet.
    private static func made<Result>(_ make: () throws -> Result) throws -> Result {
        do { return try make() } catch { throw StoreError.refused(Fault.Reason(error)) }
    }
}
