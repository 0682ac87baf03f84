import Coffer
import CofferSecurity
import TestSupport
import Testing

/// Sections 2.3, 9 and 10 of Apple's behaviour: users, digests, marks of deleted items, and states of synchronisation.
@Suite("Hidden attributes", .temporaryDirectory) struct HiddenAttributeTests {
    private func filled() throws -> Keychain {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["acct": "kim", "v_Data": data("x")]))
        return keychain
    }

    // MARK: - Users and ids

    @Test(arguments: [("musr", ItemValue.data([UInt8](repeating: 1, count: 16))), ("UUID", "x"), ("UUID", "")])
    func `what is somebody else's is no item of this keychain`(name: String, value: ItemValue) throws {
        let keychain = try filled()
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(password.with([name: value])) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.update(password.with([name: value]), with: [:]) }
        // A condition that meant nothing would delete everything.
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(password.with([name: value])) }
        #expect(try keychain.text(password) == "x")
    }

    @Test(arguments: [ItemValue.data([]), .null]) func `the user without a name has every item`(value: ItemValue) throws
    {
        #expect(try filled().count(password.with(["musr": value])) == 1)
    }

    @Test func `an id for synchronisation is overwritten, and never comes back`() throws {
        let keychain = try filled()
        try keychain.add(password.with(["acct": "lee", "UUID": "mine"]))
        try keychain.update(password.with(["acct": "lee"]), with: ["UUID": "mine"])
        #expect(try keychain.attributes(password.with(["acct": "lee"]))["UUID"] == nil)
    }

    @Test func `a digest is what it is, whatever an addition or a change says`() throws {
        let keychain = try KeychainSample().keychain
        let said = ItemValue.data([UInt8](repeating: 7, count: 20))
        let added = try keychain.add(password.with(["sha1": said, "r_Attributes": true])).values["sha1"]
        #expect(added != said)
        #expect(try keychain.attributes(password)["sha1"] == added)
        try keychain.update(password, with: ["sha1": said])
        #expect(try keychain.attributes(password)["sha1"] != said)
    }

    @Test(arguments: ["genp", "inet", "cert", "keys"]) func `a digest has 20 bytes, its own for each item`(
        itemClass: String
    ) throws {
        let keychain = try KeychainSample().keychain
        let item: ItemRequest = ["class": .string(itemClass)]
        for flag in [false, true] { try keychain.add(item.with(["sync": .bool(flag)])) }
        let digests = try keychain.all(item.with(["sync": "syna", "r_Attributes": true])).map { $0.values["sha1"] }
        #expect(digests.count == 2 && digests[0] != digests[1])
        for case .data(let bytes)? in digests { #expect(bytes.count == 20) }
    }

    @Test(arguments: [ItemValue.string("x"), .data([1]), 1, true, .null]) func `in changes too`(value: ItemValue) throws
    {
        let keychain = try filled()
        #expect(throws: KeychainError.invalid(.value(of: "sha1"))) {
            try keychain.update(password, with: ["sha1": value])
        }
    }

    // MARK: - Dates

    @Test(arguments: ["cdat", "mdat"], [ItemValue.string("today"), 5, data("x"), true, .null])
    func `a date is a date, in queries and changes too`(name: String, value: ItemValue) throws {
        let keychain = try filled()
        let error = KeychainError.invalid(.value(of: name))
        #expect(throws: error) { try keychain.find(password.with([name: value])) }
        #expect(throws: error) { try keychain.update(password.with([name: value]), with: [:]) }
        #expect(throws: error) { try keychain.delete(password.with([name: value])) }
        #expect(throws: error) { try keychain.update(password, with: [name: value]) }
    }

    @Test(arguments: [-1e9, -0.5, 0, 0.001, 123_456.789_012, 1e9])
    func `a date of creation is kept to its last digit, and found by it`(seconds: Double) throws {
        let keychain = try filled()
        let date = ItemValue.date(secondsSinceReferenceDate: seconds)
        try keychain.update(password, with: ["cdat": date])
        #expect(try keychain.attributes(password)["cdat"] == date)
        #expect(try keychain.count(password.with(["cdat": date])) == 1)
        let other = ItemValue.date(secondsSinceReferenceDate: seconds.nextUp)
        #expect(try keychain.count(password.with(["cdat": other])) == 0)
    }

    // MARK: - Marks of deleted items

    @Test func `a change marks an item as deleted, and takes the mark away`() throws {
        let keychain = try filled()
        try keychain.update(password, with: ["tomb": true])
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(password) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.update(password, with: ["labl": "x"]) }
        #expect(try keychain.attributes(password.with(["tomb": 1]))["tomb"] == 1)
        try keychain.update(password.with(["tomb": true]), with: ["tomb": false])
        #expect(try keychain.text(password) == "x")
    }

    @Test func `an item that is marked as deleted keeps its primary key`() throws {
        let keychain = try filled()
        try keychain.update(password, with: ["tomb": true])
        #expect(throws: KeychainError.duplicateItem) { try keychain.add(password.with(["acct": "kim"])) }
        try keychain.delete(password.with(["tomb": 1]))
        try keychain.add(password.with(["acct": "kim"]))
    }

    // MARK: - Synchronisation

    @Test(arguments: [data("1"), .null, .date(secondsSinceReferenceDate: 0), .array([])])
    func `whether an item is synchronizable is a number`(value: ItemValue) throws {
        let keychain = try filled()
        let error = KeychainError.invalid(.value(of: "sync"))
        #expect(throws: error) { try keychain.add(password.with(["sync": value])) }
        #expect(throws: error) { try keychain.find(password.with(["sync": value])) }
        #expect(throws: error) { try keychain.delete(password.with(["sync": value])) }
        #expect(throws: error) { try keychain.update(password, with: ["sync": value]) }
    }

    @Test(
        arguments: [(true, 1), (1, 1), ("1", 1), (false, 0), (0, 0), ("0", 0), ("syna", 0)] as [(ItemValue, Int64)]
    )
    func `it comes back as a number`(value: ItemValue, number: Int64) throws {
        let keychain = try KeychainSample().keychain
        #expect(
            try keychain.add(password.with(["sync": value, "r_Attributes": true])).values["sync"] == .integer(number)
        )
        #expect(try keychain.attributes(password.with(["sync": .integer(number)]))["sync"] == .integer(number))
    }

    @Test(arguments: ["genp", "inet", "cert", "keys"]) func `items of every class may be synchronizable`(
        itemClass: String
    ) throws {
        let keychain = try KeychainSample().keychain
        let item: ItemRequest = ["class": .string(itemClass)]
        try keychain.add(item.with(["sync": true]))
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(item) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.update(item, with: [:]) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(item) }
        #expect(try keychain.count(item.with(["sync": true])) == 1)
    }

    @Test func `a text that is no state means no item, locked or not`() throws {
        let keychain = try filled()
        try keychain.update(password, with: ["sync": true])
        keychain.lock()
        #expect(throws: KeychainError.locked) { try keychain.delete(password.with(["sync": "other"])) }
        #expect(throws: KeychainError.locked) { try keychain.find(password.with(["sync": true])) }
    }

    // MARK: - Protection

    @Test(arguments: ["ak", "ck", "dk", "aku", "cku", "dku"]) func `a protection may come as bytes`(text: String) throws
    {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["pdmn": data(text)]))
        #expect(try keychain.attributes(password)["pdmn"] == .string(text))
        #expect(try keychain.count(password.with(["pdmn": data(text)])) == 1)
    }

    @Test(arguments: [ItemValue.integer(1), true, .null, .data([0xFF]), .array([])])
    func `a protection is text`(value: ItemValue) throws {
        let keychain = try filled()
        let error = KeychainError.invalid(.value(of: "pdmn"))
        #expect(throws: error) { try keychain.add(password.with(["pdmn": value])) }
        #expect(throws: error) { try keychain.find(password.with(["pdmn": value])) }
        #expect(throws: error) { try keychain.delete(password.with(["pdmn": value])) }
        #expect(throws: error) { try keychain.update(password, with: ["pdmn": value]) }
    }

    @Test func `nothing has a protection that needs a passphrase where there is none`() throws {
        #expect(throws: KeychainError.itemNotFound) { try filled().find(password.with(["pdmn": "akpu"])) }
        #expect(throws: KeychainError.noPassphrase) { try filled().update(password, with: ["pdmn": "akpu"]) }
    }
}
