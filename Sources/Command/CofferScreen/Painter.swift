package import CofferBasics

/// Turns grids into the bytes that make a terminal show them.
///
/// The terminal must be as after `ScreenSequence.enter`.
package struct Painter {
    private let depth: ColorDepth
    /// What the terminal shows; without cells if that is not known.
    ///
    /// It is changed in place, so that no secret stays in memory when it is no longer displayed.
    private var shown = Grid(columnCount: 0, rowCount: 0)
    private var shownCursor: Position?

    package init(_ depth: ColorDepth) {
        self.depth = depth
    }

    /// Makes the next call of `paint` redraw everything, for a screen that others may have changed.
    package mutating func invalidate() { startOver(with: Grid(columnCount: 0, rowCount: 0)) }

    private mutating func startOver(with blank: Grid) {
        shown.clear()
        shown = blank
    }

    /// Returns the bytes that make the terminal show `grid`, and the cursor at `cursor` or nowhere.
    ///
    /// The caller must write all of them. There are none if the terminal already shows this. They are in wiped memory,
    /// since the grid may show a secret.
    package mutating func paint(_ grid: Grid, cursor: Position? = nil) -> HeldSecret {
        var output = TerminalOutput(depth)
        if shown.bounds != grid.bounds {
            startOver(with: Grid(columnCount: grid.columnCount, rowCount: grid.rowCount))
            output.begin()
            output.erase()
        }
        for row in grid.bounds.rows {
            let cells = grid.index(0, row)..<grid.index(0, row + 1)
            guard cells.contains(where: { grid.cells[$0] != shown.cells[$0] }) else { continue }
            output.begin()
            paint(row, of: grid, to: &output)
            shown.copy(cells, from: grid)
        }
        if cursor != shownCursor { output.begin() }
        output.end(cursor: cursor)
        shownCursor = cursor
        return output.bytes.held
    }

    private func paint(_ row: Int, of grid: Grid, to output: inout TerminalOutput) {
        // Terminals disagree about the place of what follows such characters in the row.
        let isWhole = grid.isUncertain(row)
        for column in grid.bounds.columns {
            let index = grid.index(column, row)
            let cell = grid.cells[index]
            guard !cell.text.isEmpty, isWhole || cell != shown.cells[index] else { continue }
            output.move(to: Position(column: column, row: row))
            output.select(cell.style)
            let columnCount = grid.columnCount(at: index)
            let isLast = column + columnCount == grid.columnCount
            if !cell.hasUncertainWidth {
                output.write(cell.text, columnCount)
            } else {
                // In the last column, tmux would join marks to the character before it.
                let text = isLast ? String(cell.text.unicodeScalars.prefix(1)) : cell.text
                output.writeUncertain(text, columnCount)
            }
            if grid.endsRightToLeft(index), !isLast { output.writeLeftToRightMark() }
        }
    }
}

// Terminals do not agree on two kinds of text.
//
// Emoji that are joined, modified or new, and letters with marks, take more or fewer columns than a grid gives them. So
// the painter sets the cursor anew after each.
//
// Hebrew and Arabic are displayed from right to left by some terminals (VTE, Konsole, kitty), together with what lies
// between two such words, such as the line between two columns. Others (xterm, tmux, the Linux console) reorder nothing.
// `CSI 8 l` turns reordering off, but only few terminals know it, tmux does not pass it on, and letters would be in the
// wrong order. So the painter writes a left-to-right mark after each run of such characters: runs stay readable, and
// everything else stays in its place. The mark has no width anywhere, not even in the Linux console, which displays
// isolating controls as characters. One blank or other character of ASCII does not end a run, so that phrases stay
// whole: separate columns by two blanks or a line.
extension Grid {
    /// Whether the row has a character of either kind.
    fileprivate func isUncertain(_ row: Int) -> Bool {
        cells[index(0, row)..<index(0, row + 1)].contains { $0.hasUncertainWidth || $0.isRightToLeft }
    }

    /// Whether a run of right-to-left characters ends at `index`.
    fileprivate func endsRightToLeft(_ index: Int) -> Bool {
        guard cells[index].isRightToLeft else { return false }
        let following = cells[(index + 1)..<min(index + 3, (index / columnCount + 1) * columnCount)]
        guard let next = following.first, !next.isRightToLeft else { return false }
        guard let byte = next.text.utf8.first, byte < 0x80, let last = following.dropFirst().first else { return true }
        return !last.isRightToLeft
    }
}

extension Cell {
    /// Whether terminals disagree about the columns of the character.
    fileprivate var hasUncertainWidth: Bool {
        guard text.utf8.count > 1, let scalar = text.unicodeScalars.first else { return false }
        guard text.utf8.count == UTF8.width(scalar) else { return true }
        // Ideographs, kana and Hangul have always been wide; many emoji and symbols became wide.
        switch scalar.value {
        case 0x2E80...0x4DBF, 0x4E00...0xFFFF, 0x20000...: return false
        default: return scalar.columnCount == 2
        }
    }

    fileprivate var isRightToLeft: Bool {
        text.utf8.count > 1 && text.unicodeScalars.first?.isRightToLeft ?? false
    }
}

/// The bytes for one frame, and the state in which they leave the terminal.
private struct TerminalOutput {
    let bytes = SecretBuilder()
    private let depth: ColorDepth
    private var hasBegun = false
    private var position: Position?
    private var style: CellStyle?

    init(_ depth: ColorDepth) {
        self.depth = depth
    }

    private func control(_ sequence: String) {
        bytes.append("\u{1B}[".utf8)
        bytes.append(sequence.utf8)
    }

    /// Begins the frame if that has not happened: the terminal shows it as a whole, without a cursor on its way.
    mutating func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        control("?2026h")
        control("?25l")
    }

    mutating func erase() {
        control("m")
        control("2J")
    }

    /// Ends the frame if it has begun.
    ///
    /// No style stays selected: a terminal that grows would fill its new cells with it.
    func end(cursor: Position?) {
        guard hasBegun else { return }
        if style != nil { control("m") }
        if let cursor {
            control("\(cursor.row + 1);\(cursor.column + 1)H")
            control("?25h")
        }
        control("?2026l")
    }

    mutating func move(to place: Position) {
        guard place != position else { return }
        if let position, position.row == place.row, position.column < place.column {
            control("\(place.column - position.column)C")
        } else {
            control("\(place.row + 1);\(place.column + 1)H")
        }
        position = place
    }

    mutating func select(_ style: CellStyle) {
        guard style != self.style else { return }
        control(style.parameters(for: depth) + "m")
        self.style = style
    }

    mutating func write(_ text: String, _ columnCount: Int) {
        bytes.append(text.utf8)
        position?.column += columnCount
    }

    /// Writes a character that may take another number of columns, over blanks if it may take fewer.
    mutating func writeUncertain(_ text: String, _ columnCount: Int) {
        if columnCount == 2, let place = position {
            write("  ", columnCount)
            move(to: place)
        }
        write(text, columnCount)
        position = nil
    }

    func writeLeftToRightMark() {
        bytes.append("\u{200E}".utf8)
    }
}
