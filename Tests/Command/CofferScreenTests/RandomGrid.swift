import CofferScreen

extension Grid {
    /// Pieces of text of every kind, among them hostile ones.
    private static let pieces = [
        "a", "Z", " ", "  ", "title", "é", "e\u{301}", "日", "한", "\u{1112}\u{1161}\u{11AB}", "🔑", "👍🏽", "👨‍👩‍👧‍👦", "🇩🇪", "❤️",
        "❤", "1️⃣", "☰", "กี", "कि", "שלום", "שָׁ", "مرحبا", "12", "│", "─", "█", "…", "\u{1B}[2J", "\u{202E}", "\u{200F}",
        "\u{9B}",
        "\r\n", "\u{7}", "\u{200D}", "\u{301}", "\u{FE0F}",
    ]

    /// A blank grid of a random size.
    static func random(using random: inout some RandomNumberGenerator) -> Grid {
        Grid(columnCount: .random(in: 1...30, using: &random), rowCount: .random(in: 1...8, using: &random))
    }

    /// Draws something somewhere.
    mutating func drawAtRandom(using random: inout some RandomNumberGenerator) {
        let rect = Rect(
            column: .random(in: -3..<columnCount, using: &random),
            row: .random(in: -1..<rowCount, using: &random),
            columnCount: .random(in: 0...20, using: &random),
            rowCount: .random(in: 0...6, using: &random)
        )
        let style = CellStyle.random(using: &random)
        let count = Int.random(in: 1...8, using: &random)
        let text = (0..<count).compactMap { _ in Self.pieces.randomElement(using: &random) }.joined()
        switch Int.random(in: 0..<10, using: &random) {
        case 0: fill(rect, style)
        case 1: drawFrame(rect, title: text, style)
        case 2: drawBar(rect, fraction: .random(in: 0...1, using: &random), .right, style)
        case 3: clear()
        case 4: put(text, at: rect.origin, in: rect, style)
        default: put(text, at: rect.origin, style)
        }
    }
}

extension CellStyle {
    fileprivate static func random(using random: inout some RandomNumberGenerator) -> CellStyle {
        func color() -> Color {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .ansi(AnsiColor.allCases.randomElement(using: &random) ?? .red)
            case 1: .rgb(.random(in: 0...255, using: &random), 7, .random(in: 0...255, using: &random))
            default: .default
            }
        }
        let attributes = Attributes(rawValue: .random(in: 0..<32, using: &random))
        return CellStyle(foreground: color(), background: color(), Bool.random(using: &random) ? attributes : [])
    }
}
