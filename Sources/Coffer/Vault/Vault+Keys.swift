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
    /// What opens it.
    public enum Kind: Equatable, Sendable {
        /// A passphrase.
        case passphrase
        /// A key file.
        case keyFile
        /// A passphrase, together with a key file.
        case passphraseAndKeyFile
        /// A recovery code.
        case recoveryCode
        /// The key of a device, by itself.
        case device(id: String)
    }

    /// What names it, in hexadecimal digits.
    public let id: String
    /// What opens it.
    public let kind: Kind
    /// When it was made.
    public let created: KeychainDate
}

/// A machine that has a part in a vault.
///
/// ```swift
/// let others = try vault.devices.filter { !$0.isThisMachine }
/// ```
public struct VaultDevice: Equatable, Sendable {
    /// What names it, in hexadecimal digits.
    public let id: String
    /// When it got its part.
    public let created: KeychainDate
    /// Whether its key is here.
    public let isThisMachine: Bool
}

/// What a change of keys shall do beside.
///
/// ```swift
/// var options = KeyChangeOptions()
/// options.dropsHistory = true
/// let change = vault.keyChange(to: VaultProtection(passphrase: Passphrase("another one")), options: options)
/// let summary = try await change.report()
/// ```
public struct KeyChangeOptions: Equatable, Sendable {
    /// Whether past revisions are dropped instead of sealed anew.
    public var dropsHistory = false
    /// The ids of machines that lose their part in the vault, and their items with it.
    public var removedDevices: Set<String> = []
    /// The ids of machines that are not here, and whose items may be lost because nothing opens the vault there any more.
    public var acceptedLosses: Set<String> = []

    /// Nothing of it.
    public init() {}
}

/// What a change of keys has done.
///
/// ```swift
/// let summary = try await vault.keyChange(to: VaultProtection()).report()
/// print(summary.lostItemCount)
/// ```
public struct KeyChangeSummary: Equatable, Sendable {
    /// How many items were sealed anew.
    public let resealedItemCount: Int
    /// How many items of machines that are not here stay as they are until these come back.
    public let carriedItemCount: Int
    /// How many items went with a machine, or with the last passphrase.
    public let lostItemCount: Int
    /// How many past revisions were dropped.
    public let droppedRevisionCount: Int
    /// The slots that open the vault no more, and nothing took their place.
    public let removedSlots: [VaultSlot]
}

extension Vault {
    /// The ways to open the vault, in the order in which they are tried.
    public var slots: [VaultSlot] {
        get throws(VaultError) { try keybag().slots.map(VaultSlot.init) }
    }

    /// The machines that have a part in the vault.
    public var devices: [VaultDevice] {
        get throws(VaultError) {
            let (devices, own) = try translating(
                VaultError.ofStore,
                store.read { (vault) throws(StoreError) in
                    (vault.verifiedKeybag.devices, vault.opening.keyring.roots.devices)
                }
            )
            return devices.map { device in
                VaultDevice(
                    id: device.id.description,
                    created: KeychainDate(device.created),
                    isThisMachine: own[device.id] != nil
                )
            }
        }
    }

    /// Which of the slots secrets open, each by itself.
    ///
    /// - Parameter secrets: A passphrase, a key file, a recovery code, or several of them.
    /// - Returns: The ids of the slots.
    /// - Throws: Why the secrets cannot be tried.
    package func slots(openedBy secrets: VaultProtection) throws(VaultError) -> Set<String> {
        let keyFile = try secrets.keyFile.map { path throws(VaultError) in try Passphrase.keyFile(path) }
        let seed = try secrets.recoveryCode.map { code throws(VaultError) in try code.seed() }
        let vault = try id()
        var opened: Set<String> = []
        for slot in try keybag().slots where slot.kind != .deviceUnlock {
            var unlocking = SlotUnlocking(
                Keybag(entries: [.slot(slot)]),
                vault: vault,
                availableByteCount: store.environment.memory.byteCount
            )
            let found = try unlocking.slot(passphrase: secrets.passphrase, keyFile: keyFile, seed: seed, path)
            if let found { opened.insert(found.description) }
        }
        return opened
    }

    /// Adds ways to open the vault to those that there are; all stay as they are.
    ///
    /// The first passphrase cannot be added, since machines have opened everything until then: ``keyChange(to:options:)``
    /// sets it.
    ///
    /// - Parameter protection: What shall open the vault beside.
    /// - Throws: That the vault is locked, or why it could not be added; then nothing has changed.
    public func add(_ protection: VaultProtection) throws(VaultError) {
        let cost = options.passphraseCost
        var addition = try translating(VaultError.ofStore, store.slotAddition(argon2Limits: cost.limits))
        try protection.addSlots(to: &addition, cost: cost, store.environment)
        _ = try translating(VaultError.ofStore, store.add(addition))
    }

    /// Gives this machine a part in the vault, so that it has items of its own, and those that are never locked.
    ///
    /// It gets a device key if it has none. A vault that the key of a machine opens by itself opens with that of this
    /// machine too.
    ///
    /// - Throws: That the vault is locked, or that the machine has a part already.
    public func addThisMachine() throws(VaultError) {
        // First, so that a vault that is locked makes no key.
        var addition = try translating(VaultError.ofStore, store.slotAddition())
        let opensAll = try keybag().slots.contains { $0.kind == .deviceUnlock }
        var warnings: [String] = []
        let key = try DeviceKey.foundOrMade(at: options.places, environment: store.environment, warnings: &warnings)
        try translating(VaultError.ofStore) { () throws(StoreError) in
            try addition.add(device: key.device, key: key.key, opensAll: opensAll)
            _ = try store.add(addition)
        }
    }

    /// Makes all keys of the vault anew, so that from then on `protection` opens it and nothing else: sets, changes or
    /// removes the passphrase, or takes ways to open the vault from somebody.
    ///
    /// What opens the vault beside and shall do so further must be given again. Others can read meanwhile; who wants to
    /// write waits. Copies of the file that were made before open with the old secrets, and hold what they held. Without a
    /// passphrase and a key file this machine opens the vault, and items that exist only with a passphrase are lost.
    ///
    /// - Parameters:
    ///   - protection: What shall open the vault.
    ///   - change: What it shall do beside.
    /// - Returns: The work, which begins when somebody waits for it. If it fails nothing has changed.
    public func keyChange(
        to protection: VaultProtection,
        options change: KeyChangeOptions = KeyChangeOptions()
    ) -> VaultWork<KeyChangeSummary> {
        VaultWork { [self] isToGoOn throws(VaultError) in
            let slots = try slots
            let rotation = try rotation(to: protection, change)
            let report = try translating(
                VaultError.ofStore,
                store.rotate(to: rotation) { progress in
                    isToGoOn(
                        VaultProgress(byteCount: progress.byteCount, expectedByteCount: progress.expectedByteCount)
                    )
                }
            )
            if let warning = rememberPlace() { warn(warning) }
            // Keys that other processes have left open nothing now. Those from a kernel that is out of reach end by
            // themselves, and are refused until then.
            _ = try? forgetUnlocked()
            let removed = Set(report.leftOutSlots.map(\.description))
            return KeyChangeSummary(
                resealedItemCount: report.resealedItemCount,
                carriedItemCount: report.carriedItemCount,
                lostItemCount: report.lostItemCount,
                droppedRevisionCount: report.droppedRevisionCount,
                removedSlots: slots.filter { removed.contains($0.id) }
            )
        }
    }

    private func rotation(
        to protection: VaultProtection,
        _ change: KeyChangeOptions
    ) throws(VaultError) -> Rotation {
        let (cost, keybag) = (options.passphraseCost, try keybag())
        var rotation = try translating(VaultError.ofStore, store.rotation(argon2Limits: cost.limits))
        rotation.dropsHistory = change.dropsHistory
        rotation.removedDevices = try Self.devices(change.removedDevices, of: keybag)
        rotation.acceptedLosses = try Self.devices(change.acceptedLosses, of: keybag)
        try protection.addSlots(to: &rotation, cost: cost, store.environment)
        if protection.isByDevice { try addDevice(to: &rotation, of: keybag) }
        rotation.replacedSlots = Self.replacedSlots(by: protection, of: keybag)
        return rotation
    }

    /// Lets this machine open the vault by itself.
    private func addDevice(to rotation: inout Rotation, of keybag: Keybag) throws(VaultError) {
        var warnings: [String] = []
        let key = try DeviceKey.foundOrMade(at: options.places, environment: store.environment, warnings: &warnings)
        let isKnown = keybag.devices.contains { $0.id == key.device }
        rotation = try translating(VaultError.ofStore) { [rotation] () throws(StoreError) in
            var rotation = rotation
            if !isKnown { try rotation.add(device: key.device, key: key.key) }
            try rotation.add(unlockOf: key.device, key: key.key)
            return rotation
        }
    }

    /// The first slot of each kind that there will be again, and, for a first or last passphrase, what it is instead of.
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
                    description: "no device of the vault has the id \(id); look at its devices"
                )
            }
            devices.insert(device)
        }
        return devices
    }

    private func keybag() throws(VaultError) -> Keybag {
        try translating(VaultError.ofStore, store.read { vault in vault.verifiedKeybag })
    }
}

extension VaultSlot.Kind: CustomStringConvertible {
    /// What people call it.
    public var description: String {
        switch self {
        case .passphrase: "passphrase"
        case .keyFile: "key file"
        case .passphraseAndKeyFile: "passphrase and key file"
        case .recoveryCode: "recovery code"
        case .device(let id): "device \(id)"
        }
    }
}

extension VaultSlot {
    fileprivate init(_ slot: Slot) {
        id = slot.id.description
        created = KeychainDate(slot.created)
        kind = Kind(slot.kind, slot.device)
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

extension SlotUnlocking {
    /// The slot that these secrets open, if they open one.
    fileprivate mutating func slot(
        passphrase: Passphrase?,
        keyFile: Passphrase?,
        seed: Key?,
        _ path: String
    ) throws(VaultError) -> SlotID? {
        do throws(VaultFormatError) {
            switch (passphrase, keyFile) {
            case (let passphrase?, let keyFile?):
                return try passphrase.withBytes { text throws(VaultFormatError) in
                    try keyFile.withBytes { content throws(VaultFormatError) in
                        try opened(passphrase: text, keyFile: content, recovery: seed).slot
                    }
                }
            case (let passphrase?, nil):
                return try passphrase.withBytes { text throws(VaultFormatError) in
                    try opened(passphrase: text, recovery: seed).slot
                }
            case (nil, let keyFile?):
                return try keyFile.withBytes { content throws(VaultFormatError) in
                    try opened(keyFile: content, recovery: seed).slot
                }
            case (nil, nil): return try opened(recovery: seed).slot
            }
        } catch {
            guard error == .noMatch else { throw VaultError.ofStore(.vault(error, path: path)) }
            return nil
        }
    }
}
