import CofferBasics
import CofferFleet
import Testing
import TestSupport
import VaultFiles

@Suite("Requests to etcd", .temporaryDirectory, .etcd, .waiting) struct EtcdClientTests {
    private let key = Array("fleet/head".utf8)

    private static func client(_ cluster: EtcdCluster) throws -> EtcdClient {
        try EtcdClient(EtcdSettings(endpoints: cluster.endpoints), time: MachineTime())
    }

    @Test func `a transaction changes keys if its conditions hold, and reads if not`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let bytes = (0...255).map { UInt8($0) }
        let create = EtcdTransaction(
            if: [.created(key, in: 0)],
            [.put(key, bytes), .put(key + [0x2F, 1], [])],
            else: [.read(.one(key))]
        )
        let first = try client.transact(create)
        #expect(first.succeeded && first.found.isEmpty)
        let second = try client.transact(create)
        #expect(!second.succeeded && second.revision == first.revision)
        let value = try #require(second.found.first?.values.first)
        #expect(value.value == bytes && value.createRevision == first.revision && value.modRevision == first.revision)

        let all = try client.read(.all(under: key))
        #expect(all.values.map(\.key) == [key, key + [0x2F, 1]] && !all.hasMore)
        #expect(try client.read(.all(under: key), limit: 1).hasMore)
        let change = EtcdTransaction(
            if: [.changed(key, in: first.revision)],
            [.put(key, [1]), .delete(.one(key + [0x2F, 1]))]
        )
        #expect(try client.transact(change).succeeded)
        #expect(try client.read(.all(under: key)).values.map(\.value) == [[1]])
        #expect(try client.transact(EtcdTransaction(if: [.exists(key)], [])).succeeded)
        #expect(try !client.transact(EtcdTransaction(if: [.exists(key + [0x2F, 1])], [])).succeeded)
        #expect(try client.read(.one(key), limit: 0, revision: first.revision).values.map(\.value) == [bytes])
    }

    @Test func `a watch reports what was and what comes, in order`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        func put(_ number: UInt8) throws -> Int64 {
            try client.transact(EtcdTransaction([.put(key + [0x2F, number], [number]), .put(key, [])])).revision
        }
        let first = try put(1)
        _ = try put(2)
        var (events, numbers): ([EtcdClient.WatchEvent], [UInt8]) = ([], [])
        let end = ContinuousClock.now + .seconds(20)
        try client.watch(.all(under: key + [0x2F]), from: first, whileTrue: { ContinuousClock.now < end }) { event in
            events.append(event)
            // While the watch is open.
            if event == .began { #expect(throws: Never.self) { try put(3) } }
            // One message may have several changes.
            if case .changed(let values) = event { numbers += values.flatMap(\.value) }
            return numbers.count < 3
        }
        #expect(events.first == .began && numbers == [1, 2, 3])
    }

    @Test func `a watch from before a compaction says so`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current, arguments: ["--auto-compaction-mode=revision"])
        let client = try Self.client(cluster)
        for number in 0..<5 { _ = try client.transact(EtcdTransaction([.put(key, [UInt8(number)])])) }
        let revision = try client.read(.one(key)).revision
        try cluster.control("compaction", String(revision))
        var events: [EtcdClient.WatchEvent] = []
        try client.watch(.one(key), from: 1) { event in
            events.append(event)
            return event != .compacted
        }
        #expect(events.last == .compacted)
        #expect(throws: EtcdError.refused(code: 11, text: "etcdserver: mvcc: required revision has been compacted")) {
            try client.read(.one(key), limit: 0, revision: 1)
        }
    }

    @Test func `a lease holds a key until it is revoked`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let lease = try client.grantLease(seconds: 60)
        #expect(try client.keepLease(lease))
        let lock = EtcdTransaction(if: [.created(key, in: 0)], [.put(key, [1], lease: lease)])
        #expect(try client.transact(lock).succeeded)
        #expect(try !client.transact(lock).succeeded)
        #expect(try client.read(.one(key)).values.map(\.lease) == [lease])
        try client.revokeLease(lease)
        #expect(try client.read(.one(key)).values.isEmpty)
        #expect(try !client.keepLease(lease))
        try client.revokeLease(lease)
    }

    @Test func `a request goes to the members that run, and fails in time without a quorum`() throws {
        let cluster = try EtcdCluster(3, in: TemporaryDirectory.current)
        var settings = EtcdSettings(endpoints: cluster.endpoints)
        settings.bound = .seconds(3)
        let client = try EtcdClient(settings, time: MachineTime())
        func write() throws -> Bool { try client.transact(EtcdTransaction([.put(key, [1])])).succeeded }
        #expect(try write())
        cluster.kill(0)
        settings.bound = .seconds(20)
        let patient = try EtcdClient(settings, time: MachineTime())
        #expect(try patient.transact(EtcdTransaction([.put(key, [2])])).succeeded)
        cluster.kill(1)
        let start = ContinuousClock.now
        let error = #expect(throws: EtcdError.self) { try write() }
        #expect(ContinuousClock.now - start < .seconds(6))
        guard case .unavailable(let failures, let hadNoEffect) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(Set(failures.map(\.endpoint)) == Set(cluster.endpoints) && !hadNoEffect)
        try cluster.start(0)
        #expect(try patient.transact(EtcdTransaction([.put(key, [3])])).succeeded)
        #expect(try patient.read(.one(key)).values.map(\.value) == [[3]])
    }

    @Test func `a user with a password reads, writes and watches what the role allows`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        try cluster.control("user", "add", "root:secret")
        try cluster.control("user", "grant-role", "root", "root")
        try cluster.control("role", "add", "one")
        try cluster.control("role", "grant-permission", "one", "--prefix=true", "readwrite", "fleet/")
        try cluster.control("user", "add", "kim:hunter2")
        try cluster.control("user", "grant-role", "kim", "one")
        try cluster.control("auth", "enable")
        func client(_ password: String?) throws -> EtcdClient {
            var settings = EtcdSettings(endpoints: cluster.endpoints)
            if let password {
                settings.credential = .password(user: "kim") { () throws(EtcdError) in
                    HeldSecret(copying: Array(password.utf8).span)
                }
            }
            return try EtcdClient(settings, time: MachineTime())
        }
        let kim = try client("hunter2")
        #expect(try kim.transact(EtcdTransaction([.put(key, [1])])).succeeded)
        #expect(try kim.read(.one(key)).values.map(\.value) == [[1]])
        // A client whose first request is a watch.
        var hasBegun = false
        let end = ContinuousClock.now + .seconds(20)
        try client("hunter2").watch(.one(key), whileTrue: { ContinuousClock.now < end }) { event in
            hasBegun = event == .began
            return false
        }
        #expect(hasBegun)
        #expect(throws: EtcdError.refused(code: 7, text: "etcdserver: permission denied")) {
            try kim.read(.one(Array("other".utf8)))
        }
        // This ends all tokens.
        try cluster.control("--user=root:secret", "auth", "disable")
        try cluster.control("auth", "enable")
        hasBegun = false
        while !hasBegun, ContinuousClock.now < end {
            try? kim.watch(.one(key), whileTrue: { ContinuousClock.now < end }) { event in
                hasBegun = event == .began
                return false
            }
        }
        #expect(hasBegun)
        let denied = #expect(throws: EtcdError.self) { try kim.watch(.one(Array("other".utf8))) { _ in true } }
        guard case .refused = denied else {
            Issue.record("\(denied as Any)")
            return
        }
        for other in [nil, "hunter3"] as [String?] {
            let error = #expect(throws: EtcdError.self) { try client(other).read(.one(key)) }
            guard case .refused = error else {
                Issue.record("\(error as Any)")
                return
            }
        }
    }

    @Test func `nobody listens, and nothing was sent`() throws {
        let client = try EtcdClient(EtcdSettings(endpoints: ["http://127.0.0.1:1"]), time: ManualTime())
        let error = #expect(throws: EtcdError.self) { try client.read(.one(key)) }
        guard case .unavailable(let failures, hadNoEffect: true) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(failures.count == 1 && failures[0].text.contains("connect"))
    }

    @Test func `what was sent on a connection that then ended may have had an effect`() throws {
        let (server, client) = try Self.dying()
        defer { withExtendedLifetime(server) {} }
        // It reads this request and ends; the connection that libcurl then makes is refused.
        let error = #expect(throws: EtcdError.self) { try client.read(.one(key)) }
        guard case .unavailable(_, hadNoEffect: false) = error else {
            Issue.record("\(error as Any)")
            return
        }
    }

    @Test func `what is refused in the end may have been carried out before`() throws {
        let (refusing, refused) = try Self.dying(last: (429, #"{"code":8,"message":"database space exceeded"}"#))
        defer { withExtendedLifetime(refusing) {} }
        let error = #expect(throws: EtcdError.self) { try refused.transact(EtcdTransaction([.put(key, [])])) }
        guard case .unavailable(_, hadNoEffect: false) = error else {
            Issue.record("\(error as Any)")
            return
        }
        let (server, repeated) = try Self.dying(last: (200, #"{"header":{"revision":"8"}}"#))
        defer { withExtendedLifetime(server) {} }
        #expect(try repeated.transact(EtcdTransaction([.put(key, [])])).isRepeated)
    }

    /// A client of a server that has answered one request, and ends the connection without an answer to the next; it
    /// answers one more request if there is a last answer.
    private static func dying(last: (status: Int, body: String)? = nil) throws -> (LoopbackServer, EtcdClient) {
        let isFirst = AtomicFlag()
        let server = try LoopbackServer { connection in
            _ = connection.read()
            let (status, body) = isFirst.isFirst() ? (200, #"{"header":{"revision":"7"}}"#) : last ?? (500, "")
            let length = body.utf8.count
            _ = connection.write(Array("HTTP/1.1 \(status) -\r\nContent-Length: \(length)\r\n\r\n\(body)".utf8))
            _ = connection.read()
            return last != nil
        }
        var settings = EtcdSettings(endpoints: ["http://127.0.0.1:\(server.port)"])
        settings.bound = .seconds(1)
        let client = try EtcdClient(settings, time: MachineTime())
        #expect(try client.read(.one([1])).revision == 7)
        return (server, client)
    }
}

/// Is first once.
private final class AtomicFlag: Sendable {
    private let isUsed = Guarded(false)

    func isFirst() -> Bool {
        isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
    }
}
