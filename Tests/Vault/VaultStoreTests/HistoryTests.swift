import CofferBasics
import Foundation
import KeyedArchive
import Testing
import TestSupport
import VaultFormat
@testable import VaultStore

/// The past of items, as far as the vault has kept it.
@Suite("History") struct HistoryTests {
    private static let day: UInt64 = 24 * 3600 * 1_000_000_000
    private let time = ManualTime()

    /// A vault with an item whose data was "1", "2", … in transactions 1, 2, …, a day apart.
    private func sample(revisions count: Int) throws -> (sample: StoreSample, name: ItemName) {
        var options = StoreOptions()
        options.dueCompaction = .never
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        let sample = try StoreSample(at: path, time: time, options: options)
        let name = try sample.store.add("kim", "mail", "1")
        for number in 2..<count + 1 {
            time.advance(nanoseconds: Self.day)
            let item = try #require(try sample.store.item("kim", "mail"))
            try sample.store.update(item, "kim", "mail", secret: "\(number)")
        }
        return (sample, name)
    }

    private func keep(_ store: VaultStore, revisions: Int? = nil, days: Int? = nil) throws {
        try store.transaction { transaction in
            var settings = Settings(revision: 0, values: [:])
            settings.historyRevisions = revisions
            settings.historyDays = days
            try transaction.change(settings)
        }
    }

    // Whoever has the match key can append such a put as often as they like; a section has a revision once.
    @Test(.temporaryDirectory) func `a past revision that was appended several times is kept once`() throws {
        let (sample, name) = try sample(revisions: 2)
        try keep(sample.store, revisions: 5)
        try sample.store.transaction { transaction in
            let past = try #require(try transaction.vault.revisions(of: name).last)
            guard case .put(let put, let match) = past.content,
                let keys = try transaction.vault.matchKeys(of: past.group)
            else { throw StoreError.noSuchItem(name) }
            var provenance = put.provenance
            provenance.isPast = true
            for _ in 0..<2 {
                let (again, content) = put.resealed(provenance, match: match, keys: keys)
                try transaction.append(again, ItemMatch(content), about: name, in: past.group)
            }
        }
        try sample.store.compact()
        #expect(try texts(sample.store, name) == ["2", "1"])
        #expect(try sample.store.verify().isIntact)
        #expect(try horizon(sample.store) == 0)
    }

    /// The data of all revisions of an item, newest first.
    private func texts(_ store: VaultStore, _ name: ItemName) throws -> [String] {
        try store.read { vault in
            var texts: [String] = []
            for revision in try vault.revisions(of: name) { texts.append(try vault.secret(of: revision).text ?? "-") }
            return texts
        }
    }

    /// The data of all items at a point in the past, and whether nothing is missing.
    private func state(_ store: VaultStore, at point: PastPoint) throws -> (texts: [String], isComplete: Bool) {
        try store.read { vault in
            let group = vault.keyring.group(named: StoreSample.group)?.group ?? .none
            let state = try vault.items(in: group, at: point)
            var texts: [String] = []
            for item in state.items { texts.append(try vault.secret(of: item).text ?? "-") }
            return (texts, state.isComplete)
        }
    }

    private func horizon(_ store: VaultStore) throws -> UInt64 {
        try store.read { vault in vault.historySince.sequence }
    }

    @Test(.temporaryDirectory) func `the revisions of an item are kept until a compaction, newest first`() throws {
        let (sample, name) = try sample(revisions: 3)
        for store in [sample.store, try sample.reopened()] {
            #expect(try texts(store, name) == ["3", "2", "1"])
            let moments = try store.read { vault in
                try vault.revisions(of: name).map { [$0.written.sequence, $0.ended?.sequence] }
            }
            #expect(moments == [[3, nil], [2, 3], [1, 2]])
        }
        try sample.store.compact()
        #expect(try texts(sample.store, name) == ["3"])
    }

    @Test(.temporaryDirectory) func `a deleted item has only past revisions`() throws {
        let (sample, name) = try sample(revisions: 2)
        try sample.store.delete(try #require(try sample.store.item("kim", "mail")))
        let ends = try sample.store.read { vault in
            try vault.revisions(of: name).map { $0.ended?.sequence }
        }
        #expect(ends == [3, 2])
    }

    @Test(.temporaryDirectory, arguments: [false, true])
    func `the state after each transaction and at each time can be read`(isCompacted: Bool) throws {
        let (sample, _) = try sample(revisions: 3)
        try keep(sample.store, days: 100)
        let start = ManualTime().wallMicroseconds()
        try sample.store.add("kim", "shop", "shop")
        try sample.store.delete(try #require(try sample.store.item("kim", "mail")))
        if isCompacted { try sample.store.compact() }
        let expected: [[String]] = [[], ["1"], ["2"], ["3"], ["3"], ["3", "shop"], ["shop"]]
        for (sequence, texts) in expected.enumerated() {
            let found = try state(sample.store, at: .sequence(UInt64(sequence)))
            #expect(found.texts == texts, "\(sequence)")
            #expect(found.isComplete)
        }
        for (day, texts) in [[], ["1"], ["2"]].enumerated() {
            let moment = start + Int64(day) * Int64(Self.day / 1000) - 1
            #expect(try state(sample.store, at: .time(Time(microseconds: moment))).texts == texts)
        }
    }

    @Test(.temporaryDirectory) func `a compaction that drops revisions records where the history starts`() throws {
        let (sample, _) = try sample(revisions: 3)
        #expect(try horizon(sample.store) == 0)
        let report = try sample.store.compact()
        #expect(report.droppedRevisionCount == 2)
        #expect(try horizon(sample.store) == 3, "the last dropped revision ended with transaction 3")
        #expect(try state(sample.store, at: .sequence(2)).isComplete == false)
        #expect(try state(sample.store, at: .sequence(3)) == (["3"], true))
        try sample.store.add("kim", "shop", "x")
        try sample.store.compact()
        #expect(try horizon(sample.store) == 3, "nothing was dropped")
    }

    @Test(.temporaryDirectory, arguments: [0, 1, 2, 5])
    func `a compaction keeps as many past revisions as the settings say`(count: Int) throws {
        let (sample, name) = try sample(revisions: 5)
        try keep(sample.store, revisions: count)
        for _ in 0..<2 {
            try sample.store.compact()
            #expect(try texts(sample.reopened(), name) == Array(["5", "4", "3", "2", "1"].prefix(1 + count)))
            // Revision n ended with transaction n + 1.
            #expect(try horizon(sample.store) == (count >= 4 ? 0 : UInt64(5 - count)))
        }
    }

    @Test(.temporaryDirectory) func `a compaction keeps past revisions as long as the settings say`() throws {
        let (sample, name) = try sample(revisions: 5)
        try keep(sample.store, days: 2)
        // The revisions ended 3, 2, 1 and 0 days ago.
        try sample.store.compact()
        #expect(try texts(sample.store, name) == ["5", "4", "3"])
        time.advance(nanoseconds: Self.day)
        try sample.store.compact()
        #expect(try texts(sample.store, name) == ["5", "4"])
        time.advance(nanoseconds: 10 * Self.day)
        try sample.store.compact()
        #expect(try texts(sample.reopened(), name) == ["5"])
    }

    @Test(.temporaryDirectory, arguments: [false, true])
    func `a past revision is restored as a new one, in its old place`(isCompacted: Bool) throws {
        let (sample, name) = try sample(revisions: 3)
        try keep(sample.store, days: 100)
        try sample.store.add("kim", "shop", "shop")
        if isCompacted { try sample.store.compact() }
        let past = try #require(
            try sample.store.read { vault in
                try vault.revisions(of: name).last
            }
        )
        try sample.store.transaction { transaction in try transaction.restore(past) }
        #expect(try sample.reopened().passwords() == ["kim mail 1", "kim shop shop"])
        #expect(try texts(sample.reopened(), name) == ["1", "3", "2", "1"])
        #expect(try #require(try sample.store.item("kim", "mail")).revision.number > 3)
    }

    @Test(.temporaryDirectory, arguments: [0, 1, 2])
    func `a deleted item is restored in its old place if its primary key is free`(compactionCount: Int) throws {
        let (sample, name) = try sample(revisions: 2)
        try keep(sample.store, days: 100)
        try sample.store.add("kim", "shop", "shop")
        try sample.store.delete(try #require(try sample.store.item("kim", "mail")))
        for _ in 0..<compactionCount { try sample.store.compact() }
        let past = try #require(
            try sample.store.read { vault in
                try vault.revisions(of: name).first
            }
        )
        let duplicate = try sample.store.add("kim", "mail", "duplicate")
        #expect(throws: StoreError.duplicate(duplicate)) {
            try sample.store.transaction { transaction in try transaction.restore(past) }
        }
        try sample.store.delete(try #require(try sample.store.item("kim", "mail")))
        try sample.store.transaction { transaction in try transaction.restore(past) }
        for _ in 0..<2 {
            #expect(try sample.reopened().passwords() == ["kim mail 2", "kim shop shop"])
            try sample.store.compact()
        }
        #expect(try sample.reopened().verify().invalidRecords == [])
    }

    @Test(.temporaryDirectory) func `deleted and superseded revisions are due for compaction after a day`() throws {
        let (sample, _) = try sample(revisions: 1)
        #expect(try sample.store.compactionReason() == nil)
        try sample.store.delete(try #require(try sample.store.item("kim", "mail")))
        let deleted = Time(microseconds: time.wallMicroseconds())
        time.advance(nanoseconds: Self.day)
        #expect(try sample.store.compactionReason() == nil)
        time.advance(nanoseconds: 1000)
        #expect(try sample.reopened().compactionReason() == .oldGarbage(since: deleted))
        try sample.store.compact()
        #expect(try sample.store.compactionReason() == nil)
    }

    /// A store with ten past revisions of 1 MiB of each of four items of a group, and where each of them ended.
    private func storeOverTheBound(_ group: [UInt8]) throws -> (StoreSample, [ItemName], ends: [UInt64]) {
        var options = StoreOptions()
        options.dueCompaction = .never
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        let sample = try StoreSample(at: path, time: time, options: options)
        let store = sample.store
        try keep(store, revisions: 10, days: 90)
        let large = String(repeating: "x", count: 1 << 20)
        let accounts = ["anna", "bert", "cleo", "dora"]
        let names = try accounts.map { account in
            try store.transaction { transaction in
                try transaction.addLogin(account, "mail", large, group: group)
            }
        }
        var ends: [UInt64] = []
        for _ in 0..<10 {
            for account in accounts {
                let item = try #require(try store.item(account, "mail", group: group))
                try store.update(item, account, "mail", secret: large)
                ends.append(try store.read { vault in vault.position.sequence })
            }
        }
        return (sample, names, ends)
    }

    private func pastCounts(_ names: [ItemName], in store: VaultStore) throws -> [Int] {
        try names.map { name in
            try store.read { vault in try vault.revisions(of: name).count - 1 }
        }
    }

    /// store.md, section 6: 32 MiB, of which each of four items gets a quarter: seven revisions of 1 MiB and a little.
    @Test(.temporaryDirectory, arguments: [false, true]) func `the past has a bound in bytes`(
        changesKeys: Bool
    ) throws {
        let (sample, names, ends) = try storeOverTheBound(StoreSample.group)
        let store = sample.store
        if changesKeys {
            var rotation = try store.rotation(argon2Limits: .weak)
            try rotation.add(passphrase: [2].span, parameters: RotationSample.weak)
            try store.rotate(to: rotation)
        } else {
            #expect(try store.compact().droppedRevisionCount == 4 * 3)
        }
        #expect(try horizon(store) == ends[4 * 3 - 1])
        #expect(try pastCounts(names, in: store) == [7, 7, 7, 7])
        #expect(try store.spaceReport().historyByteCount <= 32 << 20)
        // A compaction with nothing new drops nothing more.
        #expect(try store.compact().droppedRevisionCount == 0)
    }

    /// store.md, section 6: what needs less than its share is kept whole, and groups share before items do.
    @Test(.temporaryDirectory) func `large items take neither the past of small ones nor of other groups`() throws {
        let team = Array("team".utf8)
        let (sample, large, _) = try storeOverTheBound(team)
        let store = sample.store
        let small = try store.transaction { transaction in
            try transaction.addLogin("small", "mail", "0", group: team)
        }
        let other = try store.add("kim", "mail", "0")
        let megabyte = String(repeating: "y", count: 1 << 20)
        for number in 1...3 {
            let item = try #require(try store.item("small", "mail", group: team))
            try store.update(item, "small", "mail", secret: "\(number)")
        }
        for _ in 0..<11 {
            try store.update(try #require(try store.item("kim", "mail")), "kim", "mail", secret: megabyte)
        }
        // What ended later than the past of the others.
        for account in ["anna", "bert", "cleo", "dora"] {
            for _ in 0..<10 {
                let item = try #require(try store.item(account, "mail", group: team))
                try store.update(item, account, "mail", secret: megabyte)
            }
        }
        try store.compact()
        // The other group needs 10 MiB of its half, so 22 are left for this one, and of these 5.5 for each large item.
        #expect(try pastCounts([small, other], in: store) == [3, 10])
        #expect(try pastCounts(large, in: store) == [5, 5, 5, 5])
        #expect(try store.spaceReport().historyByteCount <= 32 << 20)
    }
}
