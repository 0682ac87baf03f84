import Coffer
import CofferSecurity
import Foundation
import Synchronization
import Testing
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

@Suite("Unlock ladder", .temporaryDirectory) struct UnlockLadderTests {
    private func locked() throws -> VaultSample {
        let sample = try VaultSample()
        _ = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        return sample
    }

    private func outcomes(_ vault: Vault) -> [UnlockSource: UnlockReport.Outcome] {
        Dictionary(vault.unlocking.steps.map { ($0.source, $0.outcome) }) { first, _ in first }
    }

    // MARK: - Each source

    @Test func `a file named by the program unlocks`() throws {
        let sample = try locked()
        let path = try sample.file("passphrase", "right\n")
        let vault = try sample.opened(with: UnlockLadder(variables: [:], secret: .passphraseFile(path)))
        #expect(vault.unlocking.outcome(of: .passphraseFile(path: path)) == .opened)
    }

    @Test(arguments: [
        ("right", true), ("right\n", true), ("right\n\n", false), ("right\r\n", false), (" right", false),
    ])
    func `only one newline at the end is dropped`(text: String, opens: Bool) throws {
        let sample = try locked()
        let ladder = UnlockLadder(variables: [:], secret: .passphraseFile(try sample.file("passphrase", text)))
        if opens {
            #expect(try sample.opened(with: ladder).isUnlocked)
        } else {
            #expect(try sample.problem(with: ladder).kind == .wrongSecret)
        }
    }

    @Test func `a descriptor unlocks, even a pipe`() throws {
        let sample = try locked()
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("right\n".utf8))
        try pipe.fileHandleForWriting.close()
        let number = pipe.fileHandleForReading.fileDescriptor
        let vault = try sample.opened(with: UnlockLadder(variables: [:], secret: .passphraseDescriptor(number)))
        #expect(vault.unlocking.outcome(of: .passphraseDescriptor(number)) == .opened)
    }

    @Test func `the file named by a variable unlocks`() throws {
        let sample = try locked()
        let path = try sample.file("passphrase", "right\n")
        let vault = try sample.opened(with: UnlockLadder(variables: ["COFFER_PASSPHRASE_FILE": path]))
        #expect(vault.isUnlocked)
        #expect(vault.unlocking.outcome(of: .fileVariable) == .opened)
    }

    @Test func `the command in a variable unlocks if the program runs commands`() throws {
        let sample = try locked()
        var ladder = UnlockLadder(variables: ["COFFER_PASSPHRASE_COMMAND": "printf 'ri%s\\n' ght"])
        let closed = try sample.opened(with: ladder)
        #expect(!closed.isUnlocked)
        #expect(closed.unlocking.outcome(of: .commandVariable) == .skipped(.notAllowed))
        ladder.runsCommands = true
        let open = try sample.opened(with: ladder)
        #expect(open.isUnlocked)
        #expect(open.unlocking.outcome(of: .commandVariable) == .opened)
    }

    @Test func `the credential of a service unlocks`() throws {
        let sample = try locked()
        _ = try sample.file("coffer.passphrase", "right")
        let vault = try sample.opened(
            with: UnlockLadder(variables: ["CREDENTIALS_DIRECTORY": sample.directory.path])
        )
        #expect(vault.unlocking.outcome(of: .credential) == .opened)
    }

    @Test func `a variable that holds the passphrase unlocks`() throws {
        let vault = try locked().opened(with: UnlockLadder(variables: ["COFFER_PASSPHRASE": "right"]))
        #expect(vault.unlocking.outcome(of: .passphraseVariable) == .opened)
    }

    @Test func `the prompt is repeated until the answer is right`() throws {
        let sample = try locked()
        let asked = Mutex<[String]>([])
        var ladder = UnlockLadder(variables: [:])
        ladder.prompt = { path, attempt in
            asked.withLock { $0.append("\(path) \(attempt)") }
            return Passphrase(attempt == 3 ? "right" : "wrong")
        }
        #expect(try sample.opened(with: ladder).isUnlocked)
        #expect(asked.withLock { $0 } == (1...3).map { "\(sample.path) \($0)" })
    }

    @Test func `the prompt is not shown a fourth time`() throws {
        let sample = try locked()
        let count = Mutex(0)
        var ladder = UnlockLadder(variables: [:])
        ladder.prompt = { _, _ in
            count.withLock { $0 += 1 }
            return Passphrase("wrong")
        }
        #expect(try sample.problem(with: ladder).kind == .wrongSecret)
        #expect(count.withLock { $0 } == 3)
    }

    @Test func `no answer to the prompt leaves the vault locked`() throws {
        let sample = try locked()
        var ladder = UnlockLadder(variables: [:])
        ladder.prompt = { _, _ in nil }
        let vault = try sample.opened(with: ladder)
        #expect(!vault.isUnlocked)
        #expect(vault.unlocking.outcome(of: .prompt) == .skipped(.notSet))
    }

    // MARK: - The kernel keyring

    @Test func `keys that another process left in the kernel unlock`() throws {
        let sample = try locked()
        let item: ItemRequest = ["class": "genp", "acct": "kim"]
        let vault = try sample.opened(with: .passphrase("right"))
        try vault.keychain.add(item.with(["v_Data": data("secret")]))
        try vault.keepUnlocked(for: .seconds(900))
        let other = try sample.opened()
        #expect(other.isUnlocked)
        #expect(other.unlocking.outcome(of: .kernelKeyring) == .opened)
        #expect(try other.keychain.text(item) == "secret")
        try other.keychain.update(item, with: ["v_Data": data("changed")])
        #expect(try vault.keychain.text(item) == "changed")
        // Each protection can be used, and a group can be made.
        for protection in ["ak", "ck", "dk", "aku", "cku", "dku"] {
            try other.keychain.add(["class": "genp", "svce": .string(protection), "pdmn": .string(protection)])
        }
        let grouped = item.with(["agrp": "com.example.new"])
        try other.keychain.add(grouped.with(["v_Data": data("of the new group")]))
        #expect(try vault.keychain.text(grouped) == "of the new group")
    }

    @Test func `locking leaves the keys in the kernel; forgetting removes them`() throws {
        let sample = try locked()
        let vault = try sample.opened(with: .passphrase("right"))
        try vault.keychain.add(["class": "genp"])
        try vault.keepUnlocked(for: .seconds(900))
        vault.lock()
        try vault.unlock(with: UnlockLadder(variables: [:]))
        #expect(vault.isUnlocked)
        #expect(try vault.stopKeepingUnlocked())
        #expect(try !vault.stopKeepingUnlocked())
        #expect(try !sample.opened().isUnlocked)
    }

    // MARK: - Removing keys from the kernel

    private func left(by sample: VaultSample, _ vault: Vault) throws -> Set<String> {
        try vault.keepUnlocked(for: .seconds(900))
        return sample.keys.descriptions(in: .user)
    }

    @Test func `a key change by another process removes them at once`() async throws {
        let sample = try locked()
        #expect(try left(by: sample, sample.opened(with: .passphrase("right"))).count == 1)
        let other = try sample.opened(with: .passphrase("right"))
        _ = try await other.keyChange(to: VaultProtection(passphrase: Passphrase("correct horse"))).report()
        #expect(sample.keys.descriptions(in: .user) == [])
    }

    @Test func `deleting the vault removes them`() throws {
        let sample = try locked()
        #expect(try left(by: sample, sample.opened(with: .passphrase("right"))).count == 1)
        try Vault.delete(at: sample.path, options: sample.options)
        #expect(sample.keys.descriptions(in: .user) == [])
    }

    /// The file with other keys may be a copy, even a forged one, so it must not end the session of the vault.
    @Test func `keys older than a remote change open nothing, and stay for what they open`() async throws {
        let sample = try locked()
        let vault = try sample.opened(with: .passphrase("right"))
        let former = try Data(contentsOf: URL(filePath: sample.path))
        try vault.keepUnlocked(for: .seconds(900))
        // Another machine with its own kernel changes the keys.
        var options = sample.options
        options.keyring = KernelKeyring(calls: SimulatedKeys())
        let elsewhere = try await Vault.open(at: sample.path, with: .passphrase("right"), options: options)
        _ = try await elsewhere.keyChange(to: VaultProtection(passphrase: Passphrase("correct horse"))).report()
        #expect(try !sample.opened().isUnlocked)

        try former.write(to: URL(filePath: sample.path))
        var accepting = sample.options
        accepting.acceptsRollback = true
        let older = try await Vault.open(at: sample.path, with: UnlockLadder(variables: [:]), options: accepting)
        #expect(older.isUnlocked)
    }

    @Test func `keys stay for at most a day unless the program allows more`() throws {
        let sample = try locked()
        let vault = try sample.opened(with: .passphrase("right"))
        let error = #expect(throws: VaultError.self) { try vault.keepUnlocked(for: .seconds(86_401)) }
        #expect(error?.kind == .unavailable)
        #expect(sample.keys.descriptions(in: .user) == [])
        try vault.keepUnlocked(for: .seconds(86_400))
        try vault.keepUnlocked(for: .seconds(86_401), atMost: .seconds(86_401))
        #expect(sample.keys.descriptions(in: .user).count == 1)
    }

    @Test func `a program can skip the kernel keyring`() throws {
        let sample = try locked()
        try sample.opened(with: .passphrase("right")).keychain.add(["class": "genp"])
        try sample.opened(with: .passphrase("right")).keepUnlocked(for: .seconds(900))
        var ladder = UnlockLadder(variables: [:])
        ladder.usesKernelKeyring = false
        let vault = try sample.opened(with: ladder)
        #expect(!vault.isUnlocked)
        #expect(vault.unlocking.outcome(of: .kernelKeyring) == .skipped(.notAllowed))
    }

    @Test func `a locked vault leaves nothing in the kernel`() throws {
        let vault = try locked().opened()
        let problem = try #require(throws: VaultError.self) { try vault.keepUnlocked(for: .seconds(900)) }
        #expect(problem.kind == .secretNeeded)
    }

    @Test func `a kernel without keyrings is skipped, and is an error only when leaving keys`() throws {
        let sample = try locked()
        let vault = try sample.opened(with: .passphrase("right"))
        sample.keys.fail(.search, with: EPERM, count: .max)
        sample.keys.fail(.add(.thread), with: EPERM, count: .max)
        guard case .skipped(.unavailable) = try sample.opened().unlocking.outcome(of: .kernelKeyring) else {
            Issue.record("the kernel keyring was not skipped")
            return
        }
        let problem = try #require(throws: VaultError.self) { try vault.keepUnlocked(for: .seconds(900)) }
        #expect(problem.kind == .unavailable)
        #expect(problem.description.contains("kernel keyring"))
    }

    @Test func `keys of another copy are reported, and the next source is tried`() throws {
        let sample = try locked()
        try sample.opened(with: .passphrase("right")).keychain.add(["class": "genp"])
        let vault = try sample.opened(with: .passphrase("right"))
        let other = try VaultSample(machine: "more/other", keys: sample.keys)
        _ = try other.created(VaultProtection(passphrase: Passphrase("right")))
        let cache = KeyCache(keyring: KernelKeyring(calls: sample.keys))
        let keys = try #require(try vault.store.heldKeys())
        let now = Time(microseconds: 0)
        #expect(cache.save(keys, of: try id(other.opened()), for: .seconds(900), now: now) == .stored)
        var ladder = UnlockLadder(variables: [:])
        ladder.prompt = { _, _ in Passphrase("right") }
        let opened = try other.opened(with: ladder)
        #expect(opened.isUnlocked)
        guard case .failed(let problem)? = opened.unlocking.outcome(of: .kernelKeyring) else {
            Issue.record("the kernel keyring was not reported")
            return
        }
        #expect(problem.kind == .secretUnavailable)
    }

    private func id(_ vault: Vault) throws -> VaultID {
        try vault.store.read { vault in vault.vault }
    }

    // MARK: - Order

    @Test func `the first source is used, and the rest are not reached`() throws {
        let sample = try locked()
        let path = try sample.file("passphrase", "right")
        _ = try sample.file("coffer.passphrase", "right")
        var variables = [
            "COFFER_PASSPHRASE_FILE": path, "COFFER_PASSPHRASE_COMMAND": "echo right",
            "CREDENTIALS_DIRECTORY": sample.directory.path, "COFFER_PASSPHRASE": "right",
        ]
        func outcomes(given: UnlockLadder.Secret? = nil) throws -> [UnlockSource: UnlockReport.Outcome] {
            var ladder = UnlockLadder(variables: variables, secret: given)
            ladder.runsCommands = true
            ladder.prompt = { _, _ in Passphrase("right") }
            return self.outcomes(try sample.opened(with: ladder))
        }
        let order: [UnlockSource] = [.fileVariable, .commandVariable, .credential, .passphraseVariable, .prompt]
        let given = try outcomes(given: .passphrase(Passphrase("right")))
        #expect(given[.passphrase] == .opened)
        #expect(order.allSatisfy { given[$0] == .notReached })
        let names = [
            "COFFER_PASSPHRASE_FILE", "COFFER_PASSPHRASE_COMMAND", "CREDENTIALS_DIRECTORY", "COFFER_PASSPHRASE",
        ]
        for (index, source) in order.enumerated() {
            let found = try outcomes()
            #expect(order[..<index].allSatisfy { found[$0] == .skipped(.notSet) })
            #expect(found[source] == .opened)
            #expect(order[(index + 1)...].allSatisfy { found[$0] == .notReached })
            if index < names.count { variables[names[index]] = nil }
        }
    }

    @Test func `a wrong passphrase ends the search`() throws {
        let sample = try locked()
        let path = try sample.file("passphrase", "wrong")
        let ladder = UnlockLadder(variables: ["COFFER_PASSPHRASE_FILE": path, "COFFER_PASSPHRASE": "right"])
        let problem = try sample.problem(with: ladder)
        #expect(problem.kind == .wrongSecret)
        guard case .failed(let reason)? = problem.unlocking?.outcome(of: .fileVariable) else {
            Issue.record("the report does not say what failed")
            return
        }
        #expect(reason.kind == .wrongSecret)
        #expect(problem.description.hasPrefix("COFFER_PASSPHRASE_FILE: "))
        #expect(problem.unlocking?.outcome(of: .passphraseVariable) == nil)
    }

    @Test func `a missing named file ends the search`() throws {
        let sample = try locked()
        let missing = sample.directory.appending(path: "missing").path
        let problem = try sample.problem(
            with: UnlockLadder(variables: ["COFFER_PASSPHRASE_FILE": missing, "COFFER_PASSPHRASE": "right"])
        )
        #expect(problem.kind == .secretUnavailable)
        #expect(problem.description.contains("COFFER_PASSPHRASE_FILE"))
        #expect(problem.description.contains(missing))
    }

    @Test func `a source that is empty or too large is an error`() throws {
        let sample = try locked()
        for text in ["", "\n", String(repeating: "x", count: 4097)] {
            let path = try sample.file("passphrase", text)
            #expect(
                try sample.problem(with: UnlockLadder(variables: [:], secret: .passphraseFile(path))).kind
                    == .secretUnavailable
            )
        }
    }

    @Test(arguments: [("exit 3", "status 3"), ("kill -9 $$", "signal 9"), ("true", "provides no passphrase")])
    func `a command that fails is an error`(command: String, text: String) throws {
        let sample = try locked()
        var ladder = UnlockLadder(variables: ["COFFER_PASSPHRASE_COMMAND": command])
        ladder.runsCommands = true
        let problem = try sample.problem(with: ladder)
        #expect(problem.kind == .secretUnavailable)
        #expect(problem.description.contains(text))
    }

    @Test(arguments: [31, 1_048_577]) func `a key file of invalid size is an error`(byteCount: Int) throws {
        let sample = try locked()
        var ladder = UnlockLadder(variables: [:])
        ladder.keyFile = try sample.file("key", Data(count: byteCount))
        #expect(try sample.problem(with: ladder).kind == .secretUnavailable)
    }

    // MARK: - Ignored sources

    @Test func `the environment is ignored in a set-user-ID program`() throws {
        let sample = try locked()
        let ladder = UnlockLadder(variables: ["COFFER_PASSPHRASE": "right"], isSetUserID: true)
        #expect(try !sample.opened(with: ladder).isUnlocked)
    }

    @Test func `an empty variable counts as missing`() throws {
        let vault = try locked().opened(with: UnlockLadder(variables: ["COFFER_PASSPHRASE": ""]))
        #expect(vault.unlocking.outcome(of: .passphraseVariable) == .skipped(.notSet))
    }

    @Test func `a vault without a passphrase does not ask for one`() throws {
        let sample = try VaultSample()
        _ = try sample.created()
        let vault = try sample.opened(with: UnlockLadder(variables: ["COFFER_PASSPHRASE": "any"]))
        #expect(vault.isUnlocked)
        #expect(vault.unlocking.outcome(of: .passphraseVariable) == .notReached)
    }

    @Test func `a vault with only a recovery code tries no passphrase`() throws {
        let sample = try VaultSample()
        _ = try sample.created(VaultProtection(recoveryCode: RecoveryCode()))
        let other = try VaultSample(machine: "other")
        let problem = try other.problem(with: UnlockLadder(variables: ["COFFER_PASSPHRASE": "any"]))
        #expect(problem.unlocking?.outcome(of: .passphraseVariable) == .skipped(.opensNothing))
    }

    // MARK: - Reports

    @Test func `the report is readable`() throws {
        let sample = try locked()
        let device = try #require(sample.locations.deviceKey)
        #expect(
            try sample.opened().unlocking.description == """
                device key \(device): opened the vault, which stays locked
                COFFER_PASSPHRASE_FILE: skipped, not set
                COFFER_PASSPHRASE_COMMAND: skipped, not enabled by the program
                credential coffer.passphrase: skipped, not set
                COFFER_PASSPHRASE: skipped, not set
                kernel keyring: skipped, not set
                prompt: skipped, not enabled by the program
                """
        )
    }

    @Test func `no report or error contains the passphrase`() throws {
        let sample = try locked()
        let secret = "hunter2-hunter2"
        let problems = [
            try sample.problem(with: .passphrase(secret)),
            try sample.problem(with: UnlockLadder(variables: ["COFFER_PASSPHRASE": secret])),
        ]
        for problem in problems {
            #expect(!problem.description.contains(secret))
            #expect(!String(describing: problem.unlocking).contains(secret))
            #expect(!String(reflecting: problem).contains(secret))
        }
    }
}
