import CofferBasics
import Foundation
import TestSupport
import Testing
import VaultFiles
import VaultFormat
import VaultStore

@Suite("Compaction in the background", .temporaryDirectory) struct BackgroundCompactionTests {
    private let files = HookedFiles()
    private let sample: StoreSample

    init() throws {
        var options = StoreOptions()
        options.dueCompaction = .inBackground
        options.logByteCountLimit = 8192
        sample = try StoreSample(
            at: TemporaryDirectory.current.appending(path: "vault.coffer").path,
            files: files,
            options: options
        )
    }

    private var generation: UInt64 {
        get throws { try sample.store.read { vault in vault.header.generation } }
    }

    private var fileNames: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: TemporaryDirectory.current.path) }
    }

    /// Makes the log longer than its limit, which starts a compaction.
    private func fillLog() throws {
        try sample.store.transaction { transaction in
            for number in 0..<20 { _ = try transaction.addLogin("kim \(number)", "service", "secret") }
        }
    }

    @Test func `a due compaction runs on a thread of its own, and the change does not wait for it`() throws {
        let (begun, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        files.setHook { operation, _ throws(FileError) in
            guard operation == .create else { return }
            begun.signal()
            mayGoOn.wait()
        }
        // This would never return if it compacted on this thread.
        try fillLog()
        begun.wait()
        #expect(try generation == 1)
        try sample.store.transaction { transaction in
            _ = try transaction.addLogin("lee", "service", "secret")
        }
        mayGoOn.signal()
        while try generation == 1 { usleep(1000) }
        #expect(try sample.store.passwords().count == 21)
        #expect(try sample.reopened().passwords().count == 21)
    }

    @Test func `a compaction that is asked for takes the place of one in the background`() throws {
        let (begun, store) = (DispatchSemaphore(value: 0), sample.store)
        let isFirst = Guarded(true)
        files.setHook { operation, _ throws(FileError) in
            guard operation == .create else { return }
            let isBackground = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            // Long enough that the other one starts meanwhile, and that the first one could end while that runs.
            if isBackground { begun.signal() }
            usleep(isBackground ? 20_000 : 100_000)
        }
        try fillLog()
        begun.wait()
        let report = try store.compact()
        #expect(try generation == report.generation)
        #expect(try fileNames == ["vault.coffer"])
        #expect(try store.passwords().count == 20)
    }

    @Test func `no compaction uses keys once the vault is locked`() throws {
        let begun = DispatchSemaphore(value: 0)
        files.setHook { operation, _ throws(FileError) in
            guard operation == .create else { return }
            begun.signal()
            // Long enough that locking has to wait.
            usleep(20_000)
        }
        try fillLog()
        begun.wait()
        sample.store.lock()
        #expect(try fileNames == ["vault.coffer"])
        let generation = try generation
        let callCount = files.calls.count
        usleep(20_000)
        #expect(files.calls.count == callCount)
        #expect(try self.generation == generation)
    }

    @Test func `a canceled compaction leaves nothing behind, and the next change starts another one`() throws {
        let (begun, store) = (DispatchSemaphore(value: 0), sample.store)
        let isFirst = Guarded(true)
        files.setHook { operation, _ throws(FileError) in
            guard operation == .create,
                isFirst.withLock({ isFirst in
                    defer { isFirst = false }
                    return isFirst
                })
            else { return }
            store.cancelBackgroundCompaction()
            begun.signal()
        }
        try fillLog()
        begun.wait()
        while try fileNames != ["vault.coffer"] { usleep(1000) }
        #expect(try generation == 1)
        #expect(store.compactionFailure == nil)
        while try generation == 1 {
            try store.transaction { transaction in
                _ = try transaction.addLogin("\(UInt64.random(in: 0 ... .max))", "service", "secret")
            }
        }
    }
}
