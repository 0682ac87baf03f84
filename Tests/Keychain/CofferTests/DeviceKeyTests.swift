import Coffer
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

@Suite("The device key", .temporaryDirectory) struct DeviceKeyTests {
    private func created(_ sample: VaultSample) throws -> String {
        _ = try sample.created()
        return try #require(sample.locations.deviceKey)
    }

    @Test(arguments: [0, 1, 20, 60, 120])
    func `a damaged device key causes an error and is left unchanged`(offset: Int) throws {
        let sample = try VaultSample()
        let path = try created(sample)
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[offset] ^= 1
        try bytes.write(to: URL(filePath: path))
        let problem = try sample.problem()
        #expect(problem.kind == .damaged)
        #expect(problem.description.contains(path))
        #expect(throws: VaultError.self) { try Vault.create(at: sample.path + "2", options: sample.options) }
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }

    @Test(arguments: ["", "x", String(repeating: "x", count: 5000)])
    func `another file in place of the device key is an error`(
        text: String
    ) throws {
        let sample = try VaultSample()
        let path = try created(sample)
        try Data(text.utf8).write(to: URL(filePath: path))
        #expect(try sample.problem().kind == .damaged)
    }

    @Test func `a device key that others can write is not used`() throws {
        let sample = try VaultSample()
        let path = try created(sample)
        try FileManager.default.setAttributes([.posixPermissions: 0o620], ofItemAtPath: path)
        let problem = try sample.problem()
        #expect(problem.kind == .unavailable)
        #expect(problem.description.contains("chmod 600"))
    }

    @Test func `a device key that others can read is used with a warning`() throws {
        let sample = try VaultSample()
        let path = try created(sample)
        #expect(try sample.opened().unlocking.warnings == [])
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let vault = try sample.opened()
        #expect(vault.isUnlocked)
        #expect(vault.unlocking.warnings.count == 1)
        #expect(vault.unlocking.warnings.first?.contains("chmod 600") == true)
    }

    // MARK: - Other files in its place

    @Test func `a link in place of the device key is not followed`() throws {
        let sample = try VaultSample()
        let path = try created(sample)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".real")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".real")
        let problem = try sample.problem()
        #expect(problem.kind == .unavailable)
        #expect(problem.description.contains("\(path) could not be opened: it is not a regular file"))
    }

    @Test func `no device key is created through a dangling link`() throws {
        let sample = try VaultSample()
        let path = try #require(sample.locations.deviceKey)
        let target = sample.directory.appending(path: "target").path
        let directory = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        #expect(throws: VaultError.self) { try sample.created() }
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test func `a pipe in place of the device key does not block`() throws {
        let sample = try VaultSample()
        let path = try created(sample)
        try FileManager.default.removeItem(atPath: path)
        try #require(mkfifo(path, 0o600) == 0)
        #expect(try sample.problem().kind == .unavailable)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `another user's device key is not used, and root is not told to take it`() throws {
        let sample = try VaultSample()
        let path = try created(sample)
        chown(path, 1001, 1001)
        let problem = try sample.problem()
        #expect(problem.kind == .unavailable)
        #expect(problem.description.contains("\(path) could not be opened: it belongs to user 1001, not to user 0"))
        #expect(problem.description.contains("run the program as user 1001"))
        #expect(!problem.description.contains("chown"))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `no device key and no vault are created in another user's directory`() throws {
        let sample = try VaultSample()
        let directory = sample.directory.appending(path: "state").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        chown(directory, 1001, 1001)
        #expect(throws: VaultError.self) { try sample.created() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
        #expect(!FileManager.default.fileExists(atPath: sample.path))
    }

    @Test func `a credential can be a link, as container managers create it`() throws {
        let sample = try VaultSample()
        let path = try created(sample)
        let link = sample.directory.appending(path: "coffer.device").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        var locations = try VaultSample(machine: "other").locations
        locations.deviceCredential = link
        let options = VaultOptions(locations: locations)
        #expect(try Vault.open(at: sample.path, with: UnlockLadder(variables: [:]), options: options).isUnlocked)
    }

    @Test func `a credential takes precedence over the file`() throws {
        let sample = try VaultSample()
        let path = try created(sample)
        let other = try VaultSample(machine: "other")
        var locations = other.locations
        locations.deviceCredential = path
        let vault = try Vault.open(
            at: sample.path,
            with: UnlockLadder(variables: [:]),
            options: VaultOptions(locations: locations)
        )
        #expect(vault.isUnlocked)
        #expect(vault.unlocking.outcome(of: .deviceKey(path: path)) == .opened)
    }

    @Test func `without a credential the file is used`() throws {
        let sample = try VaultSample()
        _ = try created(sample)
        var locations = sample.locations
        locations.deviceCredential = sample.directory.appending(path: "missing/coffer.device").path
        let options = VaultOptions(locations: locations)
        #expect(try Vault.open(at: sample.path, with: UnlockLadder(variables: [:]), options: options).isUnlocked)
    }

    @Test func `programs that create the device key at the same time share it`() async throws {
        let sample = try VaultSample()
        let vaults = try await withThrowingTaskGroup(of: Vault.self) { group in
            for number in 0..<8 {
                group.addTask { try await Vault.create(at: sample.path + "\(number)", options: sample.options) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(vaults.count == 8)
        for number in 0..<8 {
            let path = sample.path + "\(number)"
            #expect(
                try await Vault.open(at: path, with: UnlockLadder(variables: [:]), options: sample.options).isUnlocked
            )
        }
    }

    // MARK: - Memory

    /// A machine with this much available memory.
    private func options(_ sample: VaultSample, availableByteCount: Int) throws -> VaultOptions {
        let text = "MemAvailable:    \(availableByteCount / 1024) kB\n"
        let root = sample.directory.appending(path: "root")
        try FileManager.default.createDirectory(at: root.appending(path: "proc"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: root.appending(path: "proc/meminfo"))
        var options = sample.options
        var environment = StoreEnvironment(random: try SystemRandom())
        environment.memory = AvailableMemory(root: root.path)
        options.environment = environment
        return options
    }

    @Test func `too little memory for a passphrase is not reported as a wrong passphrase`() throws {
        let sample = try VaultSample()
        _ = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        let options = try options(sample, availableByteCount: 1 << 20)
        let problem = try #require(throws: VaultError.self) {
            try Vault.open(at: sample.path, with: .passphrase("right"), options: options)
        }
        #expect(problem.kind == .outOfMemory)
        #expect(problem.description.contains("8,388,608 bytes"))
        #expect(problem.description.contains("1,048,576 bytes"))
    }

    @Test(arguments: [(2_000, 256, 3), (512, 256, 3), (511, 128, 6), (200, 64, 12), (1, 64, 12)])
    func `a machine with less memory uses more passes`(mebibytes: Int, memory: Int, passes: Int) {
        let parameters = PassphraseCost.standard.fitting(availableByteCount: mebibytes << 20)
        #expect(parameters.memoryKiB == memory << 10)
        #expect(parameters.operations == passes)
    }

    @Test(arguments: [(63, 3), (1025, 3), (64, 1), (64, 17), (1024, 5), (.max, 2), (-1, 2), (64, -1)])
    func `too little or too much work is rejected`(memory: Int, passes: Int) {
        #expect(throws: VaultError.self) { try PassphraseCost(memoryMiB: memory, passes: passes) }
    }

    @Test(arguments: [(64, 2), (1024, 4), (64, 16), (256, 3)])
    func `work within the limits is accepted`(memory: Int, passes: Int) throws {
        let cost = try PassphraseCost(memoryMiB: memory, passes: passes)
        #expect((cost == .standard) == (memory == 256))
    }
}
