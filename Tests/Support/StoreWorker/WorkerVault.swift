import CofferBasics
import CofferFleet
import VaultCrypto
package import VaultFiles
import VaultFormat
package import VaultStore

/// The vault that all workers of a test share: `vault.coffer` in the directory of the test.
///
/// Its keys are not secret: each worker can create it, and open what another has created.
package struct WorkerVault {
    package static let group = Array("workers".utf8)
    private static let deviceID = DeviceID([UInt8](repeating: 0x11, count: 16).span)
    private static let deviceKeyByte: UInt8 = 0x22

    package let path: String
    package let environment: StoreEnvironment

    package init(in directory: String, files: any FileSystem = LinuxFileSystem()) throws {
        path = directory + "/vault.coffer"
        environment = StoreEnvironment(files: files, random: try SystemRandom())
    }

    private var deviceKey: Key {
        get throws {
            let bytes = [UInt8](repeating: Self.deviceKeyByte, count: 32)
            return try Key(copying: bytes.span)
        }
    }

    /// Opens the vault; its writers wait for others for up to `seconds`.
    package func opened(
        waiting seconds: Int = 60,
        adapt: (inout StoreOptions) -> Void = { _ in }
    ) throws -> VaultStore {
        let key = try deviceKey
        var options = Self.options(seconds)
        adapt(&options)
        return try VaultStore.open(at: path, environment: environment, options: options) {
            prelude throws(VaultFormatError) in
            try prelude.roots(deviceKeys: [Self.deviceID: key], availableByteCount: nil)
        }
    }

    /// Opens the vault, which machines share through etcd.
    package func opened(through endpoints: [String]) throws -> VaultStore {
        let client = try EtcdClient(EtcdSettings(endpoints: endpoints), time: environment.time)
        return try opened { [environment] options in
            // One name is enough: what is tried is not who may write.
            options.sharedLog = { FleetLog(client, prefix: "coffer", vault: "\($0)", machine: "worker", environment) }
        }
    }

    /// Creates the vault, or opens the one that another worker has created meanwhile.
    package func made(waiting seconds: Int = 60) throws -> VaultStore {
        var new = try NewVault(environment: environment)
        try new.add(device: Self.deviceID, key: try deviceKey, opensAll: true)
        do {
            return try VaultStore.create(new, at: path, environment: environment, options: Self.options(seconds))
        } catch let error as StoreError {
            guard case .file(let failure) = error, failure.reason == .alreadyExists else { throw error }
            return try opened(waiting: seconds)
        }
    }

    private static func options(_ seconds: Int) -> StoreOptions {
        var options = StoreOptions()
        options.lockTimeout = .seconds(seconds)
        return options
    }
}
