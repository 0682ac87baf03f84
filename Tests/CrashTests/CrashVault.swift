import KeyedArchive
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// A vault on simulated disks: the bytes of its file when it was new, and what opens it.
struct CrashVault: Sendable {
    static let path = "/vaults/login.coffer"
    private static let anchorDirectory = "/state/anchors"

    private let bytes: [UInt8]
    let roots: Keyring<SodiumSuite>.Roots
    private let vault: VaultID
    private let hasAnchor: Bool

    /// Makes a vault, on a disk of its own or by a process on another one; the same seed gives the same vault.
    init(
        hasAnchor: Bool,
        on disk: SimulatedDisk = SimulatedDisk(files: ["/vaults/other": []]),
        by process: SimulatedProcess? = nil,
        seed: String = "new vault"
    ) throws {
        self.hasAnchor = hasAnchor
        let environment = try Self.environment(process ?? disk, seed: seed)
        var new = try NewVault(environment: environment)
        let device = DeviceID(environment.suite.randomBytes(16).span)
        try new.add(device: device, key: try environment.suite.randomKey(), opensAll: true)
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
        let suite = try SodiumSuite(random: DeterministicRandom(seed: seed))
        return StoreEnvironment(files: files, time: time, suite: suite, user: 1000)
    }

    /// A disk with the new vault.
    func makeDisk() -> SimulatedDisk { SimulatedDisk(files: [Self.path: bytes]) }

    /// A disk with these files, of which the anchor is missing if it is nil.
    func makeDisk(_ bytes: [UInt8], anchor: [UInt8]?) -> SimulatedDisk {
        SimulatedDisk(files: [Self.path: bytes].merging(anchor.map { [anchorPath: $0] } ?? [:]) { $1 })
    }

    /// The name of the file of the anchor, which alone is written in place.
    var anchorName: String { vault.description }
    var anchorPath: String { "\(Self.anchorDirectory)/\(anchorName)" }

    /// Opens the vault as a process does.
    func open(
        on files: any FileSystem,
        seed: String,
        discardsDamagedTail: Bool = false,
        time: ManualTime = ManualTime()
    ) throws(StoreError) -> VaultStore {
        guard let environment = try? Self.environment(files, seed: seed, time: time) else { throw .abandoned }
        var options = StoreOptions()
        options.discardsDamagedTail = discardsDamagedTail
        options.anchorDirectory = hasAnchor ? Self.anchorDirectory : nil
        return try VaultStore.open(at: Self.path, environment: environment, options: options) { _ in roots }
    }
}

extension Transaction {
    private static let group = Array("com.example.app".utf8)

    mutating func make(_ change: Change) throws(StoreError) {
        switch change {
        case .add(let account, let secret):
            let bytes = Array(secret.utf8)
            _ = try add(try login(account), secret: bytes.span, group: Self.group, protection: .whenUnlocked)
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

    /// What the vault holds.
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
