import CofferCertificates
import Testing

@Suite("Dates of certificates") struct DateTests {
    private func seconds(_ tag: UInt8, _ date: String) throws -> Int64 {
        var sketch = CertificateSketch()
        sketch.validity = sequence(text(tag, date), text(0x17, "250101000000Z"))
        return try sketch.certificate().notValidBefore
    }

    // The numbers are those of GNU date.
    @Test(
        arguments: [
            (0x17, "010101000000Z", 0),
            (0x17, "0101010000Z", 0),
            (0x17, "0101010001Z", 60),
            (0x17, "240229123015Z", 730_902_615),
            (0x17, "491231235959Z", 1_546_300_799),
            (0x17, "700101000000Z", -978_307_200),
            (0x17, "991231235959Z", -31_622_401),
            (0x17, "240229123015+0130", 730_897_215),
            (0x17, "240229123015-0130", 730_908_015),
            (0x17, "240229123015+9999", 730_540_275),
            (0x18, "20500101000000Z", 1_546_300_800),
            (0x18, "99991231235959Z", 252_423_993_599),
            (0x18, "19000301000000Z", -3_182_198_400),
            (0x18, "00010101000000Z", -63_113_904_000),
            (0x18, "00000101000000Z", -63_145_526_400),
            (0x18, "00000229000000Z", -63_140_428_800),
            (0x18, "20240229123015-0100", 730_906_215),
            (0x17, "161231235960Z", 504_921_600),
        ] as [(UInt8, String, Int64)]
    )
    func `a date is read as seconds since 2001`(tag: UInt8, date: String, expected: Int64) throws {
        #expect(try seconds(tag, date) == expected)
    }

    @Test(arguments: ["500101000000Z", "691231235959Z", "5099999999Z"])
    func `years from 50 to 69 come out as 2001`(date: String) throws {
        #expect(try seconds(0x17, date) == 0)
    }

    @Test(
        arguments: [
            // Days and times that do not exist.
            (0x17, "230229000000Z"), (0x17, "240230000000Z"), (0x17, "240431000000Z"), (0x17, "240132000000Z"),
            (0x17, "240100000000Z"), (0x17, "240001000000Z"), (0x17, "241301000000Z"), (0x17, "240101240000Z"),
            (0x17, "240101006000Z"), (0x17, "240101000061Z"), (0x18, "21000229000000Z"),
            // Forms that Apple does not read.
            (0x17, ""), (0x17, "Z"), (0x17, "240101000000"), (0x17, "2401010000+0000"), (0x17, "20010101000000Z"),
            (0x18, "240101000000Z"), (0x18, "202401010000Z"), (0x18, "20240101000000.5Z"), (0x18, "20240101000000"),
            (0x17, "240101000000z"), (0x17, "240101000000*0000"), (0x17, "240101000000+00:0"), (0x17, "24010100000aZ"),
            (0x17, "50010100000aZ"), (0x17, "24010100000\u{e9}"), (0x0C, "240101000000Z"), (0x04, "240101000000Z"),
        ] as [(UInt8, String)]
    )
    func `an invalid date is rejected`(tag: UInt8, date: String) {
        #expect(throws: CertificateError.self) { try seconds(tag, date) }
        var sketch = CertificateSketch()
        sketch.validity = sequence(text(0x17, "250101000000Z"), text(tag, date))
        #expect(sketch.fault == .invalidDate)
    }

    @Test func `the end may be before the start`() throws {
        var sketch = CertificateSketch()
        sketch.validity = sequence(text(0x17, "250101000000Z"), text(0x17, "240101000000Z"))
        let certificate = try sketch.certificate()
        #expect(certificate.notValidBefore > certificate.notValidAfter)
    }
}
