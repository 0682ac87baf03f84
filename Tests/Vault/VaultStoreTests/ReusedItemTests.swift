import Foundation
import KeyedArchive
import TestSupport
import Testing
import VaultFormat
import VaultStore

/// An item that is used after the file was replaced since it was found.
///
/// Its place in the log was mistaken for a place in the log of the new file: a process that found an item, and changed
/// it after another process had compacted the vault, crashed with an index out of range.
@Suite("Items that were found earlier") struct ReusedItemTests {
    private func sample() throws -> StoreSample {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        _ = try sample.store.transaction { transaction in
            _ = try transaction.addLogin("kim", "shop", "other")
            return try transaction.addLogin("kim", "mail", "sesame")
        }
        return sample
    }

    @Test(.temporaryDirectory) func `an item found before a compaction still has its attributes and data`()
        throws
    {
        let sample = try sample()
        let inLog = try #require(try sample.store.item("kim", "mail"))
        try sample.store.compact()
        #expect(try sample.store.text(of: inLog) == "sesame")
        let inSnapshot = try #require(try sample.store.item("kim", "mail"))
        try sample.store.compact()
        #expect(try sample.store.text(of: inSnapshot) == "sesame")
        #expect(try sample.store.attributes(of: inLog)["acct"] == .string("kim"))
    }

    @Test(.temporaryDirectory) func `an item found before a compaction can be changed and keep its data`()
        throws
    {
        let sample = try sample()
        let item = try #require(try sample.store.item("kim", "mail"))
        try sample.store.compact()
        try sample.store.transaction { transaction in
            try transaction.update(item, attributes: try loginAttributes("kim", "mail", label: "new"), secret: .keep)
        }
        #expect(try sample.store.password("kim", "mail") == "sesame")
    }

    @Test(.temporaryDirectory) func `the data of an item changed or deleted since is not that of another item`()
        throws
    {
        let sample = try sample()
        let changed = try #require(try sample.store.item("kim", "mail"))
        let deleted = try #require(try sample.store.item("kim", "shop"))
        try sample.store.transaction { transaction in
            let secret: [UInt8] = [1]
            try transaction.update(
                changed,
                attributes: try loginAttributes("kim", "mail"),
                secret: .replace(secret.span)
            )
            try transaction.delete(deleted)
        }
        try sample.store.compact()
        #expect(throws: StoreError.revisionDiffers(changed.name, current: 2)) { try sample.store.text(of: changed) }
        #expect(throws: StoreError.noSuchItem(deleted.name)) { try sample.store.text(of: deleted) }
    }

    @Test(.temporaryDirectory) func `a past revision found before a compaction can be restored after it`()
        throws
    {
        let sample = try sample()
        try sample.store.transaction { transaction in
            var settings = Settings(revision: 0, values: [:])
            settings.historyDays = 30
            try transaction.change(settings)
        }
        try sample.store.compact()
        let item = try #require(try sample.store.item("kim", "mail"))
        try sample.store.transaction { transaction in try transaction.delete(item) }
        let past = try #require(
            try sample.store.read { vault in
                try vault.revisions(of: item.name).first
            }
        )
        try sample.store.compact()
        try sample.store.transaction { transaction in try transaction.restore(past) }
        #expect(try sample.store.password("kim", "mail") == "sesame")
    }
}
