import Coffer
import CofferSecurity
import TestSupport
import Testing
import VaultFiles

/// `Spec/keychain-behavior.md`, section 5: what an update changes, and what it rejects.
@Suite("Updating", .temporaryDirectory) struct UpdatingTests {
    private func filled() throws -> (sample: KeychainSample, keychain: Keychain) {
        let sample = try KeychainSample()
        for name in ["kim", "lee"] {
            try sample.keychain.add(password.with(["acct": .string(name), "v_Data": data(name)]))
        }
        return (sample, sample.keychain)
    }

    private let kim = password.with(["acct": "kim"])

    // MARK: - The query

    @Test func `all matching items are changed`() throws {
        let keychain = try filled().keychain
        try keychain.update(password, with: ["labl": "L"])
        #expect(try keychain.count(password.with(["labl": "L"])) == 2)
    }

    @Test func `a query without matches is an error`() throws {
        let keychain = try filled().keychain
        #expect(throws: KeychainError.itemNotFound) {
            try keychain.update(password.with(["acct": "zoe"]), with: ["labl": "L"])
        }
    }

    @Test(arguments: ["m_Limit", "m_CaseInsensitive", "m_ItemList"])
    func `match keys are rejected`(key: String) throws {
        let keychain = try filled().keychain
        #expect(throws: KeychainError.invalid(.keyNotAllowedHere(key))) {
            try keychain.update(password.with([key: key == "m_Limit" ? "m_LimitAll" : true]), with: ["labl": "L"])
        }
        #expect(try keychain.count(password.with(["labl": "L"])) == 0)
    }

    @Test(arguments: ["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"])
    func `an update returns nothing`(key: String) throws {
        let keychain = try filled().keychain
        #expect(throws: KeychainError.invalid(.keyNotAllowedHere("r_"))) {
            try keychain.update(password.with([key: true]), with: [:])
        }
        try keychain.update(password.with([key: false]), with: ["labl": "L"])
        #expect(try keychain.count(password.with(["labl": "L"])) == 2)
    }

    @Test func `a list of items is rejected`() throws {
        let keychain = try filled().keychain
        #expect(throws: KeychainError.invalid(.keyNotAllowedHere("u_ItemList"))) {
            try keychain.update(password.with(["u_ItemList": .array([])]), with: [:])
        }
    }

    @Test func `data in the query are not a condition`() throws {
        let keychain = try filled().keychain
        try keychain.update(kim.with(["v_Data": data("other")]), with: ["labl": "L"])
        #expect(try keychain.count(password.with(["labl": "L"])) == 1)
    }

    @Test func `synchronizable items are kept unless the query asks for them`() throws {
        let keychain = try filled().keychain
        try keychain.add(kim.with(["sync": true]))
        try keychain.update(kim, with: ["labl": "L"])
        #expect(try keychain.attributes(kim.with(["sync": true]))["labl"] == nil)
        try keychain.update(kim.with(["sync": "syna"]), with: ["labl": "M"])
        #expect(try keychain.count(password.with(["labl": "M", "sync": "syna"])) == 2)
    }

    @Test func `a reference finds the item if the other attributes match`() throws {
        let keychain = try filled().keychain
        let reference = try keychain.reference(kim)
        try keychain.update(["v_PersistentRef": reference], with: ["labl": "L"])
        try keychain.update(["v_PersistentRef": reference, "acct": "kim"], with: ["labl": "M"])
        #expect(throws: KeychainError.itemNotFound) {
            try keychain.update(["v_PersistentRef": reference, "acct": "lee"], with: ["labl": "N"])
        }
        #expect(try keychain.attributes(kim)["labl"] == "M")
    }

    // MARK: - The changes

    @Test func `data can be replaced, even by empty data`() throws {
        let keychain = try filled().keychain
        try keychain.update(kim, with: ["v_Data": data("new")])
        #expect(try keychain.text(kim) == "new")
        try keychain.update(kim, with: ["v_Data": .data([])])
        #expect(try keychain.find(kim.with(["r_Data": true])) == .data([]))
        #expect(try keychain.text(password.with(["acct": "lee"])) == "lee")
    }

    @Test func `changing attributes keeps the data, or their absence`() throws {
        let keychain = try filled().keychain
        try keychain.add(password.with(["acct": "max"]))
        try keychain.update(password, with: ["labl": "L"])
        #expect(try keychain.text(kim) == "kim")
        #expect(try keychain.find(password.with(["acct": "max", "r_Data": true])) == .missing)
    }

    @Test(arguments: [
        "class", "r_Data", "m_Limit", "u_AuthUI", "v_PersistentRef", "v_Ref", "svc", "account", "srvr", "x", "",
    ])
    func `a key that is not an attribute of the class is rejected`(key: String) throws {
        let keychain = try filled().keychain
        #expect(throws: KeychainError.noSuchAttribute(key)) { try keychain.update(kim, with: [key: "x"]) }
    }

    @Test func `a key must be text`() throws {
        let keychain = try filled().keychain
        for path in [\ItemRequest.hasNumberKey, \.hasOtherKey] {
            var changes: ItemRequest = [:]
            changes[keyPath: path] = true
            #expect(throws: KeychainError.invalid(.keyNotText)) { try keychain.update(kim, with: changes) }
        }
    }

    @Test(arguments: ["musr", "persistref", "nleg"]) func `some keys are ignored`(key: String) throws {
        let keychain = try filled().keychain
        let before = try keychain.attributes(kim)
        try keychain.update(kim, with: [key: data("x")])
        let after = try keychain.attributes(kim)
        #expect(before["musr"] == after["musr"])
    }

    @Test(arguments: ["rowid", "data", "v_pk", "ggrp", "clip"]) func `some keys are rejected`(key: String) throws {
        let keychain = try filled().keychain
        #expect(throws: KeychainError.invalid(.keyNotAllowedHere(key))) {
            try keychain.update(kim, with: [key: data("x")])
        }
    }

    @Test func `an attribute can be overwritten but not removed`() throws {
        let keychain = try filled().keychain
        try keychain.update(kim, with: ["labl": "L"])
        #expect(throws: KeychainError.invalid(.value(of: "labl"))) { try keychain.update(kim, with: ["labl": .null]) }
        #expect(try keychain.attributes(kim)["labl"] == "L")
    }

    @Test func `an update with one invalid change changes nothing`() throws {
        let keychain = try filled().keychain
        #expect(throws: KeychainError.noSuchAttribute("srvr")) {
            try keychain.update(kim, with: ["labl": "L", "srvr": "x"])
        }
        #expect(try keychain.attributes(kim)["labl"] == nil)
    }

    @Test func `an item can become synchronizable and local again`() throws {
        let keychain = try filled().keychain
        try keychain.update(kim, with: ["sync": true])
        #expect(try keychain.count(kim) == 0)
        #expect(try keychain.text(kim.with(["sync": true])) == "kim")
        try keychain.update(kim.with(["sync": true]), with: ["sync": "syna"])
        #expect(try keychain.count(kim.with(["sync": true])) == 1)
        try keychain.update(kim.with(["sync": true]), with: ["sync": false])
        #expect(try keychain.text(kim) == "kim")
    }

    @Test func `changing the protection keeps the data`() throws {
        let keychain = try filled().keychain
        try keychain.update(kim, with: ["pdmn": "cku"])
        #expect(try keychain.attributes(kim)["pdmn"] == "cku")
        #expect(try keychain.text(kim) == "kim")
        #expect(try keychain.attributes(password.with(["acct": "lee"]))["pdmn"] == "ak")
    }

    @Test func `a protection removes the conditions`() throws {
        let keychain = try filled().keychain
        let control = try #require(AccessControl(.whenUnlocked, []))
        try keychain.update(kim, with: ["accc": .accessControl(control)])
        #expect(try keychain.attributes(kim)["accc"] == .accessControl(control))
        try keychain.update(kim, with: ["labl": "L"])
        #expect(try keychain.attributes(kim)["accc"] == .accessControl(control))
        try keychain.update(kim, with: ["pdmn": "ak"])
        guard case .accessControl(let plain)? = try keychain.attributes(kim)["accc"] else {
            Issue.record("no access control")
            return
        }
        #expect(plain.conditions == nil && plain.accessibility == .whenUnlocked)
    }

    // MARK: - Dates

    @Test func `an update moves the modification date, not the creation date`() throws {
        let (sample, keychain) = try filled()
        let before = try keychain.attributes(kim)
        sample.time.advance(nanoseconds: 5_000_000_000)
        try keychain.update(kim, with: [:])
        let after = try keychain.attributes(kim)
        #expect(after["cdat"] == before["cdat"])
        guard case .date(let first)? = before["mdat"], case .date(let second)? = after["mdat"] else {
            Issue.record("no dates")
            return
        }
        #expect(abs(second - first - 5) < 1e-6)
    }

    @Test func `the modification date moves even if the clock does not`() throws {
        let keychain = try filled().keychain
        let first = try keychain.changeDate(kim)
        try keychain.update(kim, with: [:])
        let second = try keychain.changeDate(kim)
        #expect(abs(second - first - 0.001) < 1e-6)
    }

    @Test func `the caller can choose the creation date but not the modification date`() throws {
        let keychain = try filled().keychain
        let said = ItemValue.date(secondsSinceReferenceDate: 5)
        try keychain.update(kim, with: ["cdat": said, "mdat": said])
        let attributes = try keychain.attributes(kim)
        #expect(attributes["cdat"] == said)
        #expect(attributes["mdat"] != said)
    }

    @Test func `the digest changes with each change`() throws {
        let keychain = try filled().keychain
        let before = try keychain.attributes(kim)["sha1"]
        try keychain.update(kim, with: ["labl": "L"])
        #expect(try keychain.attributes(kim)["sha1"] != before)
    }

    // MARK: - Collisions

    @Test func `another item's primary key is rejected, and nothing changes`() throws {
        let keychain = try filled().keychain
        #expect(throws: KeychainError.duplicateItem) {
            try keychain.update(kim, with: ["acct": "lee", "v_Data": data("x")])
        }
        #expect(try keychain.text(kim) == "kim")
        #expect(try keychain.text(password.with(["acct": "lee"])) == "lee")
    }

    @Test func `an item can be given its own primary key again`() throws {
        let keychain = try filled().keychain
        try keychain.update(kim, with: ["acct": data("kim"), "labl": "L"])
        #expect(try keychain.attributes(kim)["acct"] == data("kim"))
    }

    @Test func `if several items would become equal, none is changed`() throws {
        let keychain = try filled().keychain
        #expect(throws: KeychainError.duplicateItem) { try keychain.update(password, with: ["acct": "zoe"]) }
        #expect(try keychain.count(kim) == 1)
        #expect(try keychain.count(password.with(["acct": "zoe"])) == 0)
    }

    @Test func `an item cannot become equal to a synchronizable one`() throws {
        let keychain = try filled().keychain
        try keychain.add(kim.with(["sync": true]))
        #expect(throws: KeychainError.duplicateItem) { try keychain.update(kim, with: ["sync": true]) }
    }
}

/// `Spec/keychain-behavior.md`, section 5: what a deletion deletes.
@Suite("Deleting", .temporaryDirectory) struct DeletingTests {
    private func filled() throws -> Keychain {
        let keychain = try KeychainSample().keychain
        for name in ["kim", "lee"] { try keychain.add(password.with(["acct": .string(name)])) }
        try keychain.add(password.with(["acct": "kim", "sync": true]))
        try keychain.add(["class": "inet", "acct": "kim"])
        return keychain
    }

    @Test func `all matching items are deleted, and no others`() throws {
        let keychain = try filled()
        try keychain.delete(password.with(["acct": "kim"]))
        #expect(try keychain.count(password.with(["sync": "syna"])) == 2)
        #expect(try keychain.count(["class": "inet"]) == 1)
    }

    @Test func `deleting a class keeps synchronizable items`() throws {
        let keychain = try filled()
        try keychain.delete(password)
        #expect(try keychain.count(password) == 0)
        #expect(try keychain.count(password.with(["sync": true])) == 1)
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(password) }
    }

    @Test func `deleting any deletes synchronizable items too`() throws {
        let keychain = try filled()
        try keychain.delete(password.with(["sync": "syna"]))
        #expect(try keychain.count(password.with(["sync": "syna"])) == 0)
    }

    @Test func `a deleted item can be added again`() throws {
        let keychain = try filled()
        for flag in [false, true] {
            let item = password.with(["acct": "kim", "sync": .bool(flag)])
            try keychain.delete(item)
            try keychain.add(item)
        }
    }

    @Test func `a query without matches is an error`() throws {
        let keychain = try filled()
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(password.with(["acct": "zoe"])) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(["class": "keys"]) }
    }

    @Test(arguments: ["m_Limit", "m_CaseInsensitive", "m_ItemList"])
    func `match keys are rejected`(key: String) throws {
        let keychain = try filled()
        #expect(throws: KeychainError.invalid(.keyNotAllowedHere(key))) {
            try keychain.delete(password.with([key: key == "m_Limit" ? "m_LimitOne" : true]))
        }
        #expect(try keychain.count(password) == 2)
    }

    @Test(arguments: ["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"], [true, false])
    func `return keys are ignored`(key: String, value: Bool) throws {
        let keychain = try filled()
        try keychain.delete(password.with(["acct": "lee", key: .bool(value)]))
        #expect(try keychain.count(password) == 1)
    }

    @Test func `data and lists of items are ignored`() throws {
        let keychain = try filled()
        try keychain.delete(password.with(["acct": "lee", "v_Data": data("x"), "u_ItemList": .array([])]))
        #expect(try keychain.count(password) == 1)
    }

    @Test func `a reference deletes its item if the other attributes match`() throws {
        let keychain = try filled()
        let reference: ItemRequest = ["v_PersistentRef": try keychain.reference(password.with(["acct": "lee"]))]
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(reference.with(["acct": "kim"])) }
        try keychain.delete(reference.with(["acct": "lee"]))
        #expect(throws: KeychainError.itemNotFound) { try keychain.delete(reference) }
        #expect(try keychain.count(password) == 1)
    }
}
