import Coffer
import CofferSecurity
import TestSupport
import Testing

/// What can be told of items while some of them are locked or damaged.
@Suite("Items that cannot be read", .temporaryDirectory) struct UnreadableItemTests {
    private func account(_ name: String) -> ItemRequest { password.with(["acct": .string(name), "svce": "mail"]) }

    /// Items of two protections, of which "open" can be read while the keychain is locked.
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
    ) throws -> ItemsAsOpen<GenericPassword> {
        try keychain.itemsAsOpen(whereAll: conditions)
    }

    @Test func `while it is unlocked everything can be read`() throws {
        let found = try found(sample().keychain)
        #expect(found.items.map(\.account) == ["closed", "open"])
        #expect(found.unreadable.isEmpty && !found.hasClosedGroups)
    }

    @Test func `what is open comes, and what is locked is counted`() throws {
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

    @Test func `an item that only its attributes could tell may be meant`() throws {
        let sample = try sample()
        sample.keychain.lock()
        #expect(try found(sample.keychain, .label("L")).unreadable.map(\.isMeant) == [false])
        #expect(try found(sample.keychain, .service("other")).unreadable.isEmpty)
    }

    @Test func `what is damaged is told from what is locked`() throws {
        let keychain = try sample().damaging(.attributes, of: [account("closed")])
        let found = try found(keychain, .account("closed"))
        #expect(found.items.isEmpty)
        #expect(found.unreadable.map(\.isLocked) == [false])
        #expect(found.unreadable.map(\.isMeant) == [true])
    }
}
