internal import CofferBasics

/// Four-letter codes: numbers that Apple writes as four characters, such as `htps`.
enum FourLetterCode {
    /// The letters of a word of the command line, which must have four.
    static func letters(_ word: String, of option: Option) throws -> String {
        let byteCount = word.utf8.count
        guard byteCount != 4 else { return word }
        var hints: [String] = []
        if (1..<4).contains(byteCount) {
            hints.append(
                "pad a shorter name with spaces: \"\(word.printable)\(String(repeating: " ", count: 4 - byteCount))\""
            )
        }
        if word == "https" { hints.append("use \"htps\" for https") }
        throw CommandError.usage(
            "\(option.names[0]) needs four letters, but \(word.printable) has \(byteCount)",
            hints: hints
        )
    }

    /// The number for a word of the command line.
    static func number(_ word: String, of option: Option) throws -> Int64 {
        try letters(word, of: option).utf8.reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The letters of a number, the first one first.
    static func bytes(of number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
