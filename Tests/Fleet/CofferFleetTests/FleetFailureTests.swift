import CofferBasics
import Foundation
import StoreWorker
import Testing
import TestSupport
import VaultStore

/// Machines that write while they and members of etcd are killed.
@Suite("A fleet whose machines and members are killed", .temporaryDirectory, .etcd, .waiting)
struct FleetFailureTests {
    /// How many writes there are: `./dev fleet` makes 10,000.
    private static let writeCount = ProcessInfo.processInfo.environment["COFFER_FLEET_WRITES"].flatMap(Int.init) ?? 150
    private static let machines = 1...5

    private final class Progress: Sendable {
        /// The writes of the machines that are done.
        let ended = Guarded<[Result<[Write], any Error>]>([])
        /// The processes of the machines that run.
        let processes = Guarded<[Int: Int32]>([:])
    }

    /// One write, as the machine saw it.
    private struct Write: Sendable {
        enum Outcome: Equatable {
            /// It was acknowledged, and is the change of this number.
            case done(UInt64)
            /// The machine was killed, or does not know.
            case uncertain
            case failed(String)
        }

        let machine: Int
        let number: Int
        var start: UInt64 = 0
        var end: UInt64 = 0
        var outcome = Outcome.uncertain

        /// The number of the change, if it was acknowledged.
        var change: UInt64? { if case .done(let change) = outcome { change } else { nil } }

        var item: WorkerItem { WorkerItem("item \(number)", of: "machine \(machine)") }

        /// What a worker printed; without a line, it was killed.
        init(_ machine: Int, _ number: Int, _ line: String?) {
            (self.machine, self.number) = (machine, number)
            guard let words = line?.split(separator: " ", maxSplits: 3).map(String.init) else { return }
            (start, end) = (UInt64(words[0]) ?? 0, UInt64(words[1]) ?? 0)
            switch words[2] {
            case "done": outcome = .done(UInt64(words[3]) ?? 0)
            case "uncertain": break
            default: outcome = .failed(words.last ?? "")
            }
        }
    }

    @Test func `what was acknowledged stays, in one order, while members and machines are killed`() throws {
        let cluster = try EtcdCluster(3, in: TemporaryDirectory.current)
        let endpoints = cluster.endpoints
        let directory = try TemporaryDirectory.current
        try prepare(directory, endpoints)
        let progress = Progress()
        let start = ContinuousClock.now
        for machine in Self.machines {
            DedicatedThread.start {
                let writes = Result { try Self.write(machine, in: directory, endpoints, progress) }
                progress.ended.withLock { $0.append(writes) }
            }
        }
        let (memberKillCount, machineKillCount) = try Self.killMembersAndMachines(cluster, progress)
        let writes = try progress.ended.withLock { $0 }.flatMap { try $0.get() }
        let acknowledged = writes.filter { $0.change != nil }
        print(
            "fleet: \(acknowledged.count) changes acknowledged, \(writes.count { $0.outcome == .uncertain }) uncertain, "
                + "\(memberKillCount) members and \(machineKillCount) machines killed, \(ContinuousClock.now - start)"
        )
        #expect(writes.count == Self.writeCount && acknowledged.count > Self.writeCount / 4)
        #expect(writes.contains { $0.outcome == .uncertain })
        try checkReplicas(directory, writes, endpoints)
        checkOrder(acknowledged)
    }

    /// Kills members and machines until all machines are done; returns how many.
    private static func killMembersAndMachines(
        _ cluster: EtcdCluster,
        _ progress: Progress
    ) throws -> (members: Int, machines: Int) {
        var (memberCount, machineCount, number) = (0, 0, 0)
        while progress.ended.withLock({ $0.count }) < machines.count {
            // One member at a time, so that there is a quorum, and now and then two.
            let killed = number % 4 == 3 ? [number % 3, (number + 1) % 3] : [number % 3]
            for member in killed { cluster.kill(member) }
            Thread.sleep(forTimeInterval: .random(in: 0.3...0.6))
            progress.processes.withLock { processes in
                // The last machine that runs is not killed more often than others were.
                guard let process = machines.randomElement().flatMap({ processes[$0] }) else { return }
                kill(process, SIGKILL)
                machineCount += 1
            }
            Thread.sleep(forTimeInterval: 0.3)
            for member in killed { try cluster.start(member) }
            try cluster.waitUntilHealthy()
            memberCount += killed.count
            number += 1
        }
        return (memberCount, machineCount)
    }

    private static func vault(of machine: Int, in directory: URL) throws -> WorkerVault {
        try WorkerVault(in: directory.appending(path: "machine\(machine)").path)
    }

    /// Makes a vault of a fleet, with a copy for each machine.
    private func prepare(_ directory: URL, _ endpoints: [String]) throws {
        let first = directory.appending(path: "machine0")
        try FileManager.default.createDirectory(at: first, withIntermediateDirectories: false)
        _ = try Self.vault(of: 0, in: directory).made()
        try Self.vault(of: 0, in: directory).opened(through: endpoints).share()
        for machine in Self.machines {
            try FileManager.default.copyItem(at: first, to: directory.appending(path: "machine\(machine)"))
        }
    }

    /// Lets a machine write, in another process each time that it is killed.
    private static func write(
        _ machine: Int,
        in directory: URL,
        _ endpoints: [String],
        _ progress: Progress
    ) throws -> [Write] {
        let count = writeCount / machines.count
        var writes: [Write] = []
        while writes.count < count {
            let path = directory.appending(path: "machine\(machine)").path
            let worker = try WorkerProcess("StoreWorker", arguments: ["share", path, String(machine)])
            try worker.send([endpoints.joined(separator: ","), String(writes.count), String(count)])
            progress.processes.withLock { $0[machine] = worker.number }
            // What was in flight when it was killed has no line.
            while writes.count < count {
                let line = try? worker.nextLine()
                writes.append(Write(machine, writes.count, line))
                if line == nil { break }
                // However fast the machines are, one is killed.
                if machine == machines.first, writes.count == 1 { kill(worker.number, SIGKILL) }
            }
            progress.processes.withLock { $0[machine] = nil }
        }
        return writes
    }

    /// Checks that all replicas are the same, with what was acknowledged, and without what has failed.
    private func checkReplicas(_ directory: URL, _ writes: [Write], _ endpoints: [String]) throws {
        var files: Set<[UInt8]> = []
        for machine in Self.machines {
            let vault = try Self.vault(of: machine, in: directory)
            let store = try vault.opened(through: endpoints)
            try store.follow()
            let bytes = try [UInt8](Data(contentsOf: URL(filePath: vault.path)))
            files.insert(Array(bytes[...(bytes.lastIndex { $0 != 0 } ?? 0)]))
            try store.read { vault in
                for write in writes {
                    let number = try vault.number(of: write.item)
                    let isRight =
                        switch write.outcome {
                        case .done: number == write.number
                        case .uncertain: number == nil || number == write.number
                        case .failed: number == nil
                        }
                    if !isRight { Issue.record("machine \(machine) has \(number as Any) for \(write)") }
                }
            }
        }
        #expect(files.count == 1)
    }

    /// Checks that a change that was acknowledged before another one began has a lower number.
    private func checkOrder(_ acknowledged: [Write]) {
        var ended = acknowledged.sorted { $0.end < $1.end }[...]
        var last: UInt64 = 0
        for write in acknowledged.sorted(by: { $0.start < $1.start }) {
            while let first = ended.first, first.end < write.start {
                last = max(last, first.change ?? 0)
                ended.removeFirst()
            }
            if last >= write.change ?? 0 { Issue.record("\(write) has a lower number than \(last)") }
        }
        #expect(Set(acknowledged.compactMap(\.change)).count == acknowledged.count)
    }
}
