import CofferCertificates
import Testing

/// The value of an extension, and whether it is well-formed.
struct ExtensionValue: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let identifier: String
    let value: [UInt8]

    init(_ identifier: String, _ description: String, _ value: [UInt8]...) {
        self.identifier = identifier
        testDescription = "\(identifier) \(description)"
        self.value = joined(value)
    }

    func certificate(isCritical: Bool) throws -> X509Certificate {
        try CertificateSketch().with(extended(identifier, isCritical: isCritical, value)).certificate()
    }
}

private let dnsName = text(0x82, "example.com")
private let uri = text(0x86, "http://example.com")

@Suite("Extensions of certificates") struct ExtensionTests {
    @Test(arguments: [
        ExtensionValue("2.5.29.14", "empty", element(0x04)),
        ExtensionValue("2.5.29.14", "with bytes behind it", element(0x04, [1]), [0xFF]),
        ExtensionValue("2.5.29.15", "of one byte", element(0x03, [0, 0xFF])),
        ExtensionValue("2.5.29.15", "of two bytes", element(0x03, [7, 0xFF, 0xFF])),
        ExtensionValue("2.5.29.16", "of any form", [0xFF]),
        ExtensionValue(
            "2.5.29.17",
            "of every form",
            sequence(
                element(0xA0),
                element(0x81),
                element(0x82),
                element(0xA3),
                element(0xA4),
                element(0xA5),
                element(0x86),
                element(0xA6, text(0x16, "http://example.com")),
                element(0x87, [1]),
                element(0x88)
            )
        ),
        ExtensionValue("2.5.29.18", "of any form", [0xFF]),
        ExtensionValue("2.5.29.19", "empty", sequence()),
        ExtensionValue("2.5.29.19", "with bytes behind it", sequence(), [0xFF]),
        ExtensionValue("2.5.29.19", "without flag", sequence(element(0x02, [3]))),
        ExtensionValue("2.5.29.30", "empty", sequence()),
        ExtensionValue("2.5.29.30", "with minimum 0", sequence(element(0xA1, sequence(dnsName, element(0x80, [0]))))),
        ExtensionValue(
            "2.5.29.31",
            "of every form",
            sequence(
                sequence(element(0xA0, element(0xA0, uri)), element(0x81, [0, 1]), element(0xA2, dnsName)),
                sequence(element(0xA0, element(0xA1))),
                sequence(element(0xA2))
            )
        ),
        ExtensionValue("2.5.29.32", "with qualifiers", sequence(sequence(oid("1.2.3"), sequence()))),
        ExtensionValue("2.5.29.33", "of a pair", sequence(sequence(oid("1.2.3"), oid("1.2.4")))),
        ExtensionValue("2.5.29.35", "empty", sequence()),
        ExtensionValue("2.5.29.36", "empty", sequence()),
        ExtensionValue("2.5.29.36", "with both", sequence(element(0x80, [0]), element(0x81, [9]))),
        ExtensionValue("2.5.29.37", "of an identifier", sequence(oid("2.5.29.37.0"))),
        ExtensionValue("2.5.29.54", "of a number", element(0x02, [0])),
        ExtensionValue("1.3.6.1.5.5.7.1.1", "of OCSP", sequence(sequence(oid("1.3.6.1.5.5.7.48.1"), uri))),
        ExtensionValue("1.3.6.1.5.5.7.1.1", "of another method", sequence(sequence(oid("1.2.3"), dnsName))),
        ExtensionValue("1.3.6.1.5.5.7.1.11", "of any form", [0xFF]),
    ])
    func `a well-formed value of a known kind is accepted`(value: ExtensionValue) throws {
        let certificate = try value.certificate(isCritical: true)
        #expect(certificate.extensions.map(\.isMalformed) == [false])
        #expect(certificate.extensions[0].kind != nil && certificate.extensions[0].isCritical)
    }

    @Test(arguments: [
        ExtensionValue("2.5.29.14", "of nothing"),
        ExtensionValue("2.5.29.14", "of another type", element(0x03, [0])),
        ExtensionValue("2.5.29.15", "without bits", element(0x03, [0])),
        ExtensionValue("2.5.29.15", "of three bytes", element(0x03, [0, 1, 2, 3])),
        ExtensionValue("2.5.29.15", "with 8 unused bits", element(0x03, [8, 1])),
        ExtensionValue("2.5.29.15", "with bytes behind it", element(0x03, [0, 1]), [0]),
        ExtensionValue("2.5.29.17", "without names", sequence()),
        ExtensionValue("2.5.29.17", "of another type", element(0x31, dnsName)),
        ExtensionValue("2.5.29.17", "with a name of another class", sequence(text(0x16, "example.com"))),
        ExtensionValue("2.5.29.17", "with a constructed name", sequence(element(0xA2, dnsName))),
        ExtensionValue("2.5.29.17", "with a directory name that is not constructed", sequence(element(0x84))),
        ExtensionValue("2.5.29.17", "with an unknown form", sequence(element(0x89))),
        ExtensionValue("2.5.29.17", "with a wrapped URI of another type", sequence(element(0xA6, text(0x0C, "a")))),
        ExtensionValue("2.5.29.17", "with a name that is cut off", sequence([0x82, 5, 1])),
        ExtensionValue("2.5.29.19", "of another type", element(0x02, [1])),
        ExtensionValue("2.5.29.19", "with an invalid flag", sequence(element(0x01, [1]))),
        ExtensionValue("2.5.29.19", "with a negative length", sequence(element(0x02, [0xFF]))),
        ExtensionValue("2.5.29.19", "with a large length", sequence(element(0x02, [1, 0, 0, 0, 0]))),
        ExtensionValue("2.5.29.19", "in the wrong order", sequence(element(0x02, [1]), element(0x01, [0xFF]))),
        ExtensionValue("2.5.29.30", "without subtrees", sequence(element(0xA0))),
        ExtensionValue("2.5.29.30", "with minimum 1", sequence(element(0xA0, sequence(dnsName, element(0x80, [1]))))),
        ExtensionValue("2.5.29.30", "with maximum", sequence(element(0xA0, sequence(dnsName, element(0x81, [1]))))),
        ExtensionValue("2.5.29.30", "without name", sequence(element(0xA0, sequence()))),
        ExtensionValue("2.5.29.31", "without points", sequence()),
        ExtensionValue("2.5.29.31", "with an empty point", sequence(sequence())),
        ExtensionValue("2.5.29.31", "with reasons alone", sequence(sequence(element(0x81, [0, 1])))),
        ExtensionValue("2.5.29.31", "with an unknown name", sequence(sequence(element(0xA0, element(0xA2))))),
        ExtensionValue("2.5.29.31", "with an empty name", sequence(sequence(element(0xA0)))),
        ExtensionValue("2.5.29.31", "with an invalid issuer", sequence(sequence(element(0xA2, text(0x0C, "a"))))),
        ExtensionValue("2.5.29.32", "without policies", sequence()),
        ExtensionValue("2.5.29.32", "with an empty policy", sequence(sequence())),
        ExtensionValue("2.5.29.33", "without pairs", sequence()),
        ExtensionValue("2.5.29.33", "with half a pair", sequence(sequence(oid("1.2.3")))),
        ExtensionValue("2.5.29.35", "with an issuer alone", sequence(element(0xA1, dnsName))),
        ExtensionValue("2.5.29.35", "with a serial number alone", sequence(element(0x82, [1]))),
        ExtensionValue("2.5.29.36", "of another type", sequence(element(0x02, [1]))),
        ExtensionValue("2.5.29.36", "with a negative number", sequence(element(0x80, [0xFF]))),
        ExtensionValue("2.5.29.37", "without identifiers", sequence()),
        ExtensionValue("2.5.29.37", "with another type", sequence(element(0x02, [1]))),
        ExtensionValue("2.5.29.54", "of another type", element(0x04, [1])),
        ExtensionValue("1.3.6.1.5.5.7.1.1", "without descriptions", sequence()),
        ExtensionValue(
            "1.3.6.1.5.5.7.1.1",
            "of OCSP without a URI",
            sequence(sequence(oid("1.3.6.1.5.5.7.48.1"), dnsName))
        ),
    ])
    func `a malformed value is rejected if critical, and otherwise marked`(value: ExtensionValue) throws {
        #expect(throws: CertificateError.self) { try value.certificate(isCritical: true) }
        let certificate = try value.certificate(isCritical: false)
        #expect(certificate.extensions.map(\.isMalformed) == [true])
        #expect(certificate.keyUsage == nil && certificate.basicConstraints == nil)
        #expect(certificate.subjectAlternativeNames == nil && certificate.nameConstraints == nil)
        #expect(certificate.extendedKeyUsage == nil && certificate.subjectKeyIdentifier == nil)
        #expect(certificate.authorityKeyIdentifier == nil)
    }

    @Test func `an unknown extension has no kind`() throws {
        let certificate = try CertificateSketch().with(extended("1.2.3", [1, 2])).certificate()
        let one = try #require(certificate.extensions.first)
        #expect(one.identifier == [1, 2, 3] && one.kind == nil && !one.isMalformed)
        #expect(Array(certificate.bytes[one.value]) == [1, 2])
    }

    @Test(
        arguments: [
            ([7, 0x80], KeyUsage.digitalSignature), ([0, 0x04], .certificateSigning),
            ([1, 0x03], .revocationListSigning),
            ([7, 0, 0x80], .decipherOnly), ([0, 0x81, 0x80], [.digitalSignature, .encipherOnly, .decipherOnly]),
            ([0, 0], []), ([0, 0, 0x01], KeyUsage(rawValue: 1 << 15)),
        ] as [([UInt8], KeyUsage)]
    )
    func `key usage has Apple's bits, without unused ones`(bits: [UInt8], usage: KeyUsage) throws {
        let certificate = try CertificateSketch().with(extended("2.5.29.15", element(0x03, bits))).certificate()
        #expect(certificate.keyUsage == usage)
    }

    @Test func `the last of several extensions of a kind is used`() throws {
        let certificate = try CertificateSketch().with(
            extended("2.5.29.19", sequence(element(0x01, [0xFF]))),
            extended("2.5.29.19", sequence(element(0x02, [5])))
        ).certificate()
        #expect(certificate.basicConstraints?.isAuthority == false)
        #expect(certificate.basicConstraints?.pathLength == 5)
    }

    @Test func `a wrapped URI is unwrapped`() throws {
        let names = sequence(element(0xA6, text(0x16, "http://a")))
        let certificate = try CertificateSketch().with(extended("2.5.29.17", names)).certificate()
        let name = try #require(certificate.subjectAlternativeNames?.first)
        #expect(name.kind == .uri)
        #expect(String(decoding: certificate.bytes[name.content], as: UTF8.self) == "http://a")
    }
}
