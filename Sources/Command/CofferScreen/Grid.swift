/// A place on the screen: one character, or half of a wide one.
///
/// Only a grid makes cells, from glyphs, so that no cell has anything that controls a terminal.
package struct Cell: Equatable, Sendable {
    /// The character; empty in the right half of a wide one.
    package fileprivate(set) var text = " "
    package fileprivate(set) var style = CellStyle()
}

/// A drawing of the whole screen.
///
/// Draw every frame on the same grid, after `clear`: this overwrites secrets that were displayed.
package struct Grid: Equatable, Sendable {
    /// More than any screen has; a terminal can claim 65,535 columns and rows.
    private static let (columnCountLimit, rowCountLimit) = (1000, 500)
    package let columnCount: Int
    package let rowCount: Int
    /// The cells, row by row; each wide character is followed by an empty cell of the same style.
    private(set) var cells: [Cell]

    /// A blank grid of at most 1000 columns and 500 rows.
    package init(columnCount: Int, rowCount: Int) {
        self.columnCount = min(max(0, columnCount), Self.columnCountLimit)
        self.rowCount = min(max(0, rowCount), Self.rowCountLimit)
        cells = Array(repeating: Cell(), count: self.columnCount * self.rowCount)
    }

    /// All cells.
    package var bounds: Rect { Rect(columnCount: columnCount, rowCount: rowCount) }

    /// The cell at `position`; a blank one outside the grid.
    package subscript(position: Position) -> Cell {
        bounds.contains(position) ? cells[index(position.column, position.row)] : Cell()
    }

    func index(_ column: Int, _ row: Int) -> Int { row * columnCount + column }

    /// How many columns the character at `index` takes.
    func columnCount(at index: Int) -> Int {
        let next = index + 1
        return next % columnCount != 0 && cells[next].text.isEmpty ? 2 : 1
    }

    // MARK: - Drawing

    /// Makes all cells blank.
    package mutating func clear() { fill(bounds) }

    /// Makes the cells of `rect` blank.
    package mutating func fill(_ rect: Rect, _ style: CellStyle = CellStyle()) {
        let rect = rect.intersection(bounds)
        for row in rect.rows {
            for column in rect.columns { set(column, row, " ", 1, style) }
        }
    }

    /// Draws text from `position` to the right, and returns the column after it.
    ///
    /// Only what lies in `clip` is drawn; the halves of wide characters at its edges become blanks. Characters without
    /// a column of their own, such as an accent without a letter, are left out.
    @discardableResult
    package mutating func put(
        _ text: String,
        at position: Position,
        in clip: Rect? = nil,
        _ style: CellStyle = CellStyle()
    ) -> Int {
        let visible = (clip ?? bounds).intersection(bounds)
        var column = position.column
        guard visible.rows.contains(position.row) else { return column }
        for glyph in text.glyphs where glyph.columnCount > 0 {
            guard column < visible.columns.upperBound else { break }
            let columns = column..<column + glyph.columnCount
            column = columns.upperBound
            let drawn = columns.clamped(to: visible.columns)
            if drawn == columns {
                set(columns.lowerBound, position.row, glyph.text, glyph.columnCount, style)
            } else {
                for column in drawn { set(column, position.row, " ", 1, style) }
            }
        }
        return column
    }

    /// Sets a whole character, and makes the other halves of wide characters blank that it overwrites in part.
    private mutating func set(_ column: Int, _ row: Int, _ text: String, _ columnCount: Int, _ style: CellStyle) {
        let start = index(column, row)
        let end = start + columnCount
        if cells[start].text.isEmpty { cells[start - 1].text = " " }
        if column + columnCount < self.columnCount, cells[end].text.isEmpty { cells[end].text = " " }
        cells[start] = Cell(text: text, style: style)
        if columnCount == 2 { cells[start + 1] = Cell(text: "", style: style) }
    }

    /// Copies cells from a grid of the same size, in place.
    mutating func copy(_ range: Range<Int>, from other: Grid) {
        for index in range where cells[index] != other.cells[index] { cells[index] = other.cells[index] }
    }

    // MARK: - Text

    /// The text of the rows, without styles and without blanks at the ends of the lines.
    package var text: String {
        let lines = bounds.rows.map { row in
            var line = cells[index(0, row)..<index(0, row + 1)].map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }
        return lines.joined(separator: "\n")
    }
}
