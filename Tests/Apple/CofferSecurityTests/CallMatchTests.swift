import Foundation
import Security
import Testing

/// Conditions other than attributes (`Spec/keychain-behavior.md`, section 4).
@Suite("Calls: conditions", .ownKeychain) struct CallMatchTests {
    /// Adds an item of the class, which must not affect a condition about certificates, and returns its query.
    private func added(_ itemClass: String) -> [CFString: Any] {
        if itemClass != "idnt" { #expect(Call.add(.item(itemClass)) == 0) }
        return .item(itemClass)
    }

    private static let issuers = CallValue("issuers") { [Data("x")] }
    private static let someIssuers = CallValue("some issuers") { [1, Data("x")] as [Any] }
    private static let noIssuers = CallValue("no issuers") { ["x", 1] as [Any] }
    private static let policy = CallValue("policy") { SecPolicyCreateBasicX509() }

    // MARK: - Certificates

    @Test(
        arguments: ["genp", "inet", "keys"],
        [("m_Issuers", issuers), ("m_Issuers", someIssuers), ("m_Policy", policy)]
    )
    func `issuers and policies for items without a certificate: errSecUnimplemented`(
        itemClass: String,
        condition: (key: String, value: CallValue)
    ) {
        #expect(Call.find(added(itemClass).with([condition.key as CFString: condition.value.object])) == -4)
    }

    @Test(
        arguments: ["genp", "inet", "keys", "cert", "idnt"],
        ["x", 1, true, .null, .data("x"), .array, .object] as [CallValue]
    )
    func `a policy that is not an object: errSecParam`(itemClass: String, value: CallValue) {
        #expect(Call.find(added(itemClass).with([kSecMatchPolicy: value.object])) == -50)
    }

    @Test(
        arguments: ["genp", "inet", "keys", "cert"],
        [noIssuers, "x", 1, .data("x"), .dictionary, .null] as [CallValue]
    )
    func `issuers without a name are ignored`(itemClass: String, value: CallValue) {
        #expect(Call.find(added(itemClass).with([kSecMatchIssuers: value.object])) == 0)
    }

    @Test func `a false value for trusted only is not a condition`() {
        #expect(Call.find(added("cert").with([kSecMatchTrustedOnly: false])) == 0)
    }

    @Test(
        arguments: ["genp", "inet", "keys"],
        [
            ("m_ValidOnDate", .date(0)), ("m_ValidOnDate", .null), ("m_TrustedOnly", true),
            ("m_TrustedOnly", false), ("m_EmailAddressIfPresent", "kim@example.com"),
        ] as [(String, CallValue)]
    )
    func `validity, trust and email addresses are ignored for items without a certificate`(
        itemClass: String,
        condition: (key: String, value: CallValue)
    ) {
        #expect(Call.find(added(itemClass).with([condition.key as CFString: condition.value.object])) == 0)
    }

    @Test(
        arguments: ["genp", "inet", "keys", "cert", "idnt"],
        [
            ("m_ValidOnDate", "today"), ("m_ValidOnDate", 5), ("m_ValidOnDate", true), ("m_TrustedOnly", 1),
            ("m_TrustedOnly", "true"), ("m_TrustedOnly", .null), ("m_EmailAddressIfPresent", .data("x")),
            ("m_EmailAddressIfPresent", 1), ("m_EmailAddressIfPresent", .null),
        ] as [(String, CallValue)]
    )
    func `invalid values for validity, trust and email address, in every class: errSecParam`(
        itemClass: String,
        condition: (key: String, value: CallValue)
    ) {
        #expect(Call.find(added(itemClass).with([condition.key as CFString: condition.value.object])) == -50)
    }

    // MARK: - Hosts

    private static let hosts = [
        "notexample.com", "example.com", "www.example.com", "a.b.example.com", "WWW.EXAMPLE.com",
    ]

    @Test(arguments: [
        ("example.com", ["example.com", "www.example.com", "a.b.example.com"]),
        ("www.example.com", ["www.example.com"]), ("com", hosts), ("xample.com", []), (".example.com", []),
        ("EXAMPLE.com", ["WWW.EXAMPLE.com"]), ("EXAMPLE.COM", []),
    ])
    func `a host matches itself and its subdomains, and case matters`(host: String, servers: [String]) throws {
        for server in Self.hosts { #expect(Call.add(.inet([kSecAttrServer: server])) == 0) }
        #expect(Call.add(.inet([kSecAttrServer: Data("example.com"), kSecAttrAccount: "bytes"])) == 0)
        let query: [CFString: Any] = .inet([kSecMatchHostOrSubdomainOfHost: host])
        #expect(try Call.texts(kSecAttrServer, query) == servers)
    }

    @Test func `a limit counts only items that match the host`() throws {
        for server in ["other.org", "example.com"] { #expect(Call.add(.inet([kSecAttrServer: server])) == 0) }
        let query: [CFString: Any] = .inet([kSecMatchHostOrSubdomainOfHost: "example.com"])
        #expect(try Call.attributes(query)["srvr"] as? String == "example.com")
    }

    @Test(arguments: [1, true, .data("example.com"), .null, .array, .url] as [CallValue])
    func `a host that is not a string: errSecParam`(value: CallValue) {
        #expect(Call.find(.inet([kSecMatchHostOrSubdomainOfHost: value.object])) == -50)
    }

    @Test(arguments: ["genp", "keys", "cert", "idnt"])
    func `a host for items without a server: errSecUnimplemented`(itemClass: String) {
        #expect(Call.find(added(itemClass).with([kSecMatchHostOrSubdomainOfHost: "example.com"])) == -4)
    }

    // MARK: - Ignored conditions

    private static let ignored = [
        kSecMatchItemList, kSecMatchSearchList, kSecMatchCaseInsensitive, kSecMatchSubjectContains,
        kSecMatchSubjectStartsWith, kSecMatchSubjectEndsWith, kSecMatchSubjectWholeString,
        kSecMatchDiacriticInsensitive, kSecMatchWidthInsensitive, "m_Whatever", "m_",
    ].map(String.init)

    @Test(arguments: ignored) func `queries ignore other conditions`(key: String) {
        for query in [.genp("kim"), .inet(), .cert(), .keys()] as [[CFString: Any]] {
            #expect(Call.add(query) == 0)
            for value in [true, "nobody", [Data("x")], NSNull(), NSObject()] as [Any] {
                #expect(Call.find(query.with([key as CFString: value])) == 0)
            }
        }
        #expect(Call.find(.genp("KIM", [key as CFString: true])) == -25300)
    }

    private static let evaluated = [
        "m_Limit", "m_Issuers", "m_Policy", "m_ValidOnDate", "m_TrustedOnly", "m_EmailAddressIfPresent",
        "m_HostOrSubdomainOfHost",
    ]

    @Test(arguments: ignored + evaluated, ["genp", "inet", "cert"])
    func `updates and deletions refuse all conditions: errSecParam`(key: String, itemClass: String) {
        let item = added(itemClass)
        for value in [kSecMatchLimitOne, false] as [Any] {
            #expect(Call.update(item.with([key as CFString: value]), [kSecAttrLabel: "x"]) == -50)
            #expect(Call.delete(item.with([key as CFString: value])) == -50)
        }
        #expect(Call.find(item) == 0)
        #expect(Call.find(item.with([kSecAttrLabel: "x"])) == -25300)
    }
}
