import Coffer
import Foundation
import Security
import Testing

/// Bytes that resemble a certificate.
private struct Lookalike: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    init(_ description: String, _ bytes: [UInt8]) {
        testDescription = description
        self.bytes = bytes
    }

    /// The smallest value that has the shape of a certificate.
    static let smallest: [UInt8] = [0x30, 0x07, 0x30, 0x00, 0x30, 0x00, 0x03, 0x01, 0x00]

    /// A certificate whose signature has `count` bytes, with `length` as its outer length.
    static func long(_ count: Int, length: [UInt8], _ inner: [UInt8]) -> [UInt8] {
        [0x30] + length + [0x30, 0x00, 0x30, 0x00, 0x03] + inner + [UInt8](repeating: 0, count: count)
    }

    static let all = [
        Lookalike("empty", []),
        Lookalike("one byte", [0x30]),
        Lookalike("nothing inside", [0x30, 0x00]),
        Lookalike("trailing byte", sampleCertificate + [0]),
        Lookalike("two certificates", sampleCertificate + sampleCertificate),
        Lookalike("another tag", [0x31] + smallest.dropFirst()),
        Lookalike("indefinite length", [0x30, 0x80] + smallest.dropFirst(2) + [0, 0]),
        Lookalike("indefinite length inside", [0x30, 0x09, 0x30, 0x80, 0, 0, 0x30, 0x00, 0x03, 0x01, 0x00]),
        Lookalike("a length of 4 GiB", [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF] + smallest.dropFirst(2)),
        Lookalike("a length of 2^63", [0x30, 0x88, 0x80, 0, 0, 0, 0, 0, 0, 0] + smallest.dropFirst(2)),
        Lookalike("a length of 127 bytes", [0x30, 0xFF] + [UInt8](repeating: 0xFF, count: 127)),
        Lookalike("a truncated length", [0x30, 0x84, 0xFF]),
        Lookalike("a long form of a short length", [0x30, 0x81] + smallest.dropFirst()),
        Lookalike("zeros before a length", long(200, length: [0x82, 0x00, 0xCF], [0x81, 0xC8])),
        Lookalike("a long form inside", [0x30, 0x08, 0x30, 0x00, 0x30, 0x00, 0x03, 0x81, 0x01, 0x00]),
        Lookalike("an inner length beyond the end", [0x30, 0x07, 0x30, 0x05, 0x30, 0x00, 0x03, 0x01, 0x00]),
        Lookalike("an inner length beyond its parent", [0x30, 0x06] + smallest.dropFirst(2)),
        Lookalike("an inner length of 4 GiB", [0x30, 0x08, 0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0x03, 0x00]),
        Lookalike("two values", [0x30, 0x04, 0x30, 0x00, 0x30, 0x00]),
        Lookalike("four values", [0x30, 0x09] + smallest.dropFirst(2) + [0x05, 0x00]),
        Lookalike("other values", [0x30, 0x07, 0x30, 0x00, 0x31, 0x00, 0x03, 0x01, 0x00]),
        Lookalike("a signature of another kind", [0x30, 0x07, 0x30, 0x00, 0x30, 0x00, 0x04, 0x01, 0x00]),
        Lookalike("a signature without a byte", [0x30, 0x06, 0x30, 0x00, 0x30, 0x00, 0x03, 0x00]),
        Lookalike("eight unused bits", [0x30, 0x08, 0x30, 0x00, 0x30, 0x00, 0x03, 0x02, 0x08, 0x00]),
        Lookalike("unused bits of nothing", [0x30, 0x07, 0x30, 0x00, 0x30, 0x00, 0x03, 0x01, 0x01]),
        Lookalike("text", [UInt8]("-----BEGIN CERTIFICATE-----".utf8)),
    ]
}

@Suite("Certificates") struct SecCertificateTests {
    @Test func `a certificate returns its bytes`() throws {
        let certificate = try #require(sampleSecCertificate())
        #expect(SecCertificateCopyData(certificate) as Data == Data(sampleCertificate))
        #expect(certificate.attributes == nil)
    }

    @Test(arguments: [
        Lookalike("short lengths", Lookalike.smallest),
        Lookalike("lengths of two bytes", Lookalike.long(200, length: [0x81, 0xCF], [0x81, 0xC8])),
        Lookalike("lengths of three bytes", Lookalike.long(256, length: [0x82, 0x01, 0x08], [0x82, 0x01, 0x00])),
        Lookalike("seven unused bits", [0x30, 0x08, 0x30, 0x00, 0x30, 0x00, 0x03, 0x02, 0x07, 0x80]),
    ])
    fileprivate func `bytes with the shape of a certificate are accepted`(lookalike: Lookalike) {
        #expect(sampleSecCertificate(lookalike.bytes) != nil)
    }

    @Test(arguments: Lookalike.all)
    fileprivate func `bytes with another shape are refused`(lookalike: Lookalike) {
        #expect(sampleSecCertificate(lookalike.bytes) == nil)
    }

    @Test(arguments: 0..<sampleCertificate.count)
    func `a truncated certificate is refused`(count: Int) {
        #expect(sampleSecCertificate(Array(sampleCertificate.prefix(count))) == nil)
    }

    /// Every byte of the headers and some of the content, with every possible value.
    @Test(arguments: Array(0..<8) + Array(305..<325))
    func `a certificate with one changed byte is accepted or refused, without a crash`(offset: Int) {
        let taken = (UInt8.min...UInt8.max).filter { byte in
            var bytes = sampleCertificate
            bytes[offset] = byte
            guard let certificate = sampleSecCertificate(bytes) else { return false }
            return SecCertificateCopyData(certificate) as Data == Data(bytes)
        }
        #expect(taken.contains(sampleCertificate[offset]))
        let isHeader = (0..<8).contains(offset) || [307, 308, 319, 320].contains(offset)
        #expect(isHeader ? taken.count == 1 : taken.count >= 8)
    }

    @Test func `the contents of a certificate are not available`() throws {
        let certificate = try #require(sampleSecCertificate())
        #expect(SecCertificateCopySubjectSummary(certificate) == nil)
        #expect(SecCertificateCopyKey(certificate) == nil)
        #expect(failure { SecCertificateCopySerialNumberData(certificate, $0) } == errSecUnimplemented)
        var name: CFString? = "unchanged"
        #expect(SecCertificateCopyCommonName(certificate, &name) == errSecUnimplemented)
        #expect(name == "unchanged")
    }

    @Test func `certificates with the same bytes are equal, also in sets`() {
        #expect(sampleSecCertificate() == sampleSecCertificate())
        #expect(sampleSecCertificate() != sampleSecCertificate(otherCertificate))
        #expect(sampleSecCertificate()?.isEqual("certificate") == false)
        #expect(
            Set([sampleSecCertificate(), sampleSecCertificate(), sampleSecCertificate(otherCertificate)]).count == 2
        )
    }

    @Test func `a keychain item is a certificate if its data is one`() {
        func certificate(_ data: [UInt8]?) -> SecCertificate? {
            SecCertificate(ItemReference(itemClass: .certificate, attributes: ["labl": "example"], data: data))
        }
        #expect(certificate(sampleCertificate)?.attributes == ["labl": "example"])
        #expect(certificate(sampleCertificate) == sampleSecCertificate())
        #expect(certificate([1, 2, 3]) == nil)
        #expect(certificate(nil) == nil)
    }
}
