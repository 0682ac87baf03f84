import CofferBasics
import Foundation
import KeyedArchive
import Testing
import TestSupport
import VaultFiles
import VaultFormat

@testable import VaultStore

@Suite("Transactions") struct TransactionTests {
    private let directory = "/home"

    private func sample(_ files: any FileSystem = LinuxFileSystem()) throws -> StoreSample {
        try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path, files: files)
    }

    private func bytes(_ sample: StoreSample) throws -> Data { try Data(contentsOf: URL(filePath: sample.path)) }

    @Test(.temporaryDirectory) func `an error of the body is rethrown, and nothing has changed`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "sesame")
        let (before, passwords) = (try bytes(sample), try sample.store.passwords())
        let item = try #require(try sample.store.item("kim", "mail"))
        #expect(throws: StoreError.abandoned) {
            try sample.store.transaction { transaction in
                try transaction.addLogin("kim", "shop", "x")
                try transaction.addLogin("kim", "shop", "x", group: Array("other".utf8), protection: .always)
                try transaction.delete(item)
                try transaction.addLogin("kim", "mail", "again")
                throw StoreError.abandoned
            }
        }
        #expect(try bytes(sample) == before)
        #expect(try sample.store.passwords() == passwords)
        #expect(try sample.store.item("kim", "mail") == item)
        try sample.store.add("kim", "shop", "y")
        #expect(try sample.store.passwords() == ["kim mail sesame", "kim shop y"])
        #expect(try sample.reopened().passwords() == ["kim mail sesame", "kim shop y"])
    }

    @Test(.temporaryDirectory) func `a rollback to a savepoint undoes later changes and keeps the rest`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "sesame")
        let item = try #require(try sample.store.item("kim", "mail"))
        try sample.store.transaction { transaction in
            try transaction.addLogin("kim", "shop", "x")
            let savepoint = transaction.savepoint()
            try transaction.addLogin("lee", "mail", "x", group: Array("other".utf8), protection: .always)
            try transaction.delete(item)
            try transaction.addLogin("kim", "mail", "again")
            var settings = Settings(revision: 0, values: .init())
            settings.historyDays = 5
            try transaction.change(settings)
            transaction.rollBack(to: savepoint)
            try transaction.update(item, attributes: loginAttributes("kim", "mail"), secret: .remove)
        }
        for store in [sample.store, try sample.reopened()] {
            #expect(try store.passwords() == ["kim mail -", "kim shop x"])
            let (groups, days) = try store.read { vault in
                (vault.groupNames.count, vault.settings?.historyDays)
            }
            #expect(groups == 1 && days == nil)
        }
    }

    @Test(.temporaryDirectory) func `a transaction that fails leaves no record, key, setting or garbage`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "sesame")
        let item = try #require(try sample.store.item("kim", "mail"))
        let count = try sample.store.read { vault in vault.log.entries.count }
        #expect(throws: StoreError.abandoned) {
            try sample.store.transaction { transaction in
                try transaction.addLogin("lee", "mail", "x", group: Array("other".utf8), protection: .always)
                try transaction.delete(item)
                var settings = Settings(revision: 0, values: .init())
                settings.historyDays = 5
                try transaction.change(settings)
                throw StoreError.abandoned
            }
        }
        try sample.store.read { vault in
            #expect(vault.log.entries.count == count && vault.groupNames.count == 1)
            #expect(vault.settings == nil && vault.oldestGarbageTime == nil)
        }
        let current = try #require(try sample.store.item("kim", "mail"))
        try sample.store.update(current, "kim", "mail", secret: "second")
        try sample.store.read { vault in #expect(vault.oldestGarbageTime != nil) }
    }

    @Test(.temporaryDirectory) func `data beyond the limit is refused, with the whole transaction`() throws {
        let sample = try sample()
        let before = try bytes(sample)
        let data = [UInt8](repeating: 1, count: 1_048_577)
        #expect(throws: StoreError.refused(.limitExceeded(.secret, value: 1_048_577))) {
            try sample.store.transaction { transaction in
                try transaction.addLogin("kim", "shop", "x")
                _ = try transaction.add(
                    try loginAttributes("kim", "mail"),
                    secret: data.span,
                    group: StoreSample.group,
                    protection: .whenUnlocked
                )
            }
        }
        #expect(try bytes(sample) == before)
        #expect(try sample.store.passwords() == [])
    }

    @Test(.temporaryDirectory) func `data of exactly the limit is accepted`() throws {
        let sample = try sample()
        let text = String(repeating: "x", count: 1_048_576)
        try sample.store.add("kim", "mail", text)
        #expect(try sample.reopened().password("kim", "mail") == text)
    }

    @Test(.temporaryDirectory) func `more records than a transaction may have are refused, and nothing has changed`()
        throws
    {
        let sample = try sample()
        let before = try bytes(sample)
        let text = String(repeating: "x", count: 1_048_576)
        let error = #expect(throws: StoreError.self) {
            try sample.store.transaction { transaction in
                for number in 0..<17 { try transaction.addLogin("kim", "service \(number)", text) }
            }
        }
        guard case .refused(.limitExceeded(.transaction, let value)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(value > 16_777_216)
        #expect(try bytes(sample) == before)
        #expect(try sample.store.passwords() == [])
        try sample.store.add("kim", "mail", "x")
        #expect(try sample.reopened().passwords() == ["kim mail x"])
    }

    @Test(.temporaryDirectory) func `a duplicate in the middle undoes the whole transaction`() throws {
        let sample = try sample()
        let duplicate = try sample.store.add("kim", "mail", "sesame")
        #expect(throws: StoreError.duplicate(duplicate)) {
            try sample.store.transaction { transaction in
                try transaction.addLogin("kim", "first", "x")
                try transaction.addLogin("kim", "mail", "x")
                try transaction.addLogin("kim", "last", "x")
            }
        }
        #expect(try sample.reopened().passwords() == ["kim mail sesame"])
    }

    @Test(.temporaryDirectory) func `changes are seen by their own transaction at once, and by others when it ends`()
        throws
    {
        let sample = try sample()
        let other = try sample.reopened()
        let (inside, outside) = try sample.store.transaction { (transaction) throws -> (Int, Int) in
            try transaction.addLogin("kim", "mail", "sesame")
            let group = transaction.vault.keyring.group(named: StoreSample.group)?.group ?? .none
            let outside = (try? other.passwords().count) ?? -1
            return (try transaction.vault.items(in: group).count, outside)
        }
        #expect(inside == 1)
        #expect(outside == 0)
        #expect(try other.passwords() == ["kim mail sesame"])
    }

    @Test(.temporaryDirectory) func `items keep the order in which they were added, within and across transactions`()
        throws
    {
        let sample = try sample()
        for first in [0, 3] {
            try sample.store.transaction { transaction in
                for number in first..<first + 3 { try transaction.addLogin("\(9 - number)", "mail", nil) }
            }
        }
        let expected = (0..<6).map { "\(9 - $0) mail -" }
        #expect(try sample.store.passwords() == expected)
        #expect(try sample.reopened().passwords() == expected)
    }

    @Test(.temporaryDirectory) func `the keys of a group are created once, and again after a failure`() throws {
        let sample = try sample()
        func dataKeyCount(_ store: VaultStore) throws -> Int {
            try store.read { vault in vault.keyring.dataKeyEntries.count }
        }
        #expect(throws: StoreError.abandoned) {
            try sample.store.transaction { transaction in
                try transaction.addLogin("kim", "mail", "x")
                throw StoreError.abandoned
            }
        }
        #expect(try dataKeyCount(sample.store) == 0)
        for number in 0..<3 { try sample.store.add("kim", "\(number)", "x") }
        #expect(try dataKeyCount(sample.store) == 1)
        try sample.store.transaction { transaction in
            try transaction.addLogin("kim", "3", "x", protection: .always)
            try transaction.addLogin("kim", "4", "x", protection: .always)
        }
        #expect(try dataKeyCount(sample.store) == 2)
        #expect(try dataKeyCount(sample.reopened()) == 2)
        #expect(try sample.reopened().passwords().count == 5)
    }

    @Test(.temporaryDirectory) func `two groups may have items with the same primary key`() throws {
        let sample = try sample()
        let other = Array("com.example.other".utf8)
        try sample.store.transaction { transaction in
            try transaction.addLogin("kim", "mail", "one")
            try transaction.addLogin("kim", "mail", "two", group: other)
        }
        for store in [sample.store, try sample.reopened()] {
            #expect(try store.text(of: #require(try store.item("kim", "mail"))) == "one")
            #expect(try store.text(of: #require(try store.item("kim", "mail", group: other))) == "two")
            let names = try store.read { vault in Set(vault.groupNames.values) }
            #expect(names == [StoreSample.group, other])
        }
    }

    @Test(.temporaryDirectory) func `a transaction that changes nothing writes and syncs nothing`() throws {
        let files = HookedFiles()
        let sample = try sample(files)
        try sample.store.add("kim", "mail", "x")
        let (before, syncs, writes) = (try bytes(sample), files.count(.sync), files.count(.write))
        try sample.store.transaction { _ in }
        #expect(files.count(.sync) == syncs)
        #expect(files.count(.write) == writes)
        #expect(try bytes(sample) == before)
    }
}
