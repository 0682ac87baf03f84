import Coffer
import CofferBasics
import CofferSecurity
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFiles
import VaultStore

@Suite("The default keychain", .temporaryDirectory) struct DefaultKeychainTests {
    // MARK: - Creating the vault

    @Test func `finding, updating and deleting do not create a vault`() throws {
        let sample = try VaultSample()
        let keychain = try sample.defaultKeychain()
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(["class": "genp"]) }
        #expect(throws: KeychainError.itemNotFound) {
            try keychain.update(["class": "genp"], with: ["labl": "Kim"])
        }
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(["class": "genp"]) }
        let text = "genp-\(String(repeating: "0", count: 32))"
        let reference = try #require(KeychainReference<GenericPassword>(text))
        #expect(throws: KeychainError.itemNotFound) { try keychain.erase(reference) }
        #expect(try keychain.openedStore() == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: TemporaryDirectory.current.path) == [])
    }

    @Test func `the first addition creates the vault and the device key, with one notice`() throws {
        let sample = try VaultSample()
        let heard = Heard()
        let keychain = try sample.defaultKeychain(heard: heard)
        try keychain.add(["class": "genp", "acct": "kim", "v_Data": .data([1])])
        try keychain.add(["class": "genp", "acct": "lee"])
        #expect(heard.kinds == [.vaultCreated])
        let key = try #require(sample.locations.deviceKey)
        #expect(heard.texts.allSatisfy { $0.contains(sample.path) && $0.contains("opens without a passphrase") })
        #expect(heard.texts.allSatisfy { $0.contains("coffer passwd") })
        #expect(FileManager.default.fileExists(atPath: key))
        #expect(try keychain.find(["class": "genp", "acct": "kim", "r_Data": true]) == .data([1]))
    }

    /// A listener that used the keychain while the vault was being created once waited for itself forever.
    @Test func `a notice listener can use the keychain`() throws {
        let sample = try VaultSample()
        let found = Guarded<[ItemAnswer]>([])
        let ladder = UnlockLadder(variables: [:])
        let keychain = Guarded<Keychain?>(nil)
        let groups = AccessGroups(application: "com.example.app")
        let new = Keychain(options: try sample.defaultOptions(), ladder: ladder, groups: groups) { _ in
            let answer = try? keychain.withLock { $0 }?.find(["class": "genp"])
            found.withLock { $0.append(answer ?? .missing) }
        }
        keychain.withLock { $0 = new }
        try new.add(["class": "genp"])
        #expect(found.withLock { $0 } == [.missing])
        #expect(try new.find(["class": "genp"]) == .notRequested)
    }

    @Test func `the next program finds stored items and creates nothing`() throws {
        let sample = try VaultSample()
        try sample.defaultKeychain().add(["class": "genp", "acct": "kim", "v_Data": .data([1])])
        let heard = Heard()
        let next = try sample.defaultKeychain(heard: heard)
        #expect(try next.find(["class": "genp", "acct": "kim", "r_Data": true]) == .data([1]))
        try next.add(["class": "genp", "acct": "lee"])
        #expect(heard.kinds == [])
    }

    @Test func `a new vault opens with the passphrase from a source`() throws {
        let sample = try VaultSample()
        let heard = Heard()
        let ladder = UnlockLadder(variables: ["COFFER_PASSPHRASE": "correct horse"])
        let keychain = try sample.defaultKeychain(ladder: ladder, heard: heard)
        try keychain.add(["class": "genp", "acct": "kim", "v_Data": .data([1])])
        #expect(heard.kinds == [.vaultCreated])
        #expect(heard.texts.allSatisfy { !$0.contains("horse") && $0.contains("COFFER_PASSPHRASE") })
        #expect(try !sample.opened().isUnlocked)
        #expect(try sample.opened(with: .passphrase("correct horse")).isUnlocked)
    }

    @Test func `no vault is created if the intended passphrase is missing`() throws {
        let sample = try VaultSample()
        let ladder = UnlockLadder(variables: ["COFFER_PASSPHRASE_FILE": sample.path + ".none"])
        let error = try #require(throws: KeychainError.self) {
            try sample.defaultKeychain(ladder: ladder).add(["class": "genp"])
        }
        guard case .vault(let problem) = error else { throw error }
        #expect(problem.kind == .secretUnavailable)
        #expect(!FileManager.default.fileExists(atPath: sample.path))
        #expect(try !FileManager.default.fileExists(atPath: #require(sample.locations.deviceKey)))
    }

    @Test func `a vault that another program creates meanwhile is used`() throws {
        let sample = try VaultSample()
        let files = HookedFiles()
        var options = try sample.defaultOptions()
        var environment = StoreEnvironment(random: try SystemRandom())
        environment.files = files
        options.environment = environment
        let heard = Heard()
        let groups = AccessGroups(application: "com.example.app")
        let ladder = UnlockLadder(variables: [:])
        let keychain = Keychain(options: options, ladder: ladder, groups: groups, notices: heard.listen)
        let other = try sample.defaultKeychain()
        files.setHook { operation, _ throws(FileError) in
            if operation == .makeDirectory { _ = try? other.add(["class": "genp", "acct": "lee"]) }
        }
        try keychain.add(["class": "genp", "acct": "kim"])
        #expect(heard.kinds == [])
        #expect(try other.find(["class": "genp", "acct": "kim"]) == .notRequested)
    }

    // MARK: - Places

    @Test func `a named vault is created in an existing directory`() throws {
        let sample = try VaultSample()
        let directory = URL(filePath: sample.path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let keychain = try sample.defaultKeychain(isVaultNamed: true)
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(["class": "genp"]) }
        try keychain.add(["class": "genp"])
        #expect(FileManager.default.fileExists(atPath: sample.path))
    }

    @Test func `a named vault is unavailable, not missing, if its directory is missing`() throws {
        let sample = try VaultSample()
        let heard = Heard()
        let keychain = try sample.defaultKeychain(isVaultNamed: true, heard: heard)
        for operation in [{ _ = try keychain.find(["class": "genp"]) }, { _ = try keychain.add(["class": "genp"]) }] {
            let error = try #require(throws: KeychainError.self, performing: operation)
            guard case .vault(let problem) = error else { throw error }
            #expect(problem.kind == .noVault)
        }
        #expect(heard.kinds == [.unavailable])
        #expect(try FileManager.default.contentsOfDirectory(atPath: TemporaryDirectory.current.path) == [])
    }

    @Test func `nothing can be stored without a place for the vault`() throws {
        let locations = VaultLocations(ProgramEnvironment(variables: [:], isSetUserID: false))
        let heard = Heard()
        let keychain = Keychain(options: VaultOptions(locations: locations), notices: heard.listen)
        let error = try #require(throws: KeychainError.self) { try keychain.add(["class": "genp"]) }
        guard case .vault(let problem) = error else { throw error }
        #expect(problem.kind == .unavailable)
        #expect(heard.texts.allSatisfy { $0.contains("HOME") })
    }

    @Test(arguments: [Data(), Data("no vault".utf8)])
    func `a file that is not a vault causes an error and is left unchanged`(content: Data) throws {
        let sample = try VaultSample()
        let path = try sample.file("other", content)
        let keychain = try sample.defaultKeychain(at: path)
        for operation in [{ _ = try keychain.find(["class": "genp"]) }, { _ = try keychain.add(["class": "genp"]) }] {
            let error = try #require(throws: KeychainError.self, performing: operation)
            guard case .vault(let problem) = error else { throw error }
            #expect(problem.kind == .notAVault)
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == content)
    }

    @Test func `a vault that has disappeared causes an error and is not replaced`() throws {
        let sample = try VaultSample()
        let keychain = try sample.defaultKeychain()
        try keychain.add(["class": "genp", "acct": "kim"])
        try FileManager.default.removeItem(atPath: sample.path)
        for operation in [
            { _ = try keychain.find(["class": "genp", "acct": "lee"]) }, { _ = try keychain.add(["class": "genp"]) },
        ] {
            let error = try #require(throws: KeychainError.self, performing: operation)
            guard case .vault = error else { throw error }
        }
        #expect(!FileManager.default.fileExists(atPath: sample.path))
    }

    @Test func `a vault that disappeared before it is reopened causes an error`() async throws {
        let sample = try locked()
        let clock = ManualTime()
        let ladder = UnlockLadder(variables: ["COFFER_PASSPHRASE_FILE": try sample.file("passphrase", "correct horse")])
        let keychain = try sample.defaultKeychain(ladder: ladder, clock: clock)
        let query: ItemRequest = ["class": "genp", "acct": "kim", "r_Data": true]
        #expect(try keychain.find(query) == .data([1]))
        let other = try sample.opened(with: .passphrase("correct horse"))
        _ = try await other.keyChange(to: VaultProtection(passphrase: Passphrase("battery staple"))).report()
        #expect(throws: KeychainError.self) { try keychain.find(query) }
        try FileManager.default.removeItem(atPath: sample.path)
        clock.advance(nanoseconds: 1_000_000_000)
        for operation in [{ _ = try keychain.find(query) }, { _ = try keychain.add(["class": "genp"]) }] {
            let error = try #require(throws: KeychainError.self, performing: operation)
            guard case .vault(let problem) = error else { throw error }
            #expect(problem.kind == .noVault)
        }
    }

    @Test func `the reason why an open vault is read-only is reported once`() throws {
        let sample = try VaultSample()
        try sample.defaultKeychain().add(["class": "genp", "acct": "kim"])
        var options = try sample.defaultOptions()
        options.mayWrite = false
        let heard = Heard()
        let ladder = UnlockLadder(variables: [:])
        let groups = AccessGroups(application: "com.example.app")
        let keychain = Keychain(options: options, ladder: ladder, groups: groups, notices: heard.listen)
        for account in ["lee", "mia"] as [ItemValue] {
            let error = try #require(throws: KeychainError.self) {
                try keychain.add(["class": "genp", "acct": account])
            }
            guard case .vault(let problem) = error else { throw error }
            #expect(problem.kind == .readOnly)
            #expect(heard.texts == [problem.description])
        }
        #expect(heard.kinds == [.unavailable])
    }

    // MARK: - Locked

    /// A vault with a passphrase and one item that is locked with it.
    private func locked() throws -> VaultSample {
        let sample = try VaultSample()
        let vault = try sample.created(VaultProtection(passphrase: Passphrase("correct horse")))
        try vault.keychain.add(["class": "genp", "acct": "kim", "v_Data": .data([1])])
        return sample
    }

    @Test func `a locked item is never reported as missing, and a notice says what to do`() throws {
        let heard = Heard()
        let keychain = try locked().defaultKeychain(heard: heard)
        #expect(throws: KeychainError.locked) { try keychain.find(["class": "genp", "acct": "kim"]) }
        #expect(throws: KeychainError.locked) { try keychain.find(["class": "genp", "acct": "kim"]) }
        #expect(heard.kinds == [.locked])
        #expect(heard.texts.allSatisfy { $0.contains("COFFER_PASSPHRASE_FILE") })
    }

    @Test func `a vault unlocked by another process is unlocked here a second later`() throws {
        let sample = try locked()
        let clock = ManualTime()
        let keychain = try sample.defaultKeychain(clock: clock)
        let query: ItemRequest = ["class": "genp", "acct": "kim", "r_Data": true]
        #expect(throws: KeychainError.locked) { try keychain.find(query) }
        try sample.opened(with: .passphrase("correct horse")).keepUnlocked(for: .seconds(60))
        #expect(throws: KeychainError.locked) { try keychain.find(query) }
        clock.advance(nanoseconds: 1_000_000_000)
        #expect(try keychain.find(query) == .data([1]))
    }

    @Test func `a vault that the program locked stays locked`() throws {
        let sample = try locked()
        let ladder = UnlockLadder(variables: ["COFFER_PASSPHRASE": "correct horse"])
        let keychain = try sample.defaultKeychain(ladder: ladder)
        let query: ItemRequest = ["class": "genp", "acct": "kim", "r_Data": true]
        #expect(try keychain.find(query) == .data([1]))
        keychain.lock()
        #expect(throws: KeychainError.locked) { try keychain.find(query) }
    }

    @Test func `a wrong passphrase is reported once and not retried for a second`() throws {
        let sample = try locked()
        let (clock, heard) = (ManualTime(), Heard())
        let ladder = UnlockLadder(variables: ["COFFER_PASSPHRASE_FILE": try sample.file("passphrase", "wrong")])
        let keychain = try sample.defaultKeychain(ladder: ladder, heard: heard, clock: clock)
        let query: ItemRequest = ["class": "genp", "acct": "kim", "r_Data": true]
        func isWrong() throws -> Bool {
            let error = try #require(throws: KeychainError.self) { try keychain.find(query) }
            guard case .vault(let problem) = error else { return false }
            return problem.kind == .wrongSecret
        }
        #expect(try isWrong())
        _ = try sample.file("passphrase", "correct horse")
        #expect(try isWrong())
        clock.advance(nanoseconds: 1_000_000_000)
        #expect(try keychain.find(query) == .data([1]))
        #expect(heard.kinds == [.unavailable])
    }

    @Test func `a vault whose keys were changed by another process is opened again`() async throws {
        let sample = try locked()
        let ladder = UnlockLadder(variables: ["COFFER_PASSPHRASE_FILE": try sample.file("passphrase", "correct horse")])
        let keychain = try sample.defaultKeychain(ladder: ladder)
        let query: ItemRequest = ["class": "genp", "acct": "kim", "r_Data": true]
        #expect(try keychain.find(query) == .data([1]))
        let other = try sample.opened(with: .passphrase("correct horse"))
        _ = try await other.keyChange(to: VaultProtection(passphrase: Passphrase("battery staple"))).report()
        _ = try sample.file("passphrase", "battery staple")
        #expect(try keychain.find(query) == .data([1]))
    }

    @Test func `a vault that the program locked stays locked when it is reopened`() async throws {
        let sample = try locked()
        let ladder = UnlockLadder(variables: ["COFFER_PASSPHRASE_FILE": try sample.file("passphrase", "correct horse")])
        let keychain = try sample.defaultKeychain(ladder: ladder)
        let query: ItemRequest = ["class": "genp", "acct": "kim", "r_Data": true]
        #expect(try keychain.find(query) == .data([1]))
        keychain.lock()
        // On another machine, which cannot give this one access to the new keys.
        let other = try VaultSample(machine: "other").opened(with: .passphrase("correct horse"))
        _ = try await other.keyChange(to: VaultProtection(passphrase: Passphrase("battery staple"))).report()
        _ = try sample.file("passphrase", "battery staple")
        #expect(throws: KeychainError.locked) { try keychain.find(query) }
        #expect(throws: KeychainError.locked) { try keychain.find(query) }
    }

    @Test func `an older copy of a vault elsewhere is read with a notice that cannot be silenced`() throws {
        let sample = try VaultSample()
        let request: ItemRequest = ["class": "genp", "acct": "kim"]
        try sample.defaultKeychain().add(request)
        let copy = sample.path + ".stick"
        try FileManager.default.copyItem(atPath: sample.path, toPath: copy)
        try sample.defaultKeychain().add(["class": "genp", "acct": "lee"])
        let heard = Heard()
        let keychain = try sample.defaultKeychain(at: copy, isVaultNamed: true, heard: heard)
        #expect(try keychain.count(["class": "genp"]) == 1)
        #expect(heard.kinds == [.rolledBack])
        let text = "is read-only: it is an older copy of \(sample.path), 1 change behind it"
        #expect(heard.texts.first?.contains(text) == true)
        let error = try #require(throws: KeychainError.self) { try keychain.add(["class": "genp"]) }
        #expect(error.appleStatus == -25292, "errSecReadOnly")
        #expect(try sample.defaultKeychain().count(["class": "genp"]) == 2)
    }

    // MARK: - Choosing the keychain

    @Test func `invalid entitlements keep the keychain closed`() throws {
        let sample = try VaultSample()
        let heard = Heard()
        let wrong = EntitlementsError(.notADictionary, file: "app.entitlements")
        let keychain = Keychain(
            options: try sample.defaultOptions(),
            ladder: UnlockLadder(variables: [:]),
            notices: heard.listen,
            groups: { () throws(EntitlementsError) in throw wrong }
        )
        #expect(throws: KeychainError.entitlements(wrong)) { try keychain.add(["class": "genp"]) }
        #expect(throws: KeychainError.entitlements(wrong)) { try keychain.find(["class": "genp"]) }
        #expect(heard.texts == ["\(wrong)"])
        #expect(!FileManager.default.fileExists(atPath: sample.path))
    }

    @Test func `a task's default keychain is inherited by its child tasks only`() async throws {
        let (one, other) = (try VaultSample(machine: "one"), try VaultSample(machine: "other"))
        let (first, second) = (try one.defaultKeychain(), try other.defaultKeychain(at: other.path + ".2"))
        try await Keychain.withDefault(first) {
            async let inner: Void = Keychain.withDefault(second) { _ = try Keychain.default.add(["class": "genp"]) }
            async let child = Keychain.default
            try await inner
            #expect(await child === first)
        }
        #expect(!FileManager.default.fileExists(atPath: one.path))
        #expect(FileManager.default.fileExists(atPath: other.path + ".2"))
    }

    @Test func `programs that start at the same time create one vault`() async throws {
        let sample = try VaultSample()
        let heard = Heard()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let name = ItemValue.string("account \(number)")
                    _ = try sample.defaultKeychain(heard: heard).add(["class": "genp", "acct": name])
                }
            }
            try await group.waitForAll()
        }
        #expect(heard.kinds == [.vaultCreated])
        let all = try sample.defaultKeychain().find(["class": "genp", "m_Limit": "m_LimitAll", "r_PersistentRef": true])
        guard case .list(let items) = all else { throw KeychainError.itemNotFound }
        #expect(items.count == 8)
    }

    // MARK: - Examples

    @Test func `the examples of Keychain work`() throws {
        let sample = try VaultSample()
        try Keychain.withDefault(try sample.defaultKeychain()) {
            _ = try Keychain.default.add(["class": "genp", "svce": "mail", "acct": "kim"])
        }
        let options = try sample.defaultOptions()
        do {
            let keychain = Keychain(options: options, groups: AccessGroups(application: "com.example.mail"))
            #expect(throws: KeychainError.itemNotFound) { try keychain.find(["class": "genp", "svce": "mail"]) }
            try keychain.save(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
            #expect(try keychain.find(["class": "genp", "r_Data": true]) == .data(Array("hunter2".utf8)))
        }
    }

    /// Runs in a separate process, since the setting applies to the whole program.
    @Test func `a program sets the default keychain for all its threads`() async {
        await #expect(processExitsWith: .success) {
            let keychain = Keychain(groups: AccessGroups(application: "com.example.mail"))
            Keychain.default = keychain
            let seen = await Task.detached { Keychain.default }.value
            precondition(seen === keychain)
            Keychain.default = Keychain(notices: { notice in print(notice) })
            precondition(Keychain.default !== keychain)
        }
    }
}

// MARK: - Helpers

/// The notices of a default keychain.
private final class Heard: Sendable {
    private let notices = Guarded<[KeychainNotice]>([])

    var listen: Keychain.NoticeListener {
        { notice in self.notices.withLock { $0.append(notice) } }
    }
    var kinds: [KeychainNotice.Kind] { notices.withLock { $0.map(\.kind) } }
    var texts: [String] { notices.withLock { $0.map(\.description) } }
}

extension VaultSample {
    fileprivate func defaultOptions(
        at path: String? = nil,
        isVaultNamed: Bool = false,
        clock: ManualTime? = nil
    ) throws -> VaultOptions {
        var options = options
        options.locations.vault = path ?? self.path
        options.locations.isVaultNamed = isVaultNamed
        if let clock { options.environment = StoreEnvironment(time: clock, random: try SystemRandom()) }
        return options
    }

    fileprivate func defaultKeychain(
        at path: String? = nil,
        isVaultNamed: Bool = false,
        ladder: UnlockLadder = UnlockLadder(variables: [:]),
        heard: Heard = Heard(),
        clock: ManualTime? = nil
    ) throws -> Keychain {
        Keychain(
            options: try defaultOptions(at: path, isVaultNamed: isVaultNamed, clock: clock),
            ladder: ladder,
            groups: AccessGroups(application: "com.example.app"),
            notices: heard.listen
        )
    }
}
