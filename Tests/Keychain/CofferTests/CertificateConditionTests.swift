import Coffer
import CofferSecurity
import TestSupport
import Testing

/// `Spec/keychain-behavior.md`, section 4: which conditions each class allows, and which values they accept.
@Suite("Conditions on certificates", .temporaryDirectory) struct CertificateConditionTests {
    /// A keychain with an item of each class, named `x` where the class has an account.
    private func filled() throws -> Keychain {
        let keychain = try KeychainSample().keychain
        for itemClass in ["genp", "inet", "cert", "keys"] { try keychain.add(["class": .string(itemClass)]) }
        return keychain
    }

    private func item(_ itemClass: String) -> ItemRequest { ["class": .string(itemClass)] }

    @Test(
        arguments: ["genp", "inet", "keys"],
        [("m_Issuers", .array([data("x")])), ("m_Issuers", .array([1, data("x")]))] as [(String, ItemValue)]
    )
    func `only certificates have issuers`(itemClass: String, condition: (String, ItemValue)) throws {
        #expect(throws: KeychainError.unsupportedCondition(condition.0)) {
            try filled().find(item(itemClass).with([condition.0: condition.1]))
        }
    }

    @Test(
        arguments: ["genp", "inet", "keys", "cert", "idnt"],
        [ItemValue.string("x"), data("x"), 1, true, .null, .array([.other]), .other]
    )
    func `a policy must be an object`(itemClass: String, value: ItemValue) throws {
        #expect(throws: KeychainError.invalid(.value(of: "m_Policy"))) {
            try filled().find(item(itemClass).with(["m_Policy": value]))
        }
    }

    @Test(
        arguments: ["genp", "inet", "keys"],
        [
            ("m_ValidOnDate", .null), ("m_ValidOnDate", .date(secondsSinceReferenceDate: 5)), ("m_TrustedOnly", true),
            ("m_TrustedOnly", false), ("m_EmailAddressIfPresent", "kim@example.com"),
        ] as [(String, ItemValue)]
    )
    func `validity, trust and addresses are ignored for other classes`(
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
    func `validity, trust and address values are checked for every class`(
        itemClass: String,
        condition: (String, ItemValue)
    ) throws {
        #expect(throws: KeychainError.invalid(.value(of: condition.0))) {
            try filled().find(item(itemClass).with([condition.0: condition.1]))
        }
    }

    @Test(
        arguments: ["genp", "inet", "keys", "cert"],
        [
            ("m_TrustedOnly", false), ("m_Issuers", .array([])), ("m_Issuers", "x"), ("m_Issuers", .null),
            ("m_Issuers", .array(["x", 1])), ("m_Issuers", data("x")),
        ] as [(String, ItemValue)]
    )
    func `conditions without an effect are ignored`(itemClass: String, condition: (String, ItemValue)) throws {
        #expect(try filled().count(item(itemClass).with([condition.0: condition.1])) == 1)
    }

    @Test(
        arguments: ["genp", "inet", "keys", "cert"],
        ["m_ItemList", "m_SearchList", "m_CaseInsensitive", "m_SubjectContains", "m_SubjectStartsWith", "m_"]
    )
    func `conditions that Apple's keychain ignores are ignored whatever the value`(
        itemClass: String,
        key: String
    ) throws {
        let keychain = try filled()
        for value in ["x", true, .array([]), .null, .other] as [ItemValue] {
            #expect(try keychain.count(item(itemClass).with([key: value])) == 1)
        }
    }

    @Test(arguments: ["genp", "cert", "keys", "idnt"])
    func `only internet passwords have hosts`(itemClass: String) throws {
        #expect(throws: KeychainError.unsupportedCondition("m_HostOrSubdomainOfHost")) {
            try filled().find(item(itemClass).with(["m_HostOrSubdomainOfHost": "example.com"]))
        }
    }

    @Test(arguments: [ItemValue.integer(1), data("example.com"), true, .null, .array([])])
    func `a host must be text`(value: ItemValue) throws {
        #expect(throws: KeychainError.invalid(.value(of: "m_HostOrSubdomainOfHost"))) {
            try filled().find(["class": "inet", "m_HostOrSubdomainOfHost": value])
        }
    }

    @Test(arguments: [
        "m_Issuers", "m_Policy", "m_ValidOnDate", "m_TrustedOnly", "m_EmailAddressIfPresent", "m_HostOrSubdomainOfHost",
        "m_SearchList", "m_SubjectContains", "m_Limit",
    ])
    func `only queries accept conditions`(key: String) throws {
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

    @Test(arguments: [ItemValue.string("CN=x"), 1, .null, true])
    func `an issuer must be bytes`(value: ItemValue) throws {
        let keychain = try filled()
        let error = KeychainError.invalid(.value(of: "issr"))
        let request: ItemRequest = ["class": "cert", "issr": value]
        #expect(throws: error) { try keychain.add(request) }
        #expect(throws: error) { try keychain.find(request) }
        #expect(throws: error) { try keychain.update(request, with: [:]) }
        #expect(throws: error) { try keychain.delete(request) }
        #expect(throws: error) { try keychain.update(["class": "cert"], with: ["issr": value]) }
    }

    @Test func `an issuer may be a whole name, which is normalized`() throws {
        let keychain = try KeychainSample().keychain
        // O=a b, as PrintableString.
        func name(_ text: String) -> [UInt8] {
            let value = [0x13, UInt8(text.utf8.count)] + Array(text.utf8)
            let attribute = [6, 3, 0x55, 4, 10] + value
            return [0x31, UInt8(attribute.count + 2), 0x30, UInt8(attribute.count)] + attribute
        }
        func whole(_ content: [UInt8]) -> [UInt8] { [0x30, UInt8(content.count)] + content }
        try keychain.add(["class": "cert", "issr": .data(name("A B"))])
        for name in [name("A B"), whole(name("A B")), whole(name(" a  b "))] {
            #expect(try keychain.count(["class": "cert", "issr": .data(name)]) == 1)
        }
        for name in [name("a b"), whole(name("AB")), whole(name("A B")) + [0], whole([0x31, 0])] {
            #expect(try keychain.count(["class": "cert", "issr": .data(name)]) == 0)
        }
    }

    @Test(arguments: ["subj", "slnr", "skid", "pkhh"]) func `text in other certificate attributes stands for its bytes`(
        name: String
    ) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(["class": "cert", name: "x"])
        #expect(try keychain.attributes(["class": "cert"])[name] == data("x"))
        #expect(try keychain.count(["class": "cert", name: data("x")]) == 1)
    }
}
