import Foundation
import TestSupport
import Testing
import VaultFiles
import VaultFormat
import VaultStore

@Suite("Watching for changes") struct ChangeWatchTests {
    private func sample() throws -> StoreSample {
        try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
    }

    @discardableResult
    private func add(_ account: String, to store: VaultStore) throws -> ItemName {
        try store.transaction { transaction in
            try transaction.addLogin(account, "service", "secret")
        }
    }

    @Test(.temporaryDirectory) func `earlier changes are not reported`() throws {
        let sample = try sample()
        try add("kim", to: sample.store)
        #expect(try sample.store.watch().next(timeout: .zero) == nil)
    }

    @Test(.temporaryDirectory) func `changes by others are reported together, by name, once`() throws {
        let sample = try sample()
        let watch = try sample.store.watch()
        let other = try sample.reopened()
        let names = [try add("kim", to: other), try add("ada", to: other)]
        #expect(try watch.next(timeout: .seconds(10)) == .items(Set(names)))
        #expect(try watch.next(timeout: .zero) == nil)
    }

    @Test(.temporaryDirectory) func `a wait ends when the vault changes`() async throws {
        let sample = try sample()
        let watch = try sample.store.watch(polling: .seconds(60))
        let other = try sample.reopened()
        async let change = Task.detached { try watch.next(timeout: .seconds(30)) }.value
        let name = try add("kim", to: other)
        #expect(try await change == .items([name]))
    }

    @Test(.temporaryDirectory) func `a delete is a change`() throws {
        let sample = try sample()
        let name = try add("kim", to: sample.store)
        let watch = try sample.store.watch()
        try sample.store.transaction { transaction in
            guard let item = try transaction.vault.item(name) else { throw StoreError.noSuchItem(name) }
            try transaction.delete(item)
        }
        #expect(try watch.next(timeout: .zero) == .items([name]))
    }

    @Test(.temporaryDirectory) func `a compaction alone is not a change`() throws {
        let sample = try sample()
        try add("kim", to: sample.store)
        let watch = try sample.store.watch()
        try sample.reopened().compact()
        #expect(try watch.next(timeout: .zero) == nil)
    }

    @Test(.temporaryDirectory) func `changes absorbed by a compaction are reported as everything`() throws {
        let sample = try sample()
        let watch = try sample.store.watch()
        let other = try sample.reopened()
        try add("kim", to: other)
        try other.compact()
        #expect(try watch.next(timeout: .seconds(10)) == .everything)
    }

    @Test(.temporaryDirectory) func `watching a vault that vanished fails`() throws {
        let sample = try sample()
        let watch = try sample.store.watch()
        try FileManager.default.removeItem(atPath: sample.path)
        let error = try #require(throws: StoreError.self) { try watch.next(timeout: .zero) }
        guard case .file(let failure) = error else { return #expect(Bool(false), "\(error)") }
        #expect(failure.reason == .notFound)
    }

    @Test(.temporaryDirectory) func `another thread can end the wait`() async throws {
        let watch = try sample().store.watch(polling: .seconds(60))
        async let change = Task.detached { try watch.next(timeout: .seconds(30)) }.value
        watch.stop()
        #expect(try await change == nil)
    }
}
