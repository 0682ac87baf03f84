import Foundation
import TestSupport
import Testing
import VaultFiles
import VaultFormat
import VaultStore

/// When changes are durable, and what happens if the disk fails: section 13.
@Suite("Durability") struct DurabilityTests {
    private let files = HookedFiles()

    private func sample() throws -> StoreSample {
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        let sample = try StoreSample(at: path, files: files)
        try sample.store.add("first", "mail", "x")
        return sample
    }

    private func add(_ account: String, to store: VaultStore, _ durability: Durability) throws {
        try store.transaction(durability: durability) { transaction in
            _ = try transaction.addLogin(account, "mail", "x")
        }
    }

    @Test(.temporaryDirectory) func `a durable change is synced once, and relaxed ones with the next durable one`()
        throws
    {
        let sample = try sample()
        let syncs = files.count(.sync)
        for number in 0..<5 { try add("\(number)", to: sample.store, .relaxed) }
        #expect(files.count(.sync) == syncs)
        #expect(try sample.reopened().passwords().count == 6, "others see it at once")
        try add("last", to: sample.store, .full)
        #expect(files.count(.sync) == syncs + 1)
        #expect(try sample.reopened().passwords().count == 7)
    }

    @Test(.temporaryDirectory) func `a change that cannot be synced is taken back, and the sync is not retried`()
        throws
    {
        let sample = try sample()
        let other = try sample.reopened()
        let failure = FileError(.sync, sample.path, reason: .inputOutput)
        let syncs = files.count(.sync)
        files.setHook { operation, _ throws(FileError) in if operation == .sync { throw failure } }
        #expect(throws: StoreError.syncFailed(failure)) { try sample.store.add("second", "mail", "x") }
        #expect(files.count(.sync) == syncs + 1)
        files.setHook { _, _ throws(FileError) in }
        for store in [sample.store, other, try sample.reopened()] {
            #expect(try store.passwords() == ["first mail x"])
        }
        try sample.store.add("third", "mail", "x")
        #expect(try other.passwords() == ["first mail x", "third mail x"])
    }

    @Test(.temporaryDirectory) func `relaxed changes are lost with the durable one that could not be synced`() throws {
        let sample = try sample()
        let failure = FileError(.sync, sample.path, reason: .inputOutput)
        try add("relaxed", to: sample.store, .relaxed)
        files.setHook { operation, _ throws(FileError) in if operation == .sync { throw failure } }
        #expect(throws: StoreError.syncFailed(failure)) { try add("second", to: sample.store, .full) }
        files.setHook { _, _ throws(FileError) in }
        #expect(try sample.store.passwords() == ["first mail x"])
        #expect(try sample.reopened().passwords() == ["first mail x"])
    }

    @Test(.temporaryDirectory)
    func `if a change cannot be taken back either, the lock is kept until the file is replaced`()
        throws
    {
        let sample = try sample()
        var options = StoreOptions()
        options.lockTimeout = .zero
        let other = try sample.reopened(options: options)
        let failure = FileError(.sync, sample.path, reason: .inputOutput)
        files.setHook { operation, path throws(FileError) in
            if operation == .sync { throw failure }
            if operation == .truncate { throw FileError(operation, path, reason: .inputOutput) }
        }
        #expect(throws: StoreError.syncFailed(failure)) { try sample.store.add("second", "mail", "x") }
        files.setHook { _, _ throws(FileError) in }
        #expect(try sample.store.passwords() == ["first mail x"], "what may not be durable is not shown")
        #expect(throws: StoreError.readOnly(.syncFailed(failure), path: sample.path)) {
            try sample.store.add("third", "mail", "x")
        }
        let own = ProcessInfo.processInfo.processIdentifier
        #expect(throws: StoreError.busy(path: sample.path, holder: own)) { try other.add("third", "mail", "x") }
        try sample.store.compact()
        try sample.store.add("third", "mail", "x")
        try other.add("fourth", "mail", "x")
        #expect(try other.passwords() == ["first mail x", "third mail x", "fourth mail x"])
    }

    @Test(.temporaryDirectory, arguments: [FileError.Reason.diskFull, .quotaExceeded, .inputOutput, .staleHandle])
    func `a change that cannot be written is reported, and nothing else is lost`(reason: FileError.Reason) throws {
        let sample = try sample()
        let failure = FileError(.write, sample.path, reason: reason)
        files.setHook { operation, _ throws(FileError) in if operation == .write { throw failure } }
        #expect(throws: StoreError.file(failure)) { try sample.store.add("second", "mail", "x") }
        #expect(try sample.store.passwords() == ["first mail x"])
        files.setHook { _, _ throws(FileError) in }
        try sample.store.add("third", "mail", "x")
        #expect(try sample.reopened().passwords() == ["first mail x", "third mail x"])
    }

    @Test(.temporaryDirectory) func `each change to the file is one write after its frames, or a new file`() throws {
        let disk = SimulatedDisk(files: ["/home/other": []])
        let sample = try StoreSample(at: "/home/vault.coffer", files: disk, user: 1000)
        var before = try #require(disk.content(of: sample.path))
        for number in 0..<40 {
            let calls = disk.callCount
            try sample.store.add("\(number)", "mail", String(repeating: "x", count: number * 50))
            #expect(disk.trace.calls[calls...].filter { $0.operation == .write }.count == 1)
            let after = try #require(disk.content(of: sample.path))
            let end = before.count - before.reversed().prefix { $0 == 0 }.count
            #expect(after.prefix(end) == before.prefix(end))
            #expect(after.count - after.count / 64 * 64 == 0)
            before = after
        }
        #expect(!disk.trace.calls.contains { $0.operation == .truncate })
    }

    /// A process that had replaced the file and stopped before the directory was synced left a name that a power
    /// failure could take back, with all that others had appended to the new file by then.
    @Test func `the name of a file replaced by another process is durable before an append`() throws {
        let disk = SimulatedDisk(files: ["/home/other": []])
        let sample = try StoreSample(at: "/home/vault.coffer", files: disk, user: 1000)
        try sample.store.add("kim", "mail", "x")
        let other = try sample.reopened()
        try other.add("kim", "shop", "x")
        do {
            // The process stops because of the disk error, which releases the lock.
            let stopped = try sample.reopened()
            disk.inject(SimulatedFault(.failure(.inputOutput), atCall: 2, of: .sync))
            #expect(throws: StoreError.self) { try stopped.compact() }
            disk.removeFaults()
        }
        let calls = disk.callCount
        try other.add("kim", "late", "x")
        let later = disk.trace.calls[calls...]
        let sync = try #require(later.firstIndex { $0.operation == .sync && $0.path == "/home" })
        #expect(sync < later.firstIndex { $0.operation == .write } ?? 0)
        #expect(try other.passwords() == ["kim mail x", "kim shop x", "kim late x"])
    }
}
