internal import CofferBasics

/// Numbers that Apple writes as four letters, such as `htps`.
enum FourLetterCode {
    /// The letters that a word of the command line says, which must be four.
    static func letters(_ word: String, of option: Option) throws -> String {
        let byteCount = word.utf8.count
        guard byteCount != 4 else { return word }
        var hints: [String] = []
        if (1..<4).contains(byteCount) {
            hints.append(
                "a shorter name has blanks behind it: \"\(word.printable)\(String(repeating: " ", count: 4 - byteCount))\""
            )
        }
        if word == "https" { hints.append("https is \"htps\" there") }
        throw CommandError.usage(
            "\(option.names[0]) takes four letters, and \(word.printable) has \(byteCount)",
            hints: hints
        )
    }

    /// The number that a word of the command line says.
    static func number(_ word: String, of option: Option) throws -> Int64 {
        try letters(word, of: option).utf8.reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The letters of a number, from the left.
    static func bytes(of number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
