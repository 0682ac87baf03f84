/// The 32 characters of a recovery code: digits and letters without `I`, `L`, `O` and `U`.
enum RecoveryAlphabet {
    private static let characters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let unknown: UInt8 = 0xFF

    /// The symbol for each byte, or `unknown`.
    private static let symbols: [UInt8] = {
        var symbols = [UInt8](repeating: unknown, count: 256)
        for (symbol, character) in zip(UInt8(0)..., characters) { symbols[Int(character)] = symbol }
        for (mistaken, meant) in zip("OIL".utf8, "011".utf8) { symbols[Int(mistaken)] = symbols[Int(meant)] }
        for letter in UInt8(ascii: "a")...UInt8(ascii: "z") { symbols[Int(letter)] = symbols[Int(letter) - 32] }
        return symbols
    }()

    /// The character for a number below 32.
    static func character(of symbol: UInt8) -> UInt8 {
        characters[Int(symbol)]
    }

    /// The number that `character` stands for, or nil if it is not in the alphabet.
    static func symbol(of character: UInt8) -> UInt8? {
        let symbol = symbols[Int(character)]
        return symbol == unknown ? nil : symbol
    }

    /// Whether `character` is a separator.
    static func isIgnored(_ character: UInt8) -> Bool {
        character == UInt8(ascii: " ") || character == UInt8(ascii: "\t") || character == UInt8(ascii: "-")
    }
}
