/// The outermost layer of an X.509 certificate: a SEQUENCE of the signed part, the algorithm and the signature.
///
/// Nothing inside that layer is read, so bytes of this shape may still be meaningless.
enum CertificateShape {
    private static let sequenceTag: UInt8 = 0x30
    private static let bitStringTag: UInt8 = 0x03
    /// The largest length field: four bytes describe 4 GiB, more than any certificate has.
    private static let largestLengthByteCount = 4

    /// Whether `bytes` have the shape of exactly one DER certificate.
    static func fits(_ bytes: [UInt8]) -> Bool {
        guard let outer = content(of: sequenceTag, in: bytes, bytes.indices), outer.upperBound == bytes.endIndex,
            let signed = content(of: sequenceTag, in: bytes, outer),
            let algorithm = content(of: sequenceTag, in: bytes, signed.upperBound..<outer.upperBound),
            let signature = content(of: bitStringTag, in: bytes, algorithm.upperBound..<outer.upperBound),
            signature.upperBound == outer.upperBound,
            // The first byte of a BIT STRING is the number of unused bits in its last byte.
            let unusedBitCount = bytes[signature].first, unusedBitCount < 8, unusedBitCount == 0 || signature.count > 1
        else { return false }
        return true
    }

    /// The content of the value at the start of `range`; nil unless the value has this tag and lies within `range`.
    private static func content(of tag: UInt8, in bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        guard range.count >= 2, bytes[range.lowerBound] == tag else { return nil }
        let first = bytes[range.lowerBound + 1]
        var start = range.lowerBound + 2
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            // 0x80 without length bytes is the indefinite form, which DER forbids.
            guard 1...largestLengthByteCount ~= count, range.upperBound - start >= count else { return nil }
            length = bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
            // DER allows one encoding per length: no leading zeros, and the short form where it suffices.
            guard bytes[start] != 0, length >= 0x80 else { return nil }
            start += count
        }
        guard length <= range.upperBound - start else { return nil }
        return start..<start + length
    }
}
