/// The words of a line, by the rules of a shell as far as they are about quotes.
///
/// Blanks part words. In single quotes everything stands for itself; in double quotes and outside, a backslash takes its
/// meaning from what follows. Variables, patterns and comments are nothing but text.
struct LineWords {
    private(set) var words: [String] = []

    /// Takes a line apart; throws what makes no sense.
    init(_ line: String) throws {
        var word = String.UnicodeScalarView()
        // There are words without letters: ''.
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
        // A line that was cut off is not run.
        guard quote == nil else { throw CommandError.usage("a quote is not closed; the line was left out") }
        guard !isEscaped else {
            throw CommandError.usage("nothing follows the backslash at the end; the line was left out")
        }
        if isInWord { words.append(String(word)) }
    }
}
