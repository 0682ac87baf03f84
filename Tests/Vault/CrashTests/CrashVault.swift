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
    /// Whether processes may open the vault with a grant.
    let hasHolder: Bool
    private let credential: CredentialFile
    private let deviceKeys: [DeviceID: Key]
    /// A device that is not always available.
    static let otherDevice = DeviceID([UInt8](repeating: 0xFF, count: 16).span)
    /// The process that opens the vault with a grant.
    static let holder = 2
    /// A process of an owner that takes no part in a workload.
    static let newcomer = 3
    fileprivate static let holderName = Array("holder".utf8)

    /// How a process opens the vault.
    enum Role {
        case owner
        /// Without ``CrashVault/otherDevice``.
        case ownerWithOneDevice
        case holder
    }

    /// Creates the vault that a workload begins with.
    init(for workload: Workload) throws {
        try self.init(
            hasAnchor: workload.hasAnchor,
            hasOtherDevice: workload.hasOtherDevice,
            hasHolder: workload.hasHolder
        )
    }

    /// Creates a vault on its own disk, or on another one by a process; the same seed gives the same vault.
    init(
        hasAnchor: Bool,
        hasOtherDevice: Bool = false,
        hasHolder: Bool = false,
        on disk: SimulatedDisk = SimulatedDisk(files: ["/vaults/other": []]),
        by process: SimulatedProcess? = nil,
        seed: String = "new vault"
    ) throws {
        self.hasAnchor = hasAnchor
        self.hasHolder = hasHolder
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
        let team = try VaultStore.create(new, at: Self.path, environment: environment).team().key
        let grant = GrantID(environment.random.bytes(16).span)
        credential = CredentialFile(vault: vault, team: team, grant: grant, secret: try environment.random.key())
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

    /// A disk with these files.
    func makeDisk(_ bytes: [UInt8], anchors: [String: [UInt8]]) -> SimulatedDisk {
        SimulatedDisk(files: [Self.path: bytes].merging(anchors) { $1 })
    }

    /// The names of the anchors of the vault and of its place, the only files that are written in place.
    var anchorNames: Set<String> {
        let place = Label.place.hash(16, vault.bytes + Array(Self.path.utf8)).hexDigits
        return ["\(vault)", "\(vault).at-\(place)"]
    }

    /// Returns the anchors on a disk, by path.
    func anchors(on disk: SimulatedDisk) -> [String: [UInt8]] {
        let paths = anchorNames.map { "\(Self.anchorDirectory)/\($0)" }
        return Dictionary(uniqueKeysWithValues: paths.compactMap { path in disk.content(of: path).map { (path, $0) } })
    }

    /// Opens the vault as a process does.
    func open(
        on files: any FileSystem,
        seed: String,
        as role: Role = .owner,
        discardsDamagedTail: Bool = false,
        acceptsRollback: Bool = false,
        time: ManualTime = ManualTime()
    ) throws -> VaultStore {
        guard let environment = try? Self.environment(files, seed: seed, time: time) else { throw StoreError.abandoned }
        var options = StoreOptions()
        options.discardsDamagedTail = discardsDamagedTail
        options.acceptsRollback = acceptsRollback
        options.anchorDirectory = hasAnchor ? Self.anchorDirectory : nil
        // Most vaults are read with an index, which a crash may have damaged.
        options.indexInterval = 5
        return try VaultStore.open(at: Self.path, environment: environment, options: options) {
            prelude throws(VaultFormatError) in
            try found(in: prelude, by: role, now: Time(microseconds: time.wallMicroseconds()))
        }
    }

    /// Unlocks the vault with its present keys, in a process that opened it with former ones.
    func unlock(_ store: VaultStore, as role: Role = .owner) throws {
        try store.unlock { prelude throws(VaultFormatError) in
            try found(in: prelude, by: role, now: Time(microseconds: 0))
        }
    }

    private func found(
        in prelude: VaultPrelude,
        by role: Role,
        now: Time
    ) throws(VaultFormatError) -> Keyring.Roots {
        if role == .holder { return try prelude.roots(credential, now: now) }
        let keys = deviceKeys.filter { role != .ownerWithOneDevice || $0.key != Self.otherDevice }
        return try prelude.roots(deviceKeys: keys, availableByteCount: nil)
    }

    /// Changes all keys; the devices open the vault as before.
    func rotate(_ store: VaultStore) throws {
        var rotation = try store.rotation()
        for (device, key) in deviceKeys.sorted(by: { $0.key < $1.key }) { try rotation.add(unlockOf: device, key: key) }
        try store.rotate(to: rotation)
    }

    func addSlot(to store: VaultStore) throws {
        var addition = try store.slotAddition()
        try addition.add(keyFile: [UInt8](repeating: 7, count: 64).span)
        try store.add(addition)
    }

    func issueGrant(of store: VaultStore) throws {
        try store.issueGrant(
            credential.grant,
            named: Self.holderName,
            of: [group],
            to: credential.secret.publicKey
        )
    }

    /// Issues a grant to somebody who never uses it.
    func issueGrant(of store: VaultStore, until expiry: Time) throws {
        try store.issueGrant(
            GrantID([UInt8](repeating: 0xEE, count: 16).span),
            named: Array("guest".utf8),
            of: [group],
            to: X25519.publicKey(of: [UInt8](repeating: 9, count: 32).span),
            until: expiry
        )
    }

    func revokeGrant(of store: VaultStore) throws {
        try store.revokeGrants([credential.grant])
    }
}

/// The group of all items.
private let group = Array("com.example.app".utf8)

extension Transaction {
    mutating func make(_ change: Change) throws {
        switch change {
        case .add(let account, let secret):
            let bytes = Array(secret.utf8)
            // If there is another device, half of the items belong to it.
            let isBound = vault.keyring.roots.devices[CrashVault.otherDevice] != nil && account.utf8.count % 2 == 0
            _ = try add(
                try login(account),
                secret: bytes.span,
                group: group,
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
        case .issueGrant, .revokeGrant: preconditionFailure("not made in a transaction")
        }
    }
}

private func login(_ account: String) throws -> ItemAttributes {
    try ItemAttributes(.genericPassword, ["acct": .string(account), "svce": .string("mail")])
}

extension OpenGeneration {
    /// The item of an account.
    fileprivate mutating func login(_ account: String) throws -> StoredItem {
        let group = keyring.group(named: group)?.group ?? .none
        let found = try items(withPrimaryKeyOf: try CrashTests.login(account), in: group)
        guard let item = found.first else { throw StoreError.noSuchItem(ItemName(group: group, item: .none)) }
        return item
    }
}

extension VaultStore {
    /// Makes changes in one transaction.
    func make(_ changes: [Change], durability: Durability = .full) throws {
        try transaction(durability: durability) { transaction in
            for change in changes { try transaction.make(change) }
        }
    }

    /// Whether the holder has a grant, as an owner or the holder sees it.
    private var isGranted: Bool {
        get throws {
            if grantedGroups != nil { return true }
            return try grants().contains { $0.terms.name == CrashVault.holderName }
        }
    }

    /// The content of the vault.
    func contents() throws -> VaultModel {
        let isGranted = try isGranted
        return try read { vault in
            var model = VaultModel(isGranted: isGranted)
            let group = vault.keyring.group(named: group)?.group ?? .none
            for item in try vault.items(in: group) {
                let account = try vault.attributes(of: item)["acct"]?.string ?? ""
                let secret = try vault.secret(of: item)?.withBytes { bytes in
                    String(decoding: [UInt8](copying: bytes), as: UTF8.self)
                }
                model.logins.append(VaultModel.Login(account: account, secret: secret ?? "-"))
            }
            return model
        }
    }
}
