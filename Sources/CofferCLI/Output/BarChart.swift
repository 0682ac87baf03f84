/// A bar chart of numbers, for a terminal.
package struct BarChart {
    private var rows: [(words: [String], number: Int, text: String)] = []

    package init() {}

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - words: The labels, one for each column; every row has the same number of them.
    ///   - number: The value, which determines the length of the bar.
    ///   - text: The value as text.
    package mutating func add(_ words: [String], _ number: Int, _ text: String) {
        rows.append((words, number, text))
    }

    /// The lines, of at most `columnCount` columns; a bar for a value above zero has at least one column.
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
