internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// A way to open a vault.
///
/// ```swift
/// for slot in try vault.slots { print(slot.kind, slot.created.secondsSince1970) }
/// ```
public struct VaultSlot: Equatable, Sendable {
    /// The kind of secret that opens a slot.
    public enum Kind: Equatable, Sendable {
        /// A passphrase.
        case passphrase
        /// A key file.
        case keyFile
        /// A passphrase, together with a key file.
        case passphraseAndKeyFile
        /// A recovery code.
        case recoveryCode
        /// The key of a device alone.
        case device(id: String)
        /// A credential, whose holder sent a ``GrantCredential/request``.
        case recipient
        /// A way of a newer version, which numbers it so.
        case unknown(number: Int)
    }

    /// The identifier of the slot, in hexadecimal digits.
    public let id: String
    /// The kind of secret that opens the slot.
    public let kind: Kind
    /// When the slot was created.
    public let created: KeychainDate
}

/// A machine that is a device of a vault.
///
/// ```swift
/// let others = try vault.devices.filter { !$0.isThisMachine }
/// ```
public struct VaultDevice: Equatable, Sendable {
    /// The identifier of the device, in hexadecimal digits.
    public let id: String
    /// When the machine became a device of the vault.
    public let created: KeychainDate
    /// Whether the device is this machine.
    public let isThisMachine: Bool
}

/// Options for a change of keys.
///
/// ```swift
/// var options = KeyChangeOptions()
/// options.removedDevices = Set(try vault.devices.filter { !$0.isThisMachine }.map(\.id))
/// let change = vault.keyChange(to: VaultProtection(passphrase: Passphrase("another one")), options: options)
/// let summary = try await change.report()
/// ```
public struct KeyChangeOptions: Equatable, Sendable {
    /// The identifiers of devices to remove from the vault, together with their items.
    public var removedDevices: Set<String> = []
    /// The identifiers of recipients' slots to remove; the others stay.
    public var removedRecipients: Set<String> = []
    /// The identifiers of other devices whose items may be lost because nothing will open the vault there any more.
    public var acceptedLosses: Set<String> = []

    /// Creates the default options.
    public init() {}
}

/// The result of a change of keys.
///
/// ```swift
/// let summary = try await vault.keyChange(to: VaultProtection()).report()
/// print(summary.lostItemCount)
/// ```
public struct KeyChangeSummary: Equatable, Sendable {
    /// The number of items that were sealed with the new keys.
    public let resealedItemCount: Int
    /// The number of items of other machines that keep their old keys until those machines unlock the vault.
    public let carriedItemCount: Int
    /// The number of items that were lost with a device, or with the last passphrase.
    public let lostItemCount: Int
    /// The number of past revisions that were dropped.
    public let droppedRevisionCount: Int
    /// The slots that no longer open the vault, and that no other slot replaces.
    public let removedSlots: [VaultSlot]
    /// The identifiers of grants of a newer version, which could not be renewed and open nothing any more.
    public let lostGrants: [String]
}

extension Vault {
    /// The ways to open the vault, in the order in which they are tried.
    public var slots: [VaultSlot] {
        get throws(VaultError) {
            try keybag().entries.compactMap { entry in
                switch entry {
                case .slot(let slot): VaultSlot(slot)
                case .recipient(let slot): VaultSlot(slot)
                case .unknownWay(let way) where way.kind == .slot: VaultSlot(way)
                default: nil
                }
            }
        }
    }

    /// The machines that are devices of the vault.
    public var devices: [VaultDevice] {
        get throws(VaultError) {
            let (devices, own) = try read { vault in
                (vault.verifiedKeybag.devices, vault.opening.keyring.roots.devices)
            }
            return devices.map { device in
                VaultDevice(
                    id: device.id.description,
                    created: KeychainDate(device.created),
                    isThisMachine: own[device.id] != nil
                )
            }
        }
    }

    /// Returns the slots that these secrets open.
    ///
    /// - Parameter secrets: A passphrase, a key file, a recovery code, or several of them.
    /// - Returns: The identifiers of the slots.
    /// - Throws: ``VaultError`` if the secrets cannot be tried.
    package func slots(openedBy secrets: VaultProtection) throws(VaultError) -> Set<String> {
        try VaultError.converting {
            let keyFile = try secrets.keyFile.map { path in try Passphrase.keyFile(path) }
            let seed = try secrets.recoveryCode.map { code in try code.seed() }
            let vault = try id()
            var opened: Set<String> = []
            for slot in try keybag().slots where slot.kind != .deviceUnlock {
                var unlocking = SlotUnlocker(
                    Keybag(entries: [.slot(slot)]),
                    vault: vault,
                    availableByteCount: store.environment.memory.byteCount
                )
                let found = try unlocking.slot(passphrase: secrets.passphrase, keyFile: keyFile, seed: seed, path)
                if let found { opened.insert(found.description) }
            }
            return opened
        }
    }

    /// Adds ways to open the vault, and keeps the existing ones.
    ///
    /// The first passphrase cannot be added, since device keys have opened everything until then; use
    /// ``keyChange(to:options:)`` to set it.
    ///
    /// - Parameter protection: The ways to add.
    /// - Throws: ``VaultError`` if the vault is locked, or they cannot be added; then nothing is changed.
    public func add(_ protection: VaultProtection) throws(VaultError) {
        try VaultError.converting {
            let cost = options.passphraseCost
            var addition = try store.slotAddition(argon2Limits: cost.limits)
            try protection.addSlots(to: &addition, cost: cost, store.environment)
            _ = try store.add(addition)
        }
    }

    /// Makes this machine a device of the vault.
    ///
    /// It can then have items of its own, and read those that are never locked without unlocking the vault. A device
    /// key is created if the machine has none. If the key of a device alone opens the vault, that of this machine opens
    /// it too.
    ///
    /// - Throws: ``VaultError`` if the vault is locked, or the machine is already a device of it.
    public func addThisMachine() throws(VaultError) {
        try VaultError.converting {
            // First, so that no key is created if the vault is locked.
            var addition = try store.slotAddition()
            let opensAll = try keybag().slots.contains { $0.kind == .deviceUnlock }
            let key = try deviceKey()
            try addition.add(device: key.device, key: key.key, opensAll: opensAll)
            _ = try store.add(addition)
        }
    }

    /// Returns work that replaces all keys of the vault, so that from then on only `protection` opens it.
    ///
    /// Use it to set, change or remove the passphrase, or to revoke other ways to open the vault. Ways that are to
    /// remain must be given again. Others can read in the meantime, but writers wait. Earlier copies of the file still
    /// open with the old secrets, with the contents that they had. Without a passphrase or key file, this machine opens
    /// the vault, and items that require a passphrase are lost.
    ///
    /// - Parameters:
    ///   - protection: What opens the vault from then on.
    ///   - change: The options for the change.
    /// - Returns: The work, which starts when it is awaited. If it fails, nothing is changed.
    public func keyChange(
        to protection: VaultProtection,
        options change: KeyChangeOptions = KeyChangeOptions()
    ) -> VaultWork<KeyChangeSummary> {
        VaultWork { [self] shouldContinue in
            let slots = try slots
            let report = try store.rotate(to: rotation(to: protection, change)) {
                shouldContinue(VaultProgress($0.byteCount, of: $0.expectedByteCount))
            }
            if let warning = rememberPlace() { warn(warning) }
            // Keys that other processes have left no longer open anything. If the kernel keyring is out of reach, they
            // expire by themselves, and are refused until then.
            _ = try? stopKeepingUnlocked()
            return KeyChangeSummary(report, slots: slots)
        }
    }

    private func rotation(
        to protection: VaultProtection,
        _ change: KeyChangeOptions
    ) throws -> Rotation {
        let (cost, keybag) = (options.passphraseCost, try keybag())
        var rotation = try store.rotation(argon2Limits: cost.limits)
        rotation.removedDevices = try Self.devices(change.removedDevices, of: keybag)
        rotation.removedRecipients = Set(
            keybag.recipients.map(\.id).filter { change.removedRecipients.contains($0.description) }
        )
        rotation.acceptedLosses = try Self.devices(change.acceptedLosses, of: keybag)
        try protection.addSlots(to: &rotation, cost: cost, store.environment)
        if protection.isByDevice { try addDevice(to: &rotation, of: keybag) }
        rotation.replacedSlots = Self.replacedSlots(by: protection, of: keybag)
        return rotation
    }

    /// Lets this machine open the vault by itself.
    private func addDevice(to rotation: inout Rotation, of keybag: Keybag) throws {
        let key = try deviceKey()
        let isKnown = keybag.devices.contains { $0.id == key.device }
        if !isKnown { try rotation.add(device: key.device, key: key.key) }
        try rotation.add(unlockOf: key.device, key: key.key)
    }

    private func deviceKey() throws -> DeviceKey {
        var warnings: [String] = []
        return try .findOrCreate(at: options.locations, environment: store.environment, warnings: &warnings)
    }

    /// The first existing slot of each new kind, or, for a first or last passphrase, the slot whose place it takes.
    private static func replacedSlots(by protection: VaultProtection, of keybag: Keybag) -> Set<SlotID> {
        var replaced: Set<SlotID> = []
        for kind in protection.kinds {
            let kinds: [Slot.Kind] =
                kind == .recoveryCode
                ? [kind] : [kind, .passphrase, .passphraseAndKeyFile, .keyFile, .deviceUnlock]
            let slot = kinds.lazy.compactMap { kind in keybag.slots.first { $0.kind == kind } }.first
            if let slot { replaced.insert(slot.id) }
        }
        return replaced
    }

    private static func devices(_ ids: Set<String>, of keybag: Keybag) throws(VaultError) -> Set<DeviceID> {
        let known = Dictionary(keybag.devices.map { ($0.id.description, $0.id) }) { first, _ in first }
        var devices: Set<DeviceID> = []
        for id in ids {
            guard let device = known[id.lowercased()] else {
                throw VaultError(
                    kind: .unavailable,
                    description: "the vault has no device with the id \(id); check its devices"
                )
            }
            devices.insert(device)
        }
        return devices
    }

    private func keybag() throws(VaultError) -> Keybag {
        try read { vault in vault.verifiedKeybag }
    }
}

extension VaultSlot.Kind: CustomStringConvertible {
    /// The name of the kind, for people.
    public var description: String {
        switch self {
        case .passphrase: "passphrase"
        case .keyFile: "key file"
        case .passphraseAndKeyFile: "passphrase and key file"
        case .recoveryCode: "recovery code"
        case .device(let id): "device \(id)"
        case .recipient: "recipient"
        case .unknown(let number): "unknown way \(number)"
        }
    }
}

extension VaultSlot {
    fileprivate init(_ slot: Slot) {
        id = slot.id.description
        created = KeychainDate(slot.created)
        kind = Kind(slot.kind, slot.device)
    }

    fileprivate init(_ slot: RecipientSlot) {
        id = slot.id.description
        created = KeychainDate(slot.created)
        kind = .recipient
    }

    fileprivate init(_ way: UnknownWay) {
        id = way.id.description
        created = KeychainDate(way.created)
        kind = .unknown(number: Int(way.type))
    }
}

extension VaultSlot.Kind {
    init(_ kind: Slot.Kind, _ device: DeviceID?) {
        self =
            switch kind {
            case .passphrase: .passphrase
            case .keyFile: .keyFile
            case .passphraseAndKeyFile: .passphraseAndKeyFile
            case .recoveryCode: .recoveryCode
            case .deviceUnlock: .device(id: device?.description ?? "")
            }
    }
}

extension SlotUnlocker {
    /// Returns the slot that these secrets open, if they open one.
    fileprivate mutating func slot(
        passphrase: Passphrase?,
        keyFile: Passphrase?,
        seed: Key?,
        _ path: String
    ) throws -> SlotID? {
        do {
            switch (passphrase, keyFile) {
            case (let passphrase?, let keyFile?):
                return try passphrase.withBytes { text in
                    try keyFile.withBytes { content in
                        try opened(passphrase: text, keyFile: content, recovery: seed).slot
                    }
                }
            case (let passphrase?, nil):
                return try passphrase.withBytes { text in try opened(passphrase: text, recovery: seed).slot }
            case (nil, let keyFile?):
                return try keyFile.withBytes { content in try opened(keyFile: content, recovery: seed).slot }
            case (nil, nil): return try opened(recovery: seed).slot
            }
        } catch VaultFormatError.noMatch {
            return nil
        } catch let error as VaultFormatError {
            throw StoreError.vault(error, path: path)
        }
    }
}

extension KeyChangeSummary {
    /// The result for a vault that had these slots.
    init(_ report: RotationReport, slots: [VaultSlot]) {
        let omitted = report.omittedRecipients + report.omittedWays.map(\.id)
        let removed = Set((report.leftOutSlots + omitted).map(\.description))
        resealedItemCount = report.resealedItemCount
        carriedItemCount = report.carriedItemCount
        lostItemCount = report.lostItemCount
        droppedRevisionCount = report.droppedRevisionCount
        removedSlots = slots.filter { removed.contains($0.id) }
        lostGrants = report.omittedWays.filter { $0.kind == .grant }.map(\.id.description)
    }
}
