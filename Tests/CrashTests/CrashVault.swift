import CofferBasics
import KeyedArchive
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// A vault on simulated disks: the bytes of its new file, and the keys that open it.
struct CrashVault: Sendable {
    static let path = "/vaults/login.coffer"
    private static let anchorDirectory = "/state/anchors"

    private let bytes: [UInt8]
    let roots: Keyring.Roots
    private let vault: VaultID
    private let hasAnchor: Bool
    private let deviceKeys: [DeviceID: Key]
    /// A device that is not always available.
    static let otherDevice = DeviceID([UInt8](repeating: 0xFF, count: 16).span)

    /// Creates the vault that a workload begins with.
    init(for workload: Workload) throws {
        try self.init(hasAnchor: workload.hasAnchor, hasOtherDevice: workload.hasOtherDevice)
    }

    /// Creates a vault on its own disk, or on another one by a process; the same seed gives the same vault.
    init(
        hasAnchor: Bool,
        hasOtherDevice: Bool = false,
        on disk: SimulatedDisk = SimulatedDisk(files: ["/vaults/other": []]),
        by process: SimulatedProcess? = nil,
        seed: String = "new vault"
    ) throws {
        self.hasAnchor = hasAnchor
        let environment = try Self.environment(process ?? disk, seed: seed)
        var new = try NewVault(environment: environment)
        let device = DeviceID(environment.random.bytes(16).span)
        var keys = [device: try environment.random.key()]
        if hasOtherDevice { keys[Self.otherDevice] = try environment.random.key() }
        for (device, key) in keys.sorted(by: { $0.key < $1.key }) {
            try new.add(device: device, key: key, opensAll: true)
        }
        deviceKeys = keys
        roots = new.roots
        vault = new.vault
        _ = try VaultStore.create(new, at: Self.path, environment: environment)
        bytes = disk.content(of: Self.path) ?? []
    }

    private static func environment(
        _ files: any FileSystem,
        seed: String,
        time: ManualTime = ManualTime()
    ) throws -> StoreEnvironment {
        StoreEnvironment(files: files, time: time, random: DeterministicRandom(seed: seed), user: 1000)
    }

    /// A disk with the new vault.
    func makeDisk() -> SimulatedDisk { SimulatedDisk(files: [Self.path: bytes]) }

    /// A disk with these files; nil for a missing anchor.
    func makeDisk(_ bytes: [UInt8], anchor: [UInt8]?) -> SimulatedDisk {
        SimulatedDisk(files: [Self.path: bytes].merging(anchor.map { [anchorPath: $0] } ?? [:]) { $1 })
    }

    /// The name of the anchor file, the only file that is written in place.
    var anchorName: String { vault.description }
    var anchorPath: String { "\(Self.anchorDirectory)/\(anchorName)" }

    /// Opens the vault as a process does.
    func open(
        on files: any FileSystem,
        seed: String,
        discardsDamagedTail: Bool = false,
        acceptsRollback: Bool = false,
        isAlone: Bool = false,
        time: ManualTime = ManualTime()
    ) throws(StoreError) -> VaultStore {
        guard let environment = try? Self.environment(files, seed: seed, time: time) else { throw .abandoned }
        var options = StoreOptions()
        options.discardsDamagedTail = discardsDamagedTail
        options.acceptsRollback = acceptsRollback
        options.anchorDirectory = hasAnchor ? Self.anchorDirectory : nil
        // Most vaults are read with an index, which a crash may have damaged.
        options.indexInterval = 5
        return try VaultStore.open(at: Self.path, environment: environment, options: options) {
            prelude throws(VaultFormatError) in
            try found(in: prelude, isAlone: isAlone)
        }
    }

    /// Unlocks the vault with its present keys, in a process that opened it with former ones.
    func unlock(_ store: VaultStore) throws(StoreError) {
        try store.unlock { prelude throws(VaultFormatError) in
            try found(in: prelude, isAlone: false)
        }
    }

    private func found(in prelude: VaultPrelude, isAlone: Bool) throws(VaultFormatError) -> Keyring.Roots {
        let keys = deviceKeys.filter { !isAlone || $0.key != Self.otherDevice }
        return try prelude.roots(deviceKeys: keys, availableByteCount: nil)
    }

    /// Changes all keys; the devices open the vault as before.
    func rotate(_ store: VaultStore) throws(StoreError) {
        var rotation = try store.rotation()
        for (device, key) in deviceKeys.sorted(by: { $0.key < $1.key }) { try rotation.add(unlockOf: device, key: key) }
        try store.rotate(to: rotation)
    }

    func addSlot(to store: VaultStore) throws(StoreError) {
        var addition = try store.slotAddition()
        try addition.add(keyFile: [UInt8](repeating: 7, count: 64).span)
        try store.add(addition)
    }
}

extension Transaction {
    private static let group = Array("com.example.app".utf8)

    mutating func make(_ change: Change) throws(StoreError) {
        switch change {
        case .add(let account, let secret):
            let bytes = Array(secret.utf8)
            // If there is another device, half of the items belong to it.
            let isBound = vault.keyring.roots.devices[CrashVault.otherDevice] != nil && account.utf8.count % 2 == 0
            _ = try add(
                try login(account),
                secret: bytes.span,
                group: Self.group,
                protection: isBound ? .whenUnlockedThisDeviceOnly : .whenUnlocked,
                owner: isBound ? CrashVault.otherDevice : .none
            )
        case .update(let account, let secret):
            let bytes = Array(secret.utf8)
            try update(try vault.login(account), attributes: try login(account), secret: .replace(bytes.span))
        case .delete(let account):
            try delete(try vault.login(account))
        case .keepHistory(let count):
            var settings = Settings(revision: 0, values: [:])
            settings.historyRevisions = count
            try self.change(settings)
        }
    }
}

private func login(_ account: String) throws(StoreError) -> ItemAttributes {
    do throws(Fault) {
        return try ItemAttributes(.genericPassword, ["acct": .string(account), "svce": .string("mail")])
    } catch {
        throw .refused(error)
    }
}

extension OpenGeneration {
    /// The item of an account.
    fileprivate mutating func login(_ account: String) throws(StoreError) -> StoredItem {
        let group = keyring.group(named: Array("com.example.app".utf8))?.group ?? .none
        let found = try items(withPrimaryKeyOf: try CrashTests.login(account), in: group)
        guard let item = found.first else { throw .noSuchItem(ItemName(group: group, item: .none)) }
        return item
    }
}

extension VaultStore {
    /// Makes changes in one transaction.
    func make(_ changes: [Change], durability: Durability = .full) throws(StoreError) {
        try transaction(durability: durability) { (transaction) throws(StoreError) in
            for change in changes { try transaction.make(change) }
        }
    }

    /// The content of the vault.
    func contents() throws(StoreError) -> VaultModel {
        try read { (vault) throws(StoreError) in
            var model = VaultModel()
            let group = vault.keyring.group(named: Array("com.example.app".utf8))?.group ?? .none
            for item in try vault.items(in: group) {
                let account = try vault.attributes(of: item)["acct"]?.string ?? ""
                let secret = try vault.secret(of: item)?.withBytes { bytes in
                    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
                }
                model.logins.append(VaultModel.Login(account: account, secret: secret ?? "-"))
            }
            return model
        }
    }
}
