/// What the key of a certificate may be used for, with Apple's values.
package struct KeyUsage: OptionSet, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package static let digitalSignature = KeyUsage(rawValue: 1 << 0)
    package static let nonRepudiation = KeyUsage(rawValue: 1 << 1)
    package static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
    package static let dataEncipherment = KeyUsage(rawValue: 1 << 3)
    package static let keyAgreement = KeyUsage(rawValue: 1 << 4)
    package static let certificateSigning = KeyUsage(rawValue: 1 << 5)
    package static let revocationListSigning = KeyUsage(rawValue: 1 << 6)
    package static let encipherOnly = KeyUsage(rawValue: 1 << 7)
    package static let decipherOnly = KeyUsage(rawValue: 1 << 8)

    init(from reader: inout DERReader) throws(CertificateError) {
        let start = reader.offset
        let bits = try reader.readBitString()
        try reader.expectEnd()
        guard bits.count == 1 || bits.count == 2 else { throw CertificateError(.invalidBitString, at: start) }
        let unusedCount = Int(reader.bytes[bits.lowerBound - 1])
        // The first bit of the string is the highest of its byte, but the lowest of Apple's value.
        rawValue = (0..<bits.count * 8 - unusedCount).reduce(0) { usage, index in
            let isSet = reader.bytes[bits.lowerBound + index / 8] & 0x80 >> (index % 8) != 0
            return isSet ? usage | 1 << index : usage
        }
    }
}
