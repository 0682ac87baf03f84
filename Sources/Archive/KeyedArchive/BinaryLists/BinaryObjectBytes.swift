internal import CofferBasics

extension OutputSpan<UInt8> {
    /// Appends the low `byteCount` bytes of `value`, highest byte first.
    mutating func append(bigEndian value: UInt64, byteCount: Int) {
        // References nearly always take one byte.
        if byteCount == 1 { return append(UInt8(truncatingIfNeeded: value)) }
        var shift = UInt64(8 * byteCount)
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Appends `scalar` as an object of a binary property list: at most `scalar.byteCount` plus 17 bytes.
    mutating func append(_ scalar: Scalar) {
        switch scalar {
        case .null: append(0x00)
        case .bool(let value): append(value ? 0x09 : 0x08)
        case .integer(let value): append(integer: value)
        case .real(let value):
            append(0x23)
            append(bigEndian: value.bitPattern, byteCount: 8)
        case .date(let seconds):
            append(0x33)
            append(bigEndian: seconds.bitPattern, byteCount: 8)
        case .data(let bytes):
            append(marker: 0x40, count: bytes.count)
            append(copying: bytes.span)
        case .string(let string): append(string: string)
        case .uid(let value): append(uid: value)
        }
    }

    /// Appends a marker with a count: in its lower half if below 15, otherwise as an integer after it.
    mutating func append(marker: UInt8, count: Int) {
        if count < 0x0F {
            append(marker | UInt8(count))
        } else {
            append(marker | 0x0F)
            append(integer: Int128(count))
        }
    }

    /// Appends the trailer of a file whose root is object 0.
    mutating func appendTrailer(objectCount: Int, tableOffset: Int, offsetByteCount: Int, referenceByteCount: Int) {
        append(bigEndian: 0, byteCount: 6)
        append(UInt8(offsetByteCount))
        append(UInt8(referenceByteCount))
        append(bigEndian: UInt64(objectCount), byteCount: 8)
        append(bigEndian: 0, byteCount: 8)
        append(bigEndian: UInt64(tableOffset), byteCount: 8)
    }

    /// Appends a reference into the objects of a keyed archive: at most five bytes.
    mutating func append(uid value: UInt32) {
        let byteCount = Scalar.byteCount(of: Int128(value))
        append(0x80 | UInt8(byteCount - 1))
        append(bigEndian: UInt64(value), byteCount: byteCount)
    }

    private mutating func append(integer value: Int128) {
        let byteCount = Scalar.byteCount(of: value)
        append(0x10 | UInt8(byteCount.trailingZeroBitCount))
        if byteCount == 16 { append(bigEndian: UInt64(truncatingIfNeeded: value >> 64), byteCount: 8) }
        append(bigEndian: UInt64(truncatingIfNeeded: value), byteCount: min(byteCount, 8))
    }

    private mutating func append(string: String) {
        if string.isASCII {
            append(marker: 0x50, count: string.utf8.count)
            append(copying: string.utf8Span.span)
        } else {
            append(marker: 0x60, count: string.utf16.count)
            for unit in string.utf16 { append(bigEndian: UInt64(unit), byteCount: 2) }
        }
    }
}
