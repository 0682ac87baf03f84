import CofferBasics
import TestSupport
import Testing
import VaultFormat
import VaultStore

/// Two machines that add the same name make two items; those that say the same become one in a merge.
@Suite("Merging equal items") struct EqualItemTests {
    /// Copies of a vault, of which the last one has made more changes, so that its items are named by VF-72.
    private func copies(_ count: Int = 2) throws -> MergeCopies {
        let copies = try MergeCopies(count) { store in try store.put("kim", "1") }
        for text in ["2", "3"] { try copies.stores[count - 1].put("other", text) }
        return copies
    }

    /// The only item of an account in a copy.
    private func id(_ account: String, in store: VaultStore) throws -> ItemID? { try store.item(account)?.name.item }

    private let shown = ["mail kim 1", "mail max same", "mail other 3"]

    @Test(arguments: [[0, 1], [1, 0]]) func `both copies keep the item that VF-72 names, in either order`(
        _ order: [Int]
    ) throws {
        let copies = try copies()
        for store in copies.stores { try store.put("max", "same") }
        let named = try id("max", in: copies.stores[1])
        let (first, second) = (copies.stores[order[0]], copies.stores[order[1]])
        let preview = try first.mergePreview(of: second)
        let report = try first.merge(second)
        #expect(report == preview)
        #expect(report.addedItemCount == (order[0] == 0 ? 1 : 0))
        #expect(report.deletedItemCount == 0 && report.newConflictCount == 0)
        _ = try second.merge(first)
        for store in copies.stores {
            #expect(try store.shown() == shown)
            #expect(try id("max", in: store) == named)
            #expect(try store.verify().isIntact)
        }
        #expect(try first.live() == second.live())
        #expect(try first.merge(second) == MergeReport())
        #expect(try second.merge(first) == MergeReport())
    }

    @Test func `merges that cross each other agree`() throws {
        let copies = try copies()
        for store in copies.stores { try store.put("max", "same") }
        let before = try copies.cloned()
        for number in 0..<2 { _ = try copies.stores[number].merge(before.stores[1 - number]) }
        #expect(try copies.stores[0].live() == copies.stores[1].live())
        for number in 0..<2 {
            #expect(try copies.stores[number].merge(copies.stores[1 - number]) == MergeReport())
            #expect(try copies.stores[number].shown() == shown)
        }
    }

    @Test func `three copies agree, whoever merges with whom first`() throws {
        let copies = try copies(3)
        for store in copies.stores { try store.put("max", "same") }
        let named = try id("max", in: copies.stores[2])
        for (one, other) in [(0, 1), (2, 0), (1, 2), (0, 2), (1, 0)] {
            _ = try copies.stores[one].merge(copies.stores[other])
        }
        for store in copies.stores {
            #expect(try store.shown() == shown)
            #expect(try id("max", in: store) == named)
        }
    }

    @Test func `items that say different things stay, and count as a conflict`() throws {
        let copies = try copies()
        for (number, store) in copies.stores.enumerated() { try store.put("max", "\(number)") }
        let report = try copies.stores[0].merge(copies.stores[1])
        #expect(report.newConflictCount == 1)
        #expect(report.addedItemCount == 2)
        #expect(try copies.stores[0].shown().filter { $0.contains("max") } == ["mail max 0", "mail max 1"])
        #expect(try copies.stores[0].merge(copies.stores[1]) == MergeReport())
        let duplicates = try copies.stores[0].verify().duplicateItems
        #expect(duplicates.map(\.names.count) == [2])
        #expect(try duplicates[0].names[0].item == id("max", in: copies.stores[1]))
    }

    @Test func `an item that only one machine can read is not equal`() throws {
        let copies = try copies()
        try copies.stores[0].put("max", "same")
        try copies.stores[1].putOnOtherDevice("max", "same")
        _ = try copies.stores[0].merge(copies.stores[1])
        #expect(try copies.stores[0].shown().filter { $0.contains("max") }.count == 2)
        // Where the machine is absent, its item is neither seen nor deleted.
        _ = try copies.opened(1).merge(copies.opened(0))
        #expect(try copies.stores[1].shown().filter { $0.contains("max") }.count == 2)
    }

    @Test func `locked items are not equal, and the next merge with the keys compares them`() throws {
        var copies = try copies()
        for store in copies.stores { try store.put("max", "same") }
        for store in copies.stores { store.lock() }
        let report = try copies.stores[0].merge(copies.stores[1])
        #expect(report.newConflictCount == 1)
        try copies.reopen(0)
        try copies.reopen(1)
        #expect(try copies.stores[0].shown().filter { $0.contains("max") }.count == 2)
        #expect(try copies.stores[0].merge(copies.stores[1]).deletedItemCount == 1)
        #expect(try copies.stores[0].shown() == shown)
    }

    @Test func `an item with a conflict stays`() throws {
        let copies = try copies(3)
        try copies.stores[0].put("max", "old")
        _ = try copies.stores[1].merge(copies.stores[0])
        try copies.stores[0].put("max", "lost")
        for text in ["newer", "same"] { try copies.stores[1].put("max", text) }
        try copies.stores[2].put("max", "same")
        _ = try copies.stores[0].merge(copies.stores[1])
        _ = try copies.stores[0].merge(copies.stores[2])
        let texts = try copies.stores[0].live().map(\.text).filter { $0.hasPrefix("max") }
        #expect(texts.sorted() == ["max lost", "max same", "max same"])
    }

    @Test(arguments: [0, 1]) func `undoing the merge brings back the own item`(_ number: Int) throws {
        let copies = try copies()
        for store in copies.stores { try store.put("max", "same") }
        let (store, other) = (copies.stores[number], copies.stores[1 - number])
        let (own, before) = (try id("max", in: store), try store.shown())
        let report = try store.merge(other)
        let undone = try store.transaction { transaction in
            try transaction.undo(change: report.change)
        }
        #expect(undone.leftItemCount == 0)
        #expect(try store.shown() == before)
        #expect(try id("max", in: store) == own)
    }

    @Test func `an item that keeps its primary key is no duplicate, and another one is`() throws {
        let copies = try copies()
        for (number, store) in copies.stores.enumerated() { try store.put("max", "\(number)") }
        let store = copies.stores[0]
        _ = try store.merge(copies.stores[1])
        let secret = Array("new".utf8)
        let named = try #require(try store.item("max"))
        let duplicates = try store.read { vault in
            try vault.items(withPrimaryKeyOf: loginAttributes("max", "s"), in: named.name.group)
        }
        try store.transaction { transaction in
            for item in duplicates {
                try transaction.update(item, attributes: loginAttributes("max", "s"), secret: .replace(secret.span))
            }
        }
        #expect(try store.shown().filter { $0.contains("max") } == ["mail max new", "mail max new"])
        #expect(throws: StoreError.duplicate(named.name)) {
            try store.transaction { transaction in
                _ = try transaction.addLogin("max", "s", "again", group: MergeCopies.groups[0])
            }
        }
        let other = try #require(try store.item("other"))
        #expect(throws: StoreError.duplicate(named.name)) {
            try store.transaction { transaction in
                try transaction.update(other, attributes: loginAttributes("max", "s"), secret: .keep)
            }
        }
        // Now that both say the same, the next merge leaves one, even if it has nothing else to do.
        let report = try store.merge(copies.stores[1])
        #expect(report.deletedItemCount == 1 && report.addedItemCount == 0)
        #expect(try store.shown().filter { $0.contains("max") } == ["mail max new"])
    }
}
