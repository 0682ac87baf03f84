import CofferBasics
import KeyedArchive
import TestSupport
import Testing
import VaultFormat
import VaultStore

/// Section 10.3: merging copies of which one has forgotten the writers of old revisions.
@Suite("Merging after writers were forgotten") struct ForgottenWriterTests {
    /// Two copies of a vault with one item.
    ///
    /// The second one adds an item; hours later three writers add some to the first one, which then remembers only the
    /// last of them.
    private func copies(history: Int = 5) throws -> MergeCopies {
        var copies = try MergeCopies(2) { store in
            try store.keepHistory(history)
            try store.put("kim", "of both")
        }
        copies.wait(hours: 1)
        try copies.stores[1].put("old", "of 1")
        for number in 1...3 {
            copies.wait(hours: 1)
            try copies.reopen(0)
            try copies.stores[0].put("new \(number)", "of 0")
        }
        try copies.stores[0].compact(remembering: 1)
        return copies
    }

    private let shown = ["mail kim of both", "mail new 1 of 0", "mail new 2 of 0", "mail new 3 of 0"]

    private func leftOut(_ report: MergeReport) -> [String] {
        report.leftOut.map { "\($0.reason) \($0.kind) \($0.attributes?["acct"]?.string ?? "-") \($0.isOwn)" }.sorted()
    }

    @Test func `an old revision that may have ended is left out and listed`() throws {
        let copies = try copies()
        let preview = try copies.stores[0].mergePreview(of: copies.stores[1])
        let report = try copies.stores[0].merge(copies.stores[1])
        #expect(leftOut(report) == ["age added old false"])
        #expect(preview.leftOut == report.leftOut)
        #expect(report.keptPath == nil)
        #expect(try copies.stores[0].shown() == shown)
    }

    @Test func `the copy that has such a revision keeps its file, and it can be taken from there`() throws {
        var copies = try copies()
        let report = try copies.stores[1].merge(copies.stores[0])
        #expect(leftOut(report) == ["age added old true"])
        #expect(report.keptPath == "/vaults/login.older.coffer")
        #expect(try copies.stores[1].shown() == shown)
        let kept = try copies.reopened(1, at: "/vaults/login.older.coffer")
        let taken = try copies.stores[1].merge(kept, takingAllAt: copies.stores[1].mergeBasis(with: kept))
        #expect(taken.leftOut.isEmpty)
        try copies.reopen(1)
        #expect(try copies.stores[1].shown() == shown + ["mail old of 1"])
        #expect(try copies.stores[1].verify().isIntact)
    }

    @Test func `both directions have the same live revisions`() throws {
        let copies = try copies()
        let others = try copies.cloned()
        _ = try copies.stores[0].merge(copies.stores[1])
        _ = try others.stores[1].merge(others.stores[0])
        #expect(try copies.stores[0].live() == others.stores[1].live())
    }

    @Test func `what was taken over stays, is merged back, and can be deleted`() throws {
        var copies = try copies()
        let (first, second) = (copies.stores[0], copies.stores[1])
        #expect(try first.merge(second, takingAllAt: first.mergeBasis(with: second)).leftOut.isEmpty)
        #expect(try first.shown() == shown + ["mail old of 1"])
        try copies.reopen(0)
        #expect(try copies.stores[0].merge(second).leftOut.isEmpty)
        #expect(try second.merge(copies.stores[0]).leftOut.isEmpty)
        #expect(try second.live() == copies.stores[0].live())
        try copies.stores[0].delete("old")
        #expect(try second.merge(copies.stores[0]).leftOut.isEmpty)
        #expect(try second.shown() == shown)
    }

    @Test func `what was written later is merged as before, by writers that were forgotten too`() throws {
        var copies = try copies()
        try copies.stores[1].put("late", "of 1")
        try copies.reopen(1)
        try copies.stores[1].put("later", "of 1")
        let report = try copies.stores[0].merge(copies.stores[1])
        #expect(leftOut(report) == ["age added old false"])
        #expect(report.addedItemCount == 2)
    }

    @Test(arguments: [0, 5]) func `what ended here is decided as long as history knows it`(history: Int) throws {
        let copies = try copies(history: history)
        try copies.stores[0].delete("kim")
        try copies.stores[0].compact(remembering: 1)
        let report = try copies.stores[1].merge(copies.stores[0])
        let known = history > 0 ? [] : ["age added kim true"]
        #expect(leftOut(report) == known + ["age added old true"])
        #expect(try copies.stores[1].shown() == Array(shown.dropFirst()))
    }

    // VF-99: two containers that start from one image at the same time.
    @Test func `two copies of an image that remembers no writer are merged`() throws {
        let copies = try MergeCopies(2) { store in
            try store.put("kim", "of both")
            try store.put("lea", "of both")
            try store.compact(remembering: 0)
        }
        for (number, store) in copies.stores.enumerated() {
            try store.put("new \(number)", "of \(number)")
            try store.put("kim", "of \(number)")
        }
        try copies.stores[1].delete("lea")
        #expect(try copies.stores[0].merge(copies.stores[1]).leftOut.isEmpty)
        #expect(try copies.stores[1].merge(copies.stores[0]).leftOut.isEmpty)
        let live = try copies.stores[0].live()
        #expect(Set(live.map(\.text)) == ["kim of 0", "kim of 1", "new 0 of 0", "new 1 of 1"])
        #expect(try copies.stores[1].live() == live)
    }

    @Test func `a writer whose clock is far behind writes after what was forgotten`() throws {
        var copies = try copies()
        copies.setClock(microseconds: 1)
        try copies.reopen(0)
        try copies.stores[0].put("behind", "of 0")
        try copies.reopen(0)
        #expect(try copies.stores[0].shown() == (shown + ["mail behind of 0"]).sorted())
        #expect(try copies.stores[0].verify().isIntact)
    }
}
