import CofferCertificates
import TestSupport
import Testing

@Suite("DER") struct DERReaderTests {
    private func reader(_ bytes: [UInt8]) -> DERReader { DERReader(bytes, in: 0..<bytes.count) }

    @Test func `elements are read one after the other, with their places`() throws {
        let bytes = element(0x30, element(0x02, [1])) + element(0x81, Array(repeating: 9, count: 300))
        var elements = reader(bytes)
        #expect(elements.nextTag == .sequence)
        let first = try elements.read()
        #expect(first.tag == .sequence && first.range == 0..<5 && first.content == 2..<5)
        #expect(try elements.readIfPresent(.context(2)) == nil)
        let second = try elements.read(.context(1))
        #expect(second.tag == .context(1) && second.range == 5..<309 && second.content == 9..<309)
        #expect(elements.isAtEnd && elements.nextTag == nil)
        try elements.expectEnd()
    }

    @Test func `a reader stays within its range`() throws {
        let bytes = [0xFF] + element(0x30, element(0x04, [1, 2])) + [0xFF]
        var outer = DERReader(bytes, in: 1..<bytes.count - 1)
        var inner = try outer.enter()
        #expect(try inner.read(.octetString).content == 5..<7)
        #expect(throws: CertificateError(.missingElement, at: 7)) { try inner.read(.octetString) }
        var inside = DERReader([0x04, 2, 1, 2], in: 0..<3)
        #expect(throws: CertificateError(.truncated, at: 0)) { try inside.read(.octetString) }
        try outer.expectEnd()
    }

    @Test(
        arguments: [
            ([], .missingElement, 0),
            ([0x04], .truncated, 1),
            ([0x04, 0x01], .truncated, 0),
            ([0x04, 0x03, 1, 2], .truncated, 0),
            ([0x04, 0x81], .truncated, 2),
            ([0x04, 0x82, 0x01], .truncated, 3),
            ([0x04, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], .truncated, 0),
            // Indefinite.
            ([0x24, 0x80, 0, 0], .invalidLength, 1),
            // Not in the shortest form.
            ([0x04, 0x81, 0x7F] + Array(repeating: 0, count: 127), .invalidLength, 1),
            ([0x04, 0x82, 0x00, 0x80] + Array(repeating: 0, count: 128), .invalidLength, 1),
            ([0x04, 0x81, 0x00], .invalidLength, 1),
            // Too many bytes.
            ([0x04, 0x85, 1, 0, 0, 0, 0], .invalidLength, 1),
            ([0x04, 0xFF], .invalidLength, 1),
            ([0x1F, 0x01, 0x00], .unsupportedTag, 0),
            ([0xBF, 0x81, 0x00, 0x00], .unsupportedTag, 0),
        ] as [([UInt8], CertificateError.Fault, Int)]
    )
    func `a malformed element is rejected at its offset`(bytes: [UInt8], fault: CertificateError.Fault, offset: Int) {
        var elements = reader(bytes)
        #expect(throws: CertificateError(fault, at: offset)) { try elements.read() }
    }

    @Test func `lengths are accepted up to the end of the data`() throws {
        for count in [0, 1, 127, 128, 255, 256, 65_535, 65_536] {
            var elements = reader(element(0x04, Array(repeating: 0, count: count)))
            #expect(try elements.read(.octetString).content.count == count)
        }
    }

    @Test func `another tag and a further element are rejected`() throws {
        var elements = reader(element(0x02, [1]))
        #expect(throws: CertificateError(.unexpectedTag, at: 0)) { try elements.read(.octetString) }
        #expect(throws: CertificateError(.unexpectedElement, at: 0)) { try elements.expectEnd() }
    }

    @Test(
        arguments: [
            ([0], 0), ([1], 1), ([0x7F], 0x7F), ([0, 0x80], 0x80), ([1, 0], 256),
            ([0, 0xFF, 0xFF, 0xFF, 0xFF], 0xFFFF_FFFF),
            ([], nil), ([0x80], nil), ([0xFF, 0xFF], nil), ([0, 0], nil), ([0, 0x7F], nil), ([1, 0, 0, 0, 0], nil),
            ([0, 1, 0, 0, 0, 0], nil), (Array(repeating: 1, count: 100), nil),
        ] as [([UInt8], Int?)]
    )
    func `integers are not negative, in their shortest form, and fit in 32 bits`(content: [UInt8], value: Int?) throws {
        var elements = reader(element(0x02, content))
        guard let value else {
            #expect(throws: CertificateError(.invalidInteger, at: 0)) { try elements.readInteger() }
            return
        }
        #expect(try elements.readInteger() == value)
    }

    @Test func `booleans are 00 or FF`() throws {
        var elements = reader([1, 1, 0, 1, 1, 0xFF, 1, 1, 1, 1, 0, 2, 1, 0])
        #expect(try elements.readBoolean() == false)
        #expect(try elements.readBoolean())
        #expect(throws: CertificateError(.invalidBoolean, at: 6)) { try elements.readBoolean() }
        #expect(throws: CertificateError(.invalidBoolean, at: 9)) { try elements.readBoolean() }
        #expect(try elements.readBoolean() == false, "another element means false")
        #expect(elements.offset == 11)
    }

    @Test(
        arguments: [([0], 3..<3), ([0, 5], 3..<4), ([7, 0x80], 3..<4), ([], nil), ([1], nil), ([8, 0], nil)]
            as [([UInt8], Range<Int>?)]
    )
    func `bit strings begin with the number of unused bits`(content: [UInt8], bits: Range<Int>?) throws {
        var elements = reader(element(0x03, content))
        guard let bits else {
            #expect(throws: CertificateError(.invalidBitString, at: 0)) { try elements.readBitString() }
            return
        }
        #expect(try elements.readBitString() == bits)
    }

    @Test func `a list must have an element`() {
        var elements = reader([])
        #expect(throws: CertificateError(.emptyList, at: 0)) {
            try elements.readList { (list) throws(CertificateError) in try list.read() }
        }
    }

    @Test(arguments: [
        "1.2.840.113549.1.1.1", "2.5.4.3", "1.3.6.1.4.1.311.20.2.3", "0.9.2342.19200300.100.1.1", "2.5.0",
    ])
    func `object identifiers are encoded from their numbers`(dotted: String) {
        let known: [String: String] = [
            "1.2.840.113549.1.1.1": "2a864886f70d010101", "2.5.4.3": "550403",
            "1.3.6.1.4.1.311.20.2.3": "2b060104018237140203", "0.9.2342.19200300.100.1.1": "0992268993f22c640101",
            "2.5.0": "5500",
        ]
        let content = OID(dotted.split(separator: ".").compactMap { Int($0) }).content
        #expect(Array(content).hexadecimal == known[dotted])
    }

    @Test func `written elements are read again`() throws {
        for count in [0, 127, 128, 255, 256, 65_536] {
            let content = Array(repeating: 5 as UInt8, count: count)
            var bytes: [UInt8] = []
            bytes.append(.octetString, content: content)
            #expect(bytes == element(0x04, content))
        }
    }
}
