import Coffer
import Foundation
import TestSupport
import Testing
import VaultFiles
import VaultFormat

/// A machine of one test, with its places.
struct VaultSample {
    let directory: URL
    let locations: VaultLocations
    /// The kernel keyrings of all machines of the test.
    let keys: SimulatedKeys

    init(machine: String = "machine", keys: SimulatedKeys = SimulatedKeys()) throws {
        self.keys = keys
        directory = try TemporaryDirectory.current.appending(path: machine)
        locations = VaultLocations(
            vault: nil,
            deviceKey: directory.appending(path: "state/device.key").path,
            anchors: directory.appending(path: "state/anchors").path
        )
    }

    /// The path of the test's vault, on any machine.
    var path: String { directory.deletingLastPathComponent().appending(path: "vaults/test.coffer").path }

    var options: VaultOptions {
        var options = VaultOptions(locations: locations)
        options.passphraseCost = .weak
        options.keyring = KernelKeyring(calls: keys)
        return options
    }

    /// Creates the test's vault.
    func created(_ protection: VaultProtection = VaultProtection()) throws -> Vault {
        try Vault.create(at: path, protection: protection, options: options)
    }

    /// Opens the test's vault, like a new process.
    func opened(with ladder: UnlockLadder = UnlockLadder(variables: [:])) throws -> Vault {
        try Vault.open(at: path, with: ladder, options: options)
    }

    /// Writes a file with this text and returns its path.
    func file(_ name: String, _ text: String) throws -> String {
        try file(name, Data(text.utf8))
    }

    /// Writes a file with these bytes and returns its path.
    func file(_ name: String, _ bytes: Data) throws -> String {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let url = directory.appending(path: name)
        try bytes.write(to: url)
        return url.path
    }

    /// The error of opening the test's vault.
    func problem(with ladder: UnlockLadder = UnlockLadder(variables: [:])) throws -> VaultError {
        try #require(throws: VaultError.self) { try opened(with: ladder) }
    }
}

extension PassphraseCost {
    /// The minimum work that a reader accepts.
    static let weak = PassphraseCost(Argon2Parameters(operations: 1, memoryKiB: 8192), .reader)
}

extension UnlockLadder {
    /// Creates a ladder in an environment with only these variables.
    init(variables: [String: String], secret: Secret? = nil, isSetUserID: Bool = false) {
        self.init(environment: ProgramEnvironment(variables: variables, isSetUserID: isSetUserID))
        self.secret = secret
    }

    static func passphrase(_ text: String) -> UnlockLadder {
        UnlockLadder(variables: [:], secret: .passphrase(Passphrase(text)))
    }
}

extension UnlockReport {
    /// The outcome of a source.
    func outcome(of source: UnlockSource) -> Outcome? { steps.first { $0.source == source }?.outcome }
}

extension Vault {
    /// Writes bytes after the last frame that no crash leaves there.
    func damageEnd() throws {
        let bytes = try Data(contentsOf: URL(filePath: path))
        let end = try #require(bytes.lastIndex { $0 != 0 }) / 64 * 64 + 64
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64(end))
        try file.write(contentsOf: Data(repeating: 0xFF, count: 1_024))
        try file.close()
    }

    /// The keychain of the test's program.
    var keychain: Keychain { keychain(for: AccessGroups(application: "com.example.app")) }
}
