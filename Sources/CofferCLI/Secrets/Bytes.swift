internal import Coffer

extension Span<UInt8> {
    /// Whether the other bytes are the same; how long that takes tells nothing of them.
    func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for index in indices { difference |= self[index] ^ other[index] }
        return difference == 0
    }

    /// Whether a byte is in it.
    func contains(_ byte: UInt8) -> Bool { indices.contains { self[$0] == byte } }

    /// Whether the bytes are UTF-8.
    var isText: Bool { (try? UTF8Span(validating: self)) != nil }

    /// The bytes as a text that is no secret.
    var attributeText: AttributeText { AttributeText(bytes: indices.map { self[$0] }) }
}

extension UInt8 {
    /// What a letter means as a hexadecimal digit; nil if it is none.
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension [UInt8] {
    /// Two digits for each byte.
    var hexadecimal: String {
        reduce(into: "") { text, byte in
            if byte < 16 { text += "0" }
            text += String(byte, radix: 16)
        }
    }
}
