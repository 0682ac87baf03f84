import CofferBasics
import CofferEtcd
import Testing
import TestSupport
import VaultFiles

@Suite("Requests to etcd", .temporaryDirectory, .enabled(if: EtcdCluster.isInstalled, "etcd-server is not installed"))
struct EtcdClientTests {
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
        #expect(try client.read(.one(key), limit: 0, revision: first.revision).values.map(\.value) == [bytes])
    }
}
