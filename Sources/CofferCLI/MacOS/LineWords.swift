/// The words of a line, by the rules of a shell as far as they are about quotes.
///
/// Blanks part words. In single quotes everything stands for itself; in double quotes and outside, a backslash takes its
/// meaning from what follows. Variables, patterns and comments are nothing but text.
struct LineWords {
    private(set) var words: [String] = []

    /// Takes a line apart; throws what makes no sense.
    init(_ line: String) throws(CommandError) {
        var word: String.UnicodeScalarView?
        var quote: Unicode.Scalar?
        var isEscaped = false
        for scalar in line.unicodeScalars {
            if isEscaped {
                word = Self.appended(word, scalar)
                isEscaped = false
                continue
            }
            switch (scalar, quote) {
            case ("\\", nil), ("\\", "\""): isEscaped = true
            case (_, let open?) where scalar == open: quote = nil
            case ("'", nil), ("\"", nil):
                quote = scalar
                word = word ?? String.UnicodeScalarView()
            case (" ", nil), ("\t", nil), ("\r", nil):
                if let whole = word { words.append(String(whole)) }
                word = nil
            default: word = Self.appended(word, scalar)
            }
        }
        // A line that was cut off is not run.
        guard quote == nil else { throw .usage("a quote is not closed; the line was left out") }
        guard !isEscaped else { throw .usage("nothing follows the backslash at the end; the line was left out") }
        if let whole = word { words.append(String(whole)) }
    }

    private static func appended(
        _ word: String.UnicodeScalarView?,
        _ scalar: Unicode.Scalar
    ) -> String.UnicodeScalarView {
        var word = word ?? String.UnicodeScalarView()
        word.append(scalar)
        return word
    }
}
