import CofferCertificates
import Testing

@Suite("Public keys of certificates") struct PublicKeyTests {
    private static let ellipticCurve = oid("1.2.840.10045.2.1")
    private static let p256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]

    @Test(
        arguments: [
            (sequence(oid("1.2.840.113549.1.1.1")), .rsa),
            (sequence(oid("1.2.840.113549.1.1.1"), element(0x05)), .rsa),
            (sequence(ellipticCurve, element(0x06, p256)), .ellipticCurve(.p256)),
            (sequence(oid("1.3.101.113")), .ed448),
            (sequence(ellipticCurve), nil),
            (sequence(ellipticCurve, element(0x04, p256)), nil),
            (sequence(ellipticCurve, sequence(element(0x06, p256))), nil),
            (sequence(ellipticCurve, oid("1.3.132.0.10")), nil),
            (sequence(oid("1.3.101.110")), nil),
            (sequence(element(0x06)), nil),
        ] as [([UInt8], PublicKeyKind?)]
    )
    func `the kind is found by the identifiers`(algorithm: [UInt8], kind: PublicKeyKind?) throws {
        var sketch = CertificateSketch()
        sketch.publicKey = sequence(algorithm, element(0x03, [0, 1, 2, 3]))
        let certificate = try sketch.certificate()
        #expect(certificate.publicKey.kind == kind)
        #expect(Array(certificate.bytes[certificate.publicKey.key]) == [1, 2, 3])
        #expect(Array(certificate.bytes[certificate.publicKey.range]) == sketch.publicKey)
    }
}
