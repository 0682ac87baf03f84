import CofferFleet
import Testing
import TestSupport
import VaultFiles
import VaultStore

@Suite("A fleet whose space ends", .temporaryDirectory, .etcd, .waiting) struct FleetSpaceTests {
    private let secret = String(repeating: "x", count: 200_000)

    private static func client(_ cluster: EtcdCluster) throws -> EtcdClient {
        try EtcdClient(EtcdSettings(endpoints: cluster.endpoints), time: MachineTime())
    }

    @Test(.enabled(if: EtcdCluster.hasSmallDisks, "this user may not mount a disk for a program"))
    func `a member whose disk is full ends, and the fleet goes on`() throws {
        let cluster = try EtcdCluster(3, in: TemporaryDirectory.current, firstDisk: 256)
        let sample = try FleetSample(in: TemporaryDirectory.current, Self.client(cluster))
        let one = try sample.machine(1, Self.client(cluster))
        try cluster.fillDisk()
        var count = 0
        let end = ContinuousClock.now + .seconds(30)
        while !cluster.hasEnded(0), ContinuousClock.now < end {
            try one.add("user\(count)", secret)
            count += 1
        }
        #expect(cluster.hasEnded(0))
        try one.add("last", "hunter2")
        let two = try sample.machine(2, Self.client(cluster))
        try two.follow()
        for number in 0..<count { #expect(try two.password("user\(number)") == secret) }
        #expect(try two.password("last") == "hunter2")
        #expect(try sample.bytes(of: 1) == sample.bytes(of: 2))
    }

    @Test func `a full database says what to do, and the replica is read`() throws {
        let cluster = try EtcdCluster(
            1,
            in: TemporaryDirectory.current,
            arguments: ["--quota-backend-bytes", "8000000"]
        )
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let one = try sample.machine(1, client)
        try one.add("user0", secret)
        var (count, failure): (Int, StoreError?) = (1, nil)
        while failure == nil, count < 100 {
            do {
                try one.add("user\(count)", secret)
                count += 1
            } catch let error as StoreError {
                failure = error
            }
        }
        let hint = "etcdctl alarm disarm"
        #expect(failure?.description.contains(hint) == true, "\(failure as Any)")
        let error = #expect(throws: StoreError.self) { try one.compact() }
        #expect(error?.description.contains(hint) == true, "\(error as Any)")
        #expect(try one.password("user\(count - 1)") == secret && one.password("user\(count)") == nil)
        // A file that did not fit has left nothing behind.
        let root = Array("coffer/\(sample.vault)/".utf8)
        let head = try #require(try client.read(.one(root + Array("head".utf8))).values.first)
        let pieces = try client.read(.all(under: root + Array("b/".utf8)))
        #expect(pieces.values.count == Int(head.value[57]))

        try cluster.control("compaction", "--physical", String(pieces.revision))
        try cluster.control("defrag")
        try cluster.control("alarm", "disarm")
        try one.add("user\(count)", secret)
        #expect(try one.password("user\(count)") == secret)
    }
}
