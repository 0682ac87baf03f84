import CofferCertificates
import Testing

/// A certificate in which one part is replaced.
struct Replacement: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let fault: CertificateError.Fault?
    let change: @Sendable (inout CertificateSketch) -> Void

    init(
        _ description: String,
        _ fault: CertificateError.Fault? = nil,
        change: @escaping @Sendable (inout CertificateSketch) -> Void
    ) {
        testDescription = description
        self.fault = fault
        self.change = change
    }

    /// The fault that the reader reports.
    func result() -> CertificateError.Fault? {
        var sketch = CertificateSketch()
        change(&sketch)
        return sketch.fault
    }
}

@Suite("Which certificates are accepted") struct AcceptanceTests {
    @Test(arguments: [
        Replacement("nothing") { _ in },
        Replacement("version 2") { $0.version = element(0xA0, element(0x02, [1])) },
        Replacement("no version") { $0.version = [] },
        Replacement("extensions in version 1") {
            $0.version = []
            $0 = $0.with(extended("2.5.29.15", element(0x03, [0, 1])))
        },
        Replacement("serial number zero") { $0.serialNumber = element(0x02, [0]) },
        Replacement("negative serial number") { $0.serialNumber = element(0x02, [0xFF]) },
        Replacement("serial number with superfluous zeros") { $0.serialNumber = element(0x02, [0, 0, 1]) },
        Replacement("serial number of 37 bytes") { $0.serialNumber = element(0x02, Array(repeating: 1, count: 37)) },
        Replacement("other algorithm beside the signature") { $0.signatureAlgorithm = sequence(oid("1.2.3")) },
        Replacement("parameters of any kind") { $0.signedAlgorithm = sequence(oid("1.2.3"), element(0x30, [0xFF])) },
        Replacement("empty signature") { $0.signature = element(0x03, [0]) },
        Replacement("signature of 7 bits") { $0.signature = element(0x03, [1, 0xFE]) },
        Replacement("empty names") {
            $0.issuer = sequence()
            $0.subject = sequence()
        },
        Replacement("malformed names") {
            $0.issuer = element(0x30, [0xFF])
            $0.subject = sequence(element(0x31))
        },
        Replacement("unknown key algorithm") {
            $0.publicKey = sequence(sequence(oid("1.2.3.4")), element(0x03, [0, 1, 2]))
        },
        Replacement("invalid RSA key") {
            $0.publicKey = sequence(sequence(oid("1.2.840.113549.1.1.1")), element(0x03, [0, 1, 2]))
        },
        Replacement("unique identifiers") { $0.uniqueIdentifiers = element(0x81, [0, 1]) + element(0x82, [0, 2]) },
        Replacement("unique identifier of the subject alone") { $0.uniqueIdentifiers = element(0x82, [0, 2]) },
        Replacement("unknown critical extension") { $0 = $0.with(extended("1.2.3", [0xFF])) },
        Replacement("extension that says it is not critical") {
            $0 = $0.with(sequence(oid("2.5.29.15"), element(0x01, [0]), element(0x04, [0xFF])))
        },
        Replacement("duplicate extensions") {
            let one = extended("2.5.29.15", element(0x03, [0, 1]))
            $0 = $0.with(one, one)
        },
        Replacement("9,999 extensions") {
            $0.extensions = element(0xA3, sequence(repeated(extended("1.2.3", []), 9_999)))
        },
    ])
    func `deviations that Apple tolerates are accepted`(replacement: Replacement) {
        #expect(replacement.result() == nil)
    }

    @Test(arguments: [
        Replacement("version 1 in a field", .unsupportedVersion) { $0.version = element(0xA0, element(0x02, [0])) },
        Replacement("version 4", .unsupportedVersion) { $0.version = element(0xA0, element(0x02, [3])) },
        Replacement("negative version", .invalidInteger) { $0.version = element(0xA0, element(0x02, [0xFF])) },
        Replacement("version of two bytes", .invalidInteger) { $0.version = element(0xA0, element(0x02, [0, 2])) },
        Replacement("version that is not an integer", .unsupportedVersion) {
            $0.version = element(0xA0, element(0x04, [2]))
        },
        Replacement("empty version field", .unsupportedVersion) { $0.version = element(0xA0) },
        Replacement("two versions", .unexpectedElement) {
            $0.version = element(0xA0, element(0x02, [2]), element(0x02, [2]))
        },
        Replacement("empty serial number", .invalidSerialNumber) { $0.serialNumber = element(0x02) },
        Replacement("serial number of 38 bytes", .invalidSerialNumber) {
            $0.serialNumber = element(0x02, Array(repeating: 1, count: 38))
        },
        Replacement("no serial number", .unexpectedTag) { $0.serialNumber = [] },
        Replacement("serial number of another type", .unexpectedTag) { $0.serialNumber = element(0x04, [1]) },
        Replacement("no algorithm", .unexpectedTag) { $0.signedAlgorithm = [] },
        Replacement("algorithm without identifier", .missingElement) { $0.signatureAlgorithm = sequence() },
        Replacement("algorithm with two parameters", .unexpectedElement) {
            $0.signatureAlgorithm = sequence(oid("1.2.3"), element(0x05), element(0x05))
        },
        Replacement("issuer of another type", .unexpectedTag) { $0.issuer = element(0x31) },
        Replacement("subject of another type", .unexpectedTag) { $0.subject = element(0x31) },
        Replacement("no subject", .missingElement) { $0.subject = [] },
        Replacement("one date", .missingElement) { $0.validity = sequence(text(0x17, "240101000000Z")) },
        Replacement("three dates", .unexpectedElement) {
            $0.validity = sequence(repeated(text(0x17, "240101000000Z"), 3))
        },
        Replacement("no key", .missingElement) { $0.publicKey = [] },
        Replacement("key without algorithm", .unexpectedTag) { $0.publicKey = sequence(element(0x03, [0, 1])) },
        Replacement("key without bits", .missingElement) { $0.publicKey = sequence(sequence(oid("1.2.3"))) },
        Replacement("key of another type", .unexpectedTag) {
            $0.publicKey = sequence(sequence(oid("1.2.3")), element(0x04, [0, 1]))
        },
        Replacement("key with empty bit string", .invalidBitString) {
            $0.publicKey = sequence(sequence(oid("1.2.3")), element(0x03))
        },
        Replacement("key with more behind it", .unexpectedElement) {
            $0.publicKey = sequence(sequence(oid("1.2.3")), element(0x03, [0, 1]), element(0x05))
        },
        Replacement("unique identifiers in the wrong order", .unexpectedElement) {
            $0.uniqueIdentifiers = element(0x82, [0, 2]) + element(0x81, [0, 1])
        },
        Replacement("no signature", .missingElement) { $0.signature = [] },
        Replacement("signature of another type", .unexpectedTag) { $0.signature = element(0x04, [0, 1]) },
        Replacement("signature with 8 unused bits", .invalidBitString) { $0.signature = element(0x03, [8, 1]) },
        Replacement("element behind the signature", .unexpectedElement) { $0.signature += element(0x05) },
        Replacement("empty extension list", .emptyList) { $0.extensions = element(0xA3, sequence()) },
        Replacement("empty extension field", .missingElement) { $0.extensions = element(0xA3) },
        Replacement("extensions of another type", .unexpectedTag) { $0.extensions = element(0xA3, element(0x31)) },
        Replacement("element behind the extensions", .unexpectedElement) {
            $0 = $0.with(extended("1.2.3", []))
            $0.extensions += element(0x05)
        },
        Replacement("10,000 extensions", .tooManyExtensions) {
            $0.extensions = element(0xA3, sequence(repeated(extended("1.2.3", []), 10_000)))
        },
        Replacement("extension that is not a sequence", .unexpectedTag) { $0 = $0.with(element(0x31)) },
        Replacement("extension without value", .missingElement) { $0 = $0.with(sequence(oid("1.2.3"))) },
        Replacement("extension with value of another type", .unexpectedTag) {
            $0 = $0.with(sequence(oid("1.2.3"), element(0x03, [0])))
        },
        Replacement("extension with invalid flag", .invalidBoolean) {
            $0 = $0.with(sequence(oid("1.2.3"), element(0x01, [1]), element(0x04)))
        },
        Replacement("extension with more behind it", .unexpectedElement) {
            $0 = $0.with(sequence(oid("1.2.3"), element(0x04), element(0x04)))
        },
        Replacement("malformed critical extension", .invalidCriticalExtension) {
            $0 = $0.with(extended("2.5.29.17", sequence()))
        },
    ])
    func `other deviations are rejected`(replacement: Replacement) {
        #expect(replacement.result() == replacement.fault)
    }

    /// The time that OpenSSL's library takes for policies grows with the square of their number.
    @Test(arguments: ["2.5.29.32", "2.5.29.33"], [false, true])
    func `policies and mappings of more than 8,192 bytes are rejected`(identifier: String, isCritical: Bool) throws {
        let isPolicy = identifier == "2.5.29.32"
        func certificate(_ last: String) throws -> X509Certificate {
            let many = repeated(sequence(oid("1.2.3"), isPolicy ? [] : oid("1.2.3")), isPolicy ? 1363 : 817)
            let value = sequence(many, sequence(oid(last), isPolicy ? [] : oid("1.2.3")))
            #expect(value.count == (last.hasSuffix("7") ? 8192 : 8193))
            return try CertificateSketch().with(extended(identifier, isCritical: isCritical, value)).certificate()
        }
        let prefix = isPolicy ? "1.2.3.4.5." : "1.2.3.4.5.6.7.8.9."
        #expect(try certificate(prefix + "6.7").extensions.count == 1)
        #expect { try certificate(prefix + "6.7.8") } throws: { ($0 as? CertificateError)?.fault == .tooManyPolicies }
    }

    @Test func `bytes after the certificate are cut off`() throws {
        let bytes = CertificateSketch().bytes
        let certificate = try X509Certificate(parsing: bytes + [0xFF, 1, 2])
        #expect(certificate.bytes == bytes)
        #expect(try certificate == X509Certificate(parsing: bytes))
    }

    @Test func `bytes that are not a sequence are rejected`() {
        let pem = Array("-----BEGIN CERTIFICATE-----\n".utf8)
        #expect(throws: CertificateError(.unexpectedTag, at: 0)) { try X509Certificate(parsing: pem) }
        #expect(throws: CertificateError(.missingElement, at: 0)) { try X509Certificate(parsing: []) }
        #expect(throws: CertificateError(.missingElement, at: 2)) { try X509Certificate(parsing: sequence()) }
    }

    @Test func `a certificate that was cut off is rejected`() {
        let bytes = CertificateSketch().bytes
        for count in bytes.indices {
            #expect(throws: CertificateError.self) { try X509Certificate(parsing: Array(bytes.prefix(count))) }
        }
    }

    @Test func `an error has the offset of the invalid element`() {
        var sketch = CertificateSketch()
        sketch.serialNumber = element(0x02)
        // The headers of both sequences have 3 bytes each, and the version has 5.
        #expect(throws: CertificateError(.invalidSerialNumber, at: 11)) { try sketch.certificate() }
    }

    @Test func `certificates are equal if their bytes are`() throws {
        var other = CertificateSketch()
        other.signature = element(0x03, [0, 9])
        let one = try CertificateSketch().certificate()
        #expect(try one == CertificateSketch().certificate())
        #expect(try one != other.certificate())
        #expect(try Set([one, CertificateSketch().certificate(), other.certificate()]).count == 2)
    }
}
