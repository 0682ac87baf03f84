extension [UInt8] {
    /// Appends an element with this tag and content.
    package mutating func append(_ tag: DERTag, content: some Collection<UInt8>) {
        append(tag.rawValue)
        let extraByteCount = content.count.lengthByteCount - 1
        if extraByteCount == 0 {
            append(UInt8(content.count))
        } else {
            append(0x80 | UInt8(extraByteCount))
            for index in (0..<extraByteCount).reversed() {
                append(UInt8(truncatingIfNeeded: content.count >> (8 * index)))
            }
        }
        append(contentsOf: content)
    }
}

extension Int {
    /// The number of bytes in the shortest encoding of this length.
    var lengthByteCount: Int { self < 0x80 ? 1 : 1 + (bitWidth - leadingZeroBitCount + 7) / 8 }
}
