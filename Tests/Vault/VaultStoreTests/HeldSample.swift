import CofferBasics
import Foundation
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// A vault with an item of each protection class, and a cache that holds its keys for other processes.
struct HeldSample: Sendable {
    static let protections = ProtectionClass.allCases

    let vault: DeviceSample
    let time = ManualTime()
    let kernel: SimulatedKeys
    let cache: KeyCache

    init(protections: [ProtectionClass] = HeldSample.protections) throws {
        vault = try DeviceSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        kernel = SimulatedKeys(time: time)
        cache = KeyCache(keyring: KernelKeyring(calls: kernel))
        for protection in protections {
            _ = try vault.store.transaction { transaction in
                try transaction.addLogin(protection)
            }
        }
    }

    /// The keys of the vault, as a process with all roots leaves them.
    func keys() throws -> HeldKeys {
        guard let keys = try vault.store.heldKeys() else { throw StoreError.abandoned }
        return keys
    }

    func id() throws -> VaultID { try vault.store.read { vault in vault.vault } }

    /// Returns the vault, opened with keys that another process has left, and without any root.
    func opened(_ keys: HeldKeys, devices: [DeviceID] = []) throws -> VaultStore {
        let roots = roots(keys, devices: devices)
        return try VaultStore.open(at: vault.path, environment: vault.environment) { _ in roots }
    }

    func roots(_ keys: HeldKeys, devices: [DeviceID] = []) -> Keyring.Roots {
        var roots = Keyring.Roots(
            user: nil,
            devices: vault.roots.devices.filter { devices.contains($0.key) }
        )
        roots.held = keys
        return roots
    }

    /// Returns what another process finds in the cache when it opens the vault.
    func loading(from cache: KeyCache? = nil) throws -> KeyCache.Loading {
        var loading = KeyCache.Loading.absent
        _ = try VaultStore.open(at: vault.path, environment: vault.environment) { prelude in
            loading = (cache ?? self.cache).load(for: prelude)
            return vault.roots
        }
        return loading
    }
}

extension KeyCache.Loading {
    /// The keys that were found, or nil.
    var keys: HeldKeys? {
        if case .found(let keys, _) = self { keys } else { nil }
    }

    /// Until when the keys stay there; nil if none were found.
    var until: Time? {
        if case .found(_, let until) = self { until } else { nil }
    }

    /// The outcome, in a word.
    var outcome: String {
        switch self {
        case .found: "found"
        case .absent: "absent"
        case .stale: "stale"
        case .malformed(let fault): "malformed at \(fault.offset)"
        case .unavailable(let failure): "unavailable: \(failure)"
        case .cipher: "cipher"
        }
    }
}

extension Transaction {
    /// Adds a password named after its protection class, and owned by the first device if the class is bound to one.
    mutating func addLogin(_ protection: ProtectionClass, account: String = "kim") throws {
        try addLogin(
            account,
            "\(protection)",
            "sesame",
            protection: protection,
            owner: protection.isBoundToDevice ? DeviceSample.device : .none
        )
    }
}

extension KeyCache {
    func save(_ keys: HeldKeys, of vault: VaultID, for lifetime: Duration) -> Saving {
        save(keys, of: vault, for: lifetime, now: Time(microseconds: 0))
    }
}
