import CofferBasics
import CofferEtcd
import CofferFleet
import Foundation
import Testing
import TestSupport
import VaultFiles
import VaultStore

/// Machines that write while members of etcd fail.
@Suite(
    "A fleet whose members fail",
    .temporaryDirectory,
    .enabled(if: EtcdCluster.isInstalled, "etcd-server or etcd-client is not installed")
)
struct FleetFailureTests {
    /// How many writes there are: `./dev fleet` has more.
    private static let writeCount = ProcessInfo.processInfo.environment["COFFER_FLEET_WRITES"].flatMap(Int.init) ?? 250
    private static let machines = 1...5

    private final class Progress: Sendable {
        /// How many machines are done.
        let endCount = Guarded(0)
    }

    /// One write, as the machine saw it.
    private struct Write: Sendable {
        let account: String
        let start: ContinuousClock.Instant
        let end: ContinuousClock.Instant
        /// The number of the change; nil if the write failed.
        let change: UInt64?
        /// Why the write failed.
        var failure: StoreError?

        /// Whether the change may be there although the write failed.
        var isUncertain: Bool {
            if case .shared(.unreachable(_, isUncertain: true), _) = failure { true } else { false }
        }
    }

    @Test func `what was acknowledged stays, in one order, while members are killed and started`() async throws {
        let cluster = try EtcdCluster(3, in: TemporaryDirectory.current)
        let endpoints = cluster.endpoints
        let sample = try FleetSample(in: TemporaryDirectory.current, Self.client(endpoints))
        let progress = Progress()
        let writes = try await withThrowingTaskGroup(of: [Write].self) { group in
            for machine in Self.machines {
                let store = try sample.machine(machine, Self.client(endpoints))
                group.addTask {
                    await DedicatedThread.run {
                        defer { progress.endCount.withLock { $0 += 1 } }
                        return Self.write(machine, store)
                    }
                }
            }
            // One member at a time, so that there is a quorum, and now and then two.
            var number = 0
            while progress.endCount.withLock({ $0 }) < Self.machines.count {
                let killed = number % 4 == 3 ? [number % 3, (number + 1) % 3] : [number % 3]
                for member in killed { cluster.kill(member) }
                try await Task.sleep(for: .milliseconds(700))
                for member in killed { try cluster.start(member) }
                try cluster.waitUntilHealthy()
                number += 1
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let acknowledged = writes.filter { $0.change != nil }
        #expect(acknowledged.count > Self.writeCount / 2)
        try check(sample, writes, endpoints)
        // A change that was acknowledged before another one began has a lower number.
        for (one, other) in zip(
            acknowledged.sorted { $0.end < $1.end },
            acknowledged.sorted { $0.end < $1.end }.dropFirst()
        )
        where one.end < other.start {
            #expect((one.change ?? 0) < (other.change ?? 0), "\(one.account) and \(other.account)")
        }
        #expect(Set(acknowledged.compactMap(\.change)).count == acknowledged.count)
    }

    private func check(_ sample: FleetSample, _ writes: [Write], _ endpoints: [String]) throws {
        var files: Set<[UInt8]> = []
        for machine in Self.machines {
            let store = try sample.machine(machine, Self.client(endpoints))
            try store.follow()
            files.insert(try sample.bytes(of: machine))
            for write in writes {
                let password = try store.password(write.account)
                let isThere = password == write.account
                #expect(isThere || password == nil)
                #expect(isThere || write.change == nil, "\(write.account) was acknowledged and is lost")
                #expect(
                    !isThere || write.change != nil || write.isUncertain,
                    "\(write.account) failed and is there: \(write.failure as Any)"
                )
            }
        }
        #expect(files.count == 1)
    }

    private static func client(_ endpoints: [String]) throws -> EtcdClient {
        try EtcdClient(EtcdSettings(endpoints: endpoints), time: MachineTime())
    }

    private static func write(_ machine: Int, _ store: VaultStore) -> [Write] {
        (0..<writeCount / machines.count).map { number in
            let account = "machine \(machine), \(number)"
            let start = ContinuousClock.now
            do throws(StoreError) {
                let change = try store.add(account, account)
                return Write(account: account, start: start, end: .now, change: change)
            } catch {
                return Write(account: account, start: start, end: .now, change: nil, failure: error)
            }
        }
    }
}
