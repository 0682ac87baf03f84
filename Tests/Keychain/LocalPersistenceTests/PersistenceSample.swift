import Coffer
import Foundation
import LocalPersistence
import TestSupport
import VaultFiles

/// The containers of one test, in its temporary directory, with a vault next to them.
struct PersistenceSample {
    /// The directory of the containers.
    let directory: URL
    let keychain: Keychain

    init(notices: @escaping @Sendable (KeychainNotice) -> Void = { _ in }) throws {
        directory = try TemporaryDirectory.current.appending(path: "data")
        let locations = VaultLocations(
            vault: directory.appending(path: "coffer/login.coffer").path,
            deviceKey: try TemporaryDirectory.current.appending(path: "state/device.key").path,
            anchors: nil
        )
        keychain = Keychain(
            options: VaultOptions(locations: locations),
            ladder: UnlockLadder(environment: ProgramEnvironment(variables: [:], isSetUserID: false)),
            groups: AccessGroups(application: "com.example.app"),
            notices: notices
        )
    }

    /// The container of an app.
    func app(
        _ name: String = "com.example.app",
        keychain: Keychain? = nil,
        _ change: (inout PersistenceEnvironment) -> Void = { _ in }
    ) throws -> AppContainer {
        var environment = PersistenceEnvironment()
        // Other tests use the disk and the processors too.
        environment.lockNanoseconds = 60_000_000_000
        change(&environment)
        return try AppContainer(
            name,
            in: directory.path,
            keychain: keychain ?? self.keychain,
            environment: environment
        )
    }

    /// The path of a file or directory in the directory of the containers.
    func path(_ name: String) -> String { directory.appending(path: name).path }

    /// Whether a file or directory exists.
    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
}

extension AppContainer {
    /// The container of an app on a simulated disk.
    static func onDisk(_ disk: SimulatedDisk, time: ManualTime = ManualTime()) throws -> AppContainer {
        var environment = PersistenceEnvironment()
        environment.files = disk
        environment.time = time
        return try AppContainer("org.app", in: "/home", keychain: nil, environment: environment)
    }
}
