extension [UInt8] {
    /// An element whose content is all of `parts`.
    package init(_ tag: DERTag, _ parts: [UInt8]...) {
        self = []
        append(tag, byteCount: parts.reduce(0) { $0 + $1.count })
        for part in parts { self += part }
    }

    /// The element with an object identifier.
    package init(identifier: OID) { self.init(.objectIdentifier, Array(identifier.content)) }

    /// The element with a number that is not negative.
    package init(integer number: Int) {
        let digits = (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        self = []
        append(number: digits.span)
    }

    /// Appends an element with this tag and content.
    package mutating func append(_ tag: DERTag, content: some Collection<UInt8>) {
        append(tag, byteCount: content.count)
        append(contentsOf: content)
    }

    /// Appends the tag and length of an element with this much content.
    package mutating func append(_ tag: DERTag, byteCount: Int) {
        append(tag.rawValue)
        let extraByteCount = byteCount.lengthByteCount - 1
        if extraByteCount == 0 {
            append(UInt8(byteCount))
        } else {
            append(0x80 | UInt8(extraByteCount))
            for index in (0..<extraByteCount).reversed() {
                append(UInt8(truncatingIfNeeded: byteCount >> (8 * index)))
            }
        }
    }

    /// Appends a number that is not negative, from its digits.
    package mutating func append(number digits: Span<UInt8>) {
        let start = digits.leadingZeroCount
        let hasSign = start == digits.count || digits[start] >= 0x80
        append(.integer, byteCount: digits.count - start + (hasSign ? 1 : 0))
        if hasSign { append(0) }
        for index in start..<digits.count { append(digits[index]) }
    }
}

extension Span<UInt8> {
    /// How many zero bytes are in front.
    package var leadingZeroCount: Int {
        var count = 0
        while count < self.count, self[count] == 0 { count += 1 }
        return count
    }
}

extension Int {
    /// The number of bytes in the shortest encoding of this length.
    var lengthByteCount: Int { self < 0x80 ? 1 : 1 + (bitWidth - leadingZeroBitCount + 7) / 8 }
}
