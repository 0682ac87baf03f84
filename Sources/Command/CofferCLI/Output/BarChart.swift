internal import CofferScreen

/// A bar chart of numbers, for a terminal.
package struct BarChart {
    private var rows: [(words: [String], number: Int, text: String, color: String?)] = []

    package init() {}

    /// Adds a row.
    ///
    /// - Parameters:
    ///   - words: The labels, one for each column; every row has the same number of them.
    ///   - number: The value, which determines the length of the bar.
    ///   - text: The value as text.
    ///   - color: The code of the color of the bar.
    package mutating func add(_ words: [String], _ number: Int, _ text: String, color: String? = nil) {
        rows.append((words, number, text, color))
    }

    /// The number of columns before the bars.
    package var headColumnCount: Int { wordWidths.reduce(0) { $0 + $1 + 2 } + textWidth + 2 }

    private var wordWidths: [Int] {
        (rows.first?.words.indices ?? 0..<0).map { column in
            rows.reduce(0) { $1.words.indices.contains(column) ? max($0, $1.words[column].columnCount) : $0 }
        }
    }

    private var textWidth: Int { rows.reduce(0) { max($0, $1.text.columnCount) } }

    /// The lines, of at most `columnCount` columns; a bar for a value above zero has at least one column.
    ///
    /// - Parameters:
    ///   - columnCount: The width of the chart.
    ///   - headColumnCount: The least number of columns before the bars, for charts below one another.
    ///   - isColored: Whether bars are colored.
    /// - Returns: A line for each row.
    package func lines(columnCount: Int, headColumnCount: Int = 0, isColored: Bool = false) -> [String] {
        let widths = wordWidths
        let most = rows.reduce(0) { max($0, $1.number) }
        let headWidth = max(headColumnCount, self.headColumnCount)
        let room = max(1, columnCount - headWidth)
        return rows.map { row in
            var line = ""
            for (word, width) in zip(row.words, widths) { line += word + blanks(width + 2 - word.columnCount) }
            line += blanks(headWidth - 2 - line.columnCount - row.text.columnCount) + row.text
            guard row.number > 0, most > 0 else { return line }
            let length = Int((Double(row.number) / Double(most) * Double(room)).rounded())
            let bar = String(repeating: "▇", count: min(room, max(1, length)))
            return line + "  " + (row.color.map { Style.withColor(bar, $0, isColored) } ?? bar)
        }
    }

    private func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
