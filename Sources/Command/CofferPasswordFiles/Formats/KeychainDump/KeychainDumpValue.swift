internal import CofferBasics

/// A value in the output of `security dump-keychain`.
enum KeychainDumpValue {
    case null
    case bytes(HeldSecret)
    /// Text that is no value.
    case invalid(HeldSecret)

    static var empty: KeychainDumpValue { .bytes(HeldSecret(text: "")) }

    /// Reads `<NULL>`, text in quotes, or hexadecimal digits with the same text after them; nothing is an empty value.
    init(_ text: Span<UInt8>) {
        let quote = UInt8(ascii: "\"")
        if text.isEmpty {
            self = .empty
        } else if text.hasSameBytes(as: "<NULL>".utf8.span) {
            self = .null
        } else if text[0] == quote {
            // Quotes in the text are not escaped, so it ends at the last one.
            let last = (1..<text.count).last { text[$0] == quote }
            self =
                last.map { .bytes(HeldSecret(copying: text.extracting(1..<$0))) } ?? .invalid(HeldSecret(copying: text))
        } else if text.has("0x".utf8) {
            let end = (2..<text.count).first { text[$0] == UInt8(ascii: " ") } ?? text.count
            let decoded = Encodings.hexadecimal(text.extracting(2..<end))
            self = decoded.map { .bytes($0) } ?? .invalid(HeldSecret(copying: text))
        } else {
            self = .invalid(HeldSecret(copying: text))
        }
    }
}
