/// The words of a line, with the quoting rules of a shell.
///
/// Spaces and tabs separate words. In single quotes every character is literal; in double quotes and outside quotes, a
/// backslash makes the next character literal. Variables, patterns and comments have no special meaning.
struct LineWords {
    private(set) var words: [String] = []

    /// Splits a line; throws if it is invalid.
    init(_ line: String) throws {
        var word = String.UnicodeScalarView()
        // A word can be empty: ''.
        var isInWord = false
        var quote: Unicode.Scalar?
        var isEscaped = false
        for scalar in line.unicodeScalars {
            switch (scalar, quote) {
            case (_, _) where isEscaped:
                word.append(scalar)
                isEscaped = false
            case ("\\", nil), ("\\", "\""): (isEscaped, isInWord) = (true, true)
            case (_, let open?) where scalar == open: quote = nil
            case ("'", nil), ("\"", nil): (quote, isInWord) = (scalar, true)
            case (" ", nil), ("\t", nil), ("\r", nil):
                if isInWord { words.append(String(word)) }
                (word, isInWord) = (String.UnicodeScalarView(), false)
            default:
                word.append(scalar)
                isInWord = true
            }
        }
        // A truncated line must not be run.
        guard quote == nil else { throw CommandError.usage("unclosed quote; the line was skipped") }
        guard !isEscaped else {
            throw CommandError.usage("the line ends with a backslash; it was skipped")
        }
        if isInWord { words.append(String(word)) }
    }
}
