import CofferBasics
import Foundation
import Testing
import TestSupport
import VaultFiles
import VaultFormat
import VaultStore

@Suite("Threads") struct ThreadTests {
    private func add(_ account: String, to store: VaultStore, _ durability: Durability = .full) throws {
        _ = try store.transaction(durability: durability) { transaction in
            try transaction.addLogin(account, "mail", account)
        }
    }

    @Test(.temporaryDirectory) func `many threads can add items at once, with fewer syncs than adds`() throws {
        let files = HookedFiles()
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        let sample = try StoreSample(at: path, files: files)
        // As slow as a real disk, so that others arrive while one thread waits for it.
        files.setHook { operation, _ throws(FileError) in if operation == .sync { usleep(3000) } }
        let before = files.count(.sync)
        try inThreads(8) { thread in
            for number in 0..<10 { try add("\(thread) \(number)", to: sample.store) }
        }
        #expect(files.count(.sync) - before < 80)
        let expected = (0..<80).map { "\($0 / 10) \($0 % 10) mail \($0 / 10) \($0 % 10)" }
        #expect(Set(try sample.store.passwords()) == Set(expected))
        #expect(Set(try sample.reopened().passwords()) == Set(expected))
    }

    /// A thread that joined the holders of the lock wrote before the first of them had read what others had appended,
    /// and overwrote it.
    @Test(.temporaryDirectory, arguments: 0..<3)
    func `threads of two stores never overwrite what the other has appended`(round: Int) throws {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        let stores = [sample.store, try sample.reopened()]
        try inThreads(12) { thread in
            for number in 0..<40 {
                guard thread < 8 else {
                    // A busy reader makes the others queue between taking the lock and checking the file.
                    _ = try stores[thread % 2].read { _ in usleep(200) }
                    continue
                }
                try add("\(thread) \(number)", to: stores[thread % 2], number % 4 == 0 ? .full : .relaxed)
                if number % 20 == 19, thread < 2 { _ = try? stores[thread].compact() }
            }
        }
        let expected = (0..<320).map { "\($0 / 40) \($0 % 40) mail \($0 / 40) \($0 % 40)" }
        for store in stores + [try sample.reopened()] { #expect(Set(try store.passwords()) == Set(expected)) }
    }

    @Test(.temporaryDirectory) func `reading threads see only whole transactions`() throws {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        let reader = try sample.reopened()
        try inThreads(4) { thread in
            for number in 0..<25 {
                guard thread == 0 else {
                    let count = try (thread == 1 ? sample.store : reader).passwords().count
                    guard count.isMultiple(of: 2) else { throw StoreError.abandoned }
                    continue
                }
                try sample.store.transaction(durability: .relaxed) { transaction in
                    try transaction.addLogin("a \(number)", "mail", "x")
                    try transaction.addLogin("b \(number)", "mail", "x")
                }
            }
        }
        #expect(try reader.passwords().count == 50)
    }

    /// A disk that has lost data reports that once, to the first that asks: a second sync would succeed.
    @Test(.temporaryDirectory) func `a thread waiting for a sync that fails gets the error, without another sync`()
        throws
    {
        let files = HookedFiles()
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        // The time stands still, since a second thread joins the first only for a while.
        let sample = try StoreSample(at: path, files: files, time: ManualTime())
        try add("first", to: sample.store)
        let failure = FileError(.sync, path, reason: .inputOutput)
        let (isSyncing, isWriting) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let syncCount = files.count(.sync)
        files.setHook { [unowned files] operation, _ throws(FileError) in
            switch (operation, files.count(.sync) - syncCount) {
            case (.write, 1): isWriting.signal()
            case (.sync, 1):
                isSyncing.signal()
                #expect(isWriting.wait(timeout: .now() + 60) == .success)
                throw failure
            default: break
            }
        }
        let errors = Errors()
        try inThreads(2) { thread in
            if thread == 1 { try #require(isSyncing.wait(timeout: .now() + 60) == .success) }
            do {
                try add("of thread \(thread)", to: sample.store)
            } catch let error as StoreError {
                errors.all.withLock { $0.append(error) }
            }
        }
        #expect(errors.all.withLock(\.self) == [.syncFailed(failure), .syncFailed(failure)])
        #expect(files.count(.sync) == syncCount + 1)
        for store in [sample.store, try sample.reopened()] { #expect(try store.passwords() == ["first mail first"]) }
        try add("last", to: sample.store)
        #expect(try sample.reopened().passwords() == ["first mail first", "last mail last"])
    }

    /// While this thread syncs, another learns that what this one wrote is lost, so its own sync proves nothing.
    @Test(.temporaryDirectory) func `a sync that succeeds after another has failed does not count`() throws {
        let files = HookedFiles()
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        let sample = try StoreSample(at: path, files: files, time: ManualTime())
        try add("first", to: sample.store)
        let (full, lost) = (FileError(.write, path, reason: .diskFull), FileError(.sync, path, reason: .inputOutput))
        let (isSyncing, hasFailed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (syncCount, writeCount) = (files.count(.sync), files.count(.write))
        files.setHook { [unowned files] operation, _ throws(FileError) in
            switch (operation, files.count(.sync) - syncCount, files.count(.write) - writeCount) {
            case (.sync, 1, _):
                isSyncing.signal()
                #expect(hasFailed.wait(timeout: .now() + 60) == .success)
            // The second thread cannot write, so it syncs what is there before it retries; that fails.
            case (.write, _, 2): throw full
            case (.sync, 2, _): throw lost
            default: break
            }
        }
        let errors = Errors()
        try inThreads(2) { thread in
            if thread == 1 {
                defer { hasFailed.signal() }
                try #require(isSyncing.wait(timeout: .now() + 60) == .success)
                #expect(throws: StoreError.file(full)) { try add("full", to: sample.store) }
                #expect(throws: StoreError.syncFailed(lost)) { try add("lost", to: sample.store) }
            } else {
                do {
                    try add("of the first thread", to: sample.store)
                } catch let error as StoreError {
                    errors.all.withLock { $0.append(error) }
                }
            }
        }
        #expect(errors.all.withLock(\.self) == [.syncFailed(lost)])
    }
}

private final class Errors: Sendable {
    let all = Guarded<[StoreError]>([])
}
