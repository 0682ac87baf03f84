extension [UInt8] {
    /// Makes bytes from a text of hexadecimal digits, as specifications print them; white space is ignored.
    package init(hexadecimal text: String) {
        let digits = text.filter { !$0.isWhitespace }.map { $0.hexDigitValue ?? -1 }
        precondition(digits.count.isMultiple(of: 2) && !digits.contains(-1), "\(text) is not hexadecimal")
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// The bytes as hexadecimal digits.
    package var hexadecimal: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
