import Coffer
import Foundation
import LocalPersistence
import TestSupport
import VaultFiles

/// A container of one test, in its temporary directory, with a vault beside it.
struct PersistenceSample {
    /// The directory of the containers.
    let directory: URL
    let keychain: DefaultKeychain

    init(notices: @escaping @Sendable (KeychainNotice) -> Void = { _ in }) throws {
        directory = try TemporaryDirectory.current.appending(path: "data")
        let places = VaultPlaces(
            vault: directory.appending(path: "coffer/login.coffer").path,
            deviceKey: try TemporaryDirectory.current.appending(path: "state/device.key").path,
            anchors: nil
        )
        keychain = DefaultKeychain(
            options: VaultOptions(places: places),
            ladder: UnlockLadder(environment: ProgramEnvironment(variables: [:], isSetUserID: false)),
            groups: AccessGroups(application: "com.example.app"),
            notices: notices
        )
    }

    /// The container of an app.
    func app(
        _ name: String = "com.example.app",
        keychain: DefaultKeychain? = nil,
        _ change: (inout PersistenceSurroundings) -> Void = { _ in }
    ) throws -> AppContainer {
        var surroundings = PersistenceSurroundings()
        // Other tests have the disk and the processors too.
        surroundings.lockNanoseconds = 60_000_000_000
        change(&surroundings)
        return try AppContainer(
            name,
            in: directory.path,
            keychain: keychain ?? self.keychain,
            surroundings: surroundings
        )
    }

    /// The path of a file in the directory of the containers.
    func path(_ name: String) -> String { directory.appending(path: name).path }

    /// Whether there is a file or directory.
    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
}

extension AppContainer {
    /// The container of an app on a simulated disk.
    static func onDisk(_ disk: SimulatedDisk, time: ManualTime = ManualTime()) throws -> AppContainer {
        var surroundings = PersistenceSurroundings()
        surroundings.files = disk
        surroundings.time = time
        return try AppContainer("org.app", in: "/home", keychain: nil, surroundings: surroundings)
    }
}
