internal import CofferBasics
internal import CofferScreen

/// A table: aligned at a terminal, otherwise with tabs between the columns.
package struct TextTable {
    private let headings: [String]
    /// The columns that are shown only at a terminal.
    private let terminalOnly: Set<Int>
    /// The columns that a narrow terminal does not show, the first to go first.
    private let dispensable: [Int]
    private var rows: [[String]] = []

    package init(_ headings: [String], terminalOnly: Set<Int> = [], dispensable: [Int] = []) {
        self.headings = headings
        self.terminalOnly = terminalOnly
        self.dispensable = dispensable
    }

    /// Adds a row, with invisible characters escaped, so that a cell contains neither tabs nor newlines.
    package mutating func add(_ row: [String]) {
        rows.append(row.map(\.escapingInvisible))
    }

    /// Writes the rows; nothing if there are none.
    package func write(to output: Output, isColored: Bool) throws {
        guard output.isTerminal else {
            for row in rows {
                let cells = row.indices.filter { !terminalOnly.contains($0) }.map { row[$0] }
                try output.write(line: cells.joined(separator: "\t"))
            }
            return
        }
        guard !rows.isEmpty else { return }
        let widths = headings.indices.map { column in
            ([headings] + rows).reduce(0) { max($0, $1[column].columnCount) }
        }
        var columns = Array(headings.indices)
        for column in dispensable where columns.reduce(-2, { $0 + widths[$1] + 2 }) > output.columnCount {
            columns.removeAll { $0 == column }
        }
        let shownWidths = columns.map { widths[$0] }
        try output.write(line: Style.heading(line(columns.map { headings[$0] }, shownWidths), isColored))
        for row in rows { try output.write(line: line(columns.map { row[$0] }, shownWidths)) }
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            line += cell
            guard index < cells.count - 1 else { break }
            line += String(repeating: " ", count: max(0, widths[index] - cell.columnCount) + 2)
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
