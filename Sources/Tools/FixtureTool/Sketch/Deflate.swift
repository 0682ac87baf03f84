/// A writer of raw DEFLATE streams (RFC 1951), so that vectors do not depend on a version of zlib.
struct Deflate {
    private var bytes: [UInt8] = []
    private var bitCount = 0

    /// Returns `text` as one block with fixed codes, in which matches, of at most `longest` bytes, may lie in the
    /// `dictionary` before it.
    static func stream(_ text: [UInt8], dictionary: [UInt8] = [], longest: Int = 258) -> [UInt8] {
        var stream = Deflate()
        stream.append(0b011, 3)
        let window = dictionary + text
        // The last position of each three bytes; within the text, only those where a match could begin.
        var positions: [[UInt8]: Int] = [:]
        for start in dictionary.indices.dropLast(2) { positions[Array(window[start..<start + 3])] = start }
        var place = dictionary.count
        while place < window.count {
            let three = Array(window[place..<min(place + 3, window.count)])
            guard let match = positions.updateValue(place, forKey: three), place - match <= 32_768 else {
                stream.append(literal: Int(window[place]))
                place += 1
                continue
            }
            var length = 0
            while length < longest, place + length < window.count, window[match + length] == window[place + length] {
                length += 1
            }
            stream.append(length: length, distance: place - match)
            place += length
        }
        stream.append(literal: 256)
        return stream.bytes
    }

    /// Appends the low `count` bits of `value`, the lowest first.
    private mutating func append(_ value: Int, _ count: Int) {
        for bit in 0..<count {
            if bitCount % 8 == 0 { bytes.append(0) }
            bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(bitCount % 8)
            bitCount += 1
        }
    }

    /// Appends a code, whose highest bit comes first.
    private mutating func append(code: Int, _ count: Int) {
        for bit in (0..<count).reversed() { append(code >> bit, 1) }
    }

    private mutating func append(literal: Int) {
        switch literal {
        case ..<144: append(code: 0x30 + literal, 8)
        case ..<256: append(code: 0x190 + literal - 144, 9)
        case ..<280: append(code: literal - 256, 7)
        default: append(code: 0xC0 + literal - 280, 8)
        }
    }

    private mutating func append(length: Int, distance: Int) {
        let (length, distance) = (length - 3, distance - 1)
        if length == 255 {
            append(literal: 285)
        } else {
            let extra = max(0, Self.highestBit(length) - 2)
            append(literal: 257 + extra << 2 + length >> extra)
            append(length, extra)
        }
        let extra = max(0, Self.highestBit(distance) - 1)
        append(code: extra << 1 + distance >> extra, 5)
        append(distance, extra)
    }

    private static func highestBit(_ value: Int) -> Int { Int.bitWidth - 1 - value.leadingZeroBitCount }
}
