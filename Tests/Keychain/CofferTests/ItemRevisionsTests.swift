import Coffer
import CofferBasics
import TestSupport
import Testing
import VaultFormat
import VaultStore

/// Items that come from another vault with all their revisions, as an import adds them.
@Suite("Items with revisions of another vault", .temporaryDirectory) struct ItemRevisionsTests {
    private typealias Revision = ItemRevisions<GenericPassword>.Revision

    private let sample: KeychainSample
    private let mail = GenericPassword(service: "mail", account: "kim")

    init() throws {
        sample = try KeychainSample()
        // Compactions keep the history.
        try sample.store.writeHistorySettings()
    }

    /// Revisions with these texts, the first of which was changed so many minutes after 2001 began.
    private func revisions(_ texts: [String], of item: GenericPassword? = nil, from minute: Int = 1) -> [Revision] {
        texts.enumerated().map { index, text in
            let modified = KeychainDate(secondsSinceReferenceDate: Double(60 * (minute + index)))
            return Revision(
                item ?? mail,
                secret: HeldSecret(copying: text.utf8Span.span),
                created: KeychainDate(secondsSinceReferenceDate: 60),
                modified: modified,
                written: KeychainDate(secondsSinceReferenceDate: modified.secondsSinceReferenceDate + 30)
            )
        }
    }

    private func add(live: [Revision], past: [Revision]) throws {
        try sample.keychain.transaction { transaction throws(KeychainError) in
            try transaction.add(ItemRevisions(live: live, past: past))
        }
    }

    private func text(_ past: PastItem<GenericPassword>) throws -> String {
        String(decoding: try sample.keychain.secret(of: past) ?? [], as: UTF8.self)
    }

    private func history() throws -> ItemHistory<GenericPassword> {
        let live = try sample.keychain.item(GenericPassword.self, where: .service("mail"))?.reference
        let deleted = try sample.keychain.deletedItems(GenericPassword.self).first?.reference
        return try sample.keychain.history(of: #require(live ?? deleted))
    }

    @Test(arguments: [0, 1, 3], [0, 1, 2])
    func `the current revision is current, and history and conflicts are complete`(
        pastCount: Int,
        conflictCount: Int
    ) throws {
        let past = (0..<pastCount).map { "past \($0)" }
        let conflicts = (0..<conflictCount).map { "conflict \($0)" }
        try add(live: revisions(["current"] + conflicts, from: 9), past: revisions(past))
        let keychain = sample.keychain
        for isCompacted in [false, true] {
            if isCompacted { try sample.store.compact() }
            let history = try history()
            #expect(history.isComplete && !history.isDeleted)
            #expect(try history.revisions.map(text) == ["current"] + conflicts + past.reversed())
            #expect(history.revisions.map(\.isCurrent) == history.revisions.indices.map { $0 == 0 })
            #expect(try history.conflicts.map(text) == conflicts)
            let minutes = history.revisions.map { ($0.modified?.secondsSinceReferenceDate ?? 0) / 60 }
            #expect(minutes.prefix(1 + conflictCount).elementsEqual((9...9 + conflictCount).map(Double.init)))
            #expect(minutes.suffix(pastCount).reversed().elementsEqual((0..<pastCount).map { Double($0 + 1) }))
            #expect(
                history.revisions.map(\.written.secondsSinceReferenceDate) == minutes.map { 60 * $0 + 30 }
            )
            #expect(history.revisions.allSatisfy { $0.created?.secondsSinceReferenceDate == 60 })
        }
        #expect(try keychain.conflicts(GenericPassword.self).count == min(1, conflictCount))
        #expect(try keychain.count(GenericPassword.self) == 1)
        guard pastCount > 0 else { return }
        let restored = try keychain.undo(history().revisions[0].reference)
        #expect(try keychain.secret(of: restored.reference) == Array("past \(pastCount - 1)".utf8))
    }

    @Test func `a conflict is resolved, and nothing comes back`() throws {
        try add(live: revisions(["current", "lost", "also lost"]), past: revisions(["past"]))
        let conflict = try #require(history().conflicts.first)
        try sample.keychain.resolveConflict(keeping: conflict)
        #expect(try sample.keychain.conflicts(GenericPassword.self).isEmpty)
        #expect(try text(history().revisions[0]) == "lost")
        #expect(try Set(history().revisions.map(text)) == ["current", "lost", "also lost", "past"])
    }

    @Test func `a deleted item takes no name, and is restored when it is free`() throws {
        let keychain = sample.keychain
        let own = try keychain.add(mail, secret: "own")
        try add(live: [], past: revisions(["first", "last"]))
        #expect(try keychain.items(GenericPassword.self).map(\.reference) == [own.reference])
        #expect(try keychain.secret(of: own.reference) == Array("own".utf8))
        let deleted = try #require(keychain.deletedItems(GenericPassword.self).first)
        #expect(try text(deleted) == "last")
        #expect(throws: KeychainError.duplicateItem) { try keychain.undo(deleted.reference) }
        try keychain.delete(own.reference)
        try keychain.undo(deleted.reference)
        #expect(try history().revisions.map(text) == ["last", "last", "first"])
    }

    @Test func `only the current revision must not have the name of another item`() throws {
        let keychain = sample.keychain
        try keychain.add(mail, secret: "own")
        let other = revisions(["other"], of: GenericPassword(service: "post"))
        #expect(throws: KeychainError.duplicateItem) { try add(live: revisions(["twin"]), past: other) }
        #expect(try keychain.count(GenericPassword.self) == 1)
        try add(live: other + revisions(["conflict"]), past: revisions(["past"]))
        let post = try #require(try keychain.item(GenericPassword.self, where: .service("post")))
        #expect(try keychain.history(of: post.reference).revisions.map(text) == ["other", "conflict", "past"])
    }

    @Test func `what it was in another group stays there`() throws {
        let groups = AccessGroups(declared: ["com.example.app", "other"])
        let keychain = sample.keychain(groups)
        var former = mail
        former.accessGroup = "other"
        let revisions = ItemRevisions(live: revisions(["current"]), past: revisions(["past"], of: former))
        try keychain.transaction { transaction throws(KeychainError) in try transaction.add(revisions) }
        #expect(try keychain.items(GenericPassword.self, where: .group("other")).isEmpty)
        #expect(try keychain.deletedItems(GenericPassword.self).isEmpty)
        let stored = try #require(try keychain.item(GenericPassword.self))
        let history = try keychain.history(of: stored.reference)
        #expect(history.revisions.map(\.accessGroup) == ["com.example.app", "other"])
        #expect(try keychain.undo(stored.reference).item.accessGroup == "other")
    }
}
