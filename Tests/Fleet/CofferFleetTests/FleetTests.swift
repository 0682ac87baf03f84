import Coffer
import CofferBasics
import CofferFleet
import Foundation
import Testing
import TestSupport
import VaultFiles

@Suite("Machines of a fleet", .temporaryDirectory, .waiting) struct FleetTests {
    @Test(arguments: [
        ("https://a:2379", ["https://a:2379"], "coffer"),
        ("http://a:1,https://b:2/x", ["http://a:1", "https://b:2"], "x"),
        ("https://[::1]:2379/a/b/", ["https://[::1]:2379"], "a/b"), ("https://a/", ["https://a"], "coffer"),
    ])
    func `addresses and a prefix`(text: String, endpoints: [String], prefix: String) throws {
        let fleet = try Fleet(text)
        #expect(fleet.endpoints == endpoints && fleet.prefix == prefix)
    }

    @Test(arguments: [
        "", "a:2379", "https://", "https://a,", "https://a/x,https://b", "https://kim:hunter2@a", "https://a b",
    ])
    func `what is no address is refused, without showing a password`(text: String) {
        let error = #expect(throws: VaultError.self) { try Fleet(text) }
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test func `the environment names a fleet, and secrets are sent to https addresses only`() throws {
        let variables = [
            "COFFER_FLEET": "https://a:1/x", "COFFER_FLEET_CA": "ca", "COFFER_FLEET_CERTIFICATE": "c",
            "COFFER_FLEET_KEY": "k", "COFFER_FLEET_USER": "kim", "COFFER_FLEET_PASSWORD_FILE": "p",
            "COFFER_FLEET_TOKEN_FILE": "t",
        ]
        let named = try #require(try Fleet(ProgramEnvironment(variables: variables, isSetUserID: false)))
        #expect(named.endpoints == ["https://a:1"] && named.prefix == "x" && named.authorities == "ca")
        #expect(named.certificate == "c" && named.key == "k" && named.user == "kim" && named.passwordFile == "p")
        #expect(named.tokenFile == "t")
        #expect(try Fleet(ProgramEnvironment(variables: [:], isSetUserID: false))?.prefix == nil)
        var options = VaultOptions()
        for (address, isAllowed) in [
            ("http://10.0.0.1:2379", false), ("http://127.0.0.1:2379", true), ("https://a", true),
        ] {
            var fleet = try Fleet(address)
            fleet.user = "kim"
            #expect(((try? options.share(through: fleet)) != nil) == isAllowed)
            (fleet.user, fleet.tokenFile) = (nil, "t")
            #expect(((try? options.share(through: fleet)) != nil) == isAllowed)
        }
    }

    /// The example of `Guides/three-machines.md`.
    private func useFleetOfEnvironment() throws {
        if let fleet = try Fleet.ofEnvironment() {
            var options = VaultOptions()
            try options.share(through: fleet)
            Keychain.default = Keychain(options: options)
        }
    }

    @Test(.etcd)
    func `a machine follows another one, and reads without the cluster`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        var fleet = try Fleet(cluster.endpoints.joined(separator: ","))
        fleet.timeout = .seconds(2)
        let one = try vault("one", in: fleet)
        try one.beginSharing()
        #expect(throws: VaultError.self) { try one.beginSharing() }
        try FileManager.default.copyItem(atPath: one.path, toPath: path("two"))
        let two = try Vault.open(at: path("two"), with: Self.ladder, options: options(fleet))
        let follower = try fleet.follow(two)
        let changes = try two.changes()
        let groups = AccessGroups(application: "com.example.mail")
        try one.keychain(for: groups).add(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
        #expect(try changes.next(timeout: .seconds(20)))
        #expect(try two.keychain(for: groups).items(GenericPassword.self).map(\.item.account) == ["kim"])
        #expect(follower.failure == nil)
        follower.stop()

        cluster.kill(0)
        let reopened = try Vault.open(at: path("two"), with: Self.ladder, options: options(fleet))
        #expect(try reopened.keychain(for: groups).items(GenericPassword.self).count == 1)
        let start = ContinuousClock.now
        let error = #expect(throws: KeychainError.self) {
            try reopened.keychain(for: groups).add(GenericPassword(service: "web"), secret: "x")
        }
        #expect(ContinuousClock.now - start < .seconds(6))
        #expect(error?.description.contains(cluster.endpoints[0]) == true)
        #expect(try reopened.keychain(for: groups).items(GenericPassword.self).count == 1)
    }

    @Test(.etcd)
    func `a machine joins, is seen by the others, and leaves`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        var fleet = try Fleet(cluster.endpoints.joined(separator: ",") + "/some/prefix")
        fleet.machine = "anna"
        var other = fleet
        other.machine = "bert"
        let noVault = #expect(throws: VaultError.self) { try other.join(at: path("bert")) }
        #expect(noVault?.description.contains("no vault yet") == true)
        let anna = try vault("anna", in: fleet)
        try anna.beginSharing()
        let groups = AccessGroups(application: "com.example.mail")
        try anna.keychain(for: groups).add(GenericPassword(service: "mail"), secret: "hunter2")

        try other.join(at: path("bert"))
        let bert = try Vault.open(at: path("bert"), with: Self.ladder, options: options(other))
        try bert.follow(isStrict: true)
        #expect(try bert.keychain(for: groups).items(GenericPassword.self).count == 1)
        let status = try fleet.status(ofVaultAt: path("bert"))
        #expect(status.machines.map(\.name) == ["anna", "bert"])
        // The settings of a new vault, and the item.
        #expect(status.machines.map(\.change) == [2, 2] && status.change == 2 && status.ownChange == 2)
        // Once more, and for the file of another vault.
        try other.join(at: path("bert"))
        let stranger = try vault("stranger", in: fleet)
        #expect(throws: VaultError.self) { try other.join(at: stranger.path) }
        try stranger.beginSharing()
        let several = #expect(throws: VaultError.self) { try other.join(at: path("third")) }
        #expect(try several?.description.contains("\(anna.id())") == true)
        try other.join("\(anna.id())", at: path("third"))

        #expect(try fleet.remove("bert", fromVaultAt: anna.path))
        #expect(throws: KeychainError.self) {
            try bert.keychain(for: groups).add(GenericPassword(service: "web"), secret: "x")
        }
        try bert.endSharing()
        try bert.keychain(for: groups).add(GenericPassword(service: "web"), secret: "x")
        #expect(try fleet.status(ofVaultAt: anna.path).machines.map(\.name) == ["anna"])
    }

    @Test(.etcd)
    func `positions that no vault can have are not shown`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        var fleet = try Fleet(cluster.endpoints[0])
        fleet.machine = "anna"
        let anna = try vault("anna", in: fleet)
        try anna.beginSharing()
        let client = try EtcdClient(EtcdSettings(endpoints: cluster.endpoints), time: MachineTime())
        let root = Array("coffer/\(try anna.id())/".utf8)
        func value(_ start: [UInt8], _ offset: Int, _ number: UInt64) -> [UInt8] {
            var value = start
            for byte in 0..<8 { value[offset + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
            return value
        }
        func put(_ name: String, _ value: [UInt8]) throws {
            _ = try client.transact(EtcdTransaction([.put(root + Array(name.utf8), value)]))
        }
        let report = [1] + [UInt8](repeating: 0, count: 24)
        // The time counts for nothing, so it may be any.
        for (name, offset, number) in [("a", 9, UInt64(1) << 43), ("b", 9, .max), ("c", 1, .max), ("d", 17, 1 << 63)] {
            try put("m/\(name)", value(report, offset, number))
        }
        #expect(try fleet.status(ofVaultAt: anna.path).machines.map(\.name) == ["anna", "d"])
        let head = try #require(try client.read(.one(root + Array("head".utf8))).values.first?.value)
        for (offset, number) in [(9, UInt64(1) << 43), (9, .max), (1, .max), (53, .max)] {
            try put("head", value(head, offset, number))
            let error = #expect(throws: VaultError.self) { try fleet.status(ofVaultAt: anna.path) }
            #expect(error?.description.contains("head is invalid") == true)
        }
    }

    @Test func `a server with vaults without end is given up`() throws {
        let count = Guarded(0)
        let server = try LoopbackServer { connection in
            _ = connection.read()
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number < 1000 else { return false }
            let key = Data("coffer/\(10_000 + number)/".utf8).base64EncodedString()
            return connection.write(Array("HTTP/1.1 200 OK\r\n\r\n{\"header\":{},\"kvs\":[{\"key\":\"\(key)\"}]}".utf8))
        }
        var fleet = try Fleet("http://127.0.0.1:\(server.port)")
        fleet.machine = "anna"
        let error = #expect(throws: VaultError.self) { try fleet.join(at: path("anna")) }
        #expect(error?.description.contains("more than 100 names under coffer") == true)
    }

    @Test(.etcd)
    func `the default keychain of a program writes through the fleet`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let fleet = try Fleet(cluster.endpoints[0])
        let one = try vault("one", in: fleet)
        try one.beginSharing()
        var options = try options(fleet)
        options.locations.vault = try path("two")
        try FileManager.default.copyItem(atPath: one.path, toPath: path("two"))
        let groups = AccessGroups(application: "com.example.mail")
        try Keychain.withDefault(Keychain(options: options, ladder: Self.ladder, groups: groups)) {
            _ = try Keychain.default.add(GenericPassword(service: "mail"), secret: "hunter2")
        }
        #expect(try one.follow())
        #expect(try one.keychain(for: groups).items(GenericPassword.self).count == 1)
    }

    @Test(.etcd)
    func `a machine takes new keys with what opens them`() async throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let fleet = try Fleet(cluster.endpoints.joined(separator: ","))
        let one = try vault("one", in: fleet)
        try one.beginSharing()
        try FileManager.default.copyItem(atPath: one.path, toPath: path("two"))
        try FileManager.default.copyItem(atPath: one.path, toPath: path("third"))
        let two = try await Vault.open(at: path("two"), with: Self.ladder, options: options(fleet))
        var protection = VaultProtection(passphrase: Passphrase("another one"))
        protection.includesThisMachine = false
        _ = try await one.keyChange(to: protection).report()
        let groups = AccessGroups(application: "com.example.mail")
        try one.keychain(for: groups).add(GenericPassword(service: "mail"), secret: "hunter2")
        let before = try Data(contentsOf: URL(filePath: two.path))
        #expect(throws: VaultError.self) { try two.follow(with: Self.ladder) }
        #expect(throws: KeychainError.self) {
            try two.keychain(for: groups).add(GenericPassword(service: "web"), secret: "x")
        }
        #expect(try Data(contentsOf: URL(filePath: two.path)) == before)
        var ladder = UnlockLadder()
        ladder.secret = .passphrase(Passphrase("another one"))
        // A program that starts now has only the new passphrase.
        let third = try fleet.open(at: path("third"), with: ladder, options: options(fleet))
        #expect(try third.keychain(for: groups).items(GenericPassword.self).count == 1)
        let fourth = try await Vault.open(at: two.path, with: Self.ladder, options: options(fleet))
        #expect(try two.follow(with: ladder))
        // Another program has the same file open.
        #expect(throws: VaultError.self) { try fourth.follow(with: Self.ladder) }
        try fourth.follow(with: ladder)
        #expect(try fourth.keychain(for: groups).items(GenericPassword.self).count == 1)
        #expect(try two.keychain(for: groups).items(GenericPassword.self).count == 1)
        try two.keychain(for: groups).add(GenericPassword(service: "web"), secret: "x")
        await #expect(throws: VaultError.self) {
            try await Vault.open(at: two.path, with: Self.ladder, options: options(fleet))
        }
    }

    /// The file of the fleet took the place of the local copy as one that is shared, and so its anchor was that of the
    /// replica: the vault looked rolled back, and did not open any more on this machine.
    @Test(.etcd)
    func `after a revocation, the local copy keeps its file, and both open`() async throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let fleet = try Fleet(cluster.endpoints.joined(separator: ","))
        let groups = AccessGroups(application: "com.example.mail")
        let one = try vault("one", in: fleet)
        try one.keychain(for: groups).add(GenericPassword(service: "mail"), secret: "true")
        try one.beginSharing()
        _ = try one.issueGrant(named: "web", for: ["com.example.mail"])
        try one.makeLocalCopy()
        var options = try options(fleet)
        options.sharedLog = nil
        let copy = try await Vault.open(at: one.localCopyPath, with: Self.ladder, options: options)
        try copy.keychain(for: groups).add(GenericPassword(service: "web"), secret: "local")
        _ = try await one.revocation(of: one.grants).report()

        let merge = try #require(try one.mergeLocalCopy(with: Self.ladder))
        #expect(merge.keptPath == one.path + ".older.local" && merge.leftOut.count == 1)
        let again = try await Vault.open(at: one.path, with: Self.ladder, options: self.options(fleet))
        #expect(again.isShared)
        #expect(try again.keychain(for: groups).items(GenericPassword.self).count == 1)
        let local = try await Vault.open(at: one.localCopyPath, with: Self.ladder, options: options)
        #expect(!local.isShared)
        try local.keychain(for: groups).add(GenericPassword(service: "later"), secret: "local")
    }

    @Test(.etcd)
    func `changes of the local copy wait for the cluster, and are merged`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        var fleet = try Fleet(cluster.endpoints.joined(separator: ","))
        fleet.timeout = .seconds(1)
        let groups = AccessGroups(application: "com.example.mail")
        let one = try vault("one", in: fleet)
        try one.beginSharing()
        try one.keychain(for: groups).add(GenericPassword(service: "mail"), secret: "hunter2")
        try #expect(one.mergeLocalCopy() == nil)
        try one.makeLocalCopy()
        #expect(one.localCopyPath == one.path + ".local")
        cluster.kill(0)

        // As a program does that does not know fleets.
        var options = try options(fleet)
        options.sharedLog = nil
        let copy = try Vault.open(at: one.localCopyPath, with: Self.ladder, options: options)
        try copy.keychain(for: groups).add(GenericPassword(service: "web"), secret: "offline")
        let failure = #expect(throws: VaultError.self) { try one.mergeLocalCopy() }
        #expect(failure?.kind == .unavailable)
        #expect(try copy.keychain(for: groups).items(GenericPassword.self).count == 2)
        #expect(try one.keychain(for: groups).items(GenericPassword.self).count == 1)

        try cluster.start(0)
        try cluster.waitUntilHealthy()
        try FileManager.default.copyItem(atPath: one.path, toPath: path("two"))
        let two = try Vault.open(at: path("two"), with: Self.ladder, options: self.options(fleet))
        try two.keychain(for: groups).add(GenericPassword(service: "ssh"), secret: "from two")
        let follower = try fleet.follow(one, with: Self.ladder)
        defer { follower.stop() }
        let services: Set = ["mail", "web", "ssh"]
        for vault in [one, copy] {
            try wait(for: follower) {
                try Set(vault.keychain(for: groups).items(GenericPassword.self).map(\.item.service)) == services
            }
        }
        try two.follow()
        #expect(try two.keychain(for: groups).items(GenericPassword.self).count == 3)
        // What is equal is left alone.
        try one.mergeLocalCopy()
        let place = try fleet.status(ofVaultAt: one.path).change
        try one.mergeLocalCopy()
        #expect(try fleet.status(ofVaultAt: one.path).change == place)
    }

    @Test(.etcd)
    func `a follower gives new keys to the local copy`() async throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let fleet = try Fleet(cluster.endpoints[0])
        let one = try vault("one", in: fleet)
        try one.beginSharing()
        try FileManager.default.copyItem(atPath: one.path, toPath: path("two"))
        let two = try await Vault.open(at: path("two"), with: Self.ladder, options: options(fleet))
        try two.makeLocalCopy()
        var protection = VaultProtection(passphrase: Passphrase("another one"))
        protection.includesThisMachine = false
        _ = try await one.keyChange(to: protection).report()
        var ladder = UnlockLadder()
        ladder.secret = .passphrase(Passphrase("another one"))
        let follower = try fleet.follow(two, with: ladder)
        defer { follower.stop() }
        try wait(for: follower) {
            (try? Vault.open(at: two.localCopyPath, with: ladder, options: options(fleet))) != nil
        }
    }

    @Test(.etcd)
    func `one machine at a time refreshes an item, and the others get what it stored`() async throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let fleet = try Fleet(cluster.endpoints.joined(separator: ","))
        let groups = AccessGroups(application: "com.example.mail")
        let one = try vault("one", in: fleet)
        try one.beginSharing()
        let token = try one.keychain(for: groups).add(GenericPassword(service: "token"), secret: "old").reference
        let machines = try (0..<3).map { number in
            let copy = try path("machine\(number)")
            try FileManager.default.copyItem(atPath: one.path, toPath: copy)
            return try Vault.open(at: copy, with: Self.ladder, options: options(fleet)).keychain(for: groups)
        }
        let calls = Calls()
        try await withThrowingTaskGroup(of: String.self) { group in
            for machine in machines {
                group.addTask {
                    try await machine.refresh(token, when: { $0 == "old" }) { (old: String) in
                        await calls.began()
                        try await Task.sleep(for: .milliseconds(300))
                        await calls.ended()
                        return "new"
                    }
                }
            }
            for try await secret in group { #expect(secret == "new") }
        }
        #expect(await calls.count == 1)
        // Without the cluster the server of tokens is not asked: what it returned could not be stored.
        cluster.kill(0)
        var impatient = fleet
        impatient.timeout = .milliseconds(500)
        let alone = try await Vault.open(at: path("machine0"), with: Self.ladder, options: options(impatient))
        await #expect(throws: KeychainError.self) {
            try await alone.keychain(for: groups).refresh(token, when: { _ in true }) { (old: String) in
                await calls.began()
                return "newer"
            }
        }
        #expect(await calls.count == 1)
    }

    @Test(.etcd)
    func `the file from before it was shared does not pass for the current one`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let fleet = try Fleet(cluster.endpoints.joined(separator: ","))
        var options = try options(fleet)
        options.locations.anchors = try path("anchors")
        var protection = VaultProtection(passphrase: Self.passphrase)
        protection.includesThisMachine = false
        let vault = try Vault.create(at: path("one"), protection: protection, options: options)
        try vault.keychain(for: AccessGroups(application: "a")).add(GenericPassword(service: "mail"), secret: "x")
        let former = try Data(contentsOf: URL(filePath: vault.path))
        try vault.beginSharing()
        try former.write(to: URL(filePath: vault.path))
        let error = #expect(throws: VaultError.self) {
            try Vault.open(at: vault.path, with: Self.ladder, options: options)
        }
        #expect(error?.kind == .rolledBack)
    }

    /// Counts calls, and fails if two run at once.
    private actor Calls {
        private(set) var count = 0
        private var isRunning = false

        func began() {
            #expect(!isRunning)
            (count, isRunning) = (count + 1, true)
        }

        func ended() { isRunning = false }
    }

    private func wait(for follower: FleetFollower? = nil, until isDone: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(60)
        while try !isDone() {
            try #require(ContinuousClock.now < end, "\(follower?.failure.map { "\($0)" } ?? "")")
            sched_yield()
        }
    }

    @Test(.etcd, .openssl)
    func `a fleet with certificates, and users with passwords`() throws {
        let authority = try TestAuthority("ours", in: TemporaryDirectory.current)
        let server = try authority.issue("server")
        let machine = try authority.issue("machine")
        let cluster = try EtcdCluster(
            1,
            in: TemporaryDirectory.current,
            arguments: [
                "--cert-file", server.certificate, "--key-file", server.key, "--client-cert-auth",
                "--trusted-ca-file", authority.certificate,
            ]
        )
        let files = ["--cacert", authority.certificate, "--cert", machine.certificate, "--key", machine.key]
        for words in [["user", "add", "root:hunter2"], ["user", "grant-role", "root", "root"], ["auth", "enable"]] {
            try cluster.control(files + words)
        }
        let passwordFile = try TemporaryDirectory.current.appending(path: "password").path
        try #require(FileManager.default.createFile(atPath: passwordFile, contents: Data("hunter2\n".utf8)))
        var fleet = try Fleet(cluster.endpoints[0])
        (fleet.certificate, fleet.key) = (machine.certificate, machine.key)
        (fleet.user, fleet.passwordFile) = ("root", passwordFile)
        let stranger = try vault("stranger", in: fleet)
        let error = #expect(throws: VaultError.self) { try stranger.beginSharing() }
        #expect(error?.description.contains(cluster.endpoints[0]) == true, "\(error as Any)")
        #expect(error?.description.contains("certificate") == true, "\(error as Any)")
        fleet.authorities = authority.certificate
        try vault("one", in: fleet).beginSharing()
    }

    @Test(.etcd)
    func `a vault with more than a quarter of the room of etcd is told`() throws {
        let quota = 100_000
        let cluster = try EtcdCluster(
            1,
            in: TemporaryDirectory.current,
            arguments: ["--quota-backend-bytes=\(quota)"]
        )
        let fleet = try Fleet(cluster.endpoints[0])
        let small = try vault("small", in: fleet)
        #expect(throws: Never.self) { try fleet.checkRoom(forVaultAt: small.path, options(fleet)) }
        let large = try path("large")
        try FileManager.default.copyItem(atPath: small.path, toPath: large)
        let file = try FileHandle(forUpdating: URL(filePath: large))
        try file.truncate(atOffset: UInt64(quota) / 4 + 1)
        let error = #expect(throws: VaultError.self) { try fleet.checkRoom(forVaultAt: large, options(fleet)) }
        #expect(error?.kind == .tooLarge && error?.description.contains("100,000") == true, "\(error as Any)")
    }

    @Test(.etcd, .enabled(if: PythonOracle.isExpected, "python3 is not installed"))
    func `a token admits a machine, and is read again once it is not accepted`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        for words in [["user", "add", "root:hunter2"], ["user", "grant-role", "root", "root"], ["auth", "enable"]] {
            try cluster.control(words)
        }
        let file = try TemporaryDirectory.current.appending(path: "token").path
        var fleet = try Fleet(cluster.endpoints[0])
        fleet.tokenFile = file
        let one = try vault("one", in: fleet)
        let missing = #expect(throws: VaultError.self) { try one.beginSharing() }
        #expect(missing?.description.contains(file) == true, "\(missing as Any)")
        try PythonOracle.run(Self.newToken, [cluster.endpoints[0], "root", "hunter2", file])
        try one.beginSharing()
        // This ends all tokens.
        try cluster.control("--user=root:hunter2", "auth", "disable")
        try cluster.control("auth", "enable")
        #expect(throws: VaultError.self) { try one.follow(isStrict: true) }
        try PythonOracle.run(Self.newToken, [cluster.endpoints[0], "root", "hunter2", file])
        try one.follow(isStrict: true)
    }

    /// Gets a token from etcd, with its address, a user and a password, for a file.
    private static let newToken = """
        import json, sys, urllib.request
        endpoint, name, password, file = sys.argv[1:]
        body = json.dumps({"name": name, "password": password}).encode()
        answer = json.load(urllib.request.urlopen(endpoint + "/v3/auth/authenticate", body))
        open(file, "w").write(answer["token"] + "\\n")
        """

    private static let passphrase = Passphrase("correct horse")
    private static var ladder: UnlockLadder {
        var ladder = UnlockLadder()
        ladder.secret = .passphrase(passphrase)
        return ladder
    }

    private func path(_ name: String) throws -> String {
        try TemporaryDirectory.current.appending(path: "\(name).coffer").path
    }

    private func options(_ fleet: Fleet) throws -> VaultOptions {
        var options = VaultOptions()
        options.locations.deviceKey = nil
        options.locations.deviceCredential = nil
        options.locations.anchors = nil
        options.passphraseCost = try PassphraseCost(memoryMiB: 64, passes: 2)
        try options.share(through: fleet)
        return options
    }

    private func vault(_ name: String, in fleet: Fleet) throws -> Vault {
        var protection = VaultProtection(passphrase: Self.passphrase)
        protection.includesThisMachine = false
        return try Vault.create(at: path(name), protection: protection, options: options(fleet))
    }
}
