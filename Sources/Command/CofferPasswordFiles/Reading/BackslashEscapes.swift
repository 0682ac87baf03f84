internal import CofferBasics

/// Text in double quotes, in which backslashes escape.
enum BackslashEscapes {
    private static let escapes = [
        UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "r"): UInt8(ascii: "\r"),
        UInt8(ascii: "t"): UInt8(ascii: "\t"), UInt8(ascii: "\""): UInt8(ascii: "\""),
        UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "$"): UInt8(ascii: "$"),
    ]

    /// The text that `text`, which is without its quotes, stands for.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - keepsUnknown: Whether a backslash before any other character stands for itself; otherwise it is left out.
    /// - Returns: The text without escapes.
    static func decoded(_ text: Span<UInt8>, keepsUnknown: Bool) -> HeldSecret {
        HeldSecret(capacity: text.count) { output in
            var index = 0
            while index < text.count {
                guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else {
                    output.append(text[index])
                    index += 1
                    continue
                }
                if let escaped = escapes[text[index + 1]] {
                    output.append(escaped)
                } else {
                    if keepsUnknown { output.append(text[index]) }
                    output.append(text[index + 1])
                }
                index += 2
            }
        }
    }
}
