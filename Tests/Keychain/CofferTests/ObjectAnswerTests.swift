import Coffer
import CofferSecurity
import TestSupport
import Testing

/// `Spec/keychain-behavior.md`, sections 3 and 4, for classes that have their own objects.
@Suite("Answers with objects", .temporaryDirectory) struct ObjectAnswerTests {
    private func item(_ itemClass: String) -> ItemRequest {
        ["class": .string(itemClass), "labl": "L", "v_Data": data("der")]
    }

    private func dictionary(_ answer: ItemAnswer) throws -> ItemDictionary {
        guard case .dictionary(let found) = answer else { throw KeychainError.itemNotFound }
        return found
    }

    @Test(arguments: ["cert", "keys"]) func `an addition returns the object's parts`(itemClass: String) throws {
        let answer = try KeychainSample().keychain.add(item(itemClass).with(["r_Ref": true]))
        guard case .reference(let reference) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(reference.itemClass.rawValue == itemClass)
        #expect(reference.data == Array("der".utf8))
        #expect(reference.attributes["labl"] == "L")
    }

    @Test(arguments: ["genp", "inet", "cert", "keys"], [["r_Attributes"], ["r_Data"], ["r_PersistentRef"]])
    func `the class and attributes are returned with an object`(itemClass: String, returns: [String]) throws {
        let keychain = try KeychainSample().keychain
        let request = returns.reduce(item(itemClass).with(["r_Ref": true])) { $0.with([$1: true]) }
        let isPassword = itemClass == "genp" || itemClass == "inet"
        for answer in [try keychain.add(request), try keychain.find(request)] {
            let found = try dictionary(answer)
            #expect(found.values["class"] == .string(itemClass))
            #expect(found.values["labl"] == "L")
            #expect((found.reference == nil) == isPassword)
            #expect((found.values["v_Data"] != nil) == (returns == ["r_Data"]))
            #expect((found.values["v_PersistentRef"] != nil) == (returns == ["r_PersistentRef"]))
        }
    }

    @Test(arguments: ["genp", "inet", "cert", "keys"]) func `the class is not returned without an object`(
        itemClass: String
    ) throws {
        let keychain = try KeychainSample().keychain
        #expect(try keychain.add(item(itemClass).with(["r_Attributes": true])).values["class"] == nil)
        #expect(try keychain.attributes(item(itemClass))["class"] == nil)
    }

    @Test(arguments: ["cert", "keys"]) func `several objects are returned as a list`(itemClass: String) throws {
        let keychain = try KeychainSample().keychain
        for flag in [false, true] { try keychain.add(item(itemClass).with(["sync": .bool(flag)])) }
        let found = try keychain.all(item(itemClass).with(["sync": "syna", "r_Ref": true]))
        #expect(found.count == 2)
        for answer in found { if case .reference = answer { continue } else { Issue.record("\(answer)") } }
    }

    @Test(arguments: ["cert", "keys"]) func `an object without data has nil data`(itemClass: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(["class": .string(itemClass)])
        guard case .reference(let reference) = try keychain.find(["class": .string(itemClass), "r_Ref": true]) else {
            Issue.record("no reference")
            return
        }
        #expect(reference.data == nil)
    }

    @Test(arguments: ["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"])
    func `a failed addition returns nothing and changes nothing`(key: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(item("cert"))
        let before = try keychain.attributes(["class": "cert"])
        #expect(throws: KeychainError.duplicateItem) {
            try keychain.add(item("cert").with([key: true, "labl": "M", "v_Data": data("other")]))
        }
        #expect(try keychain.attributes(["class": "cert"]) == before)
        #expect(try keychain.text(["class": "cert"]) == "der")
    }

    @Test(arguments: ["genp", "inet", "cert", "keys"]) func `no default label is added`(itemClass: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(["class": .string(itemClass), "v_Data": data("der")])
        #expect(try keychain.attributes(["class": .string(itemClass)])["labl"] == nil)
    }

    @Test func `no attribute of a key or certificate is computed from its data`() throws {
        let keychain = try KeychainSample().keychain
        for itemClass in ["cert", "keys"] { try keychain.add(["class": .string(itemClass), "v_Data": data("der")]) }
        let key = try keychain.attributes(["class": "keys"])
        for name in ["kcls", "bsiz", "esiz", "type", "crtr"] { #expect(key[name] == 0, "\(name)") }
        #expect(key["klbl"] == .data([]))
        let certificate = try keychain.attributes(["class": "cert"])
        for name in ["subj", "skid", "pkhh", "cenc"] { #expect(certificate[name] == nil, "\(name)") }
    }
}
