import CofferBasics
import TestSupport
import VaultCrypto
import VaultFormat

/// The secrets offered to open a vault.
struct Offer: Sendable {
    var passphrase = false
    var keyFile = false
    var recovery = false
    var device = false
    /// Whether the secrets differ from those of the slots.
    var isWrong = false

    static let all = Offer(passphrase: true, keyFile: true, recovery: true, device: true)
    static let wrong = Offer(passphrase: true, keyFile: true, recovery: true, device: true, isWrong: true)
    static let allSingle = [
        Offer(), Offer(passphrase: true), Offer(keyFile: true), Offer(recovery: true), Offer(device: true),
        Offer(passphrase: true, keyFile: true),
    ]

    func isEnough(for kind: Slot.Kind) -> Bool {
        switch kind {
        case .passphrase: passphrase
        case .keyFile: keyFile
        case .passphraseAndKeyFile: passphrase && keyFile
        case .recoveryCode: recovery
        case .deviceUnlock: device
        }
    }
}

/// Slots around one user root, and the secrets that open them.
struct SlotSample {
    static let device = DeviceID(countingBytes(from: 0x71, count: 16).span)
    static let otherDevice = DeviceID(countingBytes(from: 0x91, count: 16).span)

    let cipher: Cipher
    let userRoot: Key
    private let maker: SlotMaker

    init() throws {
        cipher = Cipher(vault: .sample, random: DeterministicRandom(seed: "slots"))
        userRoot = try cipher.random.key()
        let time = Time(microseconds: -5)
        maker = SlotMaker(userRoot: userRoot, epoch: 3, created: time, limits: .weak, cipher: cipher)
    }

    private func passphrase(_ isOther: Bool) -> [UInt8] { Array((isOther ? "battery" : "correct horse").utf8) }
    private func keyFile(_ isOther: Bool) -> [UInt8] { countingBytes(from: isOther ? 9 : 8, count: 40) }
    private func key(_ isOther: Bool) throws -> Key {
        try Key(countingBytes(from: isOther ? 77 : 78, count: 32))
    }

    /// A slot of `kind`, for the secrets of the sample or for other secrets.
    func slot(_ kind: Slot.Kind, other isOther: Bool = false) throws -> Slot {
        let passphrase = passphrase(isOther)
        let keyFile = keyFile(isOther)
        let parameters = Argon2Parameters(operations: 1, memoryKiB: 8)
        return switch kind {
        case .passphrase: try maker.passphraseSlot(passphrase.span, parameters: parameters)
        case .keyFile: try maker.keyFileSlot(keyFile.span)
        case .passphraseAndKeyFile:
            try maker.passphraseSlot(passphrase.span, keyFile: keyFile.span, parameters: parameters)
        case .recoveryCode: try maker.recoverySlot(seed: try key(isOther))
        case .deviceUnlock:
            try maker.deviceUnlockSlot(isOther ? Self.otherDevice : Self.device, key: try key(isOther))
        }
    }

    /// The result of opening `slots` with the secrets in `offer`.
    func opened(
        _ slots: [Slot],
        _ offer: Offer,
        passphrase text: String? = nil,
        vault: VaultID = .sample,
        limits: Argon2Limits = .weak,
        availableByteCount: Int? = nil
    ) throws -> SlotUnlocker.Opened {
        var unlocking = SlotUnlocker(
            Keybag(entries: slots.map(KeybagEntry.slot)),
            vault: vault,
            limits: limits,
            availableByteCount: availableByteCount
        )
        let passphrase = offer.passphrase ? text.map { Array($0.utf8) } ?? passphrase(offer.isWrong) : nil
        let keyFile = offer.keyFile ? keyFile(offer.isWrong) : nil
        let key = try key(offer.isWrong)
        return try unlocking.opened(
            passphrase: passphrase?.span,
            keyFile: keyFile?.span,
            recovery: offer.recovery ? key : nil,
            deviceKeys: offer.device ? [Self.device: key] : [:]
        )
    }
}
