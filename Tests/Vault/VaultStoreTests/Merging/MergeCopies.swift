import CofferBasics
import KeyedArchive
import TestSupport
import Testing
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// Copies of a vault on disks of their own, which are changed independently.
struct MergeCopies {
    static let groups = [Array("mail".utf8), Array("work".utf8)]
    private static let path = "/vaults/login.coffer"
    static let device = DeviceID([UInt8](repeating: 0x71, count: 16).span)
    static let otherDevice = DeviceID([UInt8](repeating: 0x91, count: 16).span)

    private let deviceKeys: [DeviceID: Key]
    private let time = ManualTime()
    private let seed: UInt64
    private var copyCount = 0
    private let openedCount = Counter()
    private var credential: CredentialFile?
    private(set) var stores: [VaultStore] = []
    private var disks: [SimulatedDisk] = []

    /// Makes a vault with some items, and `count` copies of it.
    init(_ count: Int, seed: UInt64 = 1, _ fill: (VaultStore) throws -> Void = { _ in }) throws {
        self.seed = seed
        let disk = SimulatedDisk(files: ["/vaults/other": []])
        let environment = try Self.environment(disk, time, seed: "\(seed)")
        var new = try NewVault(environment: environment)
        deviceKeys = [Self.device: try environment.random.key(), Self.otherDevice: try environment.random.key()]
        for (device, key) in deviceKeys.sorted(by: { $0.key < $1.key }) {
            try new.add(device: device, key: key, opensAll: true)
        }
        try fill(VaultStore.create(new, at: Self.path, environment: environment))
        let bytes = disk.content(of: Self.path) ?? []
        for _ in 0..<count { try open(bytes) }
    }

    private static func environment(
        _ disk: SimulatedDisk,
        _ time: ManualTime,
        seed: String
    ) throws -> StoreEnvironment {
        StoreEnvironment(files: disk, time: time, random: DeterministicRandom(seed: seed), user: 1000)
    }

    private mutating func open(_ bytes: [UInt8]) throws {
        let disk = SimulatedDisk(files: [Self.path: bytes])
        copyCount += 1
        disks.append(disk)
        stores.append(try open(disk, seed: "\(seed) \(copyCount)", deviceKeys))
    }

    private func open(_ disk: SimulatedDisk, seed: String, _ keys: [DeviceID: Key]) throws -> VaultStore {
        let environment = try Self.environment(disk, time, seed: seed)
        return try VaultStore.open(at: Self.path, environment: environment) { prelude throws(VaultFormatError) in
            try prelude.roots(deviceKeys: keys, availableByteCount: nil)
        }
    }

    /// Gives the first group of all copies to the holder of a credential.
    ///
    /// Called before the copies are changed.
    mutating func grantFirstGroup(hours: Int64? = nil) throws {
        let store = stores[0]
        let (vault, team) = (try store.read { $0.vault }, try store.team().key)
        let grant = GrantID([UInt8](repeating: 0x61, count: 16).span)
        let secret = try store.environment.random.key()
        let credential = CredentialFile(vault: vault, team: team, grant: grant, secret: secret)
        let expiry = hours.map { Time(microseconds: time.wallMicroseconds() + $0 * 3_600_000_000) }
        try store.issueGrant(
            grant,
            named: Array("holder".utf8),
            of: [Self.groups[0]],
            to: secret.publicKey,
            until: expiry
        )
        for other in stores[1...] { _ = try other.merge(store) }
        self.credential = credential
    }

    /// Opens a copy once more, with the credential of the holder.
    func openedByHolder(_ number: Int) throws -> VaultStore {
        let credential = try #require(credential)
        let environment = try Self.environment(disks[number], time, seed: "\(seed) holder \(openedCount.next())")
        let now = Time(microseconds: time.wallMicroseconds())
        return try VaultStore.open(at: Self.path, environment: environment) { prelude throws(VaultFormatError) in
            try prelude.roots(credential, now: now)
        }
    }

    /// Opens a copy once more, with the key of one device only.
    func opened(_ number: Int, on device: DeviceID = device) throws -> VaultStore {
        let keys = deviceKeys.filter { $0.key == device }
        return try open(disks[number], seed: "\(seed) alone \(openedCount.next())", keys)
    }

    /// Lets a device take part in a copy again.
    func addDevice(_ device: DeviceID, to store: VaultStore) throws {
        guard let key = deviceKeys[device] else { return }
        var addition = try store.slotAddition()
        try addition.add(device: device, key: key, opensAll: true)
        try store.add(addition)
    }

    /// Opens another file on the disk of a copy.
    func reopened(_ number: Int, at path: String) throws -> VaultStore {
        let environment = try Self.environment(disks[number], time, seed: "\(seed) kept")
        return try VaultStore.open(at: path, environment: environment) { prelude throws(VaultFormatError) in
            try prelude.roots(deviceKeys: deviceKeys, availableByteCount: nil)
        }
    }

    /// Changes all keys of a copy, which `store` has opened; the devices open it as before.
    func rotate(_ store: VaultStore, removing removed: DeviceID? = nil) throws {
        var rotation = try store.rotation()
        for (device, key) in deviceKeys.sorted(by: { $0.key < $1.key }) where device != removed {
            try rotation.add(unlockOf: device, key: key)
        }
        if let removed { rotation.removedDevices = [removed] }
        try store.rotate(to: rotation)
    }

    /// Copies the file of each copy once more, without the copies themselves.
    func cloned() throws -> MergeCopies {
        var clone = self
        (clone.stores, clone.disks) = ([], [])
        for disk in disks { try clone.open(disk.content(of: Self.path) ?? []) }
        return clone
    }

    /// Opens a copy again.
    mutating func reopen(_ number: Int) throws {
        try open(disks[number].content(of: Self.path) ?? [])
        stores.swapAt(number, stores.count - 1)
        disks.swapAt(number, disks.count - 1)
        stores.removeLast()
        disks.removeLast()
    }

    /// Flips a bit in the file of a copy.
    func damage(_ number: Int, at offset: Int) throws {
        let (directory, name) = try disks[number].locate(Self.path)
        let file = try directory.open(name, for: .writing)
        let byte = try file.bytes(in: offset..<offset + 1)[0]
        try file.writeAll([byte ^ 1].span, at: offset)
    }

    /// The file of a copy.
    func content(_ number: Int) -> [UInt8] { disks[number].content(of: Self.path) ?? [] }

    /// The size of the file of a copy.
    func byteCount(_ number: Int) -> Int { content(number).count }

    func setClock(microseconds: Int64) { time.setWall(microseconds: microseconds) }

    func wait(hours: UInt64) { time.advance(nanoseconds: hours * 3_600_000_000_000) }
}

/// Counts.
final class Counter: Sendable {
    private let count = Guarded(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// A live revision of an item, and what it says.
struct LiveText: Hashable, CustomStringConvertible {
    let group: String
    let revision: Revision
    let text: String

    var description: String { "\(group)/\(revision.item) \(revision.number).\(revision.salt): \(text)" }
}

extension VaultStore {
    /// All live revisions of all groups, conflicts too.
    func live() throws -> Set<LiveText> {
        try read { vault in
            var found: Set<LiveText> = []
            for (group, name) in vault.groupNames {
                for revision in try vault.liveRevisions(in: group) {
                    let attributes = try vault.attributes(of: revision)
                    let secret = try vault.secret(of: revision).text ?? "-"
                    let text = "\(attributes["acct"]?.string ?? "") \(secret)"
                    let group = String(decoding: name, as: UTF8.self)
                    found.insert(LiveText(group: group, revision: revision.revision, text: text))
                }
            }
            return found
        }
    }

    /// The past revisions of the items with these accounts in the first group, and the items that are gone.
    func past(of accounts: [String]) throws -> [String] {
        try read { vault in
            guard let group = vault.keyring.group(named: MergeCopies.groups[0])?.group else { return [] }
            var past = try vault.goneItems(of: group)
            for item in try vault.items(in: group) { past += try vault.revisions(of: item.name) }
            var lines: [String] = []
            for revision in past where revision.ended != nil {
                lines.append("\(try vault.attributes(of: revision)["acct"]?.string ?? "")")
            }
            return lines.filter(accounts.contains).sorted()
        }
    }

    /// The current items of all groups, by what a search shows.
    func shown() throws -> [String] {
        try read { vault in
            var lines: [String] = []
            for (group, name) in vault.groupNames {
                for item in try vault.items(in: group) {
                    let account = try vault.attributes(of: item)["acct"]?.string ?? ""
                    let secret = try vault.secret(of: item).text ?? "-"
                    lines.append("\(String(decoding: name, as: UTF8.self)) \(account) \(secret)")
                }
            }
            return lines.sorted()
        }
    }

    func item(_ account: String, in group: [UInt8] = MergeCopies.groups[0]) throws -> StoredItem? {
        try read { vault in
            guard let group = vault.keyring.group(named: group) else { return nil }
            return try vault.items(withPrimaryKeyOf: loginAttributes(account, "s"), in: group.group).first
        }
    }

    func put(_ account: String, _ secret: String, in group: [UInt8] = MergeCopies.groups[0]) throws {
        let bytes = Array(secret.utf8)
        let item = try item(account, in: group)
        try transaction { transaction in
            guard let item else { return _ = try transaction.addLogin(account, "s", secret, group: group) }
            let attributes = try loginAttributes(account, "s")
            try transaction.update(item, attributes: attributes, secret: .replace(bytes.span))
        }
    }

    func delete(_ account: String, in group: [UInt8] = MergeCopies.groups[0]) throws {
        guard let item = try item(account, in: group) else { return }
        try transaction { transaction in try transaction.delete(item) }
    }

    func rename(_ account: String, to new: String, in group: [UInt8] = MergeCopies.groups[0]) throws {
        guard let item = try item(account, in: group) else { return }
        try transaction { transaction in
            try transaction.update(item, attributes: loginAttributes(new, "s"), secret: .keep)
        }
    }

    func move(_ account: String, from group: [UInt8], to other: [UInt8]) throws {
        guard let item = try item(account, in: group) else { return }
        try transaction { transaction in
            try transaction.move(
                item,
                to: other,
                attributes: loginAttributes(account, "s"),
                secret: .keep,
                protection: .whenUnlocked
            )
        }
    }

    /// Adds an item that is bound to the other device.
    func putOnOtherDevice(_ account: String, _ secret: String) throws {
        try transaction { transaction in
            _ = try transaction.addLogin(
                account,
                "s",
                secret,
                group: MergeCopies.groups[0],
                protection: .whenUnlockedThisDeviceOnly,
                owner: MergeCopies.otherDevice
            )
        }
    }

    /// Compacts the vault so that it lists so many writers of each group.
    func compact(remembering count: Int) throws {
        var request = CompactionRequest()
        request.rememberedWriterCount = count
        _ = try compact(request)
    }

    func keepHistory(_ count: Int?) throws {
        try transaction { transaction in
            var settings = Settings(revision: 0, values: [:])
            settings.historyRevisions = count
            try transaction.change(settings)
        }
    }
}
