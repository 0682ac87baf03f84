internal import CofferBasics
package import VaultCrypto

extension Slot {
    /// A slot before ``holding(_:seed:cipher:)`` puts the user root into it.
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

/// Makes the slots of a vault; throws a ``Fault`` for secrets or parameters that a reader would refuse.
package struct SlotMaker {
    private let userRoot: Key
    private let epoch: UInt32
    private let created: Time
    private let cipher: Cipher
    private let limits: Argon2Limits

    package init(
        userRoot: Key,
        epoch: UInt32,
        created: Time,
        limits: Argon2Limits = .writer,
        cipher: Cipher
    ) {
        self.limits = limits
        self.userRoot = userRoot
        self.epoch = epoch
        self.created = created
        self.cipher = cipher
    }

    /// A slot for a passphrase, or for a passphrase and a key file if `keyFile` is not nil.
    package func passphraseSlot(
        _ passphrase: Span<UInt8>,
        keyFile: Span<UInt8>? = nil,
        parameters: Argon2Parameters
    ) throws -> Slot {
        try check(passphrase, keyFile, parameters)
        let salt = cipher.random.bytes(16)
        var seed = try Key.ofPassphrase(
            passphrase,
            salt: salt,
            operations: parameters.operations,
            memoryByteCount: parameters.memoryKiB << 10
        )
        if let keyFile { seed = try seed.derived(.keyFile, keyFile) }
        let kind: Slot.Kind = keyFile == nil ? .passphrase : .passphraseAndKeyFile
        return try slot(kind, seed: seed, derivation: parameters, salt: salt)
    }

    /// A slot for a key file.
    package func keyFileSlot(_ keyFile: Span<UInt8>) throws -> Slot {
        try check(keyFile: keyFile)
        return try slot(.keyFile, seed: try Label.keyFile.key(keyFile))
    }

    /// A slot for a recovery code with the given seed.
    package func recoverySlot(seed: Key) throws(CipherError) -> Slot {
        try slot(.recoveryCode, seed: seed)
    }

    /// A slot for a device key.
    package func deviceUnlockSlot(_ device: DeviceID, key: Key) throws(CipherError) -> Slot {
        try slot(.deviceUnlock, seed: try key.derived(.deviceUnlock), salt: device.bytes)
    }

    /// Throws if a reader would refuse the secrets or parameters, or if a guess would cost too little.
    private func check(
        _ passphrase: Span<UInt8>,
        _ keyFile: Span<UInt8>?,
        _ parameters: Argon2Parameters
    ) throws(Fault) {
        guard !passphrase.isEmpty else { throw Fault(.badValue) }
        try Limit.passphrase.check(passphrase.count, atMost: Limits.passphraseByteCount)
        if let keyFile { try check(keyFile: keyFile) }
        guard limits.memoryKiB.contains(parameters.memoryKiB) else {
            throw Fault(.limitExceeded(.argon2Memory, value: UInt64(clamping: parameters.memoryKiB)))
        }
        guard limits.operations.contains(parameters.operations) else {
            throw Fault(.limitExceeded(.argon2Operations, value: UInt64(clamping: parameters.operations)))
        }
        try Limit.argon2Work.check(parameters.memoryKiB * parameters.operations, atMost: limits.workKiB)
    }

    private func check(keyFile: Span<UInt8>) throws(Fault) {
        guard keyFile.count >= Limits.leastKeyFileByteCount else { throw Fault(.tooShort) }
        try Limit.keyFile.check(keyFile.count, atMost: Limits.keyFileByteCount)
    }

    private func slot(
        _ kind: Slot.Kind,
        seed: Key,
        derivation: Argon2Parameters? = nil,
        salt: [UInt8]? = nil
    ) throws(CipherError) -> Slot {
        try Slot(
            kind: kind,
            id: cipher.random.identifier(),
            created: created,
            epoch: epoch,
            derivation: derivation,
            salt: salt ?? cipher.random.bytes(16)
        ).holding(userRoot, seed: seed, cipher: cipher)
    }
}
