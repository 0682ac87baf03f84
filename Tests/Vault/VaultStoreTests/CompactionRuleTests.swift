import Foundation
import TestSupport
import Testing
import VaultFormat
import VaultStore

@Suite("When a compaction is due") struct CompactionRuleTests {
    private static let hour: UInt64 = 3_600_000_000_000

    private struct Sample {
        let time = ManualTime()
        let sample: StoreSample

        init() throws {
            sample = try StoreSample(
                at: TemporaryDirectory.current.appending(path: "vault.coffer").path,
                time: time
            )
        }

        var generation: UInt64 {
            get throws { try sample.store.read { vault in vault.header.generation } }
        }

        func add(_ account: String, secret: String = "secret") throws -> ItemName {
            try sample.store.transaction { transaction in
                try transaction.addLogin(account, "service", secret)
            }
        }

        func delete(_ name: ItemName) throws {
            try sample.store.transaction { transaction in
                guard let item = try transaction.vault.item(name) else { throw StoreError.noSuchItem(name) }
                try transaction.delete(item)
            }
        }
    }

    @Test(.temporaryDirectory) func `a short log without garbage is not compacted`() throws {
        let sample = try Sample()
        _ = try sample.add("kim")
        sample.time.advance(nanoseconds: 1000 * Self.hour)
        _ = try sample.add("ada")
        #expect(try sample.sample.store.compactionReason() == nil)
        #expect(try sample.generation == 1)
    }

    @Test(.temporaryDirectory) func `a program can set a lower limit for the log`() throws {
        let sample = try Sample()
        var options = StoreOptions()
        options.logByteCountLimit = 8192
        let roots = sample.sample.roots
        let store = try VaultStore.open(
            at: sample.sample.store.path,
            environment: sample.sample.store.environment,
            options: options
        ) { _ in roots }
        var generation: UInt64 = 1
        for number in 0..<100 where generation == 1 {
            try store.transaction { transaction in
                _ = try transaction.addLogin("kim \(number)", "service", "secret")
            }
            let (now, byteCount) = try store.read { vault in
                (vault.header.generation, vault.position.offset - vault.header.logOffset)
            }
            #expect(byteCount <= 8192)
            generation = now
        }
        #expect(generation == 2)
    }

    @Test(.temporaryDirectory) func `an item deleted a day ago is dropped with the next change`() throws {
        let sample = try Sample()
        let name = try sample.add("kim")
        try sample.delete(name)
        sample.time.advance(nanoseconds: 24 * Self.hour)
        _ = try sample.add("ada")
        #expect(try sample.generation == 1)
        sample.time.advance(nanoseconds: Self.hour)
        #expect(try sample.sample.store.compactionReason() != nil)
        _ = try sample.add("bo")
        #expect(try sample.generation == 2)
        let past = try sample.sample.store.read { vault in try vault.revisions(of: name).count }
        #expect(past == 0)
    }

    @Test(.temporaryDirectory) func `a log of more than 192 KiB after a small snapshot is compacted`() throws {
        let sample = try Sample()
        let secret = String(repeating: "x", count: 60 << 10)
        for account in ["a", "b", "c"] { _ = try sample.add(account, secret: secret) }
        #expect(try sample.generation == 1)
        _ = try sample.add("d", secret: secret)
        #expect(try sample.generation == 2)
        #expect(try sample.sample.store.passwords().count == 4)
    }

    @Test(.temporaryDirectory) func `after a large snapshot the log may have an eighth of its size`() throws {
        let sample = try Sample()
        for account in ["a", "b", "c", "d"] {
            _ = try sample.add(account, secret: String(repeating: "x", count: 1 << 20))
        }
        let first = try sample.generation
        var lengths: [Int] = []
        while try sample.generation == first {
            _ = try sample.add("e \(lengths.count)", secret: String(repeating: "x", count: 60 << 10))
            lengths.append(
                try sample.sample.store.read { vault in
                    vault.position.offset - vault.header.logOffset
                }
            )
        }
        // The last change compacted the log away.
        let eighth = 4 * (1 << 20) / 8
        #expect((eighth - (1 << 17)...eighth + (1 << 17)).contains(lengths.dropLast().last ?? 0))
        #expect(lengths.last == 0)
    }

    @Test(.temporaryDirectory) func `a program can turn automatic compaction off`() throws {
        let time = ManualTime()
        var options = StoreOptions()
        options.dueCompaction = .never
        let sample = try StoreSample(
            at: TemporaryDirectory.current.appending(path: "vault.coffer").path,
            time: time,
            options: options
        )
        for account in ["a", "b"] {
            let name = try sample.store.transaction { transaction in
                try transaction.addLogin(account, "service", "x")
            }
            try sample.store.transaction { transaction in
                guard let item = try transaction.vault.item(name) else { throw StoreError.noSuchItem(name) }
                try transaction.delete(item)
            }
            time.advance(nanoseconds: 25 * Self.hour)
        }
        #expect(try sample.store.compactionReason() != nil)
        #expect(try sample.store.read { vault in vault.header.generation } == 1)
    }
}
