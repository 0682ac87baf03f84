import Foundation
import Security
import Testing

/// The items that an addition accepts (`Spec/keychain-behavior.md`, section 3).
@Suite("Calls: adding", .ownKeychain) struct CallAddingTests {
    @Test(arguments: ["genp", "inet", "cert", "keys"]) func `a class is enough`(itemClass: String) throws {
        #expect(Call.add(.item(itemClass)) == 0)
        #expect(Call.find(.item(itemClass)) == 0)
        #expect(Call.add(.item(itemClass)) == -25299)
    }

    @Test func `missing data and empty data are different`() throws {
        #expect(Call.add(.genp("none")) == 0)
        #expect(Call.add(.genp("empty", [kSecValueData: Data()])) == 0)
        #expect(try Call.found(.genp("none", [kSecReturnData: true])) == nil)
        #expect(try Call.found(.genp("empty", [kSecReturnData: true])) as? Data == Data())
    }

    @Test(arguments: [32 << 10, 1 << 20]) func `large data is stored`(count: Int) throws {
        let data = Data(repeating: 7, count: count)
        #expect(Call.add(.genp([kSecValueData: data])) == 0)
        #expect(try Call.found(.genp([kSecReturnData: true])) as? Data == data)
    }

    @Test(arguments: [1 << 20 + 1, 10_000_000])
    func `data above the limit is refused, and nothing is stored: errSecDataTooLarge`(count: Int) {
        #expect(Call.add(.genp([kSecValueData: Data(count: count)])) == -25302)
        #expect(Call.find(.genp()) == -25300)
    }

    @Test func `data with every byte value comes back unchanged`() throws {
        let data = Data((0...255).map { UInt8($0) })
        #expect(Call.add(.genp([kSecValueData: data, kSecAttrGeneric: data])) == 0)
        #expect(try Call.found(.genp([kSecReturnData: true])) as? Data == data)
        #expect(try Call.attributes(.genp())["gena"] as? Data == data)
    }

    @Test func `an identity requires a reference: errSecParam`() {
        #expect(Call.add(.idnt()) == -50)
    }

    @Test(arguments: [
        "m_Limit", "m_CaseInsensitive", "m_ItemList", "m_SearchList", "m_SubjectContains", "m_Issuers", "m_Policy",
        "m_ValidOnDate", "m_TrustedOnly", "m_EmailAddressIfPresent", "m_HostOrSubdomainOfHost", "m_Whatever",
    ])
    func `conditions are refused, and nothing is stored: errSecParam`(key: String) {
        #expect(Call.add(.genp([key as CFString: key == "m_Limit" ? kSecMatchLimitOne : true as Any])) == -50)
        #expect(Call.find(.genp()) == -25300)
    }

    @Test func `a list of items is refused, and nothing is stored: errSecParam`() {
        #expect(Call.add(.genp([kSecUseItemList: [Data("x")]])) == -50)
        #expect(Call.find(.genp()) == -25300)
    }

    @Test(arguments: ["genp12345678", "tkpr", "genp", ""])
    func `a persistent reference of another length is refused: errSecParam`(text: String) {
        #expect(Call.add(.genp([kSecValuePersistentRef: Data(text)])) == -50)
    }

    @Test func `a persistent reference of 20 bytes is ignored, and the item gets its own`() throws {
        let said = Data("genp") + Data(repeating: 1, count: 16)
        let item: [CFString: Any] = .genp([kSecValuePersistentRef: said, kSecReturnPersistentRef: true])
        let reference = try #require(try Call.added(item) as? Data)
        #expect(reference.count == 20)
        #expect(reference.prefix(4) == Data("genp"))
        #expect(reference != said)
    }

    @Test(arguments: ["aku", "cku", "dku"]) func `an item for this device only can be synchronizable`(text: String) {
        #expect(Call.add(.genp([kSecAttrAccessible: text, kSecAttrSynchronizable: true])) == 0)
    }

    @Test func `an item cannot have conditions and be synchronizable: errSecParam`() throws {
        let control = try CallCheckTests.control([])
        let item: [CFString: Any] = .genp([kSecAttrAccessControl: control, kSecAttrSynchronizable: true])
        #expect(Call.all(item) == .four(-50))
        #expect(Call.add(item.with([kSecAttrSynchronizable: false])) == 0)
    }

    @Test(arguments: [1, "1"] as [CallValue]) func `only a boolean excludes conditions, not a number`(
        value: CallValue
    ) throws {
        let control = try CallCheckTests.control([])
        #expect(Call.add(.genp([kSecAttrAccessControl: control, kSecAttrSynchronizable: value.object])) == 0)
        #expect(Call.find(.genp([kSecAttrSynchronizable: true])) == 0)
    }

    @Test(arguments: ["genp", "inet", "cert", "keys"])
    func `each item has its own digest, and one from the caller is ignored`(itemClass: String) throws {
        let said = Data(repeating: 1, count: 20)
        let digests = try [false, true].map { flag in
            let item: [CFString: Any] = .item(itemClass, [kSecAttrSynchronizable: flag])
            let added = try Call.added(item.with(["sha1": said, kSecReturnAttributes: true])) as? [String: Any]
            let digest = try #require(try Call.attributes(item)["sha1"] as? Data)
            #expect(added?["sha1"] as? Data == digest)
            #expect(Call.update(item, ["sha1": said]) == 0)
            #expect(try Call.attributes(item)["sha1"] as? Data != said)
            return digest
        }
        #expect(Set(digests + [said]).count == 3)
        #expect(digests.map(\.count) == [20, 20])
    }

    @Test func `an identifier for synchronization is ignored, and never returned`() throws {
        #expect(Call.add(.genp("kim", ["UUID": "mine"])) == 0)
        #expect(Call.update(.genp("kim"), ["UUID": "mine"]) == 0)
        #expect(try Call.attributes(.genp())["UUID"] == nil)
    }

    @Test func `a user identifier from the caller is ignored`() throws {
        #expect(Call.add(.genp(["musr": Data(repeating: 1, count: 16)])) == 0)
        #expect(try Call.attributes(.genp())["musr"] as? Data == Data())
    }

    @Test(arguments: ["genp", "inet", "cert", "keys"]) func `there is no default label`(itemClass: String) throws {
        #expect(Call.add(.item(itemClass, [kSecValueData: Data("x")])) == 0)
        #expect(try Call.attributes(.item(itemClass))["labl"] == nil)
    }

    @Test func `no attribute of a key is derived from its bytes`() throws {
        #expect(Call.add(.keys([kSecValueData: Data(samplePrivateKey)])) == 0)
        let found = try Call.attributes(.keys())
        for name in ["kcls", "bsiz", "esiz", "type", "crtr"] { #expect(found[name] as? Int == 0, "\(name)") }
        #expect(found["klbl"] as? Data == Data())
    }
}
