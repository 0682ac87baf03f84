extension UInt8 {
    /// Whether a name in XML can begin with the byte, if it is in ASCII (XML 1.0, section 2.3).
    @inlinable package var isXMLNameStart: Bool {
        isLetter || self == UInt8(ascii: "_") || self == UInt8(ascii: ":")
    }

    /// Whether the byte can be in a name in XML, if that is in ASCII.
    @inlinable package var isXMLNameByte: Bool {
        isXMLNameStart || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }
}

extension Unicode.Scalar {
    /// Whether this is a character in XML 1.0, section 2.2 (`Char`).
    package var isXMLCharacter: Bool {
        switch value {
        case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x1_0000...0x10_FFFF: true
        default: false
        }
    }

    /// The character that one of the five predefined entities stands for; nil for other names.
    package init?(xmlEntity name: String) {
        switch name {
        case "amp": self = "&"
        case "lt": self = "<"
        case "gt": self = ">"
        case "quot": self = "\""
        case "apos": self = "'"
        default: return nil
        }
    }
}
