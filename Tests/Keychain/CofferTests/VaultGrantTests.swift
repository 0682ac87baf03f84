import Coffer
import Foundation
import TestSupport
import Testing
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

@Suite("Grants of a vault", .temporaryDirectory) struct VaultGrantTests {
    private let owner: VaultSample
    private let service: VaultSample
    private let vault: Vault

    init() throws {
        owner = try VaultSample()
        service = try VaultSample(machine: "service")
        vault = try owner.created(VaultProtection(passphrase: Passphrase("right")))
        for group in ["web", "mail", "private"] { try add(group, to: vault, group) }
    }

    private func password(_ service: String) -> GenericPassword {
        GenericPassword(service: service, account: "kim")
    }

    private func add(_ service: String, to vault: Vault, _ group: String) throws {
        try vault.keychain(for: AccessGroups(application: group)).add(password(service), secret: "secret of \(service)")
    }

    /// Opens the vault like the process of a service that has only the credential.
    private func granted(_ credential: GrantCredential) throws -> Vault {
        try service.opened(with: UnlockLadder(variables: [:], secret: .grant(credential)))
    }

    private func text(_ service: String, in keychain: Keychain) throws -> String? {
        try keychain.secretText(GenericPassword.self, where: .service(service))
    }

    // MARK: - What a grant opens

    @Test func `the holder reads, adds, changes and deletes in the groups of the grant`() throws {
        let credential = try vault.issueGrant(named: "web server", for: ["web", "mail"])
        let keychain = try granted(credential).keychain(for: AccessGroups(application: "com.example.server"))
        #expect(try keychain.groups.level == .granted)
        #expect(try keychain.groups.names == ["web", "mail"])
        #expect(keychain.isUnlocked)
        #expect(try text("web", in: keychain) == "secret of web")
        #expect(try text("mail", in: keychain) == "secret of mail")

        try keychain.add(password("new"), secret: "from the server")
        try keychain.save(password("web"), secret: "changed")
        #expect(try keychain.deleteAll(GenericPassword.self, where: .service("mail")) == 1)
        let web = vault.keychain(for: AccessGroups(application: "web"))
        #expect(try text("new", in: web) == "from the server")
        #expect(try text("web", in: web) == "changed")
        let mail = vault.keychain(for: AccessGroups(application: "mail"))
        #expect(try text("mail", in: mail) == nil)
    }

    @Test func `other groups are refused, and their items not found`() throws {
        let credential = try vault.issueGrant(named: "web server", for: ["web"])
        let keychain = try granted(credential).keychain(for: AccessGroups(declared: ["private", "web"]))
        #expect(try keychain.groups.names == ["web"])
        #expect(try text("private", in: keychain) == nil)
        var item = password("mine")
        item.accessGroup = "private"
        #expect(throws: KeychainError.notEntitled(.group("private"))) { try keychain.add(item, secret: "x") }
    }

    @Test func `the owner's later changes and compactions reach the holder`() throws {
        let credential = try vault.issueGrant(named: "web server", for: ["web"])
        let held = try granted(credential)
        let keychain = held.keychain(for: AccessGroups(application: "any"))
        try add("later", to: vault, "web")
        #expect(try text("later", in: keychain) == "secret of later")
        _ = try vault.store.compact()
        try add("after it", to: vault, "web")
        #expect(try text("after it", in: keychain) == "secret of after it")
        try keychain.add(password("answer"), secret: "yes")
        #expect(try text("answer", in: vault.keychain(for: AccessGroups(application: "web"))) == "yes")
    }

    @Test func `the holder cannot add what a grant has no key for`() throws {
        let keychain = try granted(try vault.issueGrant(named: "web server", for: ["web"]))
            .keychain(for: AccessGroups(application: "any"))
        for accessibility in [Accessibility.whenUnlocked, .afterFirstUnlock, .always] {
            var item = password("\(accessibility)")
            item.accessibility = accessibility
            try keychain.add(item, secret: "x")
        }
        var bound = password("bound")
        bound.accessibility = .whenUnlockedThisDeviceOnly
        let error = try #require(throws: KeychainError.self) { try keychain.add(bound, secret: "x") }
        #expect(error == .vault(VaultError.ofStore(.keys(.deviceNeeded))))
        #expect(try text("bound", in: keychain) == nil)
    }

    @Test func `locking closes what is protected while the vault is locked, and unlocking opens it`() throws {
        let credential = try vault.issueGrant(named: "web server", for: ["web"])
        let held = try granted(credential)
        let keychain = held.keychain(for: AccessGroups(application: "any"))
        var item = password("later")
        item.accessibility = .afterFirstUnlock
        try keychain.add(item, secret: "always there")
        held.lock()
        #expect(!held.isUnlocked)
        #expect(try text("later", in: keychain) == "always there")
        #expect(throws: KeychainError.locked) { try text("web", in: keychain) }
        _ = try vault.store.compact()
        #expect(throws: KeychainError.locked) { try text("web", in: keychain) }
        try held.unlock(with: UnlockLadder(variables: [:], secret: .grant(credential)))
        #expect(try text("web", in: keychain) == "secret of web")
    }

    @Test func `who else can access the file is the matter of its owner`() throws {
        let credential = try vault.issueGrant(named: "web server", for: ["web"])
        #expect(chmod(vault.path, 0o644) == 0)
        #expect(try granted(credential).warnings.isEmpty)
        #expect(try owner.opened(with: .passphrase("right")).warnings.count == 1)
    }

    // MARK: - Changes of keys

    @Test func `a new passphrase keeps the grants`() async throws {
        let credential = try vault.issueGrant(named: "web server", for: ["web"])
        let keychain = try granted(credential).keychain(for: AccessGroups(application: "any"))
        _ = try await vault.keyChange(to: VaultProtection(passphrase: Passphrase("another one"))).report()
        #expect(try text("web", in: keychain) == "secret of web")
        try keychain.add(password("new"), secret: "after it")
        #expect(try text("new", in: vault.keychain(for: AccessGroups(application: "web"))) == "after it")
        #expect(try vault.grants.map(\.groups) == [["web"]])
    }

    @Test func `a revoked grant opens nothing that is written later, and others go on`() async throws {
        let revoked = try vault.issueGrant(named: "old server", for: ["web"])
        let kept = try vault.issueGrant(named: "new server", for: ["web", "mail"])
        #expect(try vault.grants.map(\.name) == ["old server", "new server"])
        let copy = try Data(contentsOf: URL(filePath: vault.path))
        let held = try granted(revoked).keychain(for: AccessGroups(application: "any"))
        #expect(try text("web", in: held) == "secret of web")

        let grant = try #require(try vault.grants.first)
        let summary = try await vault.revocation(of: [grant]).report()
        // Only the items of the group that the grant held.
        #expect(summary.resealedItemCount == 1)
        #expect(try vault.grants.map(\.name) == ["new server"])
        let error = try #require(throws: KeychainError.self) { try text("web", in: held) }
        #expect(error == .vault(VaultError.ofStore(.keysChanged(path: vault.path))))
        let problem = try #require(throws: VaultError.self) { try granted(revoked) }
        #expect(problem.kind == .wrongSecret)

        let other = try granted(kept).keychain(for: AccessGroups(application: "any"))
        #expect(try text("web", in: other) == "secret of web")
        #expect(try text("mail", in: other) == "secret of mail")
        // The owner needs nothing but what opened the vault.
        let owner = try self.owner.opened(with: .passphrase("right"))
        for group in ["web", "mail", "private"] {
            let keychain = owner.keychain(for: AccessGroups(application: group))
            #expect(try text(group, in: keychain) == "secret of \(group)")
        }
        // A copy of the file from before opens as before.
        try copy.write(to: URL(filePath: vault.path))
        let third = try VaultSample(machine: "third")
        let copied = try third.opened(with: UnlockLadder(variables: [:], secret: .grant(revoked)))
        #expect(try text("web", in: copied.keychain(for: AccessGroups(application: "any"))) == "secret of web")
    }

    @Test func `an expired grant opens nothing, and its keys are renewed before the owner writes`() throws {
        let clock = ManualTime()
        func opened(_ sample: VaultSample, _ secret: UnlockLadder.Secret) throws -> Vault {
            var options = sample.options
            options.environment = StoreEnvironment(time: clock, random: try SystemRandom())
            return try Vault.open(at: vault.path, with: UnlockLadder(variables: [:], secret: secret), options: options)
        }
        let owner = try opened(self.owner, .passphrase(Passphrase("right")))
        let now = Double(clock.wallMicroseconds()) / 1e6
        let expiry = KeychainDate(secondsSince1970: now + 3600)
        let credential = try owner.issueGrant(named: "for an hour", for: ["web"], until: expiry)
        let keychain = try opened(service, .grant(credential)).keychain(for: AccessGroups(application: "any"))
        #expect(try text("web", in: keychain) == "secret of web")

        clock.sleep(nanoseconds: 3_600_000_000_000)
        let expired = VaultError.ofStore(.vault(.grantExpired, path: vault.path))
        #expect(expired.kind == .grantExpired)
        #expect(throws: KeychainError.vault(expired)) { try text("web", in: keychain) }
        #expect(throws: KeychainError.vault(expired)) { try keychain.add(password("late"), secret: "x") }
        let problem = try #require(throws: VaultError.self) { try opened(service, .grant(credential)) }
        #expect(problem.kind == .grantExpired)
        #expect(try owner.grants.map(\.hasExpired) == [true])

        let generation = try owner.store.read { $0.header.generation }
        try owner.keychain(for: AccessGroups(application: "web")).add(password("next"), secret: "not for it")
        #expect(try owner.grants.isEmpty)
        #expect(try owner.store.read { $0.header.generation } == generation + 1)
        let refused = try #require(throws: VaultError.self) { try opened(service, .grant(credential)) }
        #expect(refused.kind == .wrongSecret)
    }

    @Test func `of two owners who find a grant expired, one revokes it, and both write`() throws {
        let clock = ManualTime()
        func opened(_ machine: String) throws -> Vault {
            var options = try VaultSample(machine: machine).options
            options.environment = StoreEnvironment(time: clock, random: try SystemRandom())
            return try Vault.open(at: vault.path, with: .passphrase("right"), options: options)
        }
        let (one, other) = (try opened("one"), try opened("other"))
        let expiry = KeychainDate(secondsSince1970: Double(clock.wallMicroseconds()) / 1e6 + 3600)
        _ = try one.issueGrant(named: "for an hour", for: ["web"], until: expiry)
        #expect(try other.grants.count == 1)
        clock.sleep(nanoseconds: 3_600_000_000_000)
        for vault in [one, other] {
            try vault.keychain(for: AccessGroups(application: "web")).add(password("by \(vault === one)"), secret: "x")
            #expect(vault.store.compactionFailure == nil)
            #expect(try vault.grants.isEmpty)
        }
        // One more for the grant, and one for revoking it.
        #expect(try one.store.read { $0.header.generation } == 3)
    }

    // MARK: - Requests and recipients

    @Test func `a recipient keeps its secret and sends a request`() throws {
        let requested = try GrantCredential.requested(ofVaultAt: vault.path, options: service.options)
        let problem = try #require(throws: VaultError.self) { try granted(requested) }
        #expect(problem.kind == .wrongSecret)
        try vault.issueGrant(named: "web server", for: ["web"], request: requested.request)
        let path = try service.file("unused", "") + ".credential"
        try requested.write(to: path)
        let ladder = UnlockLadder(variables: ["COFFER_GRANT_FILE": path, "COFFER_PASSPHRASE": "right"])
        let held = try service.opened(with: ladder)
        #expect(held.unlocking.outcome(of: .grantFile(path: path)) == .opened)
        #expect(try text("web", in: held.keychain(for: AccessGroups(application: "any"))) == "secret of web")
        #expect(held.keychain(for: AccessGroups(application: "any")).groupNames == ["web"])
    }

    @Test func `a request for another vault is refused`() throws {
        let other = try VaultSample(machine: "attacker")
        let path = try other.file("unused", "") + ".coffer"
        _ = try Vault.create(at: path, protection: VaultProtection(), options: other.options)
        let request = try GrantCredential.requested(ofVaultAt: path, options: service.options).request
        for text in [request, "", String(request.dropLast()), request.uppercased(), request + "00"] {
            #expect(throws: VaultError.self) { try vault.issueGrant(named: "x", for: ["web"], request: text) }
            #expect(throws: VaultError.self) { try vault.addRecipient(request: text) }
        }
        #expect(try vault.grants.isEmpty)
    }

    @Test func `a recipient opens the whole vault, and writes to it`() throws {
        let credential = try GrantCredential.requested(ofVaultAt: vault.path, options: service.options)
        try vault.addRecipient(request: credential.request)
        let opened = try granted(credential)
        let keychain = opened.keychain(for: AccessGroups(application: "private"))
        #expect(try text("private", in: keychain) == "secret of private")
        try keychain.add(password("new"), secret: "from the recipient")
        _ = try opened.issueGrant(named: "given on", for: ["web"])
        #expect(try vault.grants.map(\.name) == ["given on"])
    }

    // MARK: - Two users

    /// Numbers that belong to nobody.
    private static let (ownerID, serviceID, groupID) = ("64001", "64002", "64003")

    @Test(.enabled(if: geteuid() == 0, "Only root can become two users."))
    func `another user adds to the vault of its owner, and reads nothing but its group`() throws {
        let (owning, serving) = try processesOfTwoUsers()
        #expect(try serving.answer(to: "count") == "1")
        #expect(try serving.answer(to: "add", "added") == "added")
        #expect(try owning.answer(to: "count") == "2")
        #expect(try owning.answer(to: "read", "added") == "5")
        // The file that the owner puts in its place belongs to both, too.
        #expect(try owning.answer(to: "use", "compaction") == "used")
        #expect(try owning.answer(to: "add", "later") == "added")
        #expect(try serving.answer(to: "count") == "3")
        #expect(try serving.answer(to: "add", "again") == "added")
        #expect(try owning.answer(to: "count") == "4")
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can become two users."), arguments: [true, false])
    func `two users refresh a token one at a time`(isOwnerFirst: Bool) throws {
        let web = vault.keychain(for: AccessGroups(application: "web"))
        try web.add(GenericPassword(service: "token", account: "kim"), secret: "0")
        let (owning, serving) = try processesOfTwoUsers()
        let log = service.directory.deletingLastPathComponent().appending(path: "log")
        for round in 0..<20 {
            try Data().write(to: log)
            #expect(chmod(log.path, 0o666) == 0)
            let order = isOwnerFirst ? [owning, serving] : [serving, owning]
            for program in order { try program.send(["refresh", log.path, "3", "\(round)", "\(round + 1)"]) }
            for program in order { #expect(try program.nextLine() == "\(round + 1)") }
            let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 2, "a request and an answer")
        }
    }

    /// Processes of the owner and of a service, which has a grant and cannot write the directory of the vault.
    private func processesOfTwoUsers() throws -> (owning: WorkerProcess, serving: WorkerProcess) {
        // A directory that only its owner changes, and a file that the group may write.
        let root = owner.directory.deletingLastPathComponent()
        let directory = URL(filePath: vault.path).deletingLastPathComponent()
        let passphrase = try owner.file("passphrase", "right")
        for path in [root.path, root.deletingLastPathComponent().path] { #expect(chmod(path, 0o755) == 0) }
        #expect(chown(directory.path, 64001, 64003) == 0 && chmod(directory.path, 0o750) == 0)
        #expect(chown(vault.path, 64001, 64003) == 0 && chmod(vault.path, 0o660) == 0)
        let home = service.directory
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let credentialPath = home.appending(path: "credential").path
        try vault.issueGrant(named: "web server", for: ["web"]).write(to: credentialPath)
        #expect(chown(home.path, 64002, 64002) == 0 && chown(credentialPath, 64002, 64002) == 0)
        for path in [owner.directory.path, owner.directory.path + "/state", passphrase] {
            #expect(chown(path, 64001, 64001) == 0)
        }
        for path in try FileManager.default.subpathsOfDirectory(atPath: owner.directory.path) {
            #expect(chown(owner.directory.path + "/" + path, 64001, 64001) == 0)
        }

        let owning = try WorkerProcess("KeychainWorker")
        #expect(try owning.answer(to: "become", Self.ownerID, Self.groupID) == "user \(Self.ownerID)")
        let serving = try WorkerProcess("KeychainWorker", variables: ["COFFER_GRANT_FILE": credentialPath])
        #expect(try serving.answer(to: "become", Self.serviceID, Self.groupID) == "user \(Self.serviceID)")
        let state = home.appending(path: "state").path
        #expect(try serving.answer(to: "open", vault.path, state, "any") == "unlocked")
        let owned = owner.directory.appending(path: "state").path
        #expect(try owning.answer(to: "open", vault.path, owned, "web", passphrase) == "unlocked")
        return (owning, serving)
    }

    @Test func `the example of a credential`() throws {
        let (credentialPath, path) = (try service.file("unused", "") + ".credential", vault.path)
        let credential = try vault.issueGrant(named: "web", for: ["web"])
        try credential.write(to: credentialPath)
        var ladder = UnlockLadder()
        ladder.secret = .grant(try GrantCredential(readingFrom: credentialPath))
        _ = try Vault.open(at: path, with: ladder, options: service.options)
        for grant in try vault.grants { print(grant.name, grant.groups) }
        #expect(throws: VaultError.self) { try credential.write(to: credentialPath) }
    }
}

extension Keychain {
    fileprivate var groupNames: [String] { (try? groups.names) ?? [] }
}
