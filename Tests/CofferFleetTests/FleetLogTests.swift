import CofferEtcd
import CofferFleet
import Testing
import TestSupport
import VaultFiles
import VaultStore

@Suite("A vault on etcd", .temporaryDirectory, .enabled(if: EtcdCluster.isInstalled, "etcd-server is not installed"))
struct FleetLogTests {
    private static func client(_ cluster: EtcdCluster) throws -> EtcdClient {
        try EtcdClient(EtcdSettings(endpoints: cluster.endpoints), time: MachineTime())
    }

    @Test func `what one machine writes, the others have, byte for byte`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let sample = try FleetSample(in: TemporaryDirectory.current, Self.client(cluster))
        let one = try sample.machine(1, Self.client(cluster))
        let two = try sample.machine(2, Self.client(cluster))
        try one.add("kim", "hunter2")
        #expect(try two.password("kim") == nil)
        #expect(try two.follow())
        #expect(try two.password("kim") == "hunter2")
        #expect(try !two.follow())
        // Each is behind the other once, and writes all the same.
        for number in 0..<10 { try (number % 2 == 0 ? one : two).add("user\(number)", "\(number)") }
        #expect(throws: StoreError.self) { try two.add("user0", "again") }
        try one.follow()
        #expect(try (0..<10).map { try one.password("user\($0)") } == (0..<10).map { "\($0)" })
        #expect(try sample.bytes(of: 1) == sample.bytes(of: 2))
    }

    @Test func `a compaction of one machine replaces the files of the others`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let sample = try FleetSample(in: TemporaryDirectory.current, Self.client(cluster))
        let one = try sample.machine(1, Self.client(cluster))
        let two = try sample.machine(2, Self.client(cluster))
        try one.add("kim", "hunter2")
        try one.compact()
        try one.add("lee", "swordfish")
        try two.add("max", "battery")
        try one.follow()
        for store in [one, two] {
            #expect(try store.password("kim") == "hunter2")
            #expect(try store.password("lee") == "swordfish")
            #expect(try store.password("max") == "battery")
        }
        #expect(try sample.bytes(of: 1) == sample.bytes(of: 2))
    }
}
