import CofferBasics
import KeyedArchive
import TestSupport
import Testing
import VaultCrypto
import VaultFormat
import VaultStore

/// Merging copies that do not know of a revocation.
///
/// Revoking a grant renews keys, but the owner's keys still open a copy from before, and so its former holder could add to
/// that copy and have the owner's next merge take it over.
@Suite("Merging after a revocation") struct RevocationMergeTests {
    private static let grant = GrantID([UInt8](repeating: 0x61, count: 16).span)
    private static let (mail, work) = (MergeCopies.groups[0], MergeCopies.groups[1])

    /// Two copies with a grant of the first group, whose holder changes the second copy after the first one has revoked it.
    private func attackedCopies() throws -> MergeCopies {
        var copies = try MergeCopies(2) { store in
            for account in ["kim", "lea", "max"] { try store.put(account, "true") }
            try store.put("kim", "true", in: Self.work)
            try store.keepHistory(5)
        }
        try copies.grantFirstGroup()
        let holder = try copies.openedByHolder(1)
        try copies.stores[0].revokeGrants([Self.grant])
        try holder.put("kim", "false")
        try holder.put("planted", "false")
        try holder.delete("lea")
        return copies
    }

    private let shown = ["mail kim true", "mail lea true", "mail max true", "work kim true"]

    @Test func `changes of a former holder in an older copy are left out and listed`() throws {
        let copies = try attackedCopies()
        let report = try copies.stores[0].merge(copies.stores[1])
        #expect(try copies.stores[0].shown() == shown)
        #expect(try copies.stores[0].live().count == 4)
        #expect(report.keptPath == nil)
        let leftOut = report.leftOut.map { "\($0.kind) \($0.attributes?["acct"]?.string ?? "-") \($0.isOwn)" }
        #expect(leftOut.sorted() == ["added planted false", "changed kim false", "deleted lea false"])
        #expect(try copies.stores[0].mergePreview(of: copies.stores[1]).leftOut == report.leftOut)
    }

    @Test func `nothing that a former holder claims to have seen ends anything`() throws {
        let copies = try attackedCopies()
        _ = try copies.stores[0].merge(copies.stores[1])
        try copies.stores[0].put("noa", "later")
        _ = try copies.stores[0].merge(copies.stores[1])
        #expect(try copies.stores[0].shown() == (shown + ["mail noa later"]).sorted())
    }

    @Test func `what an older copy has in other groups is merged`() throws {
        let copies = try attackedCopies()
        try copies.stores[1].put("noa", "honest", in: Self.work)
        let report = try copies.stores[0].merge(copies.stores[1])
        #expect(try copies.stores[0].shown() == shown + ["work noa honest"])
        #expect(report.addedItemCount == 1)
    }

    @Test func `an older copy keeps its file, and writes on under another id`() throws {
        var copies = try attackedCopies()
        try copies.stores[1].put("noa", "of an honest laptop")
        let report = try copies.stores[1].merge(copies.stores[0])
        #expect(report.hasOtherKeys)
        #expect(report.keptPath == "/vaults/login.older.coffer")
        #expect(report.leftOut.count == 4 && report.leftOut.allSatisfy(\.isOwn))
        #expect(try copies.stores[1].shown() == shown)

        // The same writer id would make everything count as ended that it wrote before.
        try copies.stores[1].put("max", "later")
        let kept = try copies.reopened(1, at: "/vaults/login.older.coffer")
        #expect(try kept.shown().contains("mail noa of an honest laptop"))
        let taken = try copies.stores[1].merge(kept, takingAllAt: copies.stores[1].mergeBasis(with: kept))
        #expect(taken.leftOut.isEmpty)
        try copies.reopen(1)
        let all = ["mail kim false", "mail max later", "mail noa of an honest laptop", "mail planted false"]
        #expect(try copies.stores[1].shown() == all + ["work kim true"])
    }

    @Test func `a preview of merging an older copy says what will be left out`() throws {
        let copies = try attackedCopies()
        let preview = try copies.stores[1].mergePreview(of: copies.stores[0])
        #expect(preview.leftOut.count == 3 && preview.leftOut.allSatisfy(\.isOwn))
        #expect(try copies.stores[1].shown().contains("mail planted false"))
    }

    @Test(arguments: [1, 2], [false, true])
    func `a revocation survives a merge with a copy whose keys were renewed without it`(
        rotationCount: Int,
        beginsThere: Bool
    ) throws {
        var copies = try attackedCopies()
        for _ in 0..<rotationCount { try copies.rotate(copies.stores[1]) }
        let (first, second) = beginsThere ? (1, 0) : (0, 1)
        _ = try copies.stores[first].merge(copies.stores[second])
        _ = try copies.stores[second].merge(copies.stores[first])
        let kept = try copies.reopened(1, at: "/vaults/login.older.coffer")
        for number in copies.stores.indices {
            #expect(try copies.stores[number].shown() == shown)
            #expect(try copies.stores[number].grants().isEmpty)
            #expect(throws: StoreError.self) { try copies.openedByHolder(number) }
            #expect(try copies.stores[number].verify().isIntact)
            try copies.reopen(number)
            #expect(try copies.stores[number].shown() == shown)
            #expect(try copies.stores[number].past(of: ["kim", "planted"]) == [])
        }
        // From now on, both merge as before.
        try copies.stores[0].put("kim", "of 0")
        try copies.stores[1].put("max", "of 1")
        #expect(try copies.stores[0].merge(copies.stores[1]).leftOut.isEmpty)
        #expect(try copies.stores[1].merge(copies.stores[0]).leftOut.isEmpty)
        #expect(try copies.stores[0].live() == copies.stores[1].live())
        #expect(try copies.stores[0].shown().starts(with: ["mail kim of 0", "mail lea true", "mail max of 1"]))
        // What was left out was not noted as seen, so it can still be taken over.
        _ = try copies.stores[1].merge(kept, takingAllAt: copies.stores[1].mergeBasis(with: kept))
        #expect(try copies.stores[1].shown().contains("mail planted false"))
    }

    @Test func `grants that were revoked in different copies are gone from both`() throws {
        var copies = try MergeCopies(1) { store in try store.put("kim", "true") }
        try copies.grantFirstGroup()
        let other = GrantID([UInt8](repeating: 0x62, count: 16).span)
        let key = try copies.stores[0].environment.random.key()
        try copies.stores[0].issueGrant(other, named: Array("other".utf8), of: [Self.mail], to: key.publicKey)
        var (a, b) = (try copies.cloned(), try copies.cloned())
        try a.stores[0].revokeGrants([Self.grant])
        try b.stores[0].revokeGrants([other])
        try a.stores[0].put("of a", "1")
        try b.stores[0].put("of b", "2")
        _ = try a.stores[0].merge(b.stores[0])
        _ = try b.stores[0].merge(a.stores[0])
        for store in [a.stores[0], b.stores[0]] { #expect(try store.grants().isEmpty) }
        try a.reopen(0)
        try b.reopen(0)
        #expect(try a.stores[0].shown() == b.stores[0].shown())
        // In a group that both had to close, one copy counts.
        #expect(try a.stores[0].shown().count == 2)
    }

    @Test func `a grant that expires in both copies leaves nothing out`() throws {
        var copies = try MergeCopies(2) { store in try store.put("kim", "true") }
        try copies.grantFirstGroup(hours: 1)
        copies.wait(hours: 2)
        try copies.stores[0].put("of a", "1")
        try copies.stores[1].put("of b", "2")
        for store in copies.stores { #expect(try store.grants().isEmpty) }
        #expect(try copies.stores[0].merge(copies.stores[1]).leftOut.isEmpty)
        #expect(try copies.stores[1].merge(copies.stores[0]).leftOut.isEmpty)
        for store in copies.stores { #expect(try store.shown() == ["mail kim true", "mail of a 1", "mail of b 2"]) }
    }

    @Test func `after a machine was removed, nothing of an older copy counts`() throws {
        var copies = try MergeCopies(2) { store in
            try store.put("kim", "true")
            try store.put("kim", "true", in: Self.work)
        }
        try copies.stores[0].keepHistory(5)
        try copies.rotate(copies.stores[0], removing: MergeCopies.otherDevice)
        for _ in 0..<9 { try copies.stores[1].keepHistory(0) }
        try copies.stores[1].put("kim", "of the lost laptop")
        try copies.stores[1].put("noa", "of the lost laptop", in: Self.work)
        let report = try copies.stores[0].merge(copies.stores[1])
        #expect(report.leftOut.count == 2)
        #expect(try copies.stores[0].read { $0.settings?.historyRevisions } == 5)
        #expect(try copies.stores[0].shown() == ["mail kim true", "work kim true"])
        try copies.reopen(0)
        #expect(try copies.stores[0].shown() == ["mail kim true", "work kim true"])
    }

    @Test func `later settings keep the revocations, and so does a compaction`() throws {
        let copies = try attackedCopies()
        try copies.stores[0].keepHistory(3)
        try copies.stores[0].compact()
        for _ in 0..<3 { try copies.stores[1].keepHistory(7) }
        let report = try copies.stores[0].merge(copies.stores[1])
        #expect(report.leftOut.count == 3)
        #expect(try copies.stores[0].merge(copies.stores[1]).leftOut.count == 3)
        #expect(try copies.stores[0].shown() == shown)
        #expect(try copies.stores[0].read { $0.settings?.historyRevisions } == 7)
    }

    @Test func `what was listed is merged as without a revocation`() throws {
        let copies = try attackedCopies()
        let basis = try copies.stores[0].mergeBasis(with: copies.stores[1])
        let report = try copies.stores[0].merge(copies.stores[1], takingAllAt: basis)
        #expect(report.leftOut.isEmpty)
        let all = ["mail kim false", "mail max true", "mail planted false", "work kim true"]
        #expect(try copies.stores[0].shown() == all)
    }

    @Test func `a grant that is issued again under the same id stays`() throws {
        var copies = try MergeCopies(2) { store in try store.put("kim", "true") }
        try copies.grantFirstGroup()
        try copies.stores[0].revokeGrants([Self.grant])
        copies.wait(hours: 1)
        let key = try copies.stores[0].environment.random.key().publicKey
        try copies.stores[0].issueGrant(Self.grant, named: Array("again".utf8), of: [Self.mail], to: key)
        try copies.stores[0].put("max", "1")
        _ = try copies.stores[0].merge(copies.stores[1])
        _ = try copies.stores[1].merge(copies.stores[0])
        for store in copies.stores { #expect(try store.grants().map(\.terms.name) == [Array("again".utf8)]) }
    }

    /// Removals were noted by the id of the machine, so the second one of the same machine looked known to a copy that
    /// knew the first one; and who had the id could note the removal in a copy of its own.
    @Test func `each removal of a machine is another one`() throws {
        var copies = try MergeCopies(1) { store in try store.put("kim", "true") }
        try copies.rotate(copies.stores[0], removing: MergeCopies.otherDevice)
        try copies.addDevice(MergeCopies.otherDevice, to: copies.stores[0])
        try copies.reopen(0)
        let clone = try copies.cloned()
        try copies.rotate(copies.stores[0], removing: MergeCopies.otherDevice)
        try clone.stores[0].put("kim", "of the lost laptop")
        #expect(try copies.stores[0].merge(clone.stores[0]).leftOut.count == 1)
        #expect(try copies.stores[0].shown() == ["mail kim true"])
    }

    /// Who was removed and had the user root can renew the keys of an older copy, so that these would count.
    @Test func `newer keys do not count if they were made without knowing of a removal`() throws {
        let copies = try MergeCopies(2) { store in try store.put("kim", "true") }
        try copies.rotate(copies.stores[0], removing: MergeCopies.otherDevice)
        for _ in 0..<3 { try copies.rotate(copies.stores[1]) }
        try copies.stores[1].put("kim", "of the lost laptop")
        let refusal = StoreError.merge(.removalUnknown, path: "/vaults/login.coffer")
        #expect(throws: refusal) { try copies.stores[0].mergePreview(of: copies.stores[1]) }
        #expect(throws: refusal) { try copies.stores[0].merge(copies.stores[1]) }
        #expect(try copies.stores[0].shown() == ["mail kim true"])
        // There, the content of the copy that knows of it counts.
        #expect(try copies.stores[1].merge(copies.stores[0]).keptPath != nil)
        #expect(try copies.stores[1].shown() == ["mail kim true"])
    }

    @Test func `what was not listed is not taken over`() throws {
        let copies = try attackedCopies()
        let basis = try copies.stores[0].mergeBasis(with: copies.stores[1])
        try copies.stores[1].put("max", "changed since")
        #expect(throws: StoreError.merge(.changed, path: "/vaults/login.coffer")) {
            try copies.stores[0].merge(copies.stores[1], takingAllAt: basis)
        }
        #expect(try copies.stores[0].shown() == shown)
    }
}
