import CofferBasics
import CofferFleet
import Foundation
import Testing
import TestSupport
import VaultFiles

@Suite("Requests to etcd over TLS", .temporaryDirectory, .etcd, .openssl, .waiting)
struct EtcdTLSTests {
    private let key = Array("fleet/head".utf8)
    private let authority: TestAuthority
    private let other: TestAuthority

    init() throws {
        authority = try TestAuthority("ours", in: TemporaryDirectory.current)
        other = try TestAuthority("other", in: TemporaryDirectory.current)
    }

    private func cluster(_ server: TestAuthority.Issued, asksClients: Bool = false) throws -> EtcdCluster {
        try EtcdCluster(
            1,
            in: TemporaryDirectory.current,
            arguments: ["--cert-file", server.certificate, "--key-file", server.key]
                + (asksClients ? ["--client-cert-auth", "--trusted-ca-file", authority.certificate] : [])
        )
    }

    private func settings(_ cluster: EtcdCluster, _ own: TestAuthority.Issued? = nil) -> EtcdSettings {
        var settings = EtcdSettings(endpoints: cluster.endpoints)
        settings.bound = .seconds(3)
        settings.files.authorities = authority.certificate
        settings.files.certificate = own?.certificate
        settings.files.key = own?.key
        return settings
    }

    private func write(_ settings: EtcdSettings) throws {
        _ = try EtcdClient(settings, time: MachineTime()).transact(EtcdTransaction([.put(key, [1])]))
    }

    /// Checks that a write fails with a reason for its endpoint: at once, if that lasts.
    private func checkRefusal(_ settings: EtcdSettings, _ text: String, lasts: Bool = true) throws {
        let start = ContinuousClock.now
        let error = #expect(throws: EtcdError.self) { try write(settings) }
        #expect(!lasts || ContinuousClock.now - start < settings.bound)
        guard case .unavailable(let failures, hadNoEffect: lasts) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(failures.map(\.endpoint) == settings.endpoints)
        #expect(failures.first?.text.contains(text) == true, "\(failures)")
    }

    @Test func `only the authority that was named is trusted`() throws {
        let cluster = try cluster(authority.issue("server"))
        var wrong = settings(cluster)
        wrong.files.authorities = other.certificate
        try checkRefusal(wrong, "certificate")
        wrong.files.authorities = nil
        try checkRefusal(wrong, "certificate")
        wrong.files.authorities = other.certificate + ".missing"
        try checkRefusal(wrong, "missing")
        let client = try EtcdClient(settings(cluster), time: MachineTime())
        #expect(try client.read(.one(key)).values.isEmpty)
        try write(settings(cluster))
        #expect(try client.read(.one(key)).values.count == 1)
    }

    @Test func `a certificate for another host is refused`() throws {
        let cluster = try cluster(authority.issue("server", host: "IP:127.0.0.2"))
        try checkRefusal(settings(cluster), "target host name")
    }

    @Test func `an expired certificate is refused`() throws {
        let cluster = try cluster(authority.issue("server", days: -1))
        try checkRefusal(settings(cluster), "expired")
    }

    @Test func `a machine with a certificate is admitted, and no other`() throws {
        let cluster = try cluster(authority.issue("server"), asksClients: true)
        let own = try authority.issue("machine")
        try checkRefusal(settings(cluster), "certificate of this machine", lasts: false)
        try checkRefusal(settings(cluster, other.issue("stranger")), "certificate of this machine", lasts: false)
        var wrong = settings(cluster, own)
        wrong.files.key = try authority.issue("another machine").key
        try checkRefusal(wrong, "another machine.key")
        wrong.files.key = own.key + ".missing"
        try checkRefusal(wrong, "machine.key.missing")
        wrong.files.key = nil
        try checkRefusal(wrong, "key")
        let client = try EtcdClient(settings(cluster, own), time: MachineTime())
        #expect(try client.read(.one(key)).values.isEmpty)
        try write(settings(cluster, own))
    }

    @Test func `a user with a password has a certificate without a common name`() throws {
        let cluster = try cluster(authority.issue("server"), asksClients: true)
        let own = try authority.issue("machine")
        let files = ["--cacert", authority.certificate, "--cert", own.certificate, "--key", own.key]
        for words in [["user", "add", "root:secret"], ["user", "grant-role", "root", "root"], ["auth", "enable"]] {
            try cluster.control(files + words)
        }
        func settings(_ own: TestAuthority.Issued, _ password: String) -> EtcdSettings {
            var settings = self.settings(cluster, own)
            settings.credential = .password(user: "root") { () throws(EtcdError) in
                HeldSecret(copying: Array(password.utf8).span)
            }
            return settings
        }
        try write(settings(own, "secret"))
        let error = #expect(throws: EtcdError.self) { try write(settings(own, "guess")) }
        #expect(error == .refused(code: 3, text: "etcdserver: authentication failed, invalid user ID or password"))
        let named = try authority.issue("named machine", subject: "/CN=root")
        let refusal = #expect(throws: EtcdError.self) { try write(settings(named, "secret")) }
        guard case .refused(_, let text) = refusal else {
            Issue.record("\(refusal as Any)")
            return
        }
        #expect(text.contains("common name"))
    }
}
