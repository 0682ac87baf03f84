import CofferScreen

/// A terminal that knows the sequences of `Painter`, from ECMA-48 and xterm's documentation.
struct TerminalModel {
    /// How a terminal counts the columns of emoji and of characters with marks.
    enum Counting: CaseIterable {
        /// As grids do.
        case likeGrids
        /// Each code point on its own, like xterm and tmux.
        case codePoints
        /// As before emoji were wide.
        case narrowEmoji
    }

    struct Cell: Equatable {
        /// Empty in the right half of a wide character.
        var text = " "
        var style = CellStyle()
    }

    private let counting: Counting
    private(set) var cells: [[Cell]]
    private(set) var cursor = Position(column: 0, row: 0)
    private(set) var isCursorVisible = true
    private(set) var isSynchronized = false
    private(set) var unknownSequences: [String] = []
    private var style = CellStyle()
    private let columnCount: Int

    init(columnCount: Int, rowCount: Int, _ counting: Counting = .likeGrids) {
        self.counting = counting
        self.columnCount = columnCount
        // Something is on the screen before the program paints.
        cells = Array(repeating: Array(repeating: Cell(text: "?"), count: columnCount), count: rowCount)
    }

    mutating func write(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return unknownSequences.append("not UTF-8") }
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            if scalar == "\u{1B}" {
                var sequence = ""
                while let next = scalars.next() {
                    sequence.unicodeScalars.append(next)
                    if next.value >= 0x40, next != "[" { break }
                }
                control(sequence)
            } else if scalar.properties.generalCategory == .control {
                unknownSequences.append("a control")
            } else if scalar != "\u{200E}" {
                put(scalar)
            }
        }
    }

    // MARK: - Sequences

    private mutating func control(_ sequence: String) {
        let numbers = sequence.dropFirst().dropLast().split(separator: ";").compactMap { Int($0) }
        switch (sequence.first, sequence.last, sequence) {
        case (_, _, "[?2026h"): isSynchronized = true
        case (_, _, "[?2026l"): isSynchronized = false
        case (_, _, "[?25h"): isCursorVisible = true
        case (_, _, "[?25l"): isCursorVisible = false
        case (_, _, "[2J"):
            let blank = Cell(style: CellStyle(background: style.background))
            cells = cells.map { $0.map { _ in blank } }
        case ("[", "H", _) where numbers.count == 2: cursor = Position(column: numbers[1] - 1, row: numbers[0] - 1)
        case ("[", "C", _) where numbers.count == 1: cursor.column = min(cursor.column + numbers[0], columnCount - 1)
        case ("[", "m", _): select(numbers)
        default: unknownSequences.append(sequence)
        }
    }

    private mutating func select(_ numbers: [Int]) {
        var rest = (numbers.isEmpty ? [0] : numbers)[...]
        while let number = rest.popFirst() {
            switch number {
            case 0: style = CellStyle()
            case 1: style.attributes.insert(.bold)
            case 2: style.attributes.insert(.dim)
            case 3: style.attributes.insert(.italic)
            case 4: style.attributes.insert(.underline)
            case 7: style.attributes.insert(.reverse)
            case 30...38, 90...97: style.foreground = color(number - 30, &rest)
            case 40...48, 100...107: style.background = color(number - 40, &rest)
            default: unknownSequences.append("SGR \(number)")
            }
        }
    }

    private mutating func color(_ number: Int, _ rest: inout ArraySlice<Int>) -> Color {
        guard number == 8 else {
            return AnsiColor(rawValue: UInt8(number < 8 ? number : number - 52)).map { .ansi($0) } ?? .default
        }
        let values = rest.prefix(4).compactMap { UInt8(exactly: $0) }
        rest = rest.dropFirst(4)
        guard values.count == 4, values[0] == 2 else { return .default }
        return .rgb(values[1], values[2], values[3])
    }

    // MARK: - Characters

    private mutating func put(_ scalar: Unicode.Scalar) {
        if let former = formerColumn {
            let joined = cells[cursor.row][former].text + String(scalar)
            if counting == .likeGrids ? joined.count == 1 : columns(of: scalar) == 0 {
                cells[cursor.row][former].text = joined
                let width = counting == .likeGrids ? joined.columnCount : 1
                if width == 2, cursor.column == former + 1 { advance(over: cursor.column, text: "") }
                return
            }
        }
        let width = columns(of: scalar)
        // Without a place for both halves, half a character is displayed.
        let isCut = cursor.column + width > columnCount
        let column = cursor.column
        advance(over: column, text: isCut ? " " : String(scalar))
        if width == 2, !isCut { advance(over: column + 1, text: "") }
    }

    /// Where the character before the cursor begins; after the last column, the cursor stays in it.
    private var formerColumn: Int? {
        guard cursor.column > 0 else { return nil }
        let former = cursor.column - 1
        return cells[cursor.row][former].text.isEmpty ? former - 1 : former
    }

    private mutating func advance(over column: Int, text: String) {
        if !text.isEmpty, cells[cursor.row][column].text.isEmpty { cells[cursor.row][column - 1].text = " " }
        if column + 1 < columnCount, cells[cursor.row][column + 1].text.isEmpty {
            cells[cursor.row][column + 1].text = " "
        }
        cells[cursor.row][column] = Cell(text: text, style: style)
        cursor.column = min(column + 1, columnCount - 1)
    }

    private func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.properties.isEmojiPresentation, counting == .narrowEmoji { return 1 }
        if EastAsianWidth.wide.contains(scalar.value) { return 2 }
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }
}

extension TerminalModel {
    /// What differs from the grid, except the looks of characters about whose columns terminals disagree.
    func differences(from grid: Grid) -> [String] {
        grid.bounds.rows.flatMap { row in
            grid.bounds.columns.compactMap { column in
                let (expected, shown) = (grid[Position(column: column, row: row)], cells[row][column])
                let isSame = expected.style == shown.style && isSame(expected.text, shown.text, column)
                return isSame ? nil : "\(column), \(row): \(expected.text) is \(shown.text)"
            }
        }
    }

    private func isSame(_ expected: String, _ shown: String, _ column: Int) -> Bool {
        if expected == shown { return true }
        // Something of the character before, which takes fewer or more columns here.
        if expected.isEmpty { return counting != .likeGrids || column == columnCount - 1 }
        let isInLastColumn = column + expected.columnCount == columnCount
        guard counting != .likeGrids || isInLastColumn, expected.unicodeScalars.count > 1 else { return false }
        return expected.unicodeScalars.first == shown.unicodeScalars.first
    }
}
