import CofferBasics
import TestSupport
import VaultCrypto
import VaultFormat

/// Held keys for other processes: one structure key, two devices, three class keys, two match keys.
struct HeldKeysSample {
    static let byteCount = 8 + 32 + 4 + 2 * 16 + 4 + 3 * 56 + 4 + 2 * 44

    let keys: HeldKeys
    let bytes: [UInt8]

    init() throws {
        let (one, other) = (
            DeviceID(countingBytes(from: 1, count: 16).span), DeviceID(countingBytes(from: 2, count: 16).span)
        )
        let group = GroupID(countingBytes(from: 0x21, count: 8).span)
        keys = HeldKeys(
            structureKey: (try Key([UInt8](repeating: 0xA0, count: 32)), 7),
            classKeys: [
                ClassKeyName(protection: .whenUnlocked, owner: .none, epoch: 1): try Key(Self.key(0xB0)),
                ClassKeyName(protection: .whenUnlocked, owner: .none, epoch: 2): try Key(Self.key(0xB1)),
                ClassKeyName(protection: .whenUnlockedThisDeviceOnly, owner: one, epoch: 1): try Key(
                    Self.key(0xB2)
                ),
            ],
            matchKeys: [
                GroupEpoch(group: group, epoch: 1): try Key(Self.key(0xC0)),
                GroupEpoch(group: group, epoch: 2): try Key(Self.key(0xC1)),
            ],
            devices: [one, other]
        )
        bytes = keys.withBytes { [UInt8](copying: $0) }
    }

    static func key(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    func parsed(_ bytes: [UInt8]) throws(Fault) -> HeldKeys {
        try HeldKeys(parsing: bytes.span)
    }

    /// The bytes of `keys`.
    func written(_ keys: HeldKeys) -> [UInt8] {
        keys.withBytes { [UInt8](copying: $0) }
    }
}
