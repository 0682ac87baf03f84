import Foundation
import Security
import TestSupport
import Testing

/// A certificate of `Fixtures/x509`.
func certificateFixture(_ name: String) throws -> SecCertificate {
    let file = Repository.root.appending(path: "Fixtures/x509/\(name).der")
    return try #require(SecCertificateCreateWithData(nil, try Data(contentsOf: file) as CFData))
}

/// Conditions on the contents of certificates (`Spec/keychain-behavior.md`, section 4).
@Suite("Calls: conditions on certificates", .ownKeychain) struct CallCertificateConditionTests {
    /// The name `C=DE, O=Coffer Tests, CN=Root`; only the country is a PrintableString.
    private static let root =
        "3033310b300906035504061302444531153013060355040a0c0c436f66666572205465737473310d300b06035504030c04526f6f74"
    /// The name `CN=Intermediate`.
    private static let intermediate = "30173115301306035504030c0c496e7465726d656469617465"

    private func add(_ names: String...) throws {
        for name in names { #expect(Call.add([kSecValueRef: try certificateFixture(name)]) == 0) }
    }

    /// The labels of the certificates that match.
    private func labels(_ condition: [CFString: Any]) throws -> Set<String> {
        Set(try Call.texts(kSecAttrLabel, .cert(condition)))
    }

    private func name(_ digits: String) throws -> Data {
        try JSONDecoder().decode(HexData.self, from: Data("\"\(digits)\"".utf8)).data
    }

    // MARK: - Issuers

    @Test func `an issuer matches the certificates that it issued, and those that these issued`() throws {
        try add("chain_leaf", "chain_intermediate", "emails")
        let (root, intermediate) = (try name(Self.root), try name(Self.intermediate))
        #expect(try labels([kSecMatchIssuers: [intermediate]]) == ["example.com"])
        #expect(try labels([kSecMatchIssuers: [root]]).isSuperset(of: ["example.com", "Intermediate"]))
        #expect(try labels([kSecMatchIssuers: [Data("x"), intermediate, root]]).count == 3)
        #expect(Call.find(.cert([kSecMatchIssuers: [Data("x")]])) == errSecItemNotFound)
        #expect(Call.delete(.cert([kSecAttrLabel: "Intermediate"])) == 0)
        #expect(try !labels([kSecMatchIssuers: [root]]).contains("example.com"))
    }

    @Test func `issuers are compared in normalized form`() throws {
        try add("chain_intermediate")
        let root = try name(Self.root)
        let lowercase = try name(Self.root.replacing("13024445", with: "13026465"))
        let other = try name(Self.root.replacing("526f6f74", with: "526f6f75"))
        #expect(lowercase != root)
        #expect(Call.find(.cert([kSecMatchIssuers: [lowercase]])) == 0)
        #expect(Call.find(.cert([kSecMatchIssuers: [root.dropFirst(2)]])) == 0)
        #expect(Call.find(.cert([kSecMatchIssuers: [other]])) == errSecItemNotFound)
        #expect(Call.find(.cert([kSecAttrIssuer: lowercase])) == 0)
        #expect(Call.find(.cert([kSecAttrIssuer: root.dropFirst(2)])) == 0)
        #expect(Call.find(.cert([kSecAttrIssuer: other])) == errSecItemNotFound)
    }

    @Test func `an issuer may be a whole name, which is normalized`() {
        // O=…, as PrintableString.
        func name(_ text: String) -> Data {
            let value = [0x13, UInt8(text.utf8.count)] + Array(text.utf8)
            let attribute = [6, 3, 0x55, 4, 10] + value
            return Data([0x31, UInt8(attribute.count + 2), 0x30, UInt8(attribute.count)] + attribute)
        }
        func whole(_ content: Data) -> Data { Data([0x30, UInt8(content.count)]) + content }
        #expect(Call.add(.cert([kSecAttrIssuer: name("A B")])) == 0)
        for same in [name("A B"), whole(name("A B")), whole(name(" a  b "))] {
            #expect(Call.find(.cert([kSecAttrIssuer: same])) == 0)
        }
        for other in [name("a b"), whole(name("AB")), whole(name("A B")) + [0], whole(Data([0x31, 0]))] {
            #expect(Call.find(.cert([kSecAttrIssuer: other])) == -25300)
        }
    }

    /// The key of `Fixtures/keys` on P-256 is that of the root.
    @Test func `identities match by the issuers of their certificate`() throws {
        try add("chain_root", "chain_leaf")
        #expect(Call.add([kSecValueRef: try KeyVectors.key("P256").secKey(kSecAttrKeyClassPrivate)]) == 0)
        let condition = [kSecMatchIssuers: [try name(Self.root)]]
        let found = try #require(try Call.found(.idnt(condition).with([kSecReturnRef: true])))
        var certificate: SecCertificate?
        #expect(SecIdentityCopyCertificate(try #require(found as? SecIdentity), &certificate) == 0)
        #expect(try certificate == certificateFixture("chain_root"))
        #expect(Call.find(.idnt([kSecMatchIssuers: [try name(Self.intermediate)]])) == errSecItemNotFound)
    }

    // MARK: - Validity and addresses

    @Test func `the validity includes its first and last second`() throws {
        try add("chain_leaf")
        // 2024-02-29 12:30:15 and 2044-02-29 23:59:59.
        let (start, end) = (Date(timeIntervalSince1970: 1_709_209_815), Date(timeIntervalSince1970: 2_340_403_199))
        for date in [start, end] { #expect(Call.find(.cert([kSecMatchValidOnDate: date])) == 0) }
        for date in [start - 1, end + 1] {
            #expect(Call.find(.cert([kSecMatchValidOnDate: date])) == errSecItemNotFound)
        }
    }

    @Test func `null means now`() throws {
        try add("chain_leaf", "expired")
        #expect(try labels([kSecMatchValidOnDate: NSNull()]) == ["example.com"])
        #expect(Call.delete(.cert()) == 0)
        try add("not_yet_valid")
        #expect(Call.find(.cert([kSecMatchValidOnDate: NSNull()])) == errSecItemNotFound)
    }

    @Test func `an e-mail address matches whatever its case`() throws {
        try add("emails", "chain_leaf")
        for address in ["one@example.com", "TWO@Example.com"] {
            #expect(try Call.count(.cert([kSecMatchEmailAddressIfPresent: address])) == 1)
        }
        #expect(Call.find(.cert([kSecMatchEmailAddressIfPresent: "one@example"])) == errSecItemNotFound)
    }

    @Test func `a limit counts only certificates that match`() throws {
        try add("chain_leaf", "emails")
        let query: [CFString: Any] = .cert([kSecMatchEmailAddressIfPresent: "one@example.com", kSecReturnRef: true])
        #expect(try Call.found(query) as? SecCertificate == certificateFixture("emails"))
    }

    // MARK: - Trust

    @Test func `a policy matches certificates that are for it, whoever issued them`() throws {
        try add("chain_leaf", "chain_intermediate")
        func count(_ policy: SecPolicy) -> Int? { try? Call.count(.cert([kSecMatchPolicy: policy])) }
        #expect(count(SecPolicyCreateBasicX509()) == 2)
        #expect(try labels([kSecMatchPolicy: SecPolicyCreateSSL(false, nil)]) == ["example.com", "Intermediate"])
        #expect(Call.find(.cert([kSecMatchPolicy: SecPolicyCreateSSL(true, "other.example")])) == errSecItemNotFound)
        #expect(Call.find(.cert([kSecMatchPolicy: NSObject()])) == errSecParam)
    }

    @Test func `trusted only matches what an anchor of the system issued`() throws {
        try add("chain_root", "chain_leaf", "chain_intermediate")
        #expect(Call.find(.cert([kSecMatchTrustedOnly: true])) == errSecItemNotFound)
        #expect(try Call.count(.cert([kSecMatchTrustedOnly: false])) == 3)
    }

    @Test func `an item that is no certificate matches no condition on its contents`() throws {
        #expect(Call.add(.cert([kSecValueData: Data("x")])) == 0)
        #expect(Call.add(.cert([kSecAttrSerialNumber: Data([1])])) == 0)
        for condition in [
            [kSecMatchValidOnDate: NSNull()], [kSecMatchEmailAddressIfPresent: "one@example.com"],
            [kSecMatchIssuers: [try name(Self.root)]], [kSecMatchPolicy: SecPolicyCreateBasicX509()],
        ] as [[CFString: Any]] {
            #expect(Call.find(.cert(condition)) == errSecItemNotFound)
        }
    }
}
