internal import VaultCrypto

/// The form that the text files of section 12 share: a title, lines of a name and hexadecimal digits, and a check.
///
/// There is one text for each content, so what does not match byte for byte is refused.
enum HexLines {
    static let byteCountLimit = 4096
    static let checkName = "check"
    static let checkByteCount = 4

    /// The first 4 bytes of the hash of the lines in `text`.
    static func check(of text: Span<UInt8>) -> [UInt8] {
        Array(Label.file.hash(16, text).prefix(checkByteCount))
    }
}
