import Foundation
import StoreWorker
import TestSupport
import Testing
import VaultFormat
import VaultStore

/// Processes that are killed at random times while all use one vault; `./dev crash processes` runs it for longer.
@Suite("Killed processes") struct KillTests {
    private static let workerCount = 8
    private static let counterCount = 3
    /// The longest time without a line from any worker.
    private static let patience: TimeInterval = 60

    private static var seconds: Double {
        ProcessInfo.processInfo.environment["COFFER_CRASH_SECONDS"].flatMap(Double.init) ?? 5
    }

    @Test(.temporaryDirectory)
    func `acknowledged changes survive, with at most one change in flight for each kill`() throws {
        let directory = try TemporaryDirectory.current
        _ = try WorkerVault(in: directory.path).made()
        let start = Date.now
        let killCount = try disturb(in: directory)
        let store = try WorkerVault(in: directory.path).opened(waiting: 0)
        try store.compact()
        try check(store, in: directory)
        let lines = (0..<Self.workerCount).flatMap { Journal.lines(of: $0, in: directory.path) }
        func count(_ isCounted: (Journal.Line) -> Bool) -> Int { lines.filter(isCounted).count }
        let changes = count { if case .done = $0 { true } else { false } }
        let resolved = count { if case .resolved = $0 { true } else { false } }
        let compactions = count { $0 == .compacted(hasSucceeded: true) }
        let outrun = count { $0 == .compacted(hasSucceeded: false) }
        let refreshes = count { if case .generation = $0 { true } else { false } }
        let refused = count { if case .failed = $0 { true } else { false } }
        print(
            "processes: \(changes) changes acknowledged, \(refused) rejected because of other writers, "
                + "\(killCount) kills (\(resolved) in a change), \(count { $0 == .checked }) checks, "
                + "\(compactions) compactions (\(outrun) given up), \(refreshes) new generations seen, "
                + "\(Int(Date.now.timeIntervalSince(start))) s"
        )
        #expect(changes > 0 && killCount > 0, "no change or no kill was attempted")
        // A slow machine may not get to a compaction in a short time.
        #expect(compactions > 0 || Self.seconds < 30, "no worker has compacted the vault")
    }

    /// Runs workers and kills one now and then; at the end all must stop by themselves.
    private func disturb(in directory: URL) throws -> Int {
        var processes = try (0..<Self.workerCount).map { try WorkerProcess("run", in: directory, number: $0) }
        var killCount = 0
        var progress = (lines: 0, time: Date.now)
        let end = Date(timeIntervalSinceNow: Self.seconds)
        while Date.now < end {
            usleep(UInt32.random(in: 50_000...200_000))
            let victim = Int.random(in: 0..<Self.workerCount)
            // Only a violation makes a worker end before it is told to.
            try #require(processes.allSatisfy { !$0.hasEnded }, "\(violations(in: directory))")
            processes[victim].kill()
            killCount += 1
            processes[victim] = try WorkerProcess("run", in: directory, number: victim)
            let byteCount = journalByteCount(in: directory)
            if byteCount > progress.lines { progress = (byteCount, Date.now) }
            try #require(Date.now.timeIntervalSince(progress.time) < Self.patience, "no worker makes progress")
        }
        try Data().write(to: directory.appending(path: "stop"))
        for process in processes { #expect(try process.succeeds()) }
        return killCount
    }

    private func journalByteCount(in directory: URL) -> Int {
        (0..<Self.workerCount).reduce(0) { sum, worker in
            let path = Journal.path(of: worker, in: directory.path)
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return sum + (attributes?[.size] as? Int ?? 0)
        }
    }

    private func violations(in directory: URL) -> [String] {
        (0..<Self.workerCount).flatMap { worker in
            Journal.lines(of: worker, in: directory.path).compactMap { line in
                if case .violation(let message) = line { "worker \(worker): \(message)" } else { nil }
            }
        }
    }

    private func check(_ store: VaultStore, in directory: URL) throws {
        #expect(violations(in: directory) == [])
        var increments = [Int](repeating: 0, count: Self.counterCount)
        for worker in 0..<Self.workerCount {
            let state = JournalState(Journal.lines(of: worker, in: directory.path))
            #expect(state.pending == nil, "worker \(worker) did not finish")
            for (counter, count) in state.increments { increments[counter] += count }
            let names = ["last"] + (0..<8).map { "key\($0)" }
            let found = try store.read { vault in
                var found: [String: Int] = [:]
                for name in names { found[name] = try vault.number(of: WorkerItem(name, of: "worker \(worker)")) }
                return found
            }
            #expect(found == state.items, "worker \(worker)")
        }
        let counters = try store.read { vault in
            var counters: [Int] = []
            for number in 0..<Self.counterCount {
                counters.append(try vault.number(of: WorkerItem("counter \(number)", of: "everybody")) ?? 0)
            }
            return counters
        }
        #expect(counters == increments)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(names.filter { $0.hasSuffix(".tmp") } == [])
    }
}
