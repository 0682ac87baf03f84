import CofferCertificates
import Testing

private let commonName = "2.5.4.3"
private let organization = "2.5.4.10"
private let unit = "2.5.4.11"
private let description = "2.5.4.13"
private let email = "1.2.840.113549.1.9.1"

private func utf8(_ type: String, _ value: String) -> [UInt8] { attribute(type, text(0x0C, value)) }

private let utf8Text = text(0x0C, "x")

@Suite("Names of certificates") struct NameTests {
    // MARK: Texts

    @Test(
        arguments: [
            (0x13, [0x41, 0x62], "Ab"), (0x16, [0x61, 0x40, 0x62], "a@b"), (0x13, [], ""),
            (0x13, [0x41, 0xE9], "41 E9"), (0x16, [0x80], "80"),
            (0x0C, [0xC3, 0xA9], "é"), (0x1B, [0xC3, 0xA9], "é"), (0x1C, [0xC3, 0xA9], "é"),
            (0x0C, [0xC3], "C3"), (0x0C, [0xED, 0xA0, 0x80, 0x0A], "ED A0 80 0A"),
            (0x14, [0xC3, 0xA9], "Ã©"), (0x15, [0xE9], "é"), (0x1A, [0x80], "\u{80}"),
            (0x1E, [0, 0x41, 0x20, 0xAC], "A€"), (0x1E, [0xD8, 0x3D, 0xDD, 0x11], "🔑"), (0x1E, [], ""),
            (0x1E, [0xFE, 0xFF, 0, 0x41], "A"), (0x1E, [0xFF, 0xFE, 0x41, 0], "A"),
            (0x1E, [0, 0x41, 0x42], "00 41 42"), (0x1E, [0xD8, 0x3D], "D8 3D"),
            // One zero at the end is dropped, but not of hexadecimal pairs and BMPString.
            (0x13, [0x41, 0], "A"), (0x0C, [0x41, 0, 0], "A\0"), (0x14, [0], ""), (0x13, [0xE9, 0], "E9 00"),
            (0x1E, [0, 0x41, 0, 0], "A\0"),
            // Not strings.
            (0x04, [1, 0xAB], "01 AB"), (0x02, [5], "05"), (0x30, [], ""), (0x33, [0x41], "41"),
        ] as [(UInt8, [UInt8], String)]
    )
    func `a value is decoded by its tag`(tag: UInt8, content: [UInt8], expected: String) throws {
        let certificate = try CertificateSketch(subject: attribute(commonName, element(tag, content))).certificate()
        #expect(certificate.commonName == expected)
    }

    @Test func `relative names and attributes keep their order`() throws {
        let pair = element(
            0x31,
            sequence(oid(unit), text(0x0C, "b")),
            sequence(oid(commonName), text(0x13, "a"))
        )
        let certificate = try CertificateSketch(subject: utf8(organization, "c"), pair).certificate()
        let name = try #require(certificate.subjectName)
        #expect(name.relativeNames.map { $0.map(\.text) } == [["c"], ["b", "a"]])
        #expect(name.attributes.map(\.type) == [.organization, .organizationalUnit, .commonName])
        #expect(certificate.issuerName?.attributes.map(\.text) == ["Issuer"])
    }

    @Test func `a name in one line has its parts in their order`() throws {
        let pair = element(0x31, sequence(oid(unit), text(0x0C, "b")), sequence(oid("1.3.9.1"), text(0x13, "a")))
        let subject = joined([
            utf8("2.5.4.6", "DE"), utf8(organization, "Kim, Lee + \\"), pair, utf8(commonName, "Kim = 1"),
        ])
        let name = try CertificateSketch(subject: subject).certificate().subjectName
        #expect(name?.text == #"C=DE, O=Kim\, Lee \+ \\, OU=b+1.3.9.1=a, CN=Kim = 1"#)
        #expect(try CertificateSketch(subject: []).certificate().subjectName?.text == "")
    }

    @Test(
        arguments: [
            ([0x2A, 0x03], "1.2.3"), ([0x88, 0x37], "2.999"), ([0x00], "0.0"), ([0x78], "2.40"),
            ([0x2A, 0x81], "#2a81"), ([0x80, 0x01], "#8001"), ([0x2A, 0x80, 0x01], "#2a8001"), ([], "#"),
            ([0x2A] + [UInt8](repeating: 0xFF, count: 9) + [0x7F], "#2affffffffffffffffff7f"),
        ] as [([UInt8], String)]
    )
    func `an object identifier as text`(content: [UInt8], expected: String) throws {
        let certificate = CertificateSketch(subject: element(0x31, sequence(element(6, content), utf8Text)))
        // A name cannot have an empty type.
        guard !content.isEmpty else { return #expect(try certificate.certificate().subjectName == nil) }
        #expect(try certificate.certificate().subjectName?.text == "\(expected)=x")
    }

    // MARK: Summary and common name

    @Test(
        arguments: [
            ([utf8(commonName, "A")], "A"),
            ([utf8(unit, "U"), utf8(commonName, "A"), utf8(organization, "O"), utf8(commonName, "B")], "B, A"),
            ([utf8(description, "D"), utf8(commonName, "A")], "A (D)"),
            (
                [utf8(description, "D"), utf8(commonName, "A"), utf8(description, "E"), utf8(commonName, "B")],
                "B, A (E, D)"
            ),
            ([utf8(unit, "U"), utf8(organization, "O"), utf8(unit, "V")], "V, U"),
            ([utf8(unit, "U"), utf8(description, "D")], "U"),
            ([utf8("2.5.4.6", "DE"), utf8(organization, "O"), utf8("2.5.4.7", "L")], "O"),
            ([utf8("2.5.4.6", "DE"), utf8(description, "D")], "D, DE"),
            ([utf8(organization, "O"), utf8(email, "a@b")], "a@b"),
            ([], nil),
        ] as [([[UInt8]], String?)]
    )
    func `the summary is made of the best attributes of the subject`(subject: [[UInt8]], summary: String?) throws {
        let certificate = try CertificateSketch(subject: joined(subject)).certificate()
        #expect(certificate.subjectSummary == summary)
    }

    @Test func `without a common name, the summary is an e-mail address or a DNS name`() throws {
        func summary(_ subject: [UInt8], _ names: [UInt8]...) throws -> String? {
            try CertificateSketch(subject: subject, alternativeNames: names).certificate().subjectSummary
        }
        let dnsName = text(0x82, "example.com")
        #expect(try summary(utf8(unit, "U"), dnsName, text(0x81, "a@b")) == "a@b")
        #expect(try summary(utf8(unit, "U"), dnsName) == "example.com")
        #expect(try summary([], dnsName) == "example.com")
        #expect(try summary(utf8(unit, "U"), text(0x82, "no host name")) == "U")
        #expect(try summary(utf8(commonName, "A"), dnsName, text(0x81, "a@b")) == "A")
    }

    @Test func `the last common name is used`() throws {
        let certificate = try CertificateSketch(
            subject: utf8(commonName, "A"),
            utf8(commonName, "B"),
            utf8(unit, "U")
        ).certificate()
        #expect(certificate.commonName == "B")
        #expect(try CertificateSketch(subject: utf8(unit, "U")).certificate().commonName == nil)
    }

    @Test(arguments: [
        element(0x30), element(0x31), element(0x31, element(0x31)), element(0x31, sequence()),
        element(0x31, sequence(oid(commonName))), element(0x31, sequence(element(0x06), text(0x0C, "a"))),
        element(0x31, sequence(text(0x0C, "a"), text(0x0C, "a"))),
        element(0x31, sequence(oid(commonName), text(0x0C, "a"), text(0x0C, "b"))), [0x31, 5],
    ])
    func `a malformed name has no parts and is not normalized`(part: [UInt8]) throws {
        var sketch = CertificateSketch(
            subject: utf8(commonName, "example.com") + part,
            alternativeNames: [text(0x81, "a@b")]
        )
        sketch.issuer = sketch.subject
        let certificate = try sketch.certificate()
        #expect(certificate.subjectName == nil && certificate.issuerName == nil)
        #expect(certificate.subjectSummary == nil && certificate.commonName == nil)
        #expect(certificate.emailAddresses.isEmpty && certificate.dnsNames.isEmpty)
    }

    // MARK: E-mail addresses and DNS names

    @Test func `e-mail addresses of the alternative names come first`() throws {
        let certificate = try CertificateSketch(
            subject: utf8(email, "s@b"),
            attribute(email, text(0x16, "t@b")),
            alternativeNames: [text(0x81, "b@b"), text(0x82, "b"), text(0x81, ""), text(0x81, "b@b")]
        ).certificate()
        #expect(certificate.emailAddresses == ["b@b", "", "b@b", "s@b", "t@b"])
        #expect(try CertificateSketch().certificate().emailAddresses == [])
    }

    @Test func `an alternative name that is not ASCII empties the list of e-mail addresses`() throws {
        let certificate = try CertificateSketch(
            subject: utf8(email, "s@b"),
            alternativeNames: [text(0x81, "b@b"), text(0x81, "ü@b")]
        ).certificate()
        #expect(certificate.emailAddresses == [])
    }

    @Test func `common names are used as DNS names only if there are no others`() throws {
        func names(_ alternatives: [UInt8]...) throws -> [String] {
            try CertificateSketch(
                subject: utf8(commonName, "a.example"),
                utf8(commonName, "not a host"),
                utf8(commonName, "b.example"),
                alternativeNames: alternatives
            ).certificate().dnsNames
        }
        #expect(
            try names(text(0x82, "c.example"), text(0x82, "-"), text(0x82, "*.d.example")) == [
                "c.example", "*.d.example",
            ]
        )
        #expect(try names(text(0x82, "-"), text(0x82, "é.example")) == ["a.example", "b.example"])
        #expect(try names(text(0x81, "a@b")) == ["a.example", "b.example"])
    }

    @Test(arguments: [
        ("example.com", true), ("localhost", true), ("*.example.com", true), ("a_b.c-d.e", true), ("1.2.3.a", true),
        ("xn--bcher-kva.example", true), ("f*.example.com", true), ("EXAMPLE.COM", true),
        ("", false), (".", false), ("example.com.", false), (".example.com", false), ("a..b", false),
        ("-a.b", false), ("a-.b", false), ("a.-b", false), ("a.b-", false), ("192.0.2.1", false), ("a.1", false),
        ("a b", false), ("a@b", false), ("bücher.example", false), ("a:b", false), ("*", false), ("a.[b", false),
        (String(repeating: "a", count: 63), true), (String(repeating: "a", count: 64), false),
        (String(repeating: "a.", count: 127) + "a", true), (String(repeating: "a.", count: 127) + "aa", false),
    ])
    func `a host name is recognized`(name: String, isHostName: Bool) {
        #expect(name.looksLikeHostName == isHostName)
    }

    // MARK: Normalized names

    @Test(arguments: [
        (text(0x13, " a  B\t c "), text(0x13, "A B C")),
        (text(0x13, "\t \t"), text(0x13, "")),
        (text(0x13, "z{`@["), text(0x13, "Z{`@[")),
        (text(0x13, "a\u{A0}\nb"), text(0x13, "A\u{A0}\nB")),
        (text(0x0C, " a  b "), text(0x0C, " a  b ")),
        (text(0x16, " a  b "), text(0x16, " a  b ")),
        (text(0x33, " a  b "), text(0x33, " a  b ")),
        (element(0x30, text(0x13, " a ")), element(0x30, text(0x13, " a "))),
        (text(0x13, "a" + String(repeating: " ", count: 300) + "b"), text(0x13, "A B")),
    ])
    func `only printable strings are normalized`(value: [UInt8], normalized: [UInt8]) throws {
        let certificate = try CertificateSketch(
            subject: attribute(commonName, value),
            utf8(unit, " u ")
        ).certificate()
        #expect(certificate.subjectName?.normalized == attribute(commonName, normalized) + utf8(unit, " u "))
    }

    @Test func `an empty name is normalized to itself`() throws {
        #expect(try CertificateSketch(subject: []).certificate().subjectName?.normalized == [])
    }
}
