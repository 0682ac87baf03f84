import Coffer
import CofferSecurity
import TestSupport
import Testing

/// `Spec/keychain-behavior.md`, sections 3 and 4: users, digests, deletion marks and synchronization.
@Suite("Hidden attributes", .temporaryDirectory) struct HiddenAttributeTests {
    private func filled() throws -> Keychain {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["acct": "kim", "v_Data": data("x")]))
        return keychain
    }

    // MARK: - Users and ids

    @Test(arguments: [("musr", ItemValue.data([UInt8](repeating: 1, count: 16))), ("UUID", "x"), ("UUID", "")])
    func `another user or UUID matches no item`(name: String, value: ItemValue) throws {
        let keychain = try filled()
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(password.with([name: value])) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.update(password.with([name: value]), with: [:]) }
        // If the condition were ignored, everything would be deleted.
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(password.with([name: value])) }
        #expect(try keychain.text(password) == "x")
    }

    @Test(arguments: [ItemValue.data([]), .null]) func `the empty user matches every item`(value: ItemValue) throws {
        #expect(try filled().count(password.with(["musr": value])) == 1)
    }

    @Test func `a synchronization UUID is ignored and never returned`() throws {
        let keychain = try filled()
        try keychain.add(password.with(["acct": "lee", "UUID": "mine"]))
        try keychain.update(password.with(["acct": "lee"]), with: ["UUID": "mine"])
        #expect(try keychain.attributes(password.with(["acct": "lee"]))["UUID"] == nil)
    }

    @Test func `a digest is computed, whatever an addition or a change passes`() throws {
        let keychain = try KeychainSample().keychain
        let said = ItemValue.data([UInt8](repeating: 7, count: 20))
        let added = try keychain.add(password.with(["sha1": said, "r_Attributes": true])).values["sha1"]
        #expect(added != said)
        #expect(try keychain.attributes(password)["sha1"] == added)
        try keychain.update(password, with: ["sha1": said])
        #expect(try keychain.attributes(password)["sha1"] != said)
    }

    @Test(arguments: ["genp", "inet", "cert", "keys"]) func `each item has its own digest of 20 bytes`(
        itemClass: String
    ) throws {
        let keychain = try KeychainSample().keychain
        let item: ItemRequest = ["class": .string(itemClass)]
        for flag in [false, true] { try keychain.add(item.with(["sync": .bool(flag)])) }
        let digests = try keychain.all(item.with(["sync": "syna", "r_Attributes": true])).map { $0.values["sha1"] }
        #expect(digests.count == 2 && digests[0] != digests[1])
        for case .data(let bytes)? in digests { #expect(bytes.count == 20) }
    }

    @Test(arguments: [ItemValue.string("x"), .data([1]), 1, true, .null])
    func `an invalid digest in a change is rejected`(value: ItemValue) throws {
        let keychain = try filled()
        #expect(throws: KeychainError.invalid(.value(of: "sha1"))) {
            try keychain.update(password, with: ["sha1": value])
        }
    }

    // MARK: - Dates

    @Test(arguments: ["cdat", "mdat"], [ItemValue.string("today"), 5, data("x"), true, .null])
    func `a date must be a date in queries and changes`(name: String, value: ItemValue) throws {
        let keychain = try filled()
        let error = KeychainError.invalid(.value(of: name))
        #expect(throws: error) { try keychain.find(password.with([name: value])) }
        #expect(throws: error) { try keychain.update(password.with([name: value]), with: [:]) }
        #expect(throws: error) { try keychain.delete(password.with([name: value])) }
        #expect(throws: error) { try keychain.update(password, with: [name: value]) }
    }

    @Test(arguments: [-1e9, -0.5, 0, 0.001, 123_456.789_012, 1e9])
    func `a creation date is stored exactly, and finds its item`(seconds: Double) throws {
        let keychain = try filled()
        let date = ItemValue.date(secondsSinceReferenceDate: seconds)
        try keychain.update(password, with: ["cdat": date])
        #expect(try keychain.attributes(password)["cdat"] == date)
        #expect(try keychain.count(password.with(["cdat": date])) == 1)
        let other = ItemValue.date(secondsSinceReferenceDate: seconds.nextUp)
        #expect(try keychain.count(password.with(["cdat": other])) == 0)
    }

    // MARK: - Deletion marks

    @Test func `an update can mark an item as deleted and unmark it`() throws {
        let keychain = try filled()
        try keychain.update(password, with: ["tomb": true])
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(password) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.update(password, with: ["labl": "x"]) }
        #expect(try keychain.attributes(password.with(["tomb": 1]))["tomb"] == 1)
        try keychain.update(password.with(["tomb": true]), with: ["tomb": false])
        #expect(try keychain.text(password) == "x")
    }

    @Test func `an item marked as deleted keeps its primary key`() throws {
        let keychain = try filled()
        try keychain.update(password, with: ["tomb": true])
        #expect(throws: KeychainError.duplicateItem) { try keychain.add(password.with(["acct": "kim"])) }
        try keychain.delete(password.with(["tomb": 1]))
        try keychain.add(password.with(["acct": "kim"]))
    }

    // MARK: - Synchronization

    @Test(arguments: [data("1"), .null, .date(secondsSinceReferenceDate: 0), .array([])])
    func `an invalid synchronizable value is rejected`(value: ItemValue) throws {
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
    func `synchronizability is returned as a number`(value: ItemValue, number: Int64) throws {
        let keychain = try KeychainSample().keychain
        #expect(
            try keychain.add(password.with(["sync": value, "r_Attributes": true])).values["sync"] == .integer(number)
        )
        #expect(try keychain.attributes(password.with(["sync": .integer(number)]))["sync"] == .integer(number))
    }

    @Test(arguments: ["genp", "inet", "cert", "keys"]) func `items of every class can be synchronizable`(
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

    @Test func `an unknown synchronizable text is reported as locked while items are locked`() throws {
        let keychain = try filled()
        try keychain.update(password, with: ["sync": true])
        keychain.lock()
        #expect(throws: KeychainError.locked) { try keychain.delete(password.with(["sync": "other"])) }
        #expect(throws: KeychainError.locked) { try keychain.find(password.with(["sync": true])) }
    }

    // MARK: - Protection

    @Test(arguments: ["ak", "ck", "dk", "aku", "cku", "dku"])
    func `a protection can be given as bytes`(text: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["pdmn": data(text)]))
        #expect(try keychain.attributes(password)["pdmn"] == .string(text))
        #expect(try keychain.count(password.with(["pdmn": data(text)])) == 1)
    }

    @Test(arguments: [ItemValue.integer(1), true, .null, .data([0xFF]), .array([])])
    func `a protection must be text`(value: ItemValue) throws {
        let keychain = try filled()
        let error = KeychainError.invalid(.value(of: "pdmn"))
        #expect(throws: error) { try keychain.add(password.with(["pdmn": value])) }
        #expect(throws: error) { try keychain.find(password.with(["pdmn": value])) }
        #expect(throws: error) { try keychain.delete(password.with(["pdmn": value])) }
        #expect(throws: error) { try keychain.update(password, with: ["pdmn": value]) }
    }

    @Test func `without a passphrase no item can have a protection that needs one`() throws {
        #expect(throws: KeychainError.itemNotFound) { try filled().find(password.with(["pdmn": "akpu"])) }
        #expect(throws: KeychainError.noPassphrase) { try filled().update(password, with: ["pdmn": "akpu"]) }
    }
}
