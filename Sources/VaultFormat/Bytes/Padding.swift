/// Section 1.2: the sizes that things are padded to, so that a size tells little.
package enum Padding {
    /// Everything in a file is a multiple of this many bytes; offsets in the snapshot count in it.
    package static let unit = 64

    /// The size that `byteCount` bytes take.
    package static func padded(_ byteCount: Int) -> Int {
        precondition(byteCount >= 0, "nothing has a negative size")
        guard byteCount >= 1024 else { return roundedUp(byteCount, to: unit) }
        let exponent = Int.bitWidth - 1 - byteCount.leadingZeroBitCount
        let exponentBits = Int.bitWidth - exponent.leadingZeroBitCount
        return roundedUp(byteCount, to: 1 << (exponent - exponentBits))
    }

    static func roundedUp(_ byteCount: Int, to step: Int) -> Int {
        (byteCount + step - 1) / step * step
    }
}
