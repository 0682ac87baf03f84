import Coffer
import CofferSecurity
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFiles
import VaultStore

/// A machine's memory of the vault at a path: `Spec/opening.md`, section 8.
@Suite("Place memory", .temporaryDirectory) struct PlaceMemoryTests {
    private let sample: VaultSample

    init() throws {
        sample = try VaultSample()
    }

    private var anchors: URL { sample.directory.appending(path: "state/anchors") }

    private func memories() throws -> [URL] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: anchors.path)
        return (names ?? []).filter { $0.hasPrefix("place-") }.map { anchors.appending(path: $0) }
    }

    private func loss(at path: String? = nil) throws -> VaultError? {
        try Vault.loss(at: path ?? sample.path, options: sample.options)
    }

    private func makePassphraseVault() throws {
        _ = try sample.created(VaultProtection(passphrase: Passphrase("correct horse")))
    }

    @Test func `a vault with a passphrase is remembered in a private file; one without is not`() throws {
        _ = try sample.created()
        #expect(try memories() == [])
        try FileManager.default.removeItem(atPath: sample.path)
        try makePassphraseVault()
        let memory = try #require(try memories().first)
        let attributes = try FileManager.default.attributesOfItem(atPath: memory.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: anchors.path).allSatisfy { !$0.hasSuffix(".tmp") })
        try FileManager.default.removeItem(atPath: sample.path)
        let problem = try #require(try loss())
        #expect(problem.kind == .noVault)
        #expect(problem.description.contains(sample.path) && problem.description.contains("a passphrase"))
        #expect(problem.description.contains("coffer init \(sample.path)"))
    }

    @Test func `links, dots and missing directories refer to the same place`() throws {
        try makePassphraseVault()
        let directory = URL(filePath: sample.path).deletingLastPathComponent()
        let link = try TemporaryDirectory.current.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: directory)
        let file = try TemporaryDirectory.current.appending(path: "file.coffer")
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: URL(filePath: sample.path))
        try FileManager.default.removeItem(atPath: sample.path)
        let paths = [
            sample.path, directory.path + "/./test.coffer", directory.path + "/../vaults//test.coffer",
            link.path + "/test.coffer", file.path,
        ]
        for path in paths { #expect(try loss(at: path) != nil, "\(path)") }
        try FileManager.default.removeItem(at: directory)
        // The directory before `..` may be missing too.
        for path in [sample.path, directory.path + "/../vaults/test.coffer", directory.path + "/./test.coffer"] {
            #expect(try loss(at: path) != nil, "\(path)")
        }
        #expect(try loss(at: sample.path + "2") == nil)
        // A link to a missing directory is a separate error, which says more than that the vault is missing.
        let error = #expect(throws: VaultError.self) {
            try Vault.open(at: link.path + "/test.coffer", with: UnlockLadder(variables: [:]), options: sample.options)
        }
        #expect(error?.kind == .unavailable)
    }

    @Test func `opening a vault with a passphrase remembers it, unless it is read-only`() throws {
        try makePassphraseVault()
        for memory in try memories() { try FileManager.default.removeItem(at: memory) }
        var options = sample.options
        options.mayWrite = false
        _ = try Vault.open(at: sample.path, with: .passphrase("correct horse"), options: options)
        #expect(try memories() == [])
        _ = try sample.opened(with: .passphrase("correct horse"))
        #expect(try memories().count == 1)
    }

    @Test func `a vault is remembered with its first passphrase and forgotten with its last`() async throws {
        let vault = try sample.created()
        _ = try await vault.keyChange(to: VaultProtection(passphrase: Passphrase("correct horse"))).report()
        #expect(try memories().count == 1)
        _ = try await vault.keyChange(to: VaultProtection()).report()
        #expect(try memories() == [])
    }

    @Test func `deleting the vault or creating another one forgets it`() throws {
        try makePassphraseVault()
        try Vault.delete(at: sample.path, options: sample.options)
        #expect(try memories() == [])
        try makePassphraseVault()
        try FileManager.default.removeItem(atPath: sample.path)
        _ = try sample.created()
        #expect(try memories() == [])
    }

    /// A damaged memory must not make the next vault weaker.
    @Test(arguments: ["", "coffer place 1\n", String(repeating: "x", count: 5000)])
    func `a damaged memory prevents creating a vault automatically`(text: String) throws {
        try makePassphraseVault()
        let memory = try #require(try memories().first)
        try FileManager.default.removeItem(atPath: sample.path)
        try Data(text.utf8).write(to: memory)
        let problem = try #require(try loss())
        #expect(problem.kind == .noVault)
        #expect(problem.description.contains(memory.path) && problem.description.contains("coffer init"))
        #expect(throws: problem) {
            try Vault.createForFirstItem(at: sample.path, with: UnlockLadder(variables: [:]), options: sample.options)
        }
        // On request a vault is created, and the memory is repaired.
        _ = try sample.created()
        #expect(try loss() == nil)
    }

    @Test func `an unreadable memory prevents creating a vault automatically, but not opening one`() throws {
        try makePassphraseVault()
        let files = HookedFiles()
        files.setHook { operation, path throws(FileError) in
            guard operation == .open, path.contains("/place-") else { return }
            throw FileError(operation, path, reason: .inputOutput)
        }
        var options = sample.options
        var environment = StoreEnvironment(random: try SystemRandom())
        environment.files = files
        options.environment = environment
        let vault = try Vault.open(at: sample.path, with: .passphrase("correct horse"), options: options)
        #expect(vault.isUnlocked)
        try FileManager.default.removeItem(atPath: sample.path)
        #expect(try Vault.loss(at: sample.path, options: options)?.kind == .noVault)
    }

    @Test func `a link in place of the memory is replaced, and its target is kept`() throws {
        try makePassphraseVault()
        let memory = try #require(try memories().first)
        let other = try sample.file("other", "precious")
        try FileManager.default.removeItem(at: memory)
        try FileManager.default.createSymbolicLink(atPath: memory.path, withDestinationPath: other)
        _ = try sample.opened(with: .passphrase("correct horse"))
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
        let attributes = try FileManager.default.attributesOfItem(atPath: memory.path)
        #expect(attributes[.type] as? FileAttributeType == .typeRegular)
    }

    @Test func `a replacement vault without a passphrase causes a warning until it is accepted`() throws {
        try makePassphraseVault()
        let other = sample.path + "2"
        _ = try Vault.create(at: other, options: sample.options)
        try FileManager.default.removeItem(atPath: sample.path)
        try FileManager.default.moveItem(atPath: other, toPath: sample.path)
        for _ in 0..<2 {
            let vault = try sample.opened()
            #expect(vault.warnings.count == 1)
            #expect(vault.warnings.allSatisfy { $0.contains(sample.path) && $0.contains("a passphrase") })
        }
        try sample.opened().acceptPlace()
        #expect(try sample.opened().warnings == [])
    }

    @Test func `a rolled-back vault that is accepted for reading is not remembered`() throws {
        let vault = try sample.created(VaultProtection(passphrase: Passphrase("correct horse")))
        let older = try Data(contentsOf: URL(filePath: sample.path))
        try vault.keychain.add(["class": "genp"])
        for memory in try memories() { try FileManager.default.removeItem(at: memory) }
        try older.write(to: URL(filePath: sample.path))
        var options = sample.options
        options.acceptsRollback = true
        _ = try Vault.open(at: sample.path, with: .passphrase("correct horse"), options: options)
        #expect(try memories() == [])
    }

    // MARK: - Device keys

    @Test func `an unreadable device key is not reported as an invalid vault`() throws {
        _ = try sample.created()
        let key = try #require(sample.locations.deviceKey)
        try FileManager.default.removeItem(atPath: key)
        try FileManager.default.createDirectory(atPath: key, withIntermediateDirectories: false)
        #expect(try sample.problem().kind == .unavailable)
    }
}
