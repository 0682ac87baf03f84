/// The outermost layer of an X.509 certificate: a SEQUENCE of what is signed, of the algorithm, and of the signature.
///
/// Nothing further in is read, so bytes of this shape may still be nonsense.
enum CertificateShape {
    private static let sequenceTag: UInt8 = 0x30
    private static let bitStringTag: UInt8 = 0x03
    /// Four bytes of length are 4 GiB: no certificate is that long.
    private static let largestLengthByteCount = 4

    /// Whether `bytes` are one certificate by their shape, and nothing else, in DER.
    static func fits(_ bytes: [UInt8]) -> Bool {
        guard let outer = content(of: sequenceTag, in: bytes, bytes.indices), outer.upperBound == bytes.endIndex,
            let signed = content(of: sequenceTag, in: bytes, outer),
            let algorithm = content(of: sequenceTag, in: bytes, signed.upperBound..<outer.upperBound),
            let signature = content(of: bitStringTag, in: bytes, algorithm.upperBound..<outer.upperBound),
            signature.upperBound == outer.upperBound,
            // The first byte of a BIT STRING says how many bits of its last one are unused.
            let unusedBitCount = bytes[signature].first, unusedBitCount < 8, unusedBitCount == 0 || signature.count > 1
        else { return false }
        return true
    }

    /// Where the content of the value is that `range` begins with; nil unless it has this tag and lies within `range`.
    private static func content(of tag: UInt8, in bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        guard range.count >= 2, bytes[range.lowerBound] == tag else { return nil }
        let first = bytes[range.lowerBound + 1]
        var start = range.lowerBound + 2
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            // 0x80, without a length byte, is the indefinite form, which DER does not have.
            guard 1...largestLengthByteCount ~= count, range.upperBound - start >= count else { return nil }
            length = bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
            // One encoding for each length: neither zeros in front, nor a long form where the short one is enough.
            guard bytes[start] != 0, length >= 0x80 else { return nil }
            start += count
        }
        guard length <= range.upperBound - start else { return nil }
        return start..<start + length
    }
}
