import CofferBasics

// The notation of section 1 of the vault format: `||` is `+`, and integers have their lowest byte first.

/// Returns the low `byteCount` bytes of `value`, lowest byte first.
func littleEndian(_ value: UInt64, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
}

func u8(_ value: some BinaryInteger) -> [UInt8] { littleEndian(UInt64(truncatingIfNeeded: value), 1) }
func u16(_ value: some BinaryInteger) -> [UInt8] { littleEndian(UInt64(truncatingIfNeeded: value), 2) }
func u32(_ value: some BinaryInteger) -> [UInt8] { littleEndian(UInt64(truncatingIfNeeded: value), 4) }
func u64(_ value: some BinaryInteger) -> [UInt8] { littleEndian(UInt64(truncatingIfNeeded: value), 8) }

func zeros(_ byteCount: Int) -> [UInt8] { [UInt8](repeating: 0, count: byteCount) }

/// Returns `coffer1.` followed by `name`, padded to 16 bytes.
func label(_ name: String) -> [UInt8] {
    let text = Array("coffer1.\(name)".utf8)
    precondition(text.count <= 16, "the label \(name) is too long")
    return text + zeros(16 - text.count)
}

/// Returns the padded size of `byteCount` bytes, section 1.2.
func pad(_ byteCount: Int) -> Int {
    var step = 64
    if byteCount >= 1024 {
        let exponent = Int.bitWidth - 1 - byteCount.leadingZeroBitCount
        let digits = Int.bitWidth - exponent.leadingZeroBitCount
        step = 1 << (exponent - digits)
    }
    return (byteCount + step - 1) / step * step
}

extension [UInt8] {
    /// These bytes, padded with zeros to a multiple of 64.
    var filledToUnit: [UInt8] { self + zeros((64 - count % 64) % 64) }

    /// Hexadecimal digits, without spaces.
    var hex: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Writes `bytes` at `offset`.
    mutating func put(_ bytes: [UInt8], at offset: Int) {
        replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }

    /// Replaces the last bytes with `bytes`.
    mutating func replaceEnd(with bytes: some Collection<UInt8>) {
        replaceSubrange((count - bytes.count)..., with: bytes)
    }

    /// Changes one bit of the byte at `offset`.
    mutating func flip(_ offset: Int) { self[offset] ^= 0x10 }

    /// Sets the bytes in `range` to zero.
    mutating func erase(_ range: Range<Int>) { replaceSubrange(range, with: zeros(range.count)) }
}
