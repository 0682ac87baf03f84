extension UInt8 {
    /// Whether the byte is a blank, a tab, a carriage return or a newline: the white space of JSON and of XML.
    @inlinable package var isBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    /// Whether the byte is a blank or a tab.
    @inlinable package var isBlankInLine: Bool { self == 0x20 || self == 0x09 }

    /// Whether the byte is white space in C and Go: also a vertical tab or a form feed.
    @inlinable package var isWhiteSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    /// Whether the byte is a decimal digit.
    @inlinable package var isDigit: Bool { UInt8(ascii: "0") <= self && self <= UInt8(ascii: "9") }

    /// Whether the byte is a letter in ASCII.
    @inlinable package var isLetter: Bool { UInt8(ascii: "a") <= self | 0x20 && self | 0x20 <= UInt8(ascii: "z") }

    /// Whether the byte is a letter in ASCII or a digit.
    @inlinable package var isLetterOrDigit: Bool { isLetter || isDigit }

    /// Whether a scheme may contain the character after its first (RFC 3986, section 3.1).
    package var isOfScheme: Bool { isLetterOrDigit || "+-.".utf8.contains(self) }
}
