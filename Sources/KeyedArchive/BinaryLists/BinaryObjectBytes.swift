internal import CofferBasics

// The caller makes sure that there is room; arithmetic may wrap, since the span checks each place.
extension MutableSpan<UInt8> {
    /// Writes the low `byteCount` bytes of `value` at `offset`, highest byte first.
    @inline(__always) mutating func write(bigEndian value: UInt64, byteCount: Int, at offset: Int) {
        // References and offsets nearly always take one or two bytes.
        if byteCount <= 2 {
            if byteCount == 2 { self[offset] = UInt8(truncatingIfNeeded: value >> 8) }
            self[offset &+ byteCount &- 1] = UInt8(truncatingIfNeeded: value)
        } else {
            writeLong(bigEndian: value, byteCount: byteCount, at: offset)
        }
    }

    private mutating func writeLong(bigEndian value: UInt64, byteCount: Int, at offset: Int) {
        var rest = value
        var place = offset &+ byteCount
        while place > offset {
            place &-= 1
            self[place] = UInt8(truncatingIfNeeded: rest)
            rest >>= 8
        }
    }

    /// Writes `scalar` as an object of a binary property list, and moves `offset` behind it.
    ///
    /// It takes at most `scalar.maximumByteCount` plus 17 bytes.
    mutating func write(_ scalar: Scalar, at offset: inout Int) {
        switch scalar {
        case .null: write(0x00, at: &offset)
        case .bool(let value): write(value ? 0x09 : 0x08, at: &offset)
        case .integer(let value): write(integer: value, at: &offset)
        case .real(let value): write(0x23, value.bitPattern, at: &offset)
        case .date(let seconds): write(0x33, seconds.bitPattern, at: &offset)
        case .data(let bytes):
            write(marker: 0x40, count: bytes.count, at: &offset)
            write(bytes.span, at: &offset)
        case .string(let string): write(string: string, at: &offset)
        case .uid(let value): write(uid: value, at: &offset)
        }
    }

    /// Writes a marker with a count: in its lower half if below 15, otherwise as an integer after it.
    mutating func write(marker: UInt8, count: Int, at offset: inout Int) {
        if count < 0x0F { return write(marker | UInt8(count), at: &offset) }
        write(marker | 0x0F, at: &offset)
        write(integer: Int128(count), at: &offset)
    }

    /// Writes a reference into the objects of a keyed archive.
    mutating func write(uid value: UInt32, at offset: inout Int) {
        let byteCount = Scalar.byteCount(of: value)
        write(0x80 | UInt8(byteCount - 1), at: &offset)
        write(bigEndian: UInt64(value), byteCount: byteCount, at: offset)
        offset &+= byteCount
    }

    private mutating func write(integer value: Int128, at offset: inout Int) {
        let byteCount = Scalar.byteCount(of: value)
        let marker = 0x10 | UInt8(byteCount.trailingZeroBitCount)
        if byteCount == 16 {
            write(marker, UInt64(truncatingIfNeeded: value >> 64), at: &offset)
            write(bigEndian: UInt64(truncatingIfNeeded: value), byteCount: 8, at: offset)
            offset &+= 8
        } else {
            write(marker, at: &offset)
            write(bigEndian: UInt64(truncatingIfNeeded: value), byteCount: byteCount, at: offset)
            offset &+= byteCount
        }
    }

    private mutating func write(string: String, at offset: inout Int) {
        var text = string.utf8Span
        if text.isKnownASCII || text.checkForASCII() {
            write(marker: 0x50, count: text.count, at: &offset)
            write(text.span, at: &offset)
        } else {
            write(marker: 0x60, count: string.utf16.count, at: &offset)
            for unit in string.utf16 {
                write(bigEndian: UInt64(unit), byteCount: 2, at: offset)
                offset &+= 2
            }
        }
    }

    private mutating func write(_ byte: UInt8, at offset: inout Int) {
        self[offset] = byte
        offset &+= 1
    }

    private mutating func write(_ marker: UInt8, _ value: UInt64, at offset: inout Int) {
        self[offset] = marker
        write(bigEndian: value, byteCount: 8, at: offset &+ 1)
        offset &+= 9
    }

    private mutating func write(_ bytes: Span<UInt8>, at offset: inout Int) {
        copy(from: bytes, at: offset)
        offset &+= bytes.count
    }
}
