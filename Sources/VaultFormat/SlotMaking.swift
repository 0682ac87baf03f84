extension Slot {
    /// A slot that opens with a seed; see ``holding(_:seed:vault:suite:)`` in its callers for what seeds are.
    init(kind: Kind, id: SlotID, created: Time, epoch: UInt32, derivation: Argon2Parameters?, salt: [UInt8]) {
        self.kind = kind
        self.id = id
        self.created = created
        self.epoch = epoch
        self.derivation = derivation
        self.salt = salt
        commitment = []
        wrappedRoot = []
    }
}

/// Makes the slots of a vault.
package struct SlotMaker<Suite: CipherSuite> {
    private let userRoot: Suite.Key
    private let epoch: UInt32
    private let created: Time
    private let vault: VaultID
    private let suite: Suite
    private let limits: Argon2Limits

    package init(
        userRoot: Suite.Key,
        epoch: UInt32,
        created: Time,
        vault: VaultID,
        suite: Suite,
        limits: Argon2Limits = .writer
    ) {
        self.limits = limits
        self.userRoot = userRoot
        self.epoch = epoch
        self.created = created
        self.vault = vault
        self.suite = suite
    }

    /// A slot for a passphrase, and for a key file too if there is one.
    package func passphraseSlot(
        _ passphrase: Span<UInt8>,
        keyFile: Span<UInt8>? = nil,
        parameters: Argon2Parameters
    ) throws(Fault) -> Slot {
        try check(passphrase, keyFile, parameters)
        let salt = suite.randomBytes(16)
        let seed = try translating(Fault.cipher) { () throws(CipherError) in
            let stretched = try suite.passphraseKey(
                passphrase,
                salt: salt,
                operations: parameters.operations,
                memoryByteCount: parameters.memoryKiB << 10
            )
            guard let keyFile else { return stretched }
            return try suite.derivedKey(from: stretched, label: .keyFile, input: keyFile, appending: nil)
        }
        let kind: Slot.Kind = keyFile == nil ? .passphrase : .passphraseAndKeyFile
        return try slot(kind, seed: seed, derivation: parameters, salt: salt)
    }

    /// A slot for a key file.
    package func keyFileSlot(_ keyFile: Span<UInt8>) throws(Fault) -> Slot {
        try check(keyFile: keyFile)
        return try slot(.keyFile, seed: try seed(nil, .keyFile, keyFile))
    }

    /// A slot for a recovery code with the given seed.
    package func recoverySlot(seed: Suite.Key) throws(Fault) -> Slot {
        try slot(.recoveryCode, seed: seed)
    }

    /// A slot for a device key.
    package func deviceUnlockSlot(_ device: DeviceID, key: Suite.Key) throws(Fault) -> Slot {
        try slot(.deviceUnlock, seed: try seed(key, .deviceUnlock, [UInt8]().span), salt: device.bytes)
    }

    /// Throws if a reader would refuse what the slot is to be made of, or a guess of it would cost too little.
    private func check(
        _ passphrase: Span<UInt8>,
        _ keyFile: Span<UInt8>?,
        _ parameters: Argon2Parameters
    ) throws(Fault) {
        guard !passphrase.isEmpty else { throw .badValue }
        try Limit.passphrase.check(passphrase.count, atMost: Limits.passphraseByteCount)
        if let keyFile { try check(keyFile: keyFile) }
        guard limits.memoryKiB.contains(parameters.memoryKiB) else {
            throw .limitExceeded(.argon2Memory, value: UInt64(clamping: parameters.memoryKiB))
        }
        guard limits.operations.contains(parameters.operations) else {
            throw .limitExceeded(.argon2Operations, value: UInt64(clamping: parameters.operations))
        }
        try Limit.argon2Work.check(parameters.memoryKiB * parameters.operations, atMost: limits.workKiB)
    }

    private func check(keyFile: Span<UInt8>) throws(Fault) {
        guard keyFile.count >= Limits.leastKeyFileByteCount else { throw .tooShort }
        try Limit.keyFile.check(keyFile.count, atMost: Limits.keyFileByteCount)
    }

    private func seed(_ key: Suite.Key?, _ label: Label, _ input: Span<UInt8>) throws(Fault) -> Suite.Key {
        do throws(CipherError) {
            return try suite.derivedKey(from: key, label: label, input: input, appending: nil)
        } catch {
            throw .cipher(error)
        }
    }

    private func slot(
        _ kind: Slot.Kind,
        seed: Suite.Key,
        derivation: Argon2Parameters? = nil,
        salt: [UInt8]? = nil
    ) throws(Fault) -> Slot {
        try Slot(
            kind: kind,
            id: SlotID(suite.randomBytes(SlotID.byteCount).span),
            created: created,
            epoch: epoch,
            derivation: derivation,
            salt: salt ?? suite.randomBytes(16)
        ).holding(userRoot, seed: seed, vault: vault, suite: suite)
    }
}

extension DeviceEntry {
    /// The part of a device in a vault: its root under its key.
    package static func entry<Suite: CipherSuite>(
        _ device: DeviceID,
        created: Time,
        root: Suite.Key,
        deviceKey: Suite.Key,
        vault: VaultID,
        suite: Suite
    ) throws(Fault) -> DeviceEntry {
        try DeviceEntry(id: device, created: created).holding(root, seed: deviceKey, vault: vault, suite: suite)
    }
}
