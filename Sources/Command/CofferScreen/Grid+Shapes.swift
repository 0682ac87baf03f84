extension Grid {
    /// Draws a frame along the edges of `rect`, with `title` in its upper edge.
    ///
    /// A rectangle with fewer than two columns or rows has no frame.
    package mutating func drawFrame(
        _ rect: Rect,
        title: String = "",
        _ style: CellStyle = CellStyle(),
        titleStyle: CellStyle? = nil
    ) {
        guard rect.columnCount >= 2, rect.rowCount >= 2 else { return }
        let line = String(repeating: "─", count: rect.columnCount - 2)
        let (top, bottom) = (rect.row, rect.rows.upperBound - 1)
        put("┌\(line)┐", at: rect.origin, style)
        for row in top + 1..<bottom {
            for column in [rect.column, rect.columns.upperBound - 1] {
                put("│", at: Position(column: column, row: row), style)
            }
        }
        put("└\(line)┘", at: Position(column: rect.column, row: bottom), style)
        // At least one piece of the line and one blank stay on both sides.
        let shownTitle = title.truncated(toColumnCount: rect.columnCount - 6)
        guard !shownTitle.isEmpty else { return }
        put(" \(shownTitle) ", at: Position(column: rect.column + 2, row: top), titleStyle ?? style)
    }

    /// Draws on the edge of a frame to the right of `rect` which rows of a list are in sight, unless all are.
    package mutating func drawThumb(
        _ visible: Range<Int>,
        of count: Int,
        beside rect: Rect,
        _ style: CellStyle = CellStyle()
    ) {
        guard visible.count < count, !rect.isEmpty else { return }
        let length = max(1, rect.rowCount * visible.count / count)
        let start = (rect.rowCount - length) * visible.lowerBound / (count - visible.count)
        for row in rect.row + start..<rect.row + start + length {
            put("┃", at: Position(column: rect.columns.upperBound, row: row), style)
        }
    }

    /// The direction in which a bar grows.
    package enum BarDirection: Sendable {
        case right, up
    }

    /// Fills `fraction` of `rect`, to an eighth of a cell; the rest becomes blank.
    package mutating func drawBar(
        _ rect: Rect,
        fraction: Double,
        _ direction: BarDirection = .right,
        _ style: CellStyle = CellStyle()
    ) {
        let length = direction == .right ? rect.columnCount : rect.rowCount
        let eighths = Int((min(max(0, fraction.isNaN ? 0 : fraction), 1) * Double(length * 8)).rounded())
        for step in 0..<length {
            let filled = min(max(0, eighths - step * 8), 8)
            let block = (direction == .right ? Self.leftBlocks : Self.lowerBlocks)[filled]
            switch direction {
            case .right: for row in rect.rows { put(block, at: Position(column: rect.column + step, row: row), style) }
            case .up:
                let row = rect.rows.upperBound - 1 - step
                for column in rect.columns { put(block, at: Position(column: column, row: row), style) }
            }
        }
    }

    private static let leftBlocks = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]
    private static let lowerBlocks = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}
