import Coffer
import CofferSecurity
import KeyedArchive
import TestSupport
import Testing
import VaultFormat
import VaultStore

/// The history of items, as far as the vault has kept it and the program may see it.
@Suite("Item history", .temporaryDirectory) struct KeychainHistoryTests {
    private let mail = GenericPassword(service: "mail", account: "kim")

    /// An item that had the secrets "1", "2" and "3", a second apart.
    private func changed(_ sample: KeychainSample) throws -> Stored<GenericPassword> {
        var stored = try sample.keychain.add(mail, secret: "1")
        for text in ["2", "3"] {
            sample.time.advance(nanoseconds: 1_000_000_000)
            stored = try sample.keychain.setSecret(text, of: stored.reference)
        }
        return stored
    }

    /// Makes compactions keep the history.
    private func keepPast(_ sample: KeychainSample) throws {
        try sample.store.transaction { transaction in
            var settings = Settings(revision: 0, values: [:])
            settings.historyDays = 100
            try transaction.change(settings)
        }
    }

    private func texts(_ keychain: Keychain, _ past: [PastItem<GenericPassword>]) throws -> [String] {
        try past.map { String(decoding: try keychain.secret(of: $0) ?? [], as: UTF8.self) }
    }

    // MARK: - Reading

    @Test func `an item's revisions are listed newest first`() throws {
        let sample = try KeychainSample()
        let stored = try changed(sample)
        let history = try sample.keychain.history(of: stored.reference)
        #expect(try texts(sample.keychain, history.revisions) == ["3", "2", "1"])
        #expect(history.revisions.map(\.isCurrent) == [true, false, false])
        #expect(history.revisions.first?.revision == stored.revision)
        #expect(history.revisions.first?.item == stored.item)
        #expect(history.revisions.map(\.accessGroup) == Array(repeating: "com.example.app", count: 3))
        #expect(history.isComplete && !history.isDeleted)
        let seconds = history.revisions.map { past in
            [past.written, past.ended].map { $0.map { $0.secondsSince1970 - stored.created.secondsSince1970 } }
        }
        #expect(seconds == [[2, nil], [1, 2], [0, 1]])
    }

    @Test(arguments: [false, true])
    func `of a deleted item it is known when it was written`(isCompacted: Bool) throws {
        let sample = try KeychainSample()
        let stored = try sample.keychain.add(mail, secret: "1")
        try sample.keychain.add(GenericPassword(service: "web"), secret: "2")
        if isCompacted { try sample.store.compact() }
        sample.time.advance(nanoseconds: 5_000_000_000)
        try sample.keychain.delete(stored.reference)
        let deleted = try sample.keychain.deletedItems(GenericPassword.self)
        #expect(deleted.map(\.reference) == [stored.reference])
        #expect(deleted.first?.written == stored.created)
        #expect(deleted.first?.ended.map { $0.secondsSince1970 - stored.created.secondsSince1970 } == 5)
    }

    @Test func `a deleted item has a history`() throws {
        let sample = try KeychainSample()
        let stored = try changed(sample)
        try sample.keychain.delete(stored.reference)
        let history = try sample.keychain.history(of: stored.reference)
        #expect(history.isDeleted)
        #expect(try texts(sample.keychain, history.revisions) == ["3", "2", "1"])
        #expect(history.revisions.first?.ended != nil)
    }

    @Test func `a compaction drops what the settings do not keep, and says so`() throws {
        let sample = try KeychainSample()
        let stored = try changed(sample)
        let gone = try sample.keychain.add(GenericPassword(account: "gone"))
        try sample.keychain.delete(gone.reference)
        #expect(try sample.keychain.historyStart == nil)
        try sample.keychain.compact()
        let history = try sample.keychain.history(of: stored.reference)
        #expect(try texts(sample.keychain, history.revisions) == ["3"])
        #expect(!history.isComplete)
        #expect(throws: KeychainError.itemNotFound) { try sample.keychain.history(of: gone.reference) }
        #expect(throws: KeychainError.noSuchRevision) { try sample.keychain.undo(stored.reference) }
        #expect(try sample.keychain.deletedItems(GenericPassword.self).isEmpty)
        #expect(try sample.keychain.historyStart != nil)
    }

    @Test func `a compaction keeps the history that the settings ask for`() throws {
        let sample = try KeychainSample()
        try keepPast(sample)
        let stored = try changed(sample)
        let gone = try sample.keychain.add(GenericPassword(account: "gone"), secret: "x")
        try sample.keychain.delete(gone.reference)
        try sample.keychain.compact()
        let keychain = try sample.reopened()
        let history = try keychain.history(of: stored.reference)
        #expect(try texts(keychain, history.revisions) == ["3", "2", "1"])
        #expect(history.isComplete)
        #expect(try keychain.deletedItems(GenericPassword.self).map(\.reference) == [gone.reference])
        #expect(try keychain.undo(gone.reference).account == "gone")
    }

    @Test func `revisions found before a compaction are readable after it`() throws {
        let sample = try KeychainSample()
        let stored = try changed(sample)
        let history = try sample.keychain.history(of: stored.reference)
        try sample.keychain.compact()
        #expect(try texts(sample.keychain, history.revisions) == ["3", "2", "1"])
        #expect(try sample.keychain.restore(#require(history.revisions.last)).reference == stored.reference)
        #expect(try sample.keychain.secretText(of: stored.reference) == "1")
    }

    @Test func `a snapshot's revision is gone after a compaction drops it`() throws {
        let sample = try KeychainSample()
        let stored = try sample.keychain.add(mail, secret: "1")
        try sample.keychain.compact()
        let past = try #require(try sample.keychain.history(of: stored.reference).revisions.first)
        try sample.keychain.setSecret("2", of: stored.reference)
        try sample.keychain.compact()
        #expect(throws: KeychainError.noSuchRevision) { try sample.keychain.secret(of: past) }
        #expect(throws: KeychainError.noSuchRevision) { try sample.keychain.restore(past) }
        #expect(try sample.keychain.secretText(of: stored.reference) == "2")
    }

    @Test func `the items of a past moment are those that existed then`() throws {
        let sample = try KeychainSample()
        let start = KeychainDate(secondsSince1970: Double(sample.time.wallMicroseconds()) / 1e6 - 0.5)
        let stored = try changed(sample)
        try sample.keychain.add(GenericPassword(service: "shop"))
        try sample.keychain.delete(stored.reference)
        for (second, expected) in [[], ["1"], ["2"]].enumerated() {
            let date = KeychainDate(secondsSince1970: start.secondsSince1970 + Double(second))
            let found = try sample.keychain.items(GenericPassword.self, at: date, where: .service("mail"))
            #expect(try texts(sample.keychain, found.items) == expected)
            #expect(found.isComplete)
        }
        let now = try sample.keychain.items(GenericPassword.self, at: KeychainDate(secondsSince1970: .infinity))
        #expect(now.items.map { $0.item?.service } == ["shop"])
        try sample.keychain.compact()
        #expect(try sample.keychain.items(GenericPassword.self, at: start).isComplete == false)
    }

    @Test func `deleted items are found by their former attributes`() throws {
        let sample = try KeychainSample()
        let stored = try changed(sample)
        let other = try sample.keychain.add(GenericPassword(service: "shop"))
        try sample.keychain.add(GenericPassword(service: "kept"))
        try sample.keychain.delete(other.reference)
        try sample.keychain.delete(stored.reference)
        let all = try sample.keychain.deletedItems(GenericPassword.self)
        #expect(all.map { $0.item?.service } == ["mail", "shop"])
        let found = try sample.keychain.deletedItems(GenericPassword.self, where: .service("mail"))
        #expect(try texts(sample.keychain, found) == ["3"])
        #expect(try sample.keychain.deletedItems(GenericPassword.self, where: .synchronizable(.yes)).isEmpty)
        #expect(try sample.keychain.deletedItems(GenericPassword.self, where: .accessibility(.always)).isEmpty)
        #expect(try sample.keychain.deletedItems(InternetPassword.self).isEmpty)
    }

    // MARK: - Restoring

    @Test func `a past revision is restored completely as a new revision`() throws {
        let sample = try KeychainSample()
        var item = mail
        item.label = "L"
        let first = try sample.keychain.add(item, secret: "1")
        try sample.keychain.transaction { transaction in
            try transaction.update(first.reference) { item in
                item.label = nil
                item.account = "lee"
                item.accessibility = .afterFirstUnlock
            }
            try transaction.removeSecret(of: first.reference)
        }
        let current = try #require(try sample.keychain.item(first.reference))
        let past = try #require(try sample.keychain.history(of: first.reference).revisions.last)
        let restored = try sample.keychain.restore(past, ifRevision: current.revision)
        #expect(restored.item == first.item && restored.created == first.created)
        #expect(restored.revision.number > current.revision.number && restored.modified > current.modified)
        #expect(try sample.keychain.secretText(of: first.reference) == "1")
        #expect(throws: KeychainError.revisionDiffers) {
            try sample.keychain.restore(past, ifRevision: current.revision)
        }
    }

    @Test func `the last change is undone, and the undo too`() throws {
        let sample = try KeychainSample()
        let stored = try changed(sample)
        try sample.keychain.undo(stored.reference)
        #expect(try sample.keychain.secretText(of: stored.reference) == "2")
        try sample.keychain.undo(stored.reference)
        #expect(try sample.keychain.secretText(of: stored.reference) == "3")
        #expect(throws: KeychainError.revisionDiffers) {
            try sample.keychain.undo(stored.reference, ifRevision: stored.revision)
        }
    }

    @Test func `an addition cannot be undone`() throws {
        let keychain = try KeychainSample().keychain
        let stored = try keychain.add(mail)
        #expect(throws: KeychainError.noSuchRevision) { try keychain.undo(stored.reference) }
        #expect(try keychain.item(stored.reference) == stored)
    }

    @Test func `undoing a deletion restores the item's place and reference`() throws {
        let sample = try KeychainSample()
        let stored = try changed(sample)
        try sample.keychain.add(GenericPassword(service: "shop"))
        try sample.keychain.delete(stored.reference)
        #expect(throws: KeychainError.itemNotFound) {
            try sample.keychain.undo(stored.reference, ifRevision: stored.revision)
        }
        let back = try sample.keychain.undo(stored.reference)
        #expect(back.item == stored.item && back.reference == stored.reference)
        #expect(try sample.keychain.items(GenericPassword.self).map(\.service) == ["mail", "shop"])
        #expect(try sample.keychain.secretText(of: stored.reference) == "3")
        #expect(try sample.keychain.deletedItems(GenericPassword.self).isEmpty)
        #expect(try sample.keychain.history(of: stored.reference).isComplete)
    }

    @Test func `a history with dropped revisions is incomplete even after a restore`() throws {
        let sample = try KeychainSample()
        let stored = try changed(sample)
        let first = try #require(try sample.keychain.history(of: stored.reference).revisions.last)
        try sample.keychain.compact()
        try sample.keychain.restore(first)
        let history = try sample.keychain.history(of: stored.reference)
        #expect(try texts(sample.keychain, history.revisions) == ["1", "3"])
        #expect(!history.isComplete)
    }

    @Test func `a deleted item is not restored beside an equal item`() throws {
        let sample = try KeychainSample()
        let stored = try changed(sample)
        try sample.keychain.delete(stored.reference)
        let gone = try #require(try sample.keychain.deletedItems(GenericPassword.self).first)
        try sample.keychain.add(mail, secret: "new")
        #expect(throws: KeychainError.duplicateItem) { try sample.keychain.restore(gone) }
        #expect(try sample.keychain.secretText(GenericPassword.self) == "new")
    }

    @Test func `a transaction sees the history that it creates`() throws {
        let sample = try KeychainSample()
        try sample.keychain.transaction { transaction in
            let stored = try transaction.add(mail, secret: "1")
            try transaction.setSecret("2", of: stored.reference)
            let states = try transaction.history(of: stored.reference).revisions.count
            #expect(states == 2)
            try transaction.undo(stored.reference)
        }
        #expect(try sample.reopened().secretText(GenericPassword.self) == "1")
    }

    // MARK: - Groups

    private static let both = AccessGroups(declared: ["one", "two"])

    /// An item that moved from the group "one" to the group "two".
    private func moved(_ sample: KeychainSample) throws -> KeychainReference<GenericPassword> {
        let stored = try sample.keychain.add(mail, secret: "1")
        try sample.keychain.update(stored.reference) { $0.accessGroup = "two" }
        return try sample.keychain.setSecret("2", of: stored.reference).reference
    }

    @Test func `a moved item has its history in both groups and is not deleted`() throws {
        let sample = try KeychainSample(Self.both)
        let reference = try moved(sample)
        let history = try sample.keychain.history(of: reference)
        #expect(history.revisions.map(\.accessGroup) == ["two", "two", "one"])
        #expect(try texts(sample.keychain, history.revisions) == ["2", "1", "1"])
        #expect(!history.isDeleted && history.isComplete)
        #expect(try sample.keychain.deletedItems(GenericPassword.self).isEmpty)
    }

    @Test func `the history lacks revisions in a group that the program cannot see`() throws {
        let sample = try KeychainSample(Self.both)
        let reference = try moved(sample)
        try sample.keychain.update(reference) { $0.accessGroup = "one" }
        #expect(try sample.keychain.history(of: reference).isComplete)
        let one = try sample.keychain(AccessGroups(declared: ["one"])).history(of: reference)
        #expect(one.revisions.map(\.isCurrent) == [true, false] && !one.isComplete)
    }

    // The revision before the gap was once restored as if it had been the last one.
    @Test func `undo cannot restore a revision from another program's group`() throws {
        let sample = try KeychainSample(Self.both)
        let reference = try moved(sample)
        try sample.keychain.update(reference) { $0.accessGroup = "one" }
        let one = sample.keychain(AccessGroups(declared: ["one"]))
        #expect(throws: KeychainError.noSuchRevision) { try one.undo(reference) }
        #expect(try one.secretText(of: reference) == "2")
        #expect(try sample.keychain.undo(reference).accessGroup == "two")
    }

    @Test func `the last revision of a moved and deleted item is found`() throws {
        let sample = try KeychainSample(Self.both)
        let stored = try sample.keychain.add(with(mail) { $0.accessGroup = "two" }, secret: "1")
        try sample.keychain.update(stored.reference) { $0.accessGroup = "one" }
        try sample.keychain.delete(stored.reference)
        #expect(try sample.keychain.deletedItems(GenericPassword.self).map(\.accessGroup) == ["one"])
    }

    private func with(_ item: GenericPassword, _ change: (inout GenericPassword) -> Void) -> GenericPassword {
        var item = item
        change(&item)
        return item
    }

    @Test func `restoring a revision from another group moves the item back there`() throws {
        let sample = try KeychainSample(Self.both)
        let reference = try moved(sample)
        let past = try #require(try sample.keychain.history(of: reference).revisions.last)
        let restored = try sample.keychain.restore(past)
        #expect(restored.accessGroup == "one")
        #expect(try sample.keychain.secretText(of: reference) == "1")
        #expect(try sample.keychain.count(GenericPassword.self) == 1)
        let numbers = try sample.keychain.history(of: reference).revisions.map(\.revision.number)
        #expect(numbers == numbers.sorted(by: >) && numbers.count == 4)
    }

    @Test func `the history in another program's group is closed`() throws {
        let sample = try KeychainSample(Self.both)
        let reference = try moved(sample)
        let revisions = try sample.keychain.history(of: reference).revisions
        let one = sample.keychain(AccessGroups(declared: ["one"]))
        #expect(try one.history(of: reference).revisions.map(\.accessGroup) == ["one"])
        #expect(try one.history(of: reference).isDeleted)
        let two = sample.keychain(AccessGroups(declared: ["two"]))
        #expect(try two.history(of: reference).revisions.map(\.accessGroup) == ["two", "two"])
        #expect(try two.history(of: reference).isComplete == false)
        #expect(throws: KeychainError.notEntitled(.group("two"))) { try one.secret(of: revisions[0]) }
        #expect(throws: KeychainError.notEntitled(.group("two"))) { try one.restore(revisions[0]) }
        // The item is now in a group from which this program cannot take it.
        #expect(throws: KeychainError.notEntitled(.group("two"))) { try one.restore(revisions[2]) }
        #expect(try one.deletedItems(GenericPassword.self).isEmpty)
        #expect(throws: KeychainError.notEntitled(.group("two"))) {
            try one.items(GenericPassword.self, at: KeychainDate(secondsSince1970: .infinity), where: .group("two"))
        }
        #expect(try sample.keychain.secretText(of: reference) == "2")
    }

    // MARK: - Conditions

    @Test func `conditions on deleted items include computed attributes`() throws {
        let sample = try KeychainSample()
        var synchronizable = mail
        synchronizable.isSynchronizable = true
        try sample.keychain.delete(try sample.keychain.add(synchronizable).reference)
        #expect(try sample.keychain.deletedItems(GenericPassword.self).isEmpty)
        let all = try sample.keychain.deletedItems(GenericPassword.self, where: .synchronizable(.any))
        #expect(all.map(\.item?.service) == ["mail"])
        let digest = ItemValue.data([UInt8](repeating: 7, count: 20))
        let none = try sample.keychain.deletedItems(
            GenericPassword.self,
            where: .synchronizable(.any),
            .attribute("sha1", digest)
        )
        #expect(none.isEmpty)
    }

    // MARK: - Damaged

    @Test func `a damaged item is not treated as missing from history`() throws {
        let sample = try KeychainSample()
        let stored = try changed(sample)
        let damaged = try sample.damaging(.attributes, of: [["class": "genp", "svce": "mail"]])
        let history = try damaged.history(of: stored.reference)
        #expect(history.revisions.first?.isReadable == false && !history.isDeleted)
        let now = try damaged.items(GenericPassword.self, at: KeychainDate(secondsSince1970: .infinity))
        #expect(now.items.isEmpty && !now.isComplete)
    }

    // MARK: - Locked

    @Test func `a locked item existed since it was written, and its state then is not left out`() throws {
        let sample = try KeychainSample()
        _ = try changed(sample)
        try sample.keychain.compact()
        sample.keychain.lock()
        let now = KeychainDate(secondsSince1970: .infinity)
        #expect(throws: KeychainError.locked) { try sample.keychain.items(GenericPassword.self, at: now) }
        let past = try sample.keychain.items(GenericPassword.self, at: KeychainDate(secondsSince1970: 0))
        #expect(past.items.isEmpty)
    }

    @Test func `an item that may have moved to a closed group is not reported as deleted`() throws {
        let sample = try KeychainSample()
        let keychain = sample.keychain
        // A protection that stays unlocked while the vault is locked.
        var item = GenericPassword(service: "mail", account: "kim")
        item.accessibility = .afterFirstUnlock
        let stored = try keychain.add(item, secret: "secret")
        var roots = sample.roots
        roots.devices = [:]
        let other = try sample.reopened(roots: roots)
        other.lock()
        #expect(try other.deletedItems(GenericPassword.self).isEmpty)
        try keychain.update(stored.reference) { $0.accessGroup = "new" }
        #expect(throws: KeychainError.locked) { try other.deletedItems(GenericPassword.self) }
        #expect(try keychain.deletedItems(GenericPassword.self).isEmpty)
    }

    @Test func `the history of a locked item is listed, but its content stays locked`() throws {
        let sample = try KeychainSample()
        let stored = try changed(sample)
        let deleted = try sample.keychain.add(GenericPassword(service: "gone"))
        try sample.keychain.delete(deleted.reference)
        var open = GenericPassword(service: "open")
        open.accessibility = .always
        let always = try sample.keychain.add(open, secret: "1")
        try sample.keychain.setSecret("2", of: always.reference)
        let before = try sample.keychain.history(of: stored.reference).revisions
        sample.keychain.lock()

        let history = try sample.keychain.history(of: stored.reference)
        #expect(history.revisions.map(\.isReadable) == [false, false, false])
        #expect(history.revisions.map(\.revision) == before.map(\.revision))
        #expect(throws: KeychainError.locked) { try sample.keychain.secret(of: before[1]) }
        #expect(throws: KeychainError.locked) { try sample.keychain.restore(before[1]) }
        #expect(throws: KeychainError.locked) { try sample.keychain.undo(stored.reference) }
        #expect(throws: KeychainError.locked) { try sample.keychain.deletedItems(GenericPassword.self) }
        #expect(throws: KeychainError.locked) {
            try sample.keychain.items(GenericPassword.self, at: KeychainDate(secondsSince1970: .infinity))
        }
        try sample.keychain.undo(always.reference)
        #expect(try sample.keychain.secretText(of: always.reference) == "1")
    }
}
