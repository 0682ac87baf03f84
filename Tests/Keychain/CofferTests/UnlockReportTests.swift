import Coffer
import CofferSecurity
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

@Suite("Unlock reports", .temporaryDirectory) struct UnlockReportTests {
    private let sample: VaultSample
    private let key: String

    init() throws {
        sample = try VaultSample()
        key = try sample.file("key", "0123456789abcdefghijklmnopqrstuv")
    }

    private func ladder(_ passphrase: String?, variables: [String: String] = [:]) -> UnlockLadder {
        var ladder = UnlockLadder(variables: variables, secret: passphrase.map { .passphrase(Passphrase($0)) })
        ladder.keyFile = key
        return ladder
    }

    // MARK: - Key files

    @Test func `a key file that a passphrase needs is reported as used`() throws {
        _ = try sample.created(VaultProtection(passphrase: Passphrase("right"), keyFile: key))
        for ladder in [ladder("right"), ladder(nil, variables: ["COFFER_PASSPHRASE": "right"])] {
            #expect(try sample.opened(with: ladder).unlocking.outcome(of: .keyFile(path: key)) == .contributed)
        }
    }

    @Test func `a key file that opens nothing is reported and does no harm`() throws {
        _ = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        let open = try sample.opened(with: ladder("right"))
        #expect(open.unlocking.outcome(of: .keyFile(path: key)) == .skipped(.opensNothing))
        let locked = try sample.opened(with: ladder(nil))
        #expect(!locked.isUnlocked)
        #expect(locked.unlocking.outcome(of: .keyFile(path: key)) == .skipped(.opensNothing))
    }

    @Test func `a key file is reported as not reached if a code opened the vault`() throws {
        let code = try RecoveryCode()
        let protection = VaultProtection(passphrase: Passphrase("right"), keyFile: key, recoveryCode: code)
        _ = try sample.created(protection)
        var ladder = ladder(nil)
        ladder.secret = .recoveryCode(code)
        #expect(try sample.opened(with: ladder).unlocking.outcome(of: .keyFile(path: key)) == .notReached)
    }

    @Test func `a newline at the end of a key file is part of it`() throws {
        let other = try sample.file("other", "0123456789abcdefghijklmnopqrstuv" + "\n")
        _ = try sample.created(VaultProtection(keyFile: key))
        var ladder = UnlockLadder(variables: [:])
        ladder.keyFile = other
        #expect(try sample.problem(with: ladder).kind == .wrongSecret)
    }

    // MARK: - The machine

    @Test func `the key of an unknown machine is reported as skipped`() throws {
        _ = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        let other = try VaultSample(machine: "other")
        _ = try Vault.create(at: sample.path + "2", options: other.options)
        let path = try #require(other.locations.deviceKey)
        let vault = try other.opened(with: .passphrase("right"))
        #expect(vault.unlocking.outcome(of: .deviceKey(path: path)) == .skipped(.opensNothing))
    }

    @Test func `the report of a new vault names what opens it`() throws {
        let path = try #require(sample.locations.deviceKey)
        let first = try sample.created(VaultProtection(passphrase: Passphrase("right"), keyFile: key))
        #expect(first.unlocking.outcome(of: .passphrase) == .opened)
        #expect(first.unlocking.outcome(of: .keyFile(path: key)) == .opened)
        #expect(first.unlocking.outcome(of: .deviceKey(path: path)) == .contributed)
        let second = try Vault.create(at: sample.path + "2", options: sample.options)
        #expect(second.unlocking.steps.map(\.outcome) == [.opened])
    }

    // MARK: - Sources

    @Test func `a source without a secret is in the report`() throws {
        _ = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        let missing = sample.directory.appending(path: "missing").path
        let problem = try sample.problem(with: UnlockLadder(variables: ["COFFER_PASSPHRASE_FILE": missing]))
        guard case .failed(let reason)? = problem.unlocking?.outcome(of: .fileVariable) else {
            Issue.record("the report does not say what failed")
            return
        }
        #expect(reason.kind == .secretUnavailable)
    }

    @Test func `an unreadable credential is not reported as missing`() throws {
        _ = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        let directory = sample.directory.appending(path: String(repeating: "x", count: 300)).path
        let ladder = UnlockLadder(variables: ["CREDENTIALS_DIRECTORY": directory, "COFFER_PASSPHRASE": "right"])
        #expect(try sample.problem(with: ladder).kind == .secretUnavailable)
    }

    @Test func `a file in place of the directory has no credential`() throws {
        _ = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        let vault = try sample.opened(with: UnlockLadder(variables: ["CREDENTIALS_DIRECTORY": key]))
        #expect(vault.unlocking.outcome(of: .credential) == .skipped(.notSet))
    }

    @Test func `a variable can hold the longest passphrase`() throws {
        let longest = String(repeating: "x", count: 4090) + "longer"
        _ = try sample.created(VaultProtection(passphrase: Passphrase(longest)))
        #expect(try sample.opened(with: UnlockLadder(variables: ["COFFER_PASSPHRASE": longest])).isUnlocked)
        let problem = try sample.problem(with: UnlockLadder(variables: ["COFFER_PASSPHRASE": longest + "x"]))
        #expect(problem.kind == .secretUnavailable)
    }

    @Test(arguments: [("", true), ("\n", true), ("\nx", false), ("x", false), ("\n\n", false)])
    func `the longest passphrase can be followed by one newline only`(end: String, opens: Bool) throws {
        let longest = String(repeating: "x", count: 4090) + "longer"
        _ = try sample.created(VaultProtection(passphrase: Passphrase(longest)))
        let ladder = UnlockLadder(variables: [:], secret: .passphraseFile(try sample.file("passphrase", longest + end)))
        if opens {
            #expect(try sample.opened(with: ladder).isUnlocked)
        } else {
            #expect(try sample.problem(with: ladder).kind == .secretUnavailable)
        }
    }

    @Test func `control characters in a path are escaped`() throws {
        let path = sample.path + "\u{1B}[2J"
        _ = try Vault.create(
            at: path,
            protection: VaultProtection(passphrase: Passphrase("right")),
            options: sample.options
        )
        let vault = try Vault.open(at: path, with: UnlockLadder(variables: [:]), options: sample.options)
        let problem = try #require(throws: VaultError.self) { try vault.unlock(with: UnlockLadder(variables: [:])) }
        #expect(problem.kind == .secretNeeded)
        #expect(!problem.description.contains("\u{1B}"))
    }

    // MARK: - The kernel keyring

    private func id(_ vault: Vault) throws -> VaultID {
        try vault.store.read { vault in vault.vault }
    }

    @Test func `a foreign kernel key is reported, and the next source is tried`() throws {
        let vault = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        let keyring = KernelKeyring(calls: sample.keys)
        try keyring.store([1, 2, 3].span, as: KeyCache.description(of: id(vault)), seconds: 60)
        let opened = try sample.opened()
        #expect(!opened.isUnlocked)
        guard case .failed(let reason)? = opened.unlocking.outcome(of: .kernelKeyring) else {
            Issue.record("the report does not say what failed")
            return
        }
        #expect(reason.kind == .secretUnavailable)
    }

    @Test func `kernel keys also open items for this device only`() throws {
        let vault = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        let own: ItemRequest = ["class": "genp", "pdmn": "aku"]
        try vault.keychain.add(own.with(["acct": "kim"]))
        try vault.keepUnlocked(for: .seconds(900))
        let other = try sample.opened()
        try other.keychain.add(own.with(["acct": "lee"]))
        #expect(try vault.keychain.count(own) == 2)
    }

    @Test func `a zero duration becomes the shortest timeout`() throws {
        let vault = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        try vault.keepUnlocked(for: .zero)
        #expect(sample.keys.calls.contains(.setTimeout(seconds: 1)))
    }

    // MARK: - Places of the device key

    @Test func `a file in place of the directory means no device key`() throws {
        _ = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        var options = sample.options
        options.locations.deviceKey = key + "/device.key"
        #expect(try Vault.open(at: sample.path, with: .passphrase("right"), options: options).isUnlocked)
    }

    @Test func `a path in the root directory works`() throws {
        let problem = try #require(throws: VaultError.self) { try Vault.create(at: "/tmp", options: sample.options) }
        #expect(problem.kind == .fileExists)
    }

    @Test func `no device key is created for a vault at an invalid path`() throws {
        let path = sample.directory.appending(path: String(repeating: "x", count: 300)).path
        #expect(throws: VaultError.self) { try Vault.create(at: path, options: sample.options) }
        #expect(!FileManager.default.fileExists(atPath: try #require(sample.locations.deviceKey)))
    }

    @Test func `a device key created meanwhile by another program is checked like any other`() throws {
        let path = try #require(sample.locations.deviceKey)
        let other = try VaultSample(machine: "other")
        _ = try other.created()
        let text = try Data(contentsOf: URL(filePath: try #require(other.locations.deviceKey)))
        let files = HookedFiles()
        files.setHook { operation, name throws(FileError) in
            guard operation == .rename, !FileManager.default.fileExists(atPath: path) else { return }
            // Others can write this one.
            _ = FileManager.default.createFile(atPath: path, contents: text, attributes: [.posixPermissions: 0o666])
        }
        var options = sample.options
        options.environment = StoreEnvironment(files: files, random: try SystemRandom())
        let problem = try #require(throws: VaultError.self) {
            try Vault.create(at: sample.path + "2", options: options)
        }
        #expect(problem.kind == .unavailable)
        #expect(problem.description.contains("chmod"))
    }
}
