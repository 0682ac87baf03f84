import CofferBasics
import CofferFleet
import Foundation
import Testing
import TestSupport
import VaultFiles
import VaultStore

/// Machines that write while one member of etcd does not reach the others.
@Suite("A fleet whose leader is cut off", .temporaryDirectory, .etcd, .waiting) struct FleetPartitionTests {
    enum Fault: CaseIterable {
        case cutOff, paused
    }

    /// What a thread reads at the member while it is cut off.
    private final class Reader: Sendable {
        /// The last change that was acknowledged.
        let acknowledged = Guarded<UInt64>(0)
        let isDone = Guarded(false)

        /// Reads again and again; returns how many answers there were, and those that were too old.
        func run(_ client: EtcdClient, _ head: [UInt8]) -> (count: Int, old: [String]) {
            var (count, old) = (0, [String]())
            while !isDone.withLock({ $0 }) {
                let least = acknowledged.withLock { $0 }
                guard let value = try? client.read(.one(head)).values.first?.value else { continue }
                count += 1
                let sequence = value[9..<17].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                if sequence < least { old.append("\(sequence) after \(least)") }
            }
            return (count, old)
        }
    }

    private static func client(_ endpoints: [String], bound: Duration = .seconds(10)) throws -> EtcdClient {
        var settings = EtcdSettings(endpoints: endpoints)
        settings.bound = bound
        return try EtcdClient(settings, time: MachineTime())
    }

    @Test(arguments: Fault.allCases)
    func `writes go on through the others, and what the leader answers is never old`(_ fault: Fault) async throws {
        let cluster = try EtcdCluster(3, in: TemporaryDirectory.current, canBeCutOff: true)
        let sample = try FleetSample(in: TemporaryDirectory.current, Self.client(cluster.endpoints))
        let leader = try cluster.leader()
        let isOpen = Guarded(false)
        let relays = try cluster.endpoints.indices.filter { $0 != leader }.map { number in
            let port = try #require(URL(string: cluster.endpoints[number])?.port)
            return try LoopbackRelay(to: UInt16(port)) { _ in { isOpen.withLock { $0 } } }
        }
        let store = try sample.machine(
            1,
            Self.client([cluster.endpoints[leader]] + relays.map { "http://127.0.0.1:\($0.port)" })
        )
        // The others cannot be reached yet, so this machine uses the leader.
        var changes = [try store.add("before", "before")]
        isOpen.withLock { $0 = true }
        let reader = Reader()
        let direct = try Self.client([cluster.endpoints[leader]], bound: .seconds(1))
        let cutOff = try sample.machine(2, direct)
        let head = Array("coffer/\(sample.vault)/head".utf8)
        async let read = DedicatedThread.run { reader.run(direct, head) }
        defer { reader.isDone.withLock { $0 = true } }
        if fault == .paused { cluster.pause(leader) } else { cluster.cutOff(leader) }
        for number in 0..<20 {
            let start = ContinuousClock.now
            changes.append(try store.add("during \(number)", "\(number)"))
            #expect(ContinuousClock.now - start < .seconds(10))
            reader.acknowledged.withLock { [change = changes.last ?? 0] in $0 = change }
        }
        let before = try sample.bytes(of: 2)
        let error = #expect(throws: StoreError.self) { try cutOff.follow() }
        guard case .shared(.unreachable, _) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(try sample.bytes(of: 2) == before)
        if fault == .paused { cluster.pause(leader, false) } else { cluster.cutOff(nil) }
        try cluster.waitUntilHealthy()
        try cutOff.follow()
        reader.isDone.withLock { $0 = true }
        let answers = await read
        #expect(answers.old == [])
        #expect(changes == Array(1...21))
        #expect(try sample.bytes(of: 1) == sample.bytes(of: 2))
        #expect(try cutOff.password("during 19") == "19")
    }
}
