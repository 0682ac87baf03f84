import CofferBasics
import Foundation
import TestSupport
import Testing
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

@Suite("Merging copies") struct MergeTests {
    private func copies(_ count: Int = 2) throws -> MergeCopies {
        try MergeCopies(count) { store in
            try store.put("kim", "1")
            try store.put("lea", "1")
        }
    }

    @Test func `what the other copy has comes into this one`() throws {
        let (a, b) = try pair()
        try b.put("max", "new")
        try b.put("kim", "2")
        try b.delete("lea")
        let report = try a.merge(b)
        #expect(try a.shown() == ["mail kim 2", "mail max new"])
        #expect(report.addedItemCount == 1)
        #expect(report.changedItemCount == 1)
        #expect(report.deletedItemCount == 1)
        #expect(report.newConflictCount == 0)
    }

    @Test func `a change on both sides has the same winner on both, and the loser is kept`() throws {
        let (a, b) = try pair()
        try a.put("kim", "of a")
        try b.put("kim", "of b")
        #expect(try a.merge(b).newConflictCount == 1)
        #expect(try b.merge(a).newConflictCount == 1)
        #expect(try a.live() == b.live())
        #expect(try a.live().filter { $0.text.hasPrefix("kim") }.count == 2)
        #expect(try a.shown() == b.shown())
    }

    @Test func `the side with more changes wins`() throws {
        let (a, b) = try pair()
        try a.put("kim", "of a")
        try b.put("kim", "of b")
        try b.put("kim", "again of b")
        _ = try a.merge(b)
        #expect(try a.shown() == ["mail kim again of b", "mail lea 1"])
    }

    @Test func `a change wins over a deletion that did not know it`() throws {
        let (a, b) = try pair()
        try a.put("kim", "2")
        try b.delete("kim")
        _ = try a.merge(b)
        _ = try b.merge(a)
        #expect(try a.shown() == ["mail kim 2", "mail lea 1"])
        #expect(try a.live() == b.live())
    }

    @Test func `a deletion outlasts a compaction`() throws {
        let (a, b) = try pair()
        try b.delete("kim")
        try b.compact(.purging(.everything))
        #expect(try b.merge(a) == MergeReport())
        #expect(try a.merge(b).deletedItemCount == 1)
        #expect(try a.shown() == ["mail lea 1"])
    }

    @Test func `items of a snapshot are taken over`() throws {
        let (a, b) = try pair()
        try b.put("max", "new")
        try b.put("kim", "2")
        try b.compact()
        _ = try a.merge(b)
        #expect(try a.shown() == ["mail kim 2", "mail lea 1", "mail max new"])
        #expect(try a.live() == b.live())
    }

    @Test func `the same item added on both sides is found once, and both are kept`() throws {
        let (a, b) = try pair()
        try a.put("max", "of a")
        try b.put("max", "of b")
        _ = try a.merge(b)
        _ = try b.merge(a)
        #expect(try a.live() == b.live())
        #expect(try a.shown().filter { $0.contains("max") }.count == 2)
        #expect(try a.item("max") == b.item("max") || a.item("max")?.revision == b.item("max")?.revision)
    }

    @Test func `a new group comes with its keys`() throws {
        let (a, b) = try pair()
        try b.put("max", "new", in: MergeCopies.groups[1])
        #expect(try a.merge(b).keyCount > 0)
        #expect(try a.shown().contains("work max new"))
        // Both can write with the keys of both.
        try a.put("max", "newer", in: MergeCopies.groups[1])
        _ = try b.merge(a)
        #expect(try b.shown().contains("work max newer"))
    }

    @Test func `a group that both made is one`() throws {
        let (a, b) = try pair()
        try a.put("max", "of a", in: MergeCopies.groups[1])
        try b.put("noa", "of b", in: MergeCopies.groups[1])
        _ = try a.merge(b)
        _ = try b.merge(a)
        #expect(try a.shown() == ["mail kim 1", "mail lea 1", "work max of a", "work noa of b"])
        #expect(try a.live() == b.live())
    }

    @Test func `merging again changes nothing and writes nothing`() throws {
        var copies = try copies()
        try copies.stores[1].keepHistory(3)
        for text in ["2", "3", "4"] { try copies.stores[1].put("kim", text) }
        try copies.stores[0].delete("lea")
        _ = try copies.stores[0].merge(copies.stores[1])
        let byteCount = copies.byteCount(0)
        #expect(try copies.stores[0].merge(copies.stores[1]) == MergeReport())
        #expect(copies.byteCount(0) == byteCount)
        try copies.reopen(0)
        #expect(try copies.stores[0].merge(copies.stores[1]) == MergeReport())
    }

    @Test func `the past is taken over as far as the settings keep it`() throws {
        let (a, b) = try pair()
        try b.keepHistory(2)
        for text in ["2", "3", "4"] { try b.put("max", text) }
        try b.compact()
        let report = try a.merge(b)
        #expect(report.hasSettings)
        #expect(report.pastRevisionCount == 2)
        let item = try #require(try a.item("max"))
        let texts = try a.read { vault in
            var texts: [String?] = []
            for revision in try vault.revisions(of: item.name) { texts.append(try vault.secret(of: revision).text) }
            return texts
        }
        #expect(texts == ["4", "3", "2"])
    }

    @Test func `a preview says what then happens, and changes nothing`() throws {
        let (a, b) = try pair()
        try b.put("max", "new")
        try a.put("kim", "of a")
        try b.put("kim", "of b")
        try b.delete("lea")
        let before = try a.live()
        let preview = try a.mergePreview(of: b)
        #expect(try a.live() == before)
        #expect(try a.merge(b) == preview)
        #expect(preview != MergeReport())
    }

    @Test func `another vault is refused`() throws {
        let (a, _) = try pair()
        let other = try MergeCopies(1, seed: 2)
        #expect(throws: StoreError.merge(.otherVault, path: other.stores[0].path)) { try a.merge(other.stores[0]) }
    }

    // MARK: - By replacing the file

    @Test func `what does not fit into a transaction comes with a new file`() throws {
        var copies = try copies()
        let (a, b) = (copies.stores[0], copies.stores[1])
        let large = String(repeating: "x", count: 1 << 20)
        for number in 0..<17 { try b.put("large \(number)", large) }
        try b.put("kim", "of b")
        try b.delete("lea")
        try a.put("max", "of a")
        let generation = try a.read { $0.header.generation }
        let preview = try a.mergePreview(of: b)
        let report = try a.merge(b)
        #expect(report == preview)
        #expect(report.addedItemCount == 17)
        let header = try a.read { $0.header }
        #expect(header.generation == generation + 1)
        // The merge counts as a transaction.
        #expect(header.baseSequence == report.change)
        let expected = ["mail kim of b", "mail max of a"] + (0..<17).map { "mail large \($0) \(large)" }
        #expect(try a.shown() == expected.sorted())
        // The loser stays, although the settings keep no history.
        let item = try #require(try a.item("kim"))
        #expect(try a.read { vault in try vault.revisions(of: item.name).count } == 2)
        try copies.reopen(0)
        #expect(try copies.stores[0].shown() == expected.sorted())
        #expect(try copies.stores[0].verify().isIntact)
        #expect(try copies.stores[0].merge(b) == MergeReport())
        _ = try b.merge(copies.stores[0])
        #expect(try b.live() == copies.stores[0].live())
    }

    @Test(arguments: [false, true]) func `items of a device that is absent are taken over unread`(
        isCompacted: Bool
    ) throws {
        let copies = try copies()
        let b = copies.stores[1]
        for number in 0..<3 { try b.putOnOtherDevice("bound \(number)", "secret \(number)") }
        if isCompacted { try b.compact() }
        try b.delete("bound 1")
        let a = try copies.opened(0)
        let report = try a.merge(try copies.opened(1))
        #expect(report.addedItemCount == 2)
        #expect(try a.merge(try copies.opened(1)) == MergeReport())
        #expect(try a.verify().isIntact)
        #expect(try a.shown() == ["mail kim 1", "mail lea 1"])
        let bound = ["mail bound 0 secret 0", "mail bound 2 secret 2"]
        #expect(try copies.stores[0].shown() == bound + ["mail kim 1", "mail lea 1"])
        // The device goes on with them.
        try copies.stores[0].put("bound 0", "changed")
        _ = try b.merge(copies.stores[0])
        #expect(try b.live() == copies.stores[0].live())
    }

    @Test func `what comes with a new file counts from the transaction of the merge`() throws {
        let copies = try copies()
        let (a, b) = (copies.stores[0], copies.stores[1])
        try a.writeHistorySettings()
        // The other copy has more transactions than this one.
        for number in 0..<20 { try b.put("kim", "\(number)") }
        try b.putOnOtherDevice("bound", "secret")
        try b.compact()
        copies.wait(hours: 1)
        let change = try copies.opened(0).merge(try copies.opened(1)).change
        let item = try #require(try a.item("bound"))
        #expect(item.written.sequence == change)
        #expect(try item.written.time == b.item("bound")?.written.time)
        try a.delete("bound")
        try a.compact()
        #expect(try a.verify().isIntact)
        #expect(try a.read { vault in try vault.revisions(of: item.name).count } == 1)
    }

    @Test func `items of an absent device that ended are not taken over`() throws {
        let copies = try copies()
        let (a, b) = (copies.stores[0], copies.stores[1])
        try a.putOnOtherDevice("bound", "secret")
        try a.compact()
        _ = try b.merge(a)
        try b.compact()
        try a.delete("bound")
        let here = try copies.opened(1)
        #expect(try here.merge(try copies.opened(0)).deletedItemCount == 1)
        #expect(try b.shown() == ["mail kim 1", "mail lea 1"])
        #expect(try a.merge(b) == MergeReport())
    }

    @Test func `slots of both copies open the vault`() throws {
        let (a, b) = try pair()
        let former = try a.read { $0.verifiedKeybag.slots.count }
        var addition = try b.slotAddition()
        try addition.add(keyFile: [UInt8](repeating: 8, count: 64).span)
        try b.add(addition)
        addition = try a.slotAddition()
        try addition.add(keyFile: [UInt8](repeating: 7, count: 64).span)
        try a.add(addition)
        let report = try a.merge(b)
        #expect(report.wayCount == 1)
        #expect(report.change > 0)
        #expect(try a.read { $0.verifiedKeybag.slots.count } == former + 2)
        #expect(try a.merge(b) == MergeReport())
        #expect(try b.merge(a).wayCount == 1)
        #expect(
            Set(try a.read { $0.verifiedKeybag.slots.map(\.id) })
                == Set(try b.read { $0.verifiedKeybag.slots.map(\.id) })
        )
    }

    @Test func `slots and grants of unknown kinds are carried by merges and compactions`() throws {
        let (a, b) = try pair()
        try a.add(UnknownWays())
        #expect(try b.merge(a).wayCount == 2)
        try b.compact()
        for store in [a, b] {
            let ways = try store.read { $0.verifiedKeybag.unknownWays }
            #expect(ways.map(\.type) == [9, 40])
        }
        #expect(try b.merge(a) == MergeReport())
        #expect(try a.verify().isIntact && b.verify().isIntact)
    }

    @Test(arguments: 1...6) func `the winner of a conflict stays it when keys are changed or the vault is compacted`(
        seed: UInt64
    ) throws {
        let copies = try MergeCopies(2, seed: seed) { store in try store.put("kim", "1") }
        let (a, b) = (copies.stores[0], copies.stores[1])
        try a.put("kim", "of a")
        try b.put("kim", "of b")
        _ = try a.merge(b)
        let (shown, live) = (try a.shown(), try a.live())
        try copies.rotate(a)
        #expect(try a.shown() == shown && a.live() == live)
        try a.compact()
        #expect(try a.shown() == shown && a.live() == live)
        _ = try b.merge(a)
        #expect(try b.shown() == shown && b.live() == live)
    }

    @Test func `a device of one copy takes part in the other one`() throws {
        let (a, b) = try pair()
        let device = DeviceID([UInt8](repeating: 0xB1, count: 16).span)
        var addition = try b.slotAddition()
        try addition.add(device: device, key: a.environment.random.key(), opensAll: false)
        try b.add(addition)
        #expect(try a.merge(b).wayCount == 1)
        // The keybag has it, so that the device can open this copy, and the owner can revoke it.
        try a.compact()
        #expect(try a.read { $0.verifiedKeybag.devices.contains { $0.id == device } })
        #expect(try a.merge(b) == MergeReport())
    }

    @Test func `a grant that has expired is revoked before a merge`() throws {
        let copies = try copies()
        let (a, b) = (copies.stores[0], copies.stores[1])
        let now = a.environment.time.wallMicroseconds()
        try a.issueGrant(
            GrantID([UInt8](repeating: 0x62, count: 16).span),
            named: Array("guest".utf8),
            of: [MergeCopies.groups[0]],
            to: a.environment.random.key().publicKey,
            until: Time(microseconds: now + 3_600_000_000)
        )
        try b.put("max", "new", in: MergeCopies.groups[1])
        copies.wait(hours: 2)
        #expect(try a.grants().count == 1)
        #expect(try a.merge(b).addedItemCount == 1)
        #expect(try a.grants().isEmpty)
        #expect(try a.shown() == ["mail kim 1", "mail lea 1", "work max new"])
    }

    @Test(arguments: 1...20) func `a damaged copy is not merged, and an intact one can be merged later`(step: Int)
        throws
    {
        var copies = try copies()
        for account in ["max", "noa", "kim"] {
            try copies.stores[1].put(account, String(repeating: account, count: 300))
        }
        try copies.stores[1].compact()
        let intact = try copies.cloned()
        try copies.damage(1, at: copies.byteCount(1) * step / 21)
        let a = copies.stores[0]
        let before = try a.live()
        // A flipped bit is noticed when the copy is opened, or when it is merged.
        #expect(throws: (any Error).self) {
            try copies.reopen(1)
            _ = try a.merge(copies.stores[1])
        }
        #expect(try a.live() == before)
        _ = try a.merge(intact.stores[1])
        #expect(try a.live() == intact.stores[1].live())
    }

    @Test func `a merge that is canceled changes nothing`() throws {
        let (a, b) = try pair()
        for number in 0..<17 { try b.put("large \(number)", String(repeating: "x", count: 1 << 20)) }
        let before = try a.live()
        #expect(throws: StoreError.cancelled) { try a.merge(b) { _ in false } }
        #expect(try a.live() == before)
        try a.put("max", "later")
        #expect(try a.merge(b).addedItemCount == 17)
    }

    // MARK: - Undoing

    @Test(arguments: [false, true]) func `a merge is undone as a whole`(isLarge: Bool) throws {
        var copies = try copies()
        let (a, b) = (copies.stores[0], copies.stores[1])
        try a.put("max", "of a")
        try a.put("noa", "of a")
        try b.put("kim", "of b")
        try b.delete("lea")
        try b.put("max", "of b")
        try b.put("new", "of b")
        if isLarge {
            var addition = try b.slotAddition()
            try addition.add(keyFile: [UInt8](repeating: 8, count: 64).span)
            try b.add(addition)
        }
        let before = try a.shown()
        let report = try a.merge(b)
        #expect(try a.shown() != before)
        try a.put("noa", "later")
        if isLarge { try copies.reopen(0) }
        let store = copies.stores[0]
        let undone = try store.transaction { transaction in
            try transaction.undo(change: report.change)
        }
        #expect(undone.restoredItemCount == 2)
        #expect(undone.deletedItemCount == 2)
        #expect(undone.leftItemCount == 0)
        #expect(try store.shown() == before.map { $0.replacingOccurrences(of: "noa of a", with: "noa later") })
        // The other copy learns that, too.
        _ = try b.merge(store)
        #expect(try b.shown() == store.shown())
    }

    @Test func `an item whose name another one has now is left alone`() throws {
        let (a, b) = try pair()
        try b.delete("lea")
        try b.put("kim", "of b")
        let report = try a.merge(b)
        try a.put("lea", "another")
        let undone = try a.transaction { transaction in
            try transaction.undo(change: report.change)
        }
        #expect(undone.leftItemCount == 1 && undone.restoredItemCount == 1)
        #expect(try a.shown() == ["mail kim 1", "mail lea another"])
    }

    @Test func `what was changed since a merge is left alone, and a merge that is no longer known cannot be undone`()
        throws
    {
        let (a, b) = try pair()
        try b.put("kim", "of b")
        let report = try a.merge(b)
        try a.put("kim", "later")
        let undone = try a.transaction { transaction in
            try transaction.undo(change: report.change)
        }
        #expect(undone.leftItemCount == 1)
        #expect(try a.shown() == ["mail kim later", "mail lea 1"])
        try a.compact(.purging(.everything))
        for change in [report.change, 0, 1 << 40] {
            #expect(throws: StoreError.noSuchChange(change)) {
                try a.transaction { transaction in try transaction.undo(change: change) }
            }
        }
    }

    // MARK: - Different keys

    /// Which copies have new keys.
    enum Rotated: CaseIterable {
        case own, other, both
    }

    @Test(arguments: Rotated.allCases) func `copies with different keys become one with the newer keys`(
        rotated: Rotated
    ) throws {
        var copies = try copies()
        let (a, b) = (copies.stores[0], copies.stores[1])
        try a.put("kim", "of a")
        try a.put("max", "of a", in: MergeCopies.groups[1])
        try b.put("kim", "of b")
        try b.put("noa", "of b", in: MergeCopies.groups[1])
        try b.delete("lea")
        if rotated != .other { try copies.rotate(a) }
        if rotated != .own { try copies.rotate(b) }
        try a.put("later", "of a")
        try b.put("later still", "of b", in: MergeCopies.groups[1])
        let preview = try a.mergePreview(of: b)
        let report = try a.merge(b)
        #expect(report == preview)
        #expect(report.hasOtherKeys == (rotated == .other) || rotated == .both)
        #expect(report.addedItemCount == 2)
        #expect(report.deletedItemCount == 1)
        #expect(report.newConflictCount == 1)
        try copies.reopen(0)
        let merged = copies.stores[0]
        let shown = try merged.shown()
        #expect(shown.contains("mail later of a") && shown.contains("work later still of b"))
        #expect(shown.contains("work max of a") && shown.contains("work noa of b"))
        #expect(!shown.contains { $0.contains("lea") })
        #expect(try merged.live().filter { $0.text.hasPrefix("kim") }.count == 2)
        #expect(try merged.verify().isIntact)

        // And the other way round, although what was merged here is not undone there.
        _ = try b.merge(merged)
        try copies.reopen(1)
        #expect(try Set(copies.stores[1].live().map(\.text)) == Set(merged.live().map(\.text)))
        #expect(try merged.merge(copies.stores[1]).addedItemCount == 0)
        #expect(try copies.stores[1].shown() == copies.stores[0].shown())
        try copies.stores[1].put("last", "of b")
        #expect(try copies.stores[0].merge(copies.stores[1]).addedItemCount == 1)
    }

    @Test(arguments: [false, true]) func `items of an absent device are merged under its former keys`(
        isOwn: Bool
    ) throws {
        var copies = try copies()
        for store in copies.stores { try store.keepHistory(1) }
        try copies.stores[0].putOnOtherDevice("before", "1")
        _ = try copies.stores[1].merge(copies.stores[0])
        // Keys are changed where the device is absent, and the device changes its items elsewhere.
        let here = try copies.opened(isOwn ? 0 : 1)
        try copies.rotate(here)
        try copies.stores[isOwn ? 1 : 0].put("before", "2")
        try copies.reopen(0)
        try copies.reopen(1)
        _ = try copies.opened(0).merge(try copies.opened(1))
        try copies.reopen(0)
        #expect(try copies.stores[0].shown().contains("mail before 2"))
        #expect(try copies.stores[0].verify().isIntact)
    }

    private func pair() throws -> (VaultStore, VaultStore) {
        let copies = try copies()
        return (copies.stores[0], copies.stores[1])
    }
}

/// A slot and a grant of kinds that this version does not know.
private struct UnknownWays: KeybagAddition {
    func apply(to keybag: inout Keybag, of vault: OpenGeneration) throws {
        let head = [UInt8](repeating: 8, count: 24)
        keybag.entries += [.unknown(type: 9, body: head + [1, 0, 0, 0]), .unknown(type: 40, body: head)]
        keybag = try Keybag(parsing: keybag.encoded, fileOffset: 0)
    }
}
