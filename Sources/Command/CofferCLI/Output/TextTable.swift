internal import CofferBasics
internal import CofferScreen

/// A table: aligned at a terminal, otherwise with tabs between the columns.
package struct TextTable {
    private let headings: [String]
    /// The columns that are shown only at a terminal.
    private let terminalOnly: Set<Int>
    private var rows: [[String]] = []

    package init(_ headings: [String], terminalOnly: Set<Int> = []) {
        self.headings = headings
        self.terminalOnly = terminalOnly
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
        try output.write(line: Style.heading(line(headings, widths), isColored))
        for row in rows { try output.write(line: line(row, widths)) }
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
