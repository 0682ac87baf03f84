import Foundation
import KeyedArchive
import TestSupport
import Testing
import VaultFormat
import VaultStore

@Suite("Updating items") struct ItemUpdateTests {
    private func sample() throws -> StoreSample {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        for service in ["mail", "shop"] { try sample.store.add("kim", service, "secret of \(service)") }
        return sample
    }

    /// The item is in the log or in the snapshot; the tests hold for both.
    private func sample(compacted isCompacted: Bool) throws -> StoreSample {
        let sample = try sample()
        if isCompacted { try sample.store.compact() }
        return sample
    }

    private func item(_ store: VaultStore, _ service: String) throws -> StoredItem {
        try #require(try store.item("kim", service))
    }

    @Test(.temporaryDirectory, arguments: [false, true])
    func `an update has the next revision and keeps id and order`(isCompacted: Bool) throws {
        let sample = try sample(compacted: isCompacted)
        let before = try item(sample.store, "mail")
        try sample.store.update(before, "kim", "post", secret: "new")
        for store in [sample.store, try sample.reopened()] {
            let after = try item(store, "post")
            #expect(after.name == before.name)
            #expect(after.revision.number == before.revision.number + 1)
            #expect(after.revision.salt != before.revision.salt)
            #expect(after.order == before.order)
            #expect(try store.passwords() == ["kim post new", "kim shop secret of shop"])
            #expect(try store.item("kim", "mail") == nil)
        }
    }

    @Test(.temporaryDirectory, arguments: [false, true])
    func `data is kept, replaced or removed, and empty data differs from no data`(isCompacted: Bool) throws {
        let sample = try sample(compacted: isCompacted)
        let store = sample.store
        func change(_ change: @escaping (inout Transaction, StoredItem) throws -> Void) throws -> String? {
            let found = try item(store, "mail")
            try store.transaction { transaction in try change(&transaction, found) }
            let reopened = try sample.reopened()
            let after = try item(reopened, "mail")
            let text = try reopened.text(of: after)
            #expect(after.hasData == (text != nil))
            #expect(try store.text(of: item(store, "mail")) == text)
            return text
        }
        let kept = try change { (transaction, item) in
            try transaction.update(item, attributes: try loginAttributes("kim", "mail", label: "a"), secret: .keep)
        }
        #expect(kept == "secret of mail")
        let emptied = try change { (transaction, item) in
            let nothing: [UInt8] = []
            try transaction.update(item, attributes: try loginAttributes("kim", "mail"), secret: .replace(nothing.span))
        }
        #expect(emptied == "")
        let removed = try change { (transaction, item) in
            try transaction.update(item, attributes: try loginAttributes("kim", "mail"), secret: .remove)
        }
        #expect(removed == nil)
        let keptNothing = try change { (transaction, item) in
            try transaction.update(item, attributes: try loginAttributes("kim", "mail", label: "b"), secret: .keep)
        }
        #expect(keptNothing == nil)
    }

    @Test(.temporaryDirectory, arguments: [false, true])
    func `the protection class can be changed, and the data moves with it`(isCompacted: Bool) throws {
        let sample = try sample(compacted: isCompacted)
        let found = try item(sample.store, "mail")
        try sample.store.transaction { transaction in
            try transaction.update(
                found,
                attributes: try loginAttributes("kim", "mail"),
                secret: .keep,
                protection: .always
            )
        }
        for store in [sample.store, try sample.reopened()] {
            let after = try item(store, "mail")
            #expect(after.protection == .always)
            #expect(after.dataKey != found.dataKey)
            #expect(after.order == found.order)
            #expect(try store.text(of: after) == "secret of mail")
            #expect(try store.passwords().count == 2)
        }
        try sample.store.compact()
        #expect(try sample.reopened().text(of: item(sample.store, "mail")) == "secret of mail")
    }

    @Test(.temporaryDirectory, arguments: [false, true])
    func `an outdated revision is refused`(isCompacted: Bool) throws {
        let sample = try sample(compacted: isCompacted)
        let stale = try item(sample.store, "mail")
        try sample.reopened().update(stale, "kim", "mail", secret: "second")
        #expect(throws: StoreError.revisionDiffers(stale.name, current: 2)) {
            try sample.store.update(stale, "kim", "mail", secret: "third")
        }
        #expect(throws: StoreError.revisionDiffers(stale.name, current: 2)) {
            try sample.store.transaction { transaction in try transaction.delete(stale) }
        }
        #expect(try sample.store.password("kim", "mail") == "second")
    }

    @Test(.temporaryDirectory, arguments: [false, true])
    func `an update to the primary key of another item is refused`(isCompacted: Bool) throws {
        let sample = try sample(compacted: isCompacted)
        let (found, duplicate) = (try item(sample.store, "mail"), try item(sample.store, "shop"))
        #expect(throws: StoreError.duplicate(duplicate.name)) {
            try sample.store.update(found, "kim", "shop", secret: "x")
        }
        #expect(try sample.store.passwords() == ["kim mail secret of mail", "kim shop secret of shop"])
    }

    @Test(.temporaryDirectory) func `an item changed twice in a transaction has two more revisions`() throws {
        let sample = try sample()
        let first = try item(sample.store, "mail")
        try sample.store.transaction { transaction in
            let secrets = [Array("a".utf8), Array("b".utf8)]
            for secret in secrets {
                guard let now = try transaction.vault.item(first.name) else { throw StoreError.abandoned }
                try transaction.update(
                    now,
                    attributes: try loginAttributes("kim", "mail"),
                    secret: .replace(secret.span)
                )
            }
        }
        #expect(try item(sample.reopened(), "mail").revision.number == 3)
        #expect(try sample.reopened().password("kim", "mail") == "b")
    }

    @Test(.temporaryDirectory, arguments: [false, true])
    func `a deleted item is gone, and a new one with its primary key is the newest`(
        isCompacted: Bool
    ) throws {
        let sample = try sample(compacted: isCompacted)
        let found = try item(sample.store, "mail")
        try sample.store.transaction { transaction in try transaction.delete(found) }
        for store in [sample.store, try sample.reopened()] {
            #expect(try store.passwords() == ["kim shop secret of shop"])
            #expect(try store.read { vault in try vault.item(found.name) } == nil)
        }
        #expect(throws: StoreError.noSuchItem(found.name)) {
            try sample.store.transaction { transaction in try transaction.delete(found) }
        }
        try sample.store.add("kim", "mail", "new")
        #expect(try sample.reopened().passwords() == ["kim shop secret of shop", "kim mail new"])
        #expect(try item(sample.store, "mail").name != found.name)
        try sample.store.compact()
        #expect(try sample.reopened().passwords() == ["kim shop secret of shop", "kim mail new"])
    }

    @Test(.temporaryDirectory) func `items of different classes are not duplicates`() throws {
        let sample = try sample()
        let attributes = try ItemAttributes(.internetPassword, ["acct": .string("kim"), "srvr": .string("mail")])
        try sample.store.transaction { transaction in
            _ = try transaction.add(attributes, secret: nil, group: StoreSample.group, protection: .whenUnlocked)
        }
        #expect(try sample.store.passwords().count == 3)
    }

    @Test(.temporaryDirectory, arguments: [false, true])
    func `a duplicate is refused in every protection class`(isCompacted: Bool) throws {
        let sample = try sample(compacted: isCompacted)
        let duplicate = try item(sample.store, "mail").name
        for protection in [ProtectionClass.whenUnlocked, .afterFirstUnlock, .always] {
            #expect(throws: StoreError.duplicate(duplicate)) {
                try sample.store.transaction { transaction in
                    try transaction.addLogin("kim", "mail", "x", protection: protection)
                }
            }
        }
    }

    // MARK: - The greatest revision

    /// The attributes of an item with or without an application password.
    private func planted(_ hasPassword: Bool, label: String = "") throws -> ItemAttributes {
        var values: CanonicalDictionary<ArchiveValue, ArchiveValue> = [
            "acct": "eve", "svce": "mail", "labl": .string(label),
        ]
        if hasPassword { values["accc"] = ["flags": .integer(1 << 31)] }
        return try ItemAttributes(.genericPassword, values)
    }

    /// A vault with an item that has the greatest revision, as another holder of the group can write it.
    private func greatest(hasPassword: Bool) throws -> (StoreSample, passwords: ApplicationPasswords) {
        let sample = try sample()
        let cheap = Argon2Parameters(operations: 1, memoryKiB: 8192)
        let stretching = PasswordStretching(cheap, random: sample.store.environment.random)
        let password = Array("open sesame".utf8)
        let key =
            hasPassword ? try ApplicationPasswordKey(password.span, stretching, availableByteCount: nil) : nil
        try sample.store.transaction { transaction in
            var item: ForeignItem?
            let secret = Array("planted".utf8)
            try transaction.addRevision(
                1 << 63 - 1,
                of: &item,
                as: .current,
                written: nil,
                planted(hasPassword),
                secret: secret.span,
                group: StoreSample.group,
                protection: .whenUnlocked,
                password: key
            )
        }
        return (sample, ApplicationPasswords(current: key, next: key))
    }

    @Test(.temporaryDirectory, arguments: [false, true], [false, true])
    func `the greatest revision can be replaced, moved and deleted, and its name used again`(
        hasPassword: Bool,
        isCompacted: Bool
    ) throws {
        let (sample, passwords) = try greatest(hasPassword: hasPassword)
        let work = Array("work".utf8)
        func current(in group: [UInt8] = StoreSample.group) throws -> StoredItem {
            if isCompacted { try sample.store.compact() }
            return try #require(try sample.reopened().item("eve", "mail", group: group))
        }
        var before = try current()
        for _ in 0..<2 {
            try sample.store.transaction { transaction in
                let attributes = try planted(hasPassword, label: "changed")
                try transaction.update(before, attributes: attributes, secret: .keep, passwords: passwords)
            }
            let after = try current()
            #expect(after.name == before.name && after.revision.number == 1 << 63 - 1)
            #expect(after.revision.salt != before.revision.salt)
            before = after
        }
        for (group, other) in [(StoreSample.group, work), (work, StoreSample.group)] {
            try sample.store.transaction { transaction in
                try transaction.move(
                    before,
                    to: other,
                    attributes: planted(hasPassword),
                    secret: .keep,
                    protection: .whenUnlocked,
                    passwords: passwords
                )
            }
            #expect(try sample.reopened().item("eve", "mail", group: group) == nil)
            before = try current(in: other)
        }
        try sample.store.delete(before)
        #expect(try sample.reopened().item("eve", "mail") == nil)
        try sample.store.add("eve", "mail", "own")
        if isCompacted { try sample.store.compact() }
        #expect(try sample.reopened().password("eve", "mail") == "own")
        #expect(try sample.reopened().verify().isIntact)
    }
}
