import Coffer
import CofferEtcd
import CofferFleet
import Foundation
import Testing
import TestSupport

@Suite("Machines of a fleet", .temporaryDirectory)
struct FleetTests {
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

    @Test func `the environment names a fleet, and a password is sent to https addresses only`() throws {
        let variables = [
            "COFFER_FLEET": "https://a:1/x", "COFFER_FLEET_CA": "ca", "COFFER_FLEET_CERTIFICATE": "c",
            "COFFER_FLEET_KEY": "k", "COFFER_FLEET_USER": "kim", "COFFER_FLEET_PASSWORD_FILE": "p",
        ]
        let named = try #require(try Fleet(ProgramEnvironment(variables: variables, isSetUserID: false)))
        #expect(named.endpoints == ["https://a:1"] && named.prefix == "x" && named.authorities == "ca")
        #expect(named.certificate == "c" && named.key == "k" && named.user == "kim" && named.passwordFile == "p")
        #expect(try Fleet(ProgramEnvironment(variables: [:], isSetUserID: false))?.prefix == nil)
        var options = VaultOptions()
        for (address, isAllowed) in [
            ("http://10.0.0.1:2379", false), ("http://127.0.0.1:2379", true), ("https://a", true),
        ] {
            var fleet = try Fleet(address)
            fleet.user = "kim"
            #expect(((try? options.share(through: fleet)) != nil) == isAllowed)
        }
    }

    @Test(.enabled(if: EtcdCluster.isInstalled, "etcd-server or etcd-client is not installed"))
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

    @Test(
        .enabled(
            if: EtcdCluster.isInstalled && TestAuthority.isInstalled,
            "etcd-server, etcd-client or openssl is not installed"
        )
    )
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
        options.places.deviceKey = nil
        options.places.deviceCredential = nil
        options.places.anchors = nil
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
