import Foundation
import StoreWorker
import TestSupport
import Testing
import VaultFormat
import VaultStore

@Suite("Processes") struct ProcessTests {
    private let workers = 8

    private func numbers(_ store: VaultStore, _ items: Range<Int>) throws -> [Int?] {
        try store.read { vault in
            var numbers: [Int?] = []
            for item in items { numbers.append(try vault.number(of: WorkerItem("item \(item)", of: "everybody"))) }
            return numbers
        }
    }

    private func temporaryNames(in directory: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasSuffix(".tmp") }
    }

    @Test(.temporaryDirectory)
    func `eight processes that each create the vault end with one vault and eight items`() throws {
        let directory = try TemporaryDirectory.current
        let processes = try (0..<workers).map { try WorkerProcess("make", in: directory, number: $0) }
        for process in processes { #expect(try process.succeeds()) }
        let store = try WorkerVault(in: directory.path).opened()
        #expect(try numbers(store, 0..<workers) == Array(0..<workers))
        #expect(try temporaryNames(in: directory) == [])
    }

    @Test(.temporaryDirectory) func `a lock held by another process is busy, and the error names the process`() throws {
        let directory = try TemporaryDirectory.current
        _ = try WorkerVault(in: directory.path).made()
        let holder = try WorkerProcess("hold", in: directory)
        try waitForFile("held", in: directory)
        let store = try WorkerVault(in: directory.path).opened(waiting: 1)
        let start = ContinuousClock.now
        #expect(throws: StoreError.busy(path: store.path, holder: holder.number)) {
            try store.transaction { _ in }
        }
        #expect(ContinuousClock.now - start >= .seconds(1))
        #expect(try numbers(store, 0..<1) == [nil], "reading needs no lock")
    }

    @Test(.temporaryDirectory) func `the lock of a killed process is free at once`() throws {
        let directory = try TemporaryDirectory.current
        _ = try WorkerVault(in: directory.path).made()
        let holder = try WorkerProcess("hold", in: directory)
        try waitForFile("held", in: directory)
        holder.kill()
        let store = try WorkerVault(in: directory.path).opened(waiting: 0)
        try store.transaction { transaction in
            try transaction.set(WorkerItem("item 0", of: "everybody"), to: 7)
        }
        #expect(try numbers(store, 0..<1) == [7])
    }

    @Test(.temporaryDirectory) func `a forked child cannot use the store, but its parent can`() throws {
        let directory = try TemporaryDirectory.current
        let store = try WorkerVault(in: directory.path).made()
        #expect(try WorkerProcess("fork", in: directory).succeeds())
        #expect(try numbers(store, 1..<2) == [1])
    }

    @Test(.temporaryDirectory) func `a child forked during a compaction can lock the vault`() throws {
        let directory = try TemporaryDirectory.current
        _ = try WorkerVault(in: directory.path).made()
        #expect(try WorkerProcess("lock-after-fork", in: directory).succeeds())
    }

    @Test(.temporaryDirectory) func `the next read sees what another process appended`() throws {
        let directory = try TemporaryDirectory.current
        let store = try WorkerVault(in: directory.path).made()
        for number in 0..<3 {
            #expect(try numbers(store, number..<number + 1) == [nil])
            #expect(try WorkerProcess("add", in: directory, number: number).succeeds())
            #expect(try numbers(store, number..<number + 1) == [number])
        }
    }

    @Test(.temporaryDirectory) func `the next read opens a file that another process replaced`() throws {
        let directory = try TemporaryDirectory.current
        let store = try WorkerVault(in: directory.path).made()
        #expect(try WorkerProcess("add", in: directory, number: 0).succeeds())
        #expect(try WorkerProcess("compact", in: directory).succeeds())
        #expect(try WorkerProcess("add", in: directory, number: 1).succeeds())
        #expect(try numbers(store, 0..<2) == [0, 1])
        #expect(try store.read { vault in vault.header.generation } == 2)
    }

    @Test(.temporaryDirectory) func `frames that another process retracts because they are not durable are gone`()
        throws
    {
        let directory = try TemporaryDirectory.current
        let store = try WorkerVault(in: directory.path).made()
        let process = try WorkerProcess("fail", in: directory, number: 0)
        try WorkerProcess.wait("timed out waiting for the frame") { try numbers(store, 1..<2) == [1] }
        try Data().write(to: directory.appending(path: "go"))
        #expect(try process.succeeds())
        #expect(try numbers(store, 0..<2) == [0, nil])
        try store.transaction { transaction in
            try transaction.set(WorkerItem("item 2", of: "everybody"), to: 2)
        }
        #expect(try numbers(try WorkerVault(in: directory.path).opened(), 0..<3) == [0, nil, 2])
    }

    private func waitForFile(_ name: String, in directory: URL) throws {
        try WorkerProcess.wait("timed out waiting for the file \(name)") {
            FileManager.default.fileExists(atPath: directory.appending(path: name).path)
        }
    }
}
