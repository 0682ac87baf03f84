import CofferBasics
import CofferFleet
import Foundation
import KeyedArchive
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// Machines that share a vault through a store.
struct FleetSample: Sendable {
    static let group = Array("com.example.app".utf8)

    let directory: URL
    let environment: StoreEnvironment
    let roots: Keyring.Roots
    let vault: VaultID

    /// Makes a vault, and shares it.
    init(in directory: URL, _ etcd: any EtcdStore, time: any TimeSource = MachineTime()) throws {
        self.directory = directory
        environment = StoreEnvironment(time: time, random: try SystemRandom())
        var new = try NewVault(environment: environment)
        try new.add(
            device: DeviceID(environment.random.bytes(16).span),
            key: try environment.random.key(),
            opensAll: true
        )
        (roots, vault) = (new.roots, new.vault)
        let first = try VaultStore.create(new, at: path(of: 0), environment: environment, options: options(of: 0, etcd))
        try first.share()
    }

    func path(of machine: Int) -> String { directory.appending(path: "machine\(machine).coffer").path }

    private func options(of machine: Int, _ etcd: (any EtcdStore)?) -> StoreOptions {
        var options = StoreOptions()
        guard let etcd else { return options }
        let log = log(of: machine, etcd)
        options.sharedLog = { _ in log }
        return options
    }

    /// The log, as a machine sees it.
    func log(of machine: Int, _ etcd: any EtcdStore) -> FleetLog {
        FleetLog(etcd, prefix: "coffer", vault: "\(vault)", machine: "machine\(machine)", environment)
    }

    /// A machine, which begins with a copy of the first one's file unless it has one.
    func machine(_ number: Int, _ etcd: (any EtcdStore)?) throws -> VaultStore {
        if !FileManager.default.fileExists(atPath: path(of: number)) {
            try FileManager.default.copyItem(atPath: path(of: 0), toPath: path(of: number))
            if let etcd { try log(of: number, etcd).join(at: .start) }
        }
        return try VaultStore.open(at: path(of: number), environment: environment, options: options(of: number, etcd)) {
            _ in roots
        }
    }

    /// The file of a machine, without what is reserved behind the log.
    func bytes(of machine: Int) throws -> [UInt8] {
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path(of: machine))))
        return Array(bytes[...(bytes.lastIndex { $0 != 0 } ?? 0)])
    }
}

/// The attributes of a password.
func login(_ account: String) throws -> ItemAttributes {
    let values: CanonicalDictionary<ArchiveValue, ArchiveValue> = ["acct": .string(account), "svce": .string("fleet")]
    guard let attributes = try? ItemAttributes(.genericPassword, values) else { throw StoreError.abandoned }
    return attributes
}

extension VaultStore {
    /// Adds a password, and returns the number of the change.
    @discardableResult
    func add(_ account: String, _ secret: String) throws -> UInt64 {
        let bytes = Array(secret.utf8)
        return try largeTransaction { transaction in
            _ = try transaction.add(
                try login(account),
                secret: bytes.span,
                group: FleetSample.group,
                protection: .whenUnlocked,
                owner: .none
            )
        }.change
    }

    /// The password of an account; nil if there is none.
    func password(_ account: String) throws -> String? {
        try read { vault in
            guard let group = vault.keyring.group(named: FleetSample.group) else { return nil }
            let found = try vault.items(withPrimaryKeyOf: try login(account), in: group.group)
            guard let item = found.first, let secret = try vault.secret(of: item) else { return nil }
            return secret.withBytes { bytes in String(decoding: [UInt8](copying: bytes), as: UTF8.self) }
        }
    }
}
