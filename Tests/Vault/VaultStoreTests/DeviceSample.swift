import CofferBasics
import KeyedArchive
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

/// A vault with a passphrase and two devices, which is opened with all or some of its keys.
struct DeviceSample: Sendable {
    static let device = DeviceID([UInt8](repeating: 0x71, count: 16).span)
    static let otherDevice = DeviceID([UInt8](repeating: 0x91, count: 16).span)

    let path: String
    let environment: StoreEnvironment
    let roots: Keyring.Roots
    let store: VaultStore

    /// The keys with which the vault is opened.
    enum Holder: CaseIterable, Sendable {
        case everything
        case owner
        case ownerOnOtherDevice
        case ownerElsewhere
        case deviceAlone

        fileprivate var hasUserRoot: Bool { self != .deviceAlone }
        fileprivate var devices: [DeviceID] {
            switch self {
            case .everything: [DeviceSample.device, DeviceSample.otherDevice]
            case .owner, .deviceAlone: [DeviceSample.device]
            case .ownerOnOtherDevice: [DeviceSample.otherDevice]
            case .ownerElsewhere: []
            }
        }
    }

    init(at path: String) throws {
        self.path = path
        environment = StoreEnvironment(random: try SystemRandom())
        var new = try NewVault(environment: environment, argon2Limits: .weak)
        try new.add(passphrase: [1].span, parameters: Argon2Parameters(operations: 1, memoryKiB: 8))
        for device in [Self.device, Self.otherDevice] {
            try new.add(device: device, key: try environment.random.key(), opensAll: false)
        }
        roots = new.roots
        store = try VaultStore.create(new, at: path, environment: environment)
    }

    /// Returns the vault, opened with the keys of `holder`.
    func opened(by holder: Holder, options: StoreOptions = StoreOptions()) throws -> VaultStore {
        let devices = roots.devices.filter { holder.devices.contains($0.key) }
        let part = Keyring.Roots(user: holder.hasUserRoot ? roots.user : nil, devices: devices)
        return try VaultStore.open(at: path, environment: environment, options: options) { _ in part }
    }
}

extension VaultStore {
    /// Returns protection, service and data of each item, in creation order; for a locked item, only its presence.
    func presences(group: [UInt8] = StoreSample.group) throws -> [String] {
        try read { vault in
            var lines: [String] = []
            let groups = Set(vault.keyring.matchKeys.keys.map(\.group)).sorted()
            for group in groups {
                for item in try vault.items(in: group) {
                    guard item.presence == .readable else {
                        lines.append("\(item.protection) \(item.presence)")
                        continue
                    }
                    let attributes = try vault.attributes(of: item)
                    let text = try vault.secret(of: item).text ?? "-"
                    lines.append("\(item.protection) \(attributes["svce"]?.string ?? "") \(text)")
                }
            }
            return lines
        }
    }
}
