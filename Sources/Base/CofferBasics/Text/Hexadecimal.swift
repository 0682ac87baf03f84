extension Sequence<UInt8> {
    /// The bytes as hexadecimal digits, two for each byte.
    @inlinable package var hexDigits: String {
        let all = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [all[Int($0 >> 4)], all[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension [UInt8] {
    /// The bytes that pairs of hexadecimal digits in lower case stand for; nil if the text is anything else.
    package init?(hexDigits text: some StringProtocol) {
        let values = text.utf8.map(\.lowercaseHexValue)
        guard values.count.isMultiple(of: 2) else { return nil }
        self = []
        for index in stride(from: 0, to: values.count, by: 2) {
            guard let high = values[index], let low = values[index + 1] else { return nil }
            append(high << 4 | low)
        }
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit in lower case; nil if the byte is not one.
    package var lowercaseHexValue: UInt8? {
        self < UInt8(ascii: "A") || self >= UInt8(ascii: "a") ? hexadecimalValue : nil
    }

    /// The value of a hexadecimal digit in lower or upper case; nil if the byte is not one.
    @inlinable package var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension UInt64 {
    /// The 16 hexadecimal digits of the number, in lower case.
    package var hexDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
