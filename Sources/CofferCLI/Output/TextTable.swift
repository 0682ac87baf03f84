internal import CofferBasics

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

extension String {
    /// The number of terminal columns the text takes; East Asian characters and emoji take two.
    package var columnCount: Int {
        reduce(0) { count, character in
            guard let scalar = character.unicodeScalars.first else { return count }
            if scalar.properties.generalCategory == .nonspacingMark { return count }
            let isWide: Bool =
                switch scalar.value {
                case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
                    0xA000...0xA4CF,
                    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
                    0x1F300...0x1FAFF, 0x20000...0x3FFFD:
                    true
                default: false
                }
            return count + (isWide ? 2 : 1)
        }
    }
}
