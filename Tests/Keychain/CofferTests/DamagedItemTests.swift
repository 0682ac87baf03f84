import Coffer
import CofferSecurity
import TestSupport
import Testing

/// Items that are no longer readable: they are never reported as missing, and only deleted on request.
@Suite("Damaged items", .temporaryDirectory) struct DamagedItemTests {
    /// Items with different protections: kim is damaged, lee and max are intact.
    private func keychain(damaging part: KeychainSample.Part, of names: [String] = ["kim"]) throws -> Keychain {
        let sample = try KeychainSample()
        for (name, protection) in [("kim", "ak"), ("lee", "ck"), ("max", "dk")] {
            let item = account(name).with(["pdmn": .string(protection), "labl": "L", "v_Data": data("of \(name)")])
            try sample.keychain.add(item)
        }
        return try sample.damaging(part, of: names.map(account))
    }

    private func account(_ name: String) -> ItemRequest { password.with(["acct": .string(name)]) }
    /// A request with the whole primary key, which the digests can answer.
    private let kim = password.with(["acct": "kim", "svce": ""])

    // MARK: - Finding

    @Test(arguments: [KeychainSample.Part.attributes, .data])
    func `the limit counts intact items only`(part: KeychainSample.Part) throws {
        let keychain = try keychain(damaging: part)
        let request = password.with(["r_Data": true, "r_Attributes": true])
        #expect(try keychain.find(request).values["acct"] == "lee")
        guard case .list(let list) = try keychain.find(request.with(["m_Limit": 2])) else {
            Issue.record("no list")
            return
        }
        #expect(list.map { $0.values["acct"] } == ["lee", "max"])
    }

    @Test(arguments: [["r_Attributes"], ["r_Attributes", "r_Data"], ["r_Data", "r_PersistentRef"]])
    func `damage is reported if only a damaged item matches`(returns: [String]) throws {
        let keychain = try keychain(damaging: .attributes)
        let request = returns.reduce(kim) { $0.with([$1: true]) }
        expectDamage { try keychain.find(request) }
        expectDamage { try keychain.find(request.with(["m_Limit": "m_LimitAll"])) }
        expectDamage { try keychain.find(account("kim").with(["labl": "L"])) }
    }

    @Test func `damage is reported if all items are damaged`() throws {
        let keychain = try keychain(damaging: .data, of: ["kim", "lee", "max"])
        expectDamage { try keychain.find(password.with(["r_Data": true, "m_Limit": "m_LimitAll"])) }
    }

    @Test(arguments: [KeychainSample.Part.attributes, .data])
    func `an item that the damaged one cannot be is not found`(part: KeychainSample.Part) throws {
        let keychain = try keychain(damaging: part)
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(account("zoe")) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(["class": "inet"]) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(account("kim").with(["pdmn": "ck"])) }
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(account("kim").with(["sync": true])) }
    }

    @Test func `intact data are returned although the attributes are damaged`() throws {
        let keychain = try keychain(damaging: .attributes)
        #expect(try keychain.text(kim) == "of kim")
        #expect(try keychain.find(kim) == .notRequested)
        let reference = try keychain.reference(kim)
        #expect(try keychain.text(["v_PersistentRef": reference]) == "of kim")
        expectDamage { try keychain.attributes(["v_PersistentRef": reference]) }
    }

    @Test(arguments: ["cert", "keys"])
    func `damage is reported for objects made from damaged data`(itemClass: String) throws {
        let sample = try KeychainSample()
        let item: ItemRequest = ["class": .string(itemClass)]
        try sample.keychain.add(item.with(["v_Data": data("x")]))
        let keychain = try sample.damaging(.data, of: [item])
        expectDamage { try keychain.find(item.with(["r_Ref": true])) }
    }

    @Test func `a damaged item that is locked is reported as locked`() throws {
        let keychain = try keychain(damaging: .attributes)
        keychain.lock()
        #expect(throws: KeychainError.locked) { try keychain.attributes(kim) }
    }

    @Test func `damage is reported for every request if the item list is damaged`() throws {
        let keychain = try keychain(damaging: .leaf)
        expectDamage { try keychain.find(password) }
        expectDamage { try keychain.find(account("zoe")) }
        expectDamage { try keychain.add(account("kim")) }
        expectDamage { try keychain.update(password, with: ["labl": "x"]) }
        expectDamage { try keychain.delete(password) }
    }

    // MARK: - Adding

    // MARK: - Updating

    @Test(arguments: [KeychainSample.Part.attributes, .data])
    func `an update changes intact items and leaves damaged ones`(part: KeychainSample.Part) throws {
        let keychain = try keychain(damaging: part)
        try keychain.update(password, with: ["labl": "new"])
        #expect(try keychain.count(password) == 3)
        #expect(try keychain.attributes(account("lee"))["labl"] == "new")
        if part == .data { #expect(try keychain.attributes(kim)["labl"] == "L") }
    }

    @Test(arguments: [KeychainSample.Part.attributes, .data])
    func `damage is reported if an update matches only a damaged item`(part: KeychainSample.Part) throws {
        let keychain = try keychain(damaging: part)
        expectDamage { try keychain.update(kim, with: ["labl": "new"]) }
        expectDamage { try keychain.update(account("kim"), with: ["pdmn": "ck"]) }
        expectDamage { try keychain.update(kim, with: ["agrp": "elsewhere"]) }
        #expect(try keychain.count(kim) == 1)
    }

    @Test(arguments: [KeychainSample.Part.attributes, .data])
    func `no other item can take a damaged item's primary key`(part: KeychainSample.Part) throws {
        let keychain = try keychain(damaging: part)
        #expect(throws: KeychainError.duplicateItem) { try keychain.update(account("lee"), with: ["acct": "kim"]) }
        #expect(try keychain.text(account("lee")) == "of lee")
    }

    // MARK: - Deleting

    @Test(arguments: [KeychainSample.Part.attributes, .data])
    func `a damaged item can be deleted by its primary key and added again`(part: KeychainSample.Part) throws {
        let keychain = try keychain(damaging: part)
        try keychain.delete(account("kim"))
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(account("kim")) }
        try keychain.add(account("kim").with(["v_Data": data("new")]))
        #expect(try keychain.text(account("kim")) == "new")
    }

    @Test func `a damaged item can be deleted by its reference`() throws {
        let keychain = try keychain(damaging: .attributes)
        try keychain.delete(["v_PersistentRef": try keychain.reference(kim)])
        #expect(try keychain.count(password) == 2)
    }

    @Test func `a damaged item is deleted only if readable parts show that it matches`() throws {
        let keychain = try keychain(damaging: .attributes)
        try keychain.delete(password.with(["labl": "L"]))
        #expect(try keychain.count(password) == 1)
        expectDamage { try keychain.delete(password.with(["labl": "L"])) }
        #expect(try keychain.count(password) == 1)
    }

    // MARK: - Identities

    private func pairs(damaging part: KeychainSample.Part, of item: ItemRequest) throws -> Keychain {
        let sample = try KeychainSample()
        try sample.keychain.addPair("a")
        return try sample.damaging(part, of: [item])
    }

    @Test(arguments: ["cert", "keys"])
    func `an identity with a damaged half is not reported as missing`(half: String) throws {
        let keychain = try pairs(damaging: .attributes, of: ["class": .string(half)])
        expectDamage { try keychain.find(identity) }
        expectDamage { try keychain.find(identity.with(["r_Data": true, "m_Limit": "m_LimitAll"])) }
        expectDamage { try keychain.update(identity, with: ["labl": "x"]) }
        expectDamage { try keychain.delete(identity) }
        #expect(try keychain.count(["class": .string(half)]) == 1)
    }

    @Test func `an identity is found by its intact parts`() throws {
        let keychain = try pairs(damaging: .data, of: ["class": "keys"])
        #expect(try keychain.attributes(identity)["labl"] == "a")
        expectDamage { try keychain.find(identity.with(["r_Data": true])) }
        expectDamage { try keychain.find(identity.with(["r_Ref": true])) }
    }

    @Test func `an identity whose key cannot be rewritten is not changed at all`() throws {
        let keychain = try pairs(damaging: .data, of: ["class": "keys"])
        expectDamage { try keychain.update(identity, with: ["labl": "x"]) }
        #expect(try keychain.attributes(["class": "cert"])["labl"] == "a")
    }

    @Test func `a damaged certificate without any key is not an identity`() throws {
        let sample = try KeychainSample()
        try sample.keychain.add(certificate("a"))
        let keychain = try sample.damaging(.attributes, of: [["class": "cert"]])
        #expect(throws: KeychainError.itemNotFound) { try keychain.find(identity) }
    }

    @Test func `an intact identity is returned although another is damaged`() throws {
        let sample = try KeychainSample()
        try sample.keychain.add(certificate("a").with(["pdmn": "ck"]))
        try sample.keychain.addPair("b")
        try sample.keychain.add(privateKey("a"))
        let keychain = try sample.damaging(.attributes, of: [certificate("a")])
        #expect(try keychain.all(identity.with(["r_Data": true])) == [.data(Array("key b".utf8))])
    }

    @Test func `a key is kept while a damaged certificate may belong to it`() throws {
        let sample = try KeychainSample()
        try sample.keychain.addPair("a")
        let second = certificate("b").with(["pdmn": "ck"])
        try sample.keychain.add(second)
        let keychain = try sample.damaging(.attributes, of: [second])
        try keychain.delete(identity.with(["labl": "a"]))
        #expect(try keychain.text(["class": "keys"]) == "key a")
    }
}
