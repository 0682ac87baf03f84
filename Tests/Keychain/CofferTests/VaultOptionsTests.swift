import Coffer
import CofferSecurity
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFiles
import VaultStore

@Suite("Vault options", .temporaryDirectory) struct VaultOptionsTests {
    private let sample: VaultSample

    init() throws {
        sample = try VaultSample()
        try sample.created().keychain.add(["class": "genp", "acct": "first"])
    }

    private func opened(_ options: VaultOptions) throws -> Vault {
        try Vault.open(at: sample.path, with: UnlockLadder(variables: [:]), options: options)
    }

    /// Expects that the vault is writable or read-only.
    private func expect(writable: Bool, _ options: VaultOptions, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        let keychain = try opened(options).keychain
        guard !writable else {
            try keychain.add(["class": "genp"])
            return
        }
        let error = #expect(throws: KeychainError.self, sourceLocation: sourceLocation) {
            try keychain.add(["class": "genp"])
        }
        guard case .vault(let problem)? = error else {
            Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
            return
        }
        #expect(problem.kind == .readOnly, sourceLocation: sourceLocation)
    }

    @Test func `a read-only vault is readable`() throws {
        var options = sample.options
        options.mayWrite = false
        try expect(writable: false, options)
        #expect(try opened(options).keychain.count(["class": "genp"]) == 1)
    }

    @Test func `a group with write permission must be allowed`() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o660], ofItemAtPath: sample.path)
        var options = sample.options
        try expect(writable: false, options)
        let attributes = try FileManager.default.attributesOfItem(atPath: sample.path)
        let group = try #require(attributes[.groupOwnerAccountID] as? NSNumber)
        options.writerGroupIDs = [group.uint32Value]
        try expect(writable: true, options)
    }

    @Test func `a damaged tail is cut off only on request`() throws {
        try opened(sample.options).damageEnd()
        var options = sample.options
        try expect(writable: false, options)
        options.discardsDamagedTail = true
        try expect(writable: true, options)
    }

    @Test func `a rollback is detected if anchors are kept`() throws {
        let older = try Data(contentsOf: URL(filePath: sample.path))
        try opened(sample.options).keychain.add(["class": "genp", "acct": "later"])
        let file = try FileHandle(forUpdating: URL(filePath: sample.path))
        try file.write(contentsOf: older)
        try file.close()
        var options = sample.options
        #expect(try #require(throws: VaultError.self) { try opened(options) }.kind == .rolledBack)
        options.acceptsRollback = true
        let vault = try opened(options)
        #expect(try vault.keychain.count(["class": "genp"]) == 1)
        #expect(vault.readOnlyProblem?.kind == .rolledBack)
        let error = try #require(throws: KeychainError.self) { try vault.keychain.add(["class": "genp"]) }
        guard case .vault(let problem) = error else { throw error }
        #expect(problem.kind == .rolledBack)
        options.locations.anchors = nil
        try expect(writable: true, options)
    }

    @Test func `a zero lock timeout reports busy at once`() throws {
        let time = ManualTime()
        var options = sample.options
        options.environment = StoreEnvironment(time: time, random: try SystemRandom())
        options.lockTimeout = .zero
        let (first, second) = (try opened(sample.options).keychain, try opened(options).keychain)
        let before = time.monotonicNanoseconds()
        let error = try #require(throws: KeychainError.self) {
            try first.transaction { (_: inout KeychainTransaction) throws(KeychainError) in
                _ = try second.add(["class": "genp"])
            }
        }
        guard case .vault(let problem) = error else { throw error }
        #expect(problem.kind == .busy)
        #expect(time.monotonicNanoseconds() == before)
    }

    @Test func `a chosen passphrase cost does not depend on the machine`() throws {
        let cost = try PassphraseCost(memoryMiB: 512, passes: 2)
        #expect(cost.fitting(availableByteCount: 64 << 20) == cost.fitting(availableByteCount: nil))
    }

    @Test func `a vault created on a machine with little memory opens there`() throws {
        let root = sample.directory.appending(path: "root")
        try FileManager.default.createDirectory(at: root.appending(path: "proc"), withIntermediateDirectories: true)
        try Data("MemAvailable:    204800 kB\n".utf8).write(to: root.appending(path: "proc/meminfo"))
        var environment = StoreEnvironment(random: try SystemRandom())
        environment.memory = AvailableMemory(root: root.path)
        var options = sample.options
        options.environment = environment
        options.passphraseCost = .standard
        let path = sample.path + "2"
        let protection = VaultProtection(passphrase: Passphrase("right"))
        _ = try Vault.create(at: path, protection: protection, options: options)
        #expect(try Vault.open(at: path, with: .passphrase("right"), options: options).isUnlocked)
    }
}
