internal import Coffer

extension Span<UInt8> {
    /// Whether `other` has the same bytes; the time this takes reveals nothing about them.
    func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for index in indices { difference |= self[index] ^ other[index] }
        return difference == 0
    }

    /// Whether `byte` is among the bytes.
    func contains(_ byte: UInt8) -> Bool { indices.contains { self[$0] == byte } }

    /// Whether the bytes are UTF-8.
    var isText: Bool { (try? UTF8Span(validating: self)) != nil }

    /// The bytes as text; not for secrets.
    var attributeText: AttributeText { AttributeText(bytes: indices.map { self[$0] }) }
}

extension UInt8 {
    /// The value of a hexadecimal digit; nil if the byte is not one.
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
