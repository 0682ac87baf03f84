/// A line of bash up to the cursor, split into words as the shell does, but without expanding anything.
struct BashLine {
    /// The words; the last one is being typed.
    private(set) var words: [String] = []
    /// What readline leaves of the last word: it replaces what follows a word break or a quote.
    private var kept = String.UnicodeScalarView()
    /// The quote that is open at the cursor.
    private var quote: Unicode.Scalar?

    init(_ line: String, wordBreaks: String) {
        var word = String.UnicodeScalarView()
        var keptBeforeQuote = word
        var (isInWord, isEscaped) = (false, false)
        for scalar in line.unicodeScalars {
            switch (scalar, quote) {
            case (_, _) where isEscaped:
                if quote != nil, !"\"$`\\".unicodeScalars.contains(scalar) { word.append("\\") }
                word.append(scalar)
                isEscaped = false
            case (_, nil) where scalar.value < 0x80 && scalar.properties.isWhitespace:
                if isInWord { words.append(String(word)) }
                (word, kept, isInWord) = (.init(), .init(), false)
                continue
            case (_, let open?) where scalar == open: (quote, kept) = (nil, keptBeforeQuote)
            case ("'", nil), ("\"", nil): (quote, keptBeforeQuote, kept) = (scalar, kept, word)
            case ("\\", nil), ("\\", "\""): isEscaped = true
            default:
                word.append(scalar)
                if quote == nil, wordBreaks.unicodeScalars.contains(scalar) { kept = word }
            }
            isInWord = true
        }
        words.append(String(word))
    }

    /// The text that readline inserts for `word`, quoted as needed there; nil if `word` does not begin with the typed text.
    func replacement(for word: String) -> String? {
        guard let typed = words.last, word.unicodeScalars.starts(with: typed.unicodeScalars) else { return nil }
        let rest = word.unicodeScalars.dropFirst(kept.count).map { quoted($0) }.joined()
        guard let quote else { return rest.isEmpty ? "''" : rest }
        // Readline adds no closing quote after a word that ends with one.
        return rest.unicodeScalars.last == quote ? rest + String(quote) : rest
    }

    private func quoted(_ scalar: Unicode.Scalar) -> String {
        switch (quote, scalar) {
        case ("'", "'"): return "'\\''"
        case ("'", _): return String(scalar)
        case (nil, _):
            let isPlain = !scalar.isASCII || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            return isPlain || "_-./:=@%+,".unicodeScalars.contains(scalar) ? String(scalar) : "\\\(scalar)"
        // These end the quotes and begin them again.
        case (_, "\""), (_, "!"): return "\"\\\(scalar)\""
        case (_, "\\"), (_, "$"), (_, "`"): return "\\\(scalar)"
        default: return String(scalar)
        }
    }
}
