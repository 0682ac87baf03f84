import Foundation
import Security
import Testing

/// Section 4.4 of Apple's behaviour: conditions beside attributes.
@Suite("Calls: conditions", .ownKeychain) struct CallMatchTests {
    /// An item of the class, which must not be in the way of a condition about certificates.
    private func added(_ itemClass: String) -> [CFString: Any] {
        if itemClass != "idnt" { #expect(Call.add(.item(itemClass)) == 0) }
        return .item(itemClass)
    }

    private static let issuers = CallValue("issuers") { [Data("x")] }
    private static let noIssuers = CallValue("no issuers") { [1] }
    private static let policy = CallValue("policy") { SecPolicyCreateBasicX509() }

    // MARK: - Certificates

    @Test(arguments: ["genp", "inet", "keys"], ["m_Issuers", "m_Policy"])
    func `issuers and policies of what has no certificate: errSecUnimplemented`(itemClass: String, key: String) {
        let item = added(itemClass)
        for value in [Self.issuers, Self.policy, "x"] as [CallValue] {
            #expect(Call.find(item.with([key as CFString: value.object])) == -4)
        }
    }

    @Test(arguments: ["x", 1, true, .null, .data("x")] as [CallValue])
    func `a policy is an object: errSecParam`(value: CallValue) {
        #expect(Call.find(added("cert").with([kSecMatchPolicy: value.object])) == -50)
    }

    @Test(
        arguments: ["cert", "idnt"],
        [
            ("m_Issuers", issuers), ("m_Policy", policy), ("m_ValidOnDate", .date(0)), ("m_ValidOnDate", .null),
            ("m_TrustedOnly", true), ("m_EmailAddressIfPresent", "kim@example.com"),
        ]
    )
    func `what needs a certificate to be read fails until it is: errSecUnimplemented`(
        itemClass: String,
        condition: (key: String, value: CallValue)
    ) {
        let query = added(itemClass).with([condition.key as CFString: condition.value.object])
        #expect(Call.find(query) == -4)
    }

    @Test(arguments: [noIssuers, "x", 1, .dictionary, .null] as [CallValue])
    func `issuers that are no list of names are no condition`(value: CallValue) {
        #expect(Call.find(added("cert").with([kSecMatchIssuers: value.object])) == 0)
    }

    @Test func `trusted only that is false is no condition`() {
        #expect(Call.find(added("cert").with([kSecMatchTrustedOnly: false])) == 0)
    }

    @Test(
        arguments: ["genp", "inet", "keys"],
        [
            ("m_ValidOnDate", .date(0)), ("m_ValidOnDate", .null), ("m_TrustedOnly", true),
            ("m_EmailAddressIfPresent", "kim@example.com"),
        ] as [(String, CallValue)]
    )
    func `validity, trust and addresses of what has no certificate mean nothing`(
        itemClass: String,
        condition: (key: String, value: CallValue)
    ) {
        #expect(Call.find(added(itemClass).with([condition.key as CFString: condition.value.object])) == 0)
    }

    @Test(
        arguments: ["genp", "inet", "keys", "cert"],
        [
            ("m_ValidOnDate", "today"), ("m_ValidOnDate", 5), ("m_TrustedOnly", 1), ("m_TrustedOnly", "true"),
            ("m_TrustedOnly", .null), ("m_EmailAddressIfPresent", .data("x")), ("m_EmailAddressIfPresent", 1),
        ] as [(String, CallValue)]
    )
    func `their values are checked for every class: errSecParam`(
        itemClass: String,
        condition: (key: String, value: CallValue)
    ) {
        #expect(Call.find(added(itemClass).with([condition.key as CFString: condition.value.object])) == -50)
    }

    // MARK: - Hosts

    @Test(arguments: [
        ("example.com", ["example.com", "www.example.com"]), ("www.example.com", ["www.example.com"]),
        ("com", ["notexample.com", "example.com", "www.example.com"]), ("xample.com", []), ("EXAMPLE.COM", []),
        (".example.com", []),
    ])
    func `a host means itself and its subdomains, letter by letter`(host: String, servers: [String]) throws {
        for server in ["notexample.com", "example.com", "www.example.com"] {
            #expect(Call.add(.inet([kSecAttrServer: server])) == 0)
        }
        #expect(Call.add(.inet([kSecAttrServer: Data("example.com"), kSecAttrAccount: "bytes"])) == 0)
        let query: [CFString: Any] = .inet([kSecMatchHostOrSubdomainOfHost: host])
        #expect(try Call.texts(kSecAttrServer, query) == servers)
    }

    @Test func `a limit counts what a host matches`() throws {
        for server in ["other.org", "example.com"] { #expect(Call.add(.inet([kSecAttrServer: server])) == 0) }
        let query: [CFString: Any] = .inet([kSecMatchHostOrSubdomainOfHost: "example.com"])
        #expect(try Call.attributes(query)["srvr"] as? String == "example.com")
    }

    @Test(arguments: [1, true, .data("example.com"), .null, .url] as [CallValue])
    func `a host is text: errSecParam`(value: CallValue) {
        #expect(Call.find(.inet([kSecMatchHostOrSubdomainOfHost: value.object])) == -50)
    }

    @Test(arguments: ["genp", "keys", "cert"])
    func `a host of what has no server: errSecUnimplemented`(itemClass: String) {
        #expect(Call.find(added(itemClass).with([kSecMatchHostOrSubdomainOfHost: "example.com"])) == -4)
    }

    // MARK: - What is ignored

    private static let ignored = [
        kSecMatchItemList, kSecMatchSearchList, kSecMatchCaseInsensitive, kSecMatchSubjectContains,
        kSecMatchSubjectStartsWith, kSecMatchSubjectEndsWith, kSecMatchSubjectWholeString,
        kSecMatchDiacriticInsensitive, kSecMatchWidthInsensitive, "m_Whatever",
    ].map(String.init)

    @Test(arguments: ignored) func `other conditions are ignored by a query`(key: String) {
        #expect(Call.add(.genp("kim")) == 0)
        for value in [true, "nobody", [Data("x")], NSNull()] as [Any] {
            #expect(Call.find(.genp("kim", [key as CFString: value])) == 0)
        }
        #expect(Call.find(.genp("KIM", [key as CFString: true])) == -25300)
    }

    @Test(arguments: ignored + ["m_Limit", "m_Issuers", "m_TrustedOnly", "m_HostOrSubdomainOfHost"])
    func `all conditions are refused by an update and a deletion: errSecParam`(key: String) {
        #expect(Call.add(.genp("kim")) == 0)
        for value in [kSecMatchLimitAll, kSecMatchLimitOne, false] as [Any] {
            #expect(Call.update(.genp("kim", [key as CFString: value]), [kSecAttrLabel: "x"]) == -50)
            #expect(Call.delete(.genp("kim", [key as CFString: value])) == -50)
        }
        #expect(Call.find(.genp("kim")) == 0)
        #expect(Call.find(.genp([kSecAttrLabel: "x"])) == -25300)
    }
}
