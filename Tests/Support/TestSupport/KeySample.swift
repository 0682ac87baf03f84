import CofferBasics
package import VaultCrypto
package import VaultFormat

/// Roots and keys of a vault with two devices, and the entries that hold them.
package struct KeySample {
    package let cipher: Cipher
    package let userRoot: Key
    package let device = DeviceID(countingBytes(from: 0x71, count: 16).span)
    package let otherDevice = DeviceID(countingBytes(from: 0x91, count: 16).span)
    package let deviceRoots: [DeviceID: Key]

    package init(seed: String = "keys") throws {
        cipher = Cipher(vault: .sample, random: DeterministicRandom(seed: seed))
        userRoot = try cipher.random.key()
        deviceRoots = [device: try cipher.random.key(), otherDevice: try cipher.random.key()]
    }

    /// A maker of keys under `userRoot`, by default that of the sample.
    package func maker(
        devices: [DeviceID]? = nil,
        userRoot: Key? = nil,
        epoch: UInt32 = 1
    ) throws -> KeyMaker {
        try KeyMaker(
            userRoot: userRoot ?? self.userRoot,
            devices: deviceRoots.filter { devices?.contains($0.key) ?? true },
            epoch: epoch,
            cipher: cipher
        )
    }

    /// A keyring with the roots of `holder`.
    package func keyring(_ holder: Holder, epoch: UInt32 = 1) throws -> Keyring {
        let roots = deviceRoots.filter { $0.key == holder.device(in: self) }
        let user = holder.hasUserRoot ? (userRoot, epoch) : nil
        return try Keyring(roots: .init(user: user, devices: roots), cipher: cipher)
    }

    /// A slot for a passphrase, which class 12 needs.
    package func passphraseSlot() throws -> KeybagEntry {
        let maker = SlotMaker(
            userRoot: userRoot,
            epoch: 1,
            created: Time(microseconds: 0),
            limits: .weak,
            cipher: cipher
        )
        let parameters = Argon2Parameters(operations: 1, memoryKiB: 8)
        return .slot(try maker.passphraseSlot([1].span, parameters: parameters))
    }
}

/// The roots with which a vault of ``KeySample`` is opened.
package enum Holder: CaseIterable {
    case owner
    case ownerElsewhere
    case ownerOnOtherDevice
    case deviceAlone
    case otherDeviceAlone

    package var hasUserRoot: Bool { self != .deviceAlone && self != .otherDeviceAlone }

    package func device(in sample: KeySample) -> DeviceID? {
        switch self {
        case .owner, .deviceAlone: sample.device
        case .ownerOnOtherDevice, .otherDeviceAlone: sample.otherDevice
        case .ownerElsewhere: nil
        }
    }
}

extension VaultID {
    package static let sample = VaultID(countingBytes(from: 0x10, count: 16).span)
}

/// Bytes that count up from `first`.
package func countingBytes(from first: UInt8, count: Int) -> [UInt8] {
    (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) }
}
