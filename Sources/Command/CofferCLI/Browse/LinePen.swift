internal import CofferBasics
internal import CofferScreen

/// Draws lines one below the other, as far as they are in sight.
struct LinePen {
    private let rect: Rect
    /// The next row, which is above the rectangle while lines are scrolled out of it.
    private(set) var row: Int

    init(_ rect: Rect, scrolledBy count: Int = 0) {
        self.rect = rect
        row = rect.row - count
    }

    var columnCount: Int { rect.columnCount }

    mutating func skip() { row += 1 }

    /// Draws one line.
    mutating func line(_ text: String, on grid: inout Grid, _ style: CellStyle, indentation: Int = 0) {
        defer { row += 1 }
        guard rect.rows.contains(row) else { return }
        let text = text.truncated(toColumnCount: rect.columnCount - indentation)
        grid.put(text, at: Position(column: rect.column + indentation, row: row), in: rect, style)
    }

    /// Draws a name and a value, which take further lines if they are long.
    mutating func fact(_ name: String, _ value: String, width: Int, on grid: inout Grid, _ styles: BrowserStyles) {
        let width = min(width, max(rect.columnCount / 2, rect.columnCount - 20))
        let first = row
        for piece in name.folded(toColumnCount: width - 1) { line(piece, on: &grid, styles.faint) }
        let end = row
        row = first
        for paragraph in value.split(separator: "\n", omittingEmptySubsequences: false) {
            for piece in String(paragraph).folded(toColumnCount: rect.columnCount - width) {
                line(piece, on: &grid, styles.plain, indentation: width)
            }
        }
        row = max(row, end)
    }

    /// Draws a secret, line by line and without making text of it all.
    mutating func secret(_ secret: HeldSecret, on grid: inout Grid, _ style: CellStyle) {
        var column = rect.column
        secret.withSpan { bytes in
            guard let text = try? UTF8Span(validating: bytes) else {
                return line("\(bytes.count) bytes that are not text", on: &grid, style)
            }
            var characters = text.makeCharacterIterator()
            while let character = characters.next() {
                guard character != "\n", character != "\r\n" else {
                    (row, column) = (row + 1, rect.column)
                    continue
                }
                let shown = String(character).escapingInvisible
                if column + shown.columnCount > rect.columns.upperBound { (row, column) = (row + 1, rect.column) }
                if rect.rows.contains(row) {
                    column = grid.put(shown, at: Position(column: column, row: row), in: rect, style)
                } else {
                    column += shown.columnCount
                }
            }
            row += 1
        }
    }
}

extension String {
    /// The text in pieces that fit into so many columns, broken between words if possible; at least one piece.
    func folded(toColumnCount limit: Int) -> [String] {
        var (pieces, piece, width): ([String], String, Int) = ([], "", 0)
        for glyph in glyphs {
            if width + glyph.columnCount > max(2, limit) {
                let blank = piece.lastIndex(of: " ").map { piece.index(after: $0) }
                let rest = blank.map { String(piece[$0...]) } ?? ""
                pieces.append(blank.map { String(piece[..<$0]) } ?? piece)
                (piece, width) = (rest, rest.columnCount)
            }
            piece += glyph.text
            width += glyph.columnCount
        }
        return pieces + [piece]
    }
}
