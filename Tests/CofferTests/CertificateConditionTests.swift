import Coffer
import CofferSecurity
import TestSupport
import Testing

/// Section 4.4 of Apple's behaviour: which conditions fit which class, and which values they take.
@Suite("Conditions on certificates", .temporaryDirectory) struct CertificateConditionTests {
    /// A keychain with an item of each class, named `x` where the class has an account.
    private func filled() throws -> Keychain {
        let keychain = try KeychainSample().keychain
        for itemClass in ["genp", "inet", "cert", "keys"] { try keychain.add(["class": .string(itemClass)]) }
        return keychain
    }

    private func item(_ itemClass: String) -> ItemRequest { ["class": .string(itemClass)] }

    @Test(arguments: ["genp", "inet", "keys"], ["m_Issuers", "m_Policy"])
    func `only certificates have issuers and policies, whatever the value`(itemClass: String, key: String) throws {
        let keychain = try filled()
        for value in [.array([]), .array([data("x")]), "x", .null, .other] as [ItemValue] {
            #expect(throws: KeychainError.unsupportedCondition(key)) {
                try keychain.find(item(itemClass).with([key: value]))
            }
        }
    }

    @Test(arguments: ["cert", "idnt"], [ItemValue.string("x"), data("x"), 1, true, .null, .array([.other])])
    func `a policy is an object`(itemClass: String, value: ItemValue) throws {
        #expect(throws: KeychainError.invalid(.value(of: "m_Policy"))) {
            try filled().find(item(itemClass).with(["m_Policy": value]))
        }
    }

    @Test(
        arguments: ["cert", "idnt"],
        [
            ("m_Policy", .other), ("m_Issuers", .array([data("x")])), ("m_Issuers", .array([1, data("x")])),
            ("m_ValidOnDate", .null), ("m_ValidOnDate", .date(secondsSinceReferenceDate: 5)), ("m_TrustedOnly", true),
            ("m_EmailAddressIfPresent", "kim@example.com"),
        ] as [(String, ItemValue)]
    )
    func `what needs the certificate to be read fails until it is`(
        itemClass: String,
        condition: (String, ItemValue)
    ) throws {
        let keychain = try filled()
        let request = item(itemClass).with([condition.0: condition.1])
        #expect(throws: KeychainError.unsupportedCondition(condition.0)) { try keychain.find(request) }
        #expect(throws: KeychainError.unsupportedCondition(condition.0)) {
            try keychain.find(request.with(["issr": data("nobody's")]))
        }
    }

    @Test(
        arguments: ["genp", "inet", "keys"],
        [
            ("m_ValidOnDate", .null), ("m_ValidOnDate", .date(secondsSinceReferenceDate: 5)), ("m_TrustedOnly", true),
            ("m_TrustedOnly", false), ("m_EmailAddressIfPresent", "kim@example.com"),
        ] as [(String, ItemValue)]
    )
    func `validity, trust and addresses mean nothing for other classes`(
        itemClass: String,
        condition: (String, ItemValue)
    ) throws {
        #expect(try filled().count(item(itemClass).with([condition.0: condition.1])) == 1)
    }

    @Test(
        arguments: ["genp", "inet", "keys", "cert", "idnt"],
        [
            ("m_ValidOnDate", "now"), ("m_ValidOnDate", 5), ("m_ValidOnDate", true), ("m_TrustedOnly", 1),
            ("m_TrustedOnly", "true"), ("m_TrustedOnly", .null), ("m_EmailAddressIfPresent", 1),
            ("m_EmailAddressIfPresent", data("kim@example.com")), ("m_EmailAddressIfPresent", .null),
        ] as [(String, ItemValue)]
    )
    func `their values are checked for every class`(itemClass: String, condition: (String, ItemValue)) throws {
        #expect(throws: KeychainError.invalid(.value(of: condition.0))) {
            try filled().find(item(itemClass).with([condition.0: condition.1]))
        }
    }

    @Test(
        arguments: [
            ("m_TrustedOnly", false), ("m_Issuers", .array([])), ("m_Issuers", "x"), ("m_Issuers", .null),
            ("m_Issuers", .array(["x", 1])), ("m_Issuers", data("x")),
        ] as [(String, ItemValue)]
    )
    func `conditions that say nothing are none`(key: String, value: ItemValue) throws {
        #expect(try filled().count(["class": "cert", key: value]) == 1)
    }

    @Test(
        arguments: ["genp", "inet", "keys", "cert"],
        ["m_ItemList", "m_SearchList", "m_CaseInsensitive", "m_SubjectContains", "m_SubjectStartsWith", "m_"]
    )
    func `what Apple's keychain does not look at is ignored, whatever the value`(
        itemClass: String,
        key: String
    ) throws {
        let keychain = try filled()
        for value in ["x", true, .array([]), .null, .other] as [ItemValue] {
            #expect(try keychain.count(item(itemClass).with([key: value])) == 1)
        }
    }

    @Test(arguments: ["genp", "cert", "keys", "idnt"]) func `only servers have hosts`(itemClass: String) throws {
        #expect(throws: KeychainError.unsupportedCondition("m_HostOrSubdomainOfHost")) {
            try filled().find(item(itemClass).with(["m_HostOrSubdomainOfHost": "example.com"]))
        }
    }

    @Test(arguments: [ItemValue.integer(1), data("example.com"), true, .null, .array([])])
    func `a host is text`(value: ItemValue) throws {
        #expect(throws: KeychainError.invalid(.value(of: "m_HostOrSubdomainOfHost"))) {
            try filled().find(["class": "inet", "m_HostOrSubdomainOfHost": value])
        }
    }

    @Test(arguments: [
        "m_Issuers", "m_Policy", "m_ValidOnDate", "m_TrustedOnly", "m_EmailAddressIfPresent", "m_HostOrSubdomainOfHost",
        "m_SearchList", "m_SubjectContains", "m_Limit",
    ])
    func `no other operation takes a condition`(key: String) throws {
        let keychain = try filled()
        let error = KeychainError.invalid(.keyNotAllowedHere(key))
        for itemClass in ["cert", "inet"] {
            let request = item(itemClass).with([key: key == "m_Limit" ? 1 : false])
            #expect(throws: error) { try keychain.add(request.with(["labl": "new"])) }
            #expect(throws: error) { try keychain.update(request, with: ["labl": "new"]) }
            #expect(throws: error) { try keychain.delete(request) }
            #expect(try keychain.count(item(itemClass)) == 1)
            #expect(try keychain.count(item(itemClass).with(["labl": "new"])) == 0)
        }
    }

    @Test(arguments: [ItemValue.string("CN=x"), 1, .null, true]) func `an issuer is bytes`(value: ItemValue) throws {
        let keychain = try filled()
        let error = KeychainError.invalid(.value(of: "issr"))
        let request: ItemRequest = ["class": "cert", "issr": value]
        #expect(throws: error) { try keychain.add(request) }
        #expect(throws: error) { try keychain.find(request) }
        #expect(throws: error) { try keychain.update(request, with: [:]) }
        #expect(throws: error) { try keychain.delete(request) }
        #expect(throws: error) { try keychain.update(["class": "cert"], with: ["issr": value]) }
    }

    @Test func `a name is compared as it stands, until names are read`() throws {
        let keychain = try KeychainSample().keychain
        let name: [UInt8] = [0x31, 0x00]
        try keychain.add(["class": "cert", "issr": .data(name)])
        #expect(try keychain.count(["class": "cert", "issr": .data(name)]) == 1)
        #expect(try keychain.count(["class": "cert", "issr": .data([0x30, 0x02] + name)]) == 0)
    }

    @Test(arguments: ["subj", "slnr", "skid", "pkhh"]) func `other names may be text, which is its bytes`(
        name: String
    ) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(["class": "cert", name: "x"])
        #expect(try keychain.attributes(["class": "cert"])[name] == data("x"))
        #expect(try keychain.count(["class": "cert", name: data("x")]) == 1)
    }
}
