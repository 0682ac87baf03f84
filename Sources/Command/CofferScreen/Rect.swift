/// A place on the screen, counted from the top left corner.
package struct Position: Equatable, Sendable {
    package var column: Int
    package var row: Int

    package init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// A rectangle of cells.
package struct Rect: Equatable, Sendable {
    package let column: Int
    package let row: Int
    /// How many columns it has; 0 if it was made with a negative number.
    package let columnCount: Int
    /// How many rows it has; 0 if it was made with a negative number.
    package let rowCount: Int

    package init(column: Int = 0, row: Int = 0, columnCount: Int, rowCount: Int) {
        self.column = column
        self.row = row
        self.columnCount = max(0, columnCount)
        self.rowCount = max(0, rowCount)
    }

    private init(_ columns: Range<Int>, _ rows: Range<Int>) {
        self.init(
            column: columns.lowerBound,
            row: rows.lowerBound,
            columnCount: columns.count,
            rowCount: rows.count
        )
    }

    /// Whether it has no cells.
    package var isEmpty: Bool { columnCount == 0 || rowCount == 0 }
    /// The top left corner.
    package var origin: Position { Position(column: column, row: row) }
    /// The numbers of its columns.
    package var columns: Range<Int> { column..<column + columnCount }
    /// The numbers of its rows.
    package var rows: Range<Int> { row..<row + rowCount }

    /// Whether the cell at `position` is one of the rectangle's.
    package func contains(_ position: Position) -> Bool {
        columns.contains(position.column) && rows.contains(position.row)
    }

    /// The cells that are in both; empty if there are none.
    package func intersection(_ other: Rect) -> Rect {
        Rect(columns.clamped(to: other.columns), rows.clamped(to: other.rows))
    }

    /// The rectangle without a margin; empty if there is nothing else.
    package func inset(columnCount: Int, rowCount: Int) -> Rect {
        Rect(
            column: column + min(columnCount, self.columnCount / 2),
            row: row + min(rowCount, self.rowCount / 2),
            columnCount: self.columnCount - 2 * columnCount,
            rowCount: self.rowCount - 2 * rowCount
        )
    }

    /// A part of a rectangle that is split.
    package enum Part: Sendable {
        /// A number of cells; fewer if no more are left.
        case fixed(Int)
        /// A share of what the fixed parts leave, in proportion to the other shares.
        case share(Int)
    }

    /// The parts from left to right, which fill the rectangle if there is a share.
    package func splitIntoColumns(_ parts: [Part]) -> [Rect] {
        Self.split(columns, into: parts).map { Rect($0, rows) }
    }

    /// The parts from top to bottom, which fill the rectangle if there is a share.
    package func splitIntoRows(_ parts: [Part]) -> [Rect] {
        Self.split(rows, into: parts).map { Rect(columns, $0) }
    }

    private static func split(_ range: Range<Int>, into parts: [Part]) -> [Range<Int>] {
        var remaining = range.count
        let fixed = parts.map { part in
            guard case .fixed(let wanted) = part else { return 0 }
            let count = min(max(0, wanted), remaining)
            remaining -= count
            return count
        }
        let shares = parts.map { if case .share(let share) = $0 { max(0, share) } else { 0 } }
        let total = max(1, shares.reduce(0, +))
        var (start, before) = (range.lowerBound, 0)
        return parts.indices.map { index in
            // The difference of two rounded sums, so that the parts add up to the whole.
            let after = before + shares[index]
            let end = start + fixed[index] + remaining * after / total - remaining * before / total
            defer { (start, before) = (end, after) }
            return start..<end
        }
    }
}
