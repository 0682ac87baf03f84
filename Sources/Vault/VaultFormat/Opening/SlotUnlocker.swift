package import VaultCrypto

/// Section 3.1: opens the user root with the secrets at hand.
package struct SlotUnlocker {
    /// The user root and the slot that holds it.
    package struct Opened: Sendable {
        package let userRoot: Key
        package let slot: SlotID
        package let epoch: UInt32
    }

    private let keybag: Keybag
    private let vault: VaultID
    private let limits: Argon2Limits
    /// The memory available for Argon2id, if known.
    private let availableByteCount: Int?

    private var workKiB = 0
    /// Why a slot could not be tried; thrown if no slot matches.
    private var obstacle: VaultFormatError?
    /// Whether any slot was tried with a secret.
    private var hasTried = false

    package init(
        _ keybag: Keybag,
        vault: VaultID,
        limits: Argon2Limits = .reader,
        availableByteCount: Int?
    ) {
        self.keybag = keybag
        self.vault = vault
        self.limits = limits
        self.availableByteCount = availableByteCount
    }

    /// Tries every slot that the given secrets could open, in order.
    ///
    /// - Parameters:
    ///   - passphrase: The passphrase, exactly as given.
    ///   - keyFile: The content of a key file.
    ///   - recovery: The seed of a recovery code.
    ///   - deviceKeys: The device keys of this machine.
    /// - Returns: The user root.
    /// - Throws: `noMatch`, `deviceKeyNeeded`, `notEnoughMemory`, `limitExceeded` or `keybagFailure`.
    package mutating func opened(
        passphrase: Span<UInt8>? = nil,
        keyFile: Span<UInt8>? = nil,
        recovery: Key? = nil,
        deviceKeys: [DeviceID: Key] = [:]
    ) throws(VaultFormatError) -> Opened {
        let isSecretGiven = passphrase != nil || keyFile != nil || recovery != nil
        do {
            for slot in keybag.slots {
                let seed: Key?
                switch slot.kind {
                case .passphrase:
                    guard let passphrase else { continue }
                    seed = try passphraseSeed(slot, passphrase)
                case .keyFile:
                    guard let keyFile else { continue }
                    seed = try Label.keyFile.key(keyFile)
                case .passphraseAndKeyFile:
                    guard let passphrase, let keyFile else { continue }
                    seed = try passphraseSeed(slot, passphrase)?.derived(.keyFile, keyFile)
                case .recoveryCode:
                    seed = recovery
                case .deviceUnlock:
                    // If a secret was given, it must open the vault: the device key must not hide a wrong passphrase.
                    guard !isSecretGiven, let device = slot.device else { continue }
                    seed = try deviceKeys[device]?.derived(.deviceUnlock)
                }
                guard let seed else { continue }
                hasTried = true
                guard let userRoot = try slot.opened(seed: seed, vault: vault) else { continue }
                return Opened(userRoot: userRoot, slot: slot.id, epoch: slot.epoch)
            }
        } catch {
            throw VaultFormatError(ofKeys: error)
        }
        throw failure(deviceKeys)
    }

    /// The error if no slot opened.
    private func failure(_ deviceKeys: [DeviceID: Key]) -> VaultFormatError {
        if let obstacle { return obstacle }
        let devices = keybag.neededDevices
        guard !hasTried, !devices.isEmpty, !devices.contains(where: { deviceKeys[$0] != nil }) else { return .noMatch }
        return .deviceKeyNeeded(devices)
    }

    // MARK: - Seeds

    /// The result of Argon2id over a passphrase, or nil if the slot cannot be tried.
    private mutating func passphraseSeed(
        _ slot: Slot,
        _ passphrase: Span<UInt8>
    ) throws(CipherError) -> Key? {
        guard let parameters = slot.derivation else { return nil }
        if let problem = problem(with: parameters) {
            obstacle = obstacle ?? problem
            return nil
        }
        do throws(CipherError) {
            return try Key.ofPassphrase(
                passphrase,
                salt: slot.salt,
                operations: parameters.operations,
                memoryByteCount: parameters.memoryKiB << 10
            )
        } catch .outOfMemory(let neededByteCount) {
            obstacle =
                obstacle ?? .notEnoughMemory(neededByteCount: neededByteCount, availableByteCount: availableByteCount)
            return nil
        }
    }

    /// The limit or lack of memory that forbids Argon2id with `parameters`, found before anything is allocated.
    private mutating func problem(with parameters: Argon2Parameters) -> VaultFormatError? {
        if let problem = limits.problem(with: parameters, availableByteCount: availableByteCount) { return problem }
        let slotWorkKiB = parameters.memoryKiB * parameters.operations
        guard workKiB + slotWorkKiB <= limits.totalWorkKiB else {
            return .limitExceeded(.argon2Work, value: UInt64(workKiB + slotWorkKiB))
        }
        workKiB += slotWorkKiB
        return nil
    }
}

extension Argon2Limits {
    /// The limit or lack of memory that forbids Argon2id with `parameters`, found before anything is allocated.
    func problem(with parameters: Argon2Parameters, availableByteCount: Int?) -> VaultFormatError? {
        guard memoryKiB.contains(parameters.memoryKiB) else {
            return .limitExceeded(.argon2Memory, value: UInt64(parameters.memoryKiB))
        }
        guard operations.contains(parameters.operations) else {
            return .limitExceeded(.argon2Operations, value: UInt64(parameters.operations))
        }
        let work = parameters.memoryKiB * parameters.operations
        guard work <= workKiB else { return .limitExceeded(.argon2Work, value: UInt64(work)) }
        let neededByteCount = parameters.memoryKiB << 10
        guard let availableByteCount, neededByteCount > availableByteCount else { return nil }
        return .notEnoughMemory(neededByteCount: neededByteCount, availableByteCount: availableByteCount)
    }
}

extension Keybag {
    /// The devices whose keys open the vault, each with a slot.
    fileprivate var neededDevices: [DeviceID] { slots.compactMap(\.device) }
}
