internal import CofferBasics
internal import VaultCrypto

/// The format of the text files of section 12: a title, lines with a name and hexadecimal digits, and a check.
///
/// Each content has exactly one text, so any deviation is refused.
enum HexLines {
    static let byteCountLimit = 4096
    static let checkName = "check"
    static let checkByteCount = 4

    /// The first 4 bytes of the hash of the lines in `text`.
    static func check(of text: Span<UInt8>) -> [UInt8] {
        Array(Label.file.hash(16, text).prefix(checkByteCount))
    }

    /// Calls `body` with a file that has a key among its `lines`, and wipes the file afterwards.
    static func withText<Result: ~Copyable, Failure: Error>(
        title: String,
        lines: (inout OutputSpan<UInt8>) -> Void,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withTemporarySecret(
            capacity: byteCountLimit,
            writtenBy: { text in
                text.appendLine(title)
                lines(&text)
                text.appendCheck()
            },
            body
        )
    }
}
