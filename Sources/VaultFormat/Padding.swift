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

extension Span<UInt8> {
    /// Whether all bytes are zero.
    package var isZero: Bool {
        var union: UInt8 = 0
        for index in indices { union |= self[index] }
        return union == 0
    }

    /// Where the last byte lies that is not zero.
    var lastNonZeroIndex: Int? {
        var index = count
        while index > 0 {
            index -= 1
            if self[index] != 0 { return index }
        }
        return nil
    }
}
