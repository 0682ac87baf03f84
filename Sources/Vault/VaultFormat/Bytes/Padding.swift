/// Section 1.2: padded sizes, which reveal little about the content.
package enum Padding {
    /// The size of everything in a file is a multiple of this; offsets in the snapshot are multiples of it too.
    package static let unit = 64

    /// The padded size of `byteCount` bytes.
    package static func padded(_ byteCount: Int) -> Int {
        precondition(byteCount >= 0, "a size cannot be negative")
        guard byteCount >= 1024 else { return roundedUp(byteCount, to: unit) }
        let exponent = Int.bitWidth - 1 - byteCount.leadingZeroBitCount
        let exponentBits = Int.bitWidth - exponent.leadingZeroBitCount
        return roundedUp(byteCount, to: 1 << (exponent - exponentBits))
    }

    /// The end of the unit in which a part of a file ends, of which the bytes up to `end` are known.
    package static func end(of end: Int) -> Int { roundedUp(end, to: unit) }

    static func roundedUp(_ byteCount: Int, to step: Int) -> Int {
        (byteCount + step - 1) / step * step
    }
}
