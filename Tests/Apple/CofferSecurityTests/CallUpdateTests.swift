import Coffer
import Foundation
import Security
import KeychainTestSupport
import TestSupport
import Testing

/// The query of an update, and its changes (`Spec/keychain-behavior.md`, section 5).
@Suite("Calls: updates", .ownKeychain("T.one", "T.two")) struct CallUpdateTests {
    private func fill() {
        for name in ["kim", "lee"] { #expect(Call.add(.genp(name, [kSecValueData: Data(name)])) == 0) }
    }

    // MARK: - The query

    @Test func `an update changes all matching items`() throws {
        fill()
        #expect(Call.update(.genp(), [kSecAttrLabel: "L"]) == 0)
        #expect(try Call.texts(kSecAttrAccount, .genp([kSecAttrLabel: "L"])) == ["kim", "lee"])
    }

    @Test func `no matching item: errSecItemNotFound`() {
        #expect(Call.update(.genp(), [kSecAttrLabel: "L"]) == -25300)
        fill()
        #expect(Call.update(.genp("zoe"), [kSecAttrLabel: "L"]) == -25300)
    }

    @Test(arguments: [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef].map(String.init))
    func `a return key that is true: errSecParam`(key: String) {
        fill()
        #expect(Call.update(.genp([key as CFString: true]), [kSecAttrLabel: "L"]) == -50)
        #expect(Call.update(.genp([key as CFString: false]), [kSecAttrLabel: "L"]) == 0)
    }

    @Test func `data in the query is not a condition`() throws {
        fill()
        #expect(Call.update(.genp("kim", [kSecValueData: Data("other")]), [kSecAttrLabel: "L"]) == 0)
        #expect(try Call.text(.genp("kim")) == "kim")
    }

    @Test func `synchronizable items are changed only on request`() throws {
        fill()
        #expect(Call.add(.genp("kim", [kSecAttrSynchronizable: true])) == 0)
        #expect(Call.update(.genp("kim"), [kSecAttrLabel: "L"]) == 0)
        let any: [CFString: Any] = .genp([kSecAttrSynchronizable: kSecAttrSynchronizableAny])
        #expect(try Call.count(any.with([kSecAttrLabel: "L"])) == 1)
        #expect(Call.update(any, [kSecAttrLabel: "M"]) == 0)
        #expect(try Call.count(any.with([kSecAttrLabel: "M"])) == 3)
    }

    // MARK: - The changes

    @Test func `data is replaced, even by empty data`() throws {
        fill()
        #expect(Call.update(.genp("kim"), [kSecValueData: Data("new")]) == 0)
        #expect(try Call.text(.genp("kim")) == "new")
        #expect(Call.update(.genp("kim"), [kSecValueData: Data()]) == 0)
        #expect(try Call.found(.genp("kim", [kSecReturnData: true])) as? Data == Data())
        #expect(try Call.text(.genp("lee")) == "lee")
    }

    @Test func `data above the limit changes nothing: errSecDataTooLarge`() throws {
        fill()
        #expect(Call.update(.genp("kim"), [kSecValueData: Data(count: 1 << 20 + 1)]) == -25302)
        #expect(try Call.text(.genp("kim")) == "kim")
    }

    @Test(arguments: [
        "r_Data", "r_Attributes", "r_Ref", "r_PersistentRef", "m_Limit", "m_CaseInsensitive", "u_AuthUI",
        "u_ItemList", "v_PersistentRef", "v_Ref", "account", "abcd", "srvr", "port", "x", "", "f_callback", "svc",
    ])
    func `a key that is not an attribute of the class: errSecNoSuchAttr`(key: String) {
        fill()
        for value in ["genp", true, Data("x"), NSNull()] as [Any] {
            #expect(Call.update(.genp("kim"), [key as CFString: value]) == -25303)
        }
    }

    @Test func `the class of the query is ignored, any other class: errSecNoSuchAttr`() throws {
        fill()
        let same: [CFString: Any] = .genp([kSecAttrLabel: "L"])
        #expect(Call.update(.genp("kim"), same) == 0)
        #expect(try Call.texts(kSecAttrAccount, same) == ["kim"])
        for other in ["inet", "GENP", "", true, Data("genp"), NSNull()] as [Any] {
            #expect(Call.update(.genp("kim"), [kSecClass: other]) == -25303)
        }
        // A query by persistent reference has no class of its own.
        let reference: [CFString: Any] = [kSecValuePersistentRef: try Call.reference(.genp("kim"))]
        #expect(Call.update(reference, same) == -25303)
        #expect(Call.update(reference.with(.genp()), same) == 0)
    }

    @Test func `a key that is not a string: errSecParam`() {
        fill()
        for key in [NSNumber(value: 1), NSDate(), NSNull()] as [NSObject] {
            #expect(SecItemUpdate([CFString: Any].genp() as CFDictionary, [key: "x"] as NSDictionary) == -50)
        }
    }

    @Test(arguments: ["musr", "persistref", "nleg"]) func `some keys are ignored`(key: String) throws {
        fill()
        let before = try Call.attributes(.genp("kim"))
        #expect(Call.update(.genp("kim"), [key as CFString: Data("x")]) == 0)
        let after = try Call.attributes(.genp("kim"))
        let moving: Set = ["mdat", "sha1"]
        let kept = [before, after].map { $0.filter { !moving.contains($0.key) } as NSDictionary }
        #expect(kept[0] == kept[1])
    }

    @Test(arguments: ["rowid", "data", "v_pk", "clip", "ggrp"]) func `some keys are refused: errSecParam`(key: String) {
        fill()
        #expect(Call.update(.genp("kim"), [key as CFString: Data("x")]) == -50)
    }

    @Test(arguments: ["labl", "acct", "svce", "type", "agrp", "pdmn", "sync", "cdat", "vwht", "v_Data"])
    func `null for an attribute, which cannot be removed: errSecParam`(name: String) throws {
        fill()
        let status: OSStatus = name == "agrp" ? -34018 : -50
        #expect(Call.update(.genp("kim"), [name as CFString: NSNull()]) == status)
        #expect(try Call.text(.genp("kim")) == "kim")
    }

    @Test(arguments: [
        "binn", "bini", "bin0", "bin1", "bin2", "bin3", "sysb", "dspk", "pcss", "pcsk", "pcsi",
    ])
    func `keys reserved for Apple's systems: errSecMissingEntitlement`(name: String) {
        #expect(Call.add(.inet()) == 0)
        #expect(Call.update(.inet(), [name as CFString: 1]) == -34018)
    }

    @Test func `an invalid change prevents all others`() throws {
        fill()
        #expect(Call.update(.genp("kim"), [kSecAttrLabel: "L", kSecAttrServer: "x"]) == -25303)
        #expect(Call.update(.genp("kim"), [kSecAttrLabel: "L", kSecValueData: "x"]) == -50)
        #expect(try Call.attributes(.genp("kim"))["labl"] == nil)
    }

    @Test func `changes are checked before the query`() {
        #expect(Call.update(.genp(), [kSecAttrServer: "x"]) == -25303)
        #expect(Call.update(.genp(), [kSecValueData: "x"]) == -50)
        #expect(Call.update(.genp(), [kSecAttrAccessGroup: "T.other"]) == -34018)
    }

    @Test func `a group moves the item; a foreign or invalid group is errSecMissingEntitlement`() throws {
        fill()
        #expect(Call.update(.genp("kim"), [kSecAttrAccessGroup: "T.two"]) == 0)
        #expect(try Call.text(.genp([kSecAttrAccessGroup: "T.two"])) == "kim")
        #expect(Call.update(.genp("kim"), [kSecAttrAccessGroup: "T.two"]) == 0)
        #expect(try Call.count(.genp([kSecAttrAccessGroup: "T.two"])) == 1)
        for group in ["T.other", "", 1, Data("T.one"), true] as [Any] {
            #expect(Call.update(.genp("kim"), [kSecAttrAccessGroup: group]) == -34018)
        }
    }

    @Test func `a protection class alone replaces the old one and removes conditions`() throws {
        let control = try CallCheckTests.control(.userPresence)
        #expect(Call.add(.genp([kSecAttrAccessControl: control, kSecValueData: Data("x")])) == 0)
        let changed = try AuthenticationHost.with(.willing) {
            try #require(Call.update(.genp(), [kSecAttrLabel: "L"]) == 0)
            let attributes = try Call.attributes(.genp())
            try #require(Call.update(.genp(), [kSecAttrAccessible: "cku"]) == 0)
            return attributes
        }
        #expect(changed["accc"] as? SecAccessControl == control)
        let found = try Call.attributes(.genp())
        #expect(found["pdmn"] as? String == "cku")
        #expect(found["accc"] as? SecAccessControl != control)
        #expect(
            Call.update(.genp(), [kSecAttrAccessible: "ck", kSecAttrAccessControl: try #require(found["accc"])]) == -50
        )
        #expect(try Call.text(.genp()) == "x")
    }

    @Test func `an access control alone replaces the old protection class`() throws {
        fill()
        let control = try CallCheckTests.control(.devicePasscode)
        #expect(Call.update(.genp("kim"), [kSecAttrAccessible: "ck"]) == 0)
        #expect(Call.update(.genp("kim", [kSecAttrAccessible: "ck"]), [kSecAttrAccessControl: control]) == 0)
        let query: [CFString: Any] = .genp("kim", [kSecReturnData: true])
        let attributes = try AuthenticationHost.with(.willing) { try Call.attributes(query) }
        #expect(attributes["accc"] as? SecAccessControl == control)
        #expect(attributes["pdmn"] as? String == "ak")
        #expect(attributes["v_Data"] as? Data == Data("kim"))
    }

    @Test func `an item with conditions cannot become synchronizable: errSecParam`() throws {
        fill()
        let control = try CallCheckTests.control([])
        let changes: [CFString: Any] = [kSecAttrAccessControl: control, kSecAttrSynchronizable: true]
        #expect(Call.update(.genp("kim"), changes) == -50)
        #expect(Call.update(.genp("kim"), changes.with([kSecAttrSynchronizable: 1])) == 0)
    }

    @Test func `an item becomes synchronizable and local again; kSecAttrSynchronizableAny is ignored`() throws {
        fill()
        let shared: [CFString: Any] = .genp("kim", [kSecAttrSynchronizable: true])
        #expect(Call.update(.genp("kim"), [kSecAttrSynchronizable: true]) == 0)
        #expect(Call.find(.genp("kim")) == -25300)
        #expect(try Call.text(shared) == "kim")
        #expect(Call.update(shared, [kSecAttrSynchronizable: kSecAttrSynchronizableAny]) == 0)
        #expect(try Call.text(shared) == "kim")
        #expect(Call.update(shared, [kSecAttrSynchronizable: false]) == 0)
        #expect(try Call.text(.genp("kim")) == "kim")
    }

    @Test func `a deletion mark can be set and removed`() throws {
        fill()
        #expect(Call.update(.genp("kim"), ["tomb": true]) == 0)
        #expect(Call.find(.genp("kim")) == -25300)
        #expect(Call.update(.genp("kim", ["tomb": true]), ["tomb": false]) == 0)
        #expect(try Call.text(.genp("kim")) == "kim")
    }
}
