import Coffer
import CofferSecurity
import KeychainTestSupport
import TestSupport
import Testing
import VaultFormat

/// Typed values and requests by Apple's names are equivalent.
@Suite("Typed attributes", .temporaryDirectory) struct TypedAttributeTests {
    /// A condition that matches items whether they are synchronizable or not.
    private let anywhere: ItemRequest = ["sync": "syna"]

    private func checkRoundTrip<Item: KeychainItem>(_ probe: AttributeProbe<Item>) throws {
        let keychain = try KeychainSample(AccessGroups(declared: ["app", "G"])).keychain
        let all: ItemRequest = ["class": .string(Item.itemClass.rawValue), "sync": "syna"]
        var item = Item(attributes: AttributeValues())
        probe.write(&item)
        try keychain.add(item)
        #expect(try keychain.attributes(all)[probe.name] == probe.raw)
        try keychain.delete(all)

        try keychain.add(["class": .string(Item.itemClass.rawValue), probe.name: probe.raw])
        let stored = try #require(try keychain.item(Item.self, where: .synchronizable(.any)))
        #expect(probe.isWritten(stored.item))

        let changed = try keychain.update(stored.reference) { $0 = Item(attributes: AttributeValues()) }
        let staysSaid: Set = ["agrp", "pdmn", "accc"]
        #expect(probe.isWritten(changed.item) == staysSaid.contains(probe.name))
        let again = try keychain.update(stored.reference) { probe.write(&$0) }
        #expect(probe.isWritten(again.item))
        #expect(try keychain.attributes(all)[probe.name] == probe.raw)
    }

    @Test(arguments: AttributeProbe<GenericPassword>.all)
    func `each attribute of a generic password is read back`(probe: AttributeProbe<GenericPassword>) throws {
        try AuthenticationHost.with(.willing) { try checkRoundTrip(probe) }
    }

    @Test(arguments: AttributeProbe<InternetPassword>.all)
    func `each attribute of an internet password is read back`(probe: AttributeProbe<InternetPassword>) throws {
        try AuthenticationHost.with(.willing) { try checkRoundTrip(probe) }
    }

    @Test(arguments: AttributeProbe<Certificate>.all)
    func `each attribute of a certificate is read back`(probe: AttributeProbe<Certificate>) throws {
        try AuthenticationHost.with(.willing) { try checkRoundTrip(probe) }
    }

    @Test(arguments: AttributeProbe<CryptographicKey>.all)
    func `each attribute of a key is read back`(probe: AttributeProbe<CryptographicKey>) throws {
        try AuthenticationHost.with(.willing) { try checkRoundTrip(probe) }
    }

    @Test(arguments: [
        (ItemClass.genericPassword, AttributeProbe<GenericPassword>.all.map(\.name)),
        (.internetPassword, AttributeProbe<InternetPassword>.all.map(\.name)),
        (.certificate, AttributeProbe<Certificate>.all.map(\.name)),
        (.key, AttributeProbe<CryptographicKey>.all.map(\.name)),
    ]) func `every attribute that a program can choose has a property`(itemClass: ItemClass, names: [String]) {
        let unchosen: Set = ["cdat", "mdat", "tomb", "musr", "ggrp", "sysb", "pcss", "pcsk", "pcsi"]
        #expect(Set(names) == Set(itemClass.attributes.keys).subtracting(unchosen).union(["agrp", "pdmn"]))
    }

    // MARK: - Texts

    /// An attribute without a name would be lost when its item is changed.
    @Test(arguments: ItemClass.allCases) func `every attribute has a name`(itemClass: ItemClass) {
        #expect(itemClass.attributes.keys.filter { AttributeName(rawValue: $0) == nil } == [])
    }

    @Test func `texts that look alike are distinct`() throws {
        let keychain = try KeychainSample().keychain
        let composed = "caf\u{E9}"
        let decomposed = "cafe\u{301}"
        try keychain.add(GenericPassword(account: composed), secret: "one")
        try keychain.add(GenericPassword(account: decomposed), secret: "two")
        #expect(try keychain.secretText(GenericPassword.self, where: .account(composed)) == "one")
        #expect(try keychain.secretText(GenericPassword.self, where: .account(decomposed)) == "two")
    }

    @Test func `an account can be any bytes`() throws {
        let keychain = try KeychainSample().keychain
        let account: [UInt8] = [0xFF, 0x00, 0xFE]
        var item = GenericPassword()
        item.accountBytes = account
        try keychain.add(item)
        let stored = try keychain.item(GenericPassword.self, where: .accountBytes(account))
        #expect(stored?.accountBytes == account)
        #expect(stored?.account == "\u{FFFD}\0\u{FFFD}")
        #expect(try keychain.attributes(password)["acct"] == .data([0xFF, 0x00, 0xFE]))
    }

    @Test func `text and data with the same bytes are one account, stored as first written`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["acct": data("kim")]))
        let stored = try #require(try keychain.item(GenericPassword.self, where: .account("kim")))
        #expect(stored.account == "kim")
        try keychain.update(stored.reference) { $0.label = "L" }
        #expect(try keychain.attributes(password)["acct"] == data("kim"))
    }

    @Test func `a number as an account equals its four bytes`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["acct": 0x0102]))
        let stored = try keychain.item(GenericPassword.self, where: .accountBytes([2, 1, 0, 0]))
        #expect(stored?.accountBytes == [2, 1, 0, 0])
    }

    @Test(arguments: [("443", 443), ("080", 80), ("http", 0)])
    func `a port written as text is read as a number`(text: String, port: Int) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(["class": "inet", "port": .string(text)])
        #expect(try keychain.item(InternetPassword.self)?.port == port)
    }

    @Test func `a protocol written as a number is found`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(["class": "inet", "ptcl": 0x6874_7073])
        let found = try #require(try keychain.item(InternetPassword.self))
        let written = try #require(found.protocol)
        #expect(try keychain.count(InternetPassword.self, where: .protocol(written)) == 1)
    }

    @Test func `missing and empty are equal in the primary key only`() throws {
        #expect(GenericPassword(service: "", account: "kim") == GenericPassword(account: "kim"))
        var labelled = GenericPassword(account: "kim")
        labelled.label = ""
        #expect(labelled != GenericPassword(account: "kim"))
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["acct": "kim", "svce": "", "labl": ""]))
        let stored = try #require(try keychain.item(GenericPassword.self))
        #expect(stored.label == "" && stored.comment == nil)
        labelled.accessGroup = stored.accessGroup
        labelled.accessibility = .whenUnlocked
        #expect(stored.item == labelled)
    }

    @Test func `a protection replaces an access control, and vice versa`() {
        var item = GenericPassword()
        item.accessControl = AccessControl(.afterFirstUnlock, .userPresence)
        #expect(item.accessibility == .afterFirstUnlock)
        item.accessibility = .always
        #expect(item.accessControl == nil && item.accessibility == .always)
    }
}
