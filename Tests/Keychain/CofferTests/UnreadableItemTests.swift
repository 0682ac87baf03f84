import Coffer
import CofferSecurity
import TestSupport
import Testing

/// What is known about items while some of them are locked or damaged.
@Suite("Unreadable items", .temporaryDirectory) struct UnreadableItemTests {
    private func account(_ name: String) -> ItemRequest { password.with(["acct": .string(name), "svce": "mail"]) }

    /// Items with two protections, of which "open" is readable while the keychain is locked.
    private func sample() throws -> KeychainSample {
        let sample = try KeychainSample()
        for (name, protection) in [("closed", "ak"), ("open", "dk")] {
            let item = account(name).with(["pdmn": .string(protection), "labl": "L", "v_Data": data(name)])
            try sample.keychain.add(item)
        }
        return sample
    }

    private func found(
        _ keychain: Keychain,
        _ conditions: ItemCondition<GenericPassword>...
    ) throws -> ItemsByReadability<GenericPassword> {
        try keychain.itemsByReadability(where: .all(conditions))
    }

    @Test func `everything is readable while the vault is unlocked`() throws {
        let found = try found(sample().keychain)
        #expect(found.items.map(\.account) == ["closed", "open"])
        #expect(found.unreadable.isEmpty && !found.hasClosedGroups)
    }

    @Test func `open items are returned, and locked ones are listed`() throws {
        let sample = try sample()
        let reference = try sample.keychain.items(GenericPassword.self, where: .account("closed"))[0].reference
        sample.keychain.lock()
        let found = try found(sample.keychain, .service("mail"))
        #expect(found.items.map(\.account) == ["open"])
        #expect(
            found.unreadable == [
                UnreadableItem(
                    reference: reference.persistentReference,
                    accessGroup: "com.example.app",
                    accessibility: .whenUnlocked,
                    isLocked: true,
                    isMeant: true
                )
            ]
        )
    }

    @Test func `an item that only locked attributes could exclude may match`() throws {
        let sample = try sample()
        sample.keychain.lock()
        #expect(try found(sample.keychain, .label("L")).unreadable.map(\.isMeant) == [false])
        #expect(try found(sample.keychain, .service("other")).unreadable.isEmpty)
    }

    @Test func `damaged and locked items are distinguished`() throws {
        let keychain = try sample().damaging(.attributes, of: [account("closed")])
        let found = try found(keychain, .account("closed"))
        #expect(found.items.isEmpty)
        #expect(found.unreadable.map(\.isLocked) == [false])
        #expect(found.unreadable.map(\.isMeant) == [true])
    }

    @Test func `items that are known are not read again until they change`() throws {
        let keychain = try sample().keychain
        let all = try found(keychain).items
        let known = Dictionary(uniqueKeysWithValues: all.map { ($0.reference.persistentReference, $0.revision) })
        func read() throws -> ItemsByReadability<GenericPassword> {
            try keychain.itemsByReadability(reading: ItemReading(known: known))
        }
        #expect(try read().items.isEmpty)
        #expect(try read().unchanged == all.map(\.reference.persistentReference))
        try keychain.setSecret("new", of: all[0].reference)
        #expect(try read().items.map(\.account) == ["closed"])
        #expect(try read().unchanged == [all[1].reference.persistentReference])
        keychain.lock()
        #expect(try read().unreadable.map(\.reference) == [all[0].reference.persistentReference])
    }

    @Test func `a long search says how far it is, and stops`() throws {
        let keychain = try sample().keychain
        var told: [[Int]] = []
        let reading = ItemReading { count, all in
            told.append([count, all])
            return false
        }
        let found: ItemsByReadability<GenericPassword> = try keychain.itemsByReadability(reading: reading)
        #expect(told == [[0, 2]] && found.items.isEmpty)
    }
}
