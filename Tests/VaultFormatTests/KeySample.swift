import CofferBasics
import TestSupport
import VaultCrypto
import VaultFormat

/// Roots and keys of a vault with two devices, and the entries that hold them.
struct KeySample {
    let cipher: Cipher
    let userRoot: Key
    let device = DeviceID(countingBytes(from: 0x71, count: 16).span)
    let otherDevice = DeviceID(countingBytes(from: 0x91, count: 16).span)
    let deviceRoots: [DeviceID: Key]

    init(seed: String = "keys") throws {
        cipher = Cipher(vault: .sample, random: DeterministicRandom(seed: seed))
        userRoot = try cipher.random.key()
        deviceRoots = [device: try cipher.random.key(), otherDevice: try cipher.random.key()]
    }

    /// A maker of keys under `userRoot`, by default that of the sample.
    func maker(
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
    func keyring(_ holder: Holder, epoch: UInt32 = 1) throws -> Keyring {
        let roots = deviceRoots.filter { $0.key == holder.device(in: self) }
        let user = holder.hasUserRoot ? (userRoot, epoch) : nil
        return try Keyring(roots: .init(user: user, devices: roots), cipher: cipher)
    }

    /// A slot for a passphrase, which class 12 needs.
    func passphraseSlot() throws -> KeybagEntry {
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
enum Holder: CaseIterable {
    case owner
    case ownerElsewhere
    case ownerOnOtherDevice
    case deviceAlone
    case otherDeviceAlone

    var hasUserRoot: Bool { self != .deviceAlone && self != .otherDeviceAlone }

    func device(in sample: KeySample) -> DeviceID? {
        switch self {
        case .owner, .deviceAlone: sample.device
        case .ownerOnOtherDevice, .otherDeviceAlone: sample.otherDevice
        case .ownerElsewhere: nil
        }
    }
}

/// A group with one data key, and the keybag entries of both.
struct GroupSample {
    let group: GroupEpoch
    let matchKey: Key
    let handle: KeyHandle
    let dataKey: Key
    let classKey: Key
    let groupEntries: [KeybagEntry]
    let dataEntry: KeybagEntry

    var entries: [KeybagEntry] { groupEntries + [dataEntry] }

    init(
        _ protection: ProtectionClass,
        owner: DeviceID? = nil,
        name: String = "group",
        maker: KeyMaker,
        sample: KeySample
    ) throws {
        let owner = protection.isBoundToDevice ? owner ?? sample.device : .none
        let (group, matchKey, groupEntries) = try maker.group(named: Array(name.utf8))
        let (handle, dataKey, dataEntry) = try maker.dataKey(group, protection, owner: owner)
        self.group = group
        self.matchKey = matchKey
        self.handle = handle
        self.dataKey = dataKey
        classKey = try maker.classKey(protection, owner: owner)
        self.groupEntries = groupEntries
        self.dataEntry = dataEntry
    }
}
