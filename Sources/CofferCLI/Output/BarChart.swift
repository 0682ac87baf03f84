/// Numbers with bars behind them, as long as they are large, for a terminal.
package struct BarChart {
    private var rows: [(words: [String], number: Int, text: String)] = []

    package init() {}

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - words: What the number is of, a column each, as many in each row.
    ///   - number: How long the bar is, beside the others.
    ///   - text: The number for people.
    package mutating func add(_ words: [String], _ number: Int, _ text: String) {
        rows.append((words, number, text))
    }

    /// The lines, of so many columns at most; a bar that is not for nothing has one column at least.
    package func lines(columnCount: Int) -> [String] {
        let widths = (rows.first?.words.indices ?? 0..<0).map { column in
            rows.reduce(0) { $1.words.indices.contains(column) ? max($0, $1.words[column].columnCount) : $0 }
        }
        let textWidth = rows.reduce(0) { max($0, $1.text.columnCount) }
        let most = rows.reduce(0) { max($0, $1.number) }
        let room = max(1, columnCount - widths.reduce(0) { $0 + $1 + 2 } - textWidth - 2)
        return rows.map { row in
            var line = ""
            for (word, width) in zip(row.words, widths) { line += word + blanks(width + 2 - word.columnCount) }
            line += blanks(textWidth - row.text.columnCount) + row.text
            guard row.number > 0, most > 0 else { return line }
            let length = Int((Double(row.number) / Double(most) * Double(room)).rounded())
            return line + "  " + String(repeating: "█", count: min(room, max(1, length)))
        }
    }

    private func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
