import CofferBasics
import CofferScreen
import TestSupport
import Testing

extension Painter {
    /// The bytes as text, with `\e` for ESC and `<LRM>` for the left-to-right mark.
    fileprivate mutating func text(_ grid: Grid, cursor: Position? = nil) -> String {
        String(decoding: array(grid, cursor: cursor), as: UTF8.self).unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\u{1B}": text += "\\e"
            case "\u{200E}": text += "<LRM>"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    fileprivate mutating func array(_ grid: Grid, cursor: Position? = nil) -> [UInt8] {
        paint(grid, cursor: cursor).withSpan { bytes in [UInt8](copying: bytes) }
    }
}

@Suite("The painter") struct PainterTests {
    private static let begin = "\\e[?2026h\\e[?25l"
    private static let end = "\\e[m\\e[?2026l"

    /// The bytes for the change from a blank grid of one row to one with `text`.
    private static func change(
        _ text: String,
        columnCount: Int = 20,
        _ style: CellStyle = CellStyle(),
        _ depth: ColorDepth = .full
    ) -> String {
        var grid = Grid(columnCount: columnCount, rowCount: 1)
        var painter = Painter(depth)
        _ = painter.paint(grid)
        grid.put(text, at: Position(column: 0, row: 0), style)
        return painter.text(grid)
    }

    @Test func `the first frame erases the screen`() {
        var painter = Painter(.full)
        let grid = Grid(columnCount: 3, rowCount: 2)
        #expect(painter.text(grid) == Self.begin + "\\e[m\\e[2J\\e[?2026l")
        #expect(painter.text(grid) == "")
    }

    @Test func `only changed cells are written`() {
        var grid = Grid(columnCount: 40, rowCount: 12)
        grid.put("secret", at: Position(column: 4, row: 1))
        var painter = Painter(.full)
        _ = painter.paint(grid)
        grid.put("sacred", at: Position(column: 4, row: 1))
        grid.put("!", at: Position(column: 0, row: 11))
        #expect(painter.text(grid) == Self.begin + "\\e[2;6H\\e[ma\\e[3Cd\\e[12;1H!" + Self.end)
    }

    @Test func `a size that changes and an unknown screen are redrawn`() {
        var painter = Painter(.full)
        var grid = Grid(columnCount: 3, rowCount: 1)
        grid.put("a", at: Position(column: 0, row: 0))
        let whole = Self.begin + "\\e[m\\e[2J\\e[1;1H\\e[ma" + Self.end
        #expect(painter.text(grid) == whole)
        painter.invalidate()
        #expect(painter.text(grid) == whole)
        grid = Grid(columnCount: 4, rowCount: 1)
        grid.put("a", at: Position(column: 0, row: 0))
        #expect(painter.text(grid) == whole)
    }

    @Test func `the cursor is placed, moved and hidden`() {
        var painter = Painter(.full)
        let grid = Grid(columnCount: 9, rowCount: 5)
        _ = painter.paint(grid)
        let place = Position(column: 7, row: 2)
        #expect(painter.text(grid, cursor: place) == Self.begin + "\\e[3;8H\\e[?25h\\e[?2026l")
        #expect(painter.text(grid, cursor: place) == "")
        #expect(painter.text(grid) == Self.begin + "\\e[?2026l")
    }

    @Test(arguments: [
        (CellStyle(), ""), (CellStyle(.bold), "0;1"), (CellStyle([.bold, .underline, .reverse]), "0;1;4;7"),
        (CellStyle([.dim, .italic]), "0;2;3"), (CellStyle(foreground: .ansi(.red)), "0;31"),
        (CellStyle(background: .ansi(.white)), "0;47"), (CellStyle(foreground: .ansi(.brightBlack)), "0;90"),
        (CellStyle(background: .ansi(.brightWhite)), "0;107"),
        (CellStyle(foreground: .rgb(1, 20, 255)), "0;38;2;1;20;255"),
        (CellStyle(foreground: .ansi(.blue), background: .rgb(0, 0, 0), .bold), "0;1;34;48;2;0;0;0"),
    ])
    func `a style is selected by its parameters`(style: CellStyle, parameters: String) {
        let end = Self.end
        #expect(Self.change("x", style) == Self.begin + "\\e[1;1H\\e[\(parameters)mx" + end)
    }

    @Test(arguments: [
        (Color.rgb(0, 0, 0), "40"), (.rgb(255, 255, 255), "107"), (.rgb(250, 10, 10), "101"), (.rgb(180, 20, 0), "41"),
        (.rgb(120, 130, 125), "100"), (.rgb(0, 200, 210), "46"), (.ansi(.green), "42"), (.default, ""),
    ])
    func `the nearest color of 16 is selected`(color: Color, parameter: String) {
        let parameters = parameter.isEmpty ? "" : "0;" + parameter
        let text = Self.change("x", CellStyle(background: color), .sixteen)
        #expect(text == Self.begin + "\\e[1;1H\\e[\(parameters)mx" + Self.end)
    }

    @Test func `without colors only bold, underlined and reversed text remains`() {
        let style = CellStyle(
            foreground: .ansi(.red),
            background: .rgb(1, 2, 3),
            [.bold, .dim, .italic, .underline, .reverse]
        )
        #expect(Self.change("x", style, .none) == Self.begin + "\\e[1;1H\\e[0;1;4;7mx" + Self.end)
    }

    @Test(arguments: [
        // The marks stand after each run, not within it and not at the end of the row.
        ("שלום", 20, "שלום<LRM>"), ("שלום", 4, "שלום"), ("a שלום b", 20, "a שלום<LRM> b"),
        ("שלום עולם", 20, "שלום עולם<LRM>"), ("מנכ\"ל", 20, "מנכ\"ל<LRM>"), ("אב  גד", 20, "אב<LRM>  גד<LRM>"),
        ("אב│גד", 20, "אב<LRM>│גד<LRM>"), ("אב 12", 20, "אב<LRM> 12"), ("مرحبا", 20, "مرحبا<LRM>"),
    ])
    func `a right-to-left run ends with a mark`(text: String, columnCount: Int, bytes: String) {
        let blanks = String(repeating: " ", count: columnCount - text.columnCount)
        #expect(Self.change(text, columnCount: columnCount) == Self.begin + "\\e[1;1H\\e[m" + bytes + blanks + Self.end)
    }

    @Test func `the cursor is set anew after characters of uncertain width`() {
        let text = Self.change("e\u{301}x", columnCount: 3)
        #expect(text == Self.begin + "\\e[1;1H\\e[me\u{301}\\e[1;2Hx " + Self.end)
        let emoji = Self.change("👍🏽x", columnCount: 4)
        #expect(emoji == Self.begin + "\\e[1;1H\\e[m  \\e[1;1H👍🏽\\e[1;3Hx " + Self.end)
        // In the last columns there is only its first code point.
        let last = Self.change("x👍🏽", columnCount: 3)
        #expect(last == Self.begin + "\\e[1;1H\\e[mx  \\e[1;2H👍" + Self.end)
        #expect(Self.change("日本", columnCount: 5) == Self.begin + "\\e[1;1H\\e[m日本" + Self.end)
    }

    @Test func `a row with such characters is written as a whole`() {
        var grid = Grid(columnCount: 6, rowCount: 1)
        grid.put("👍🏽 abc", at: Position(column: 0, row: 0))
        var painter = Painter(.full)
        _ = painter.paint(grid)
        grid.put("x", at: Position(column: 5, row: 0))
        #expect(painter.text(grid) == Self.begin + "\\e[1;1H\\e[m  \\e[1;1H👍🏽\\e[1;3H abx" + Self.end)
    }

    @Test(arguments: UInt64(0)..<100, TerminalModel.Counting.allCases)
    func `the terminal shows the last grid`(seed: UInt64, counting: TerminalModel.Counting) {
        var random = SeededGenerator(seed: seed)
        var painter = Painter(.full)
        var grid = Grid.random(using: &random)
        var terminal = TerminalModel(columnCount: grid.columnCount, rowCount: grid.rowCount, counting)
        for _ in 0..<15 {
            if Int.random(in: 0..<8, using: &random) == 0 {
                grid = Grid.random(using: &random)
                terminal = TerminalModel(columnCount: grid.columnCount, rowCount: grid.rowCount, counting)
            }
            for _ in 0..<Int.random(in: 0...5, using: &random) { grid.drawAtRandom(using: &random) }
            let cursor = Bool.random(using: &random) ? Position(column: 0, row: grid.rowCount - 1) : nil
            terminal.write(painter.array(grid, cursor: cursor))
            #expect(terminal.differences(from: grid) == [])
            #expect(terminal.unknownSequences == [])
            #expect(!terminal.isSynchronized)
            #expect(terminal.isCursorVisible == (cursor != nil))
            if let cursor { #expect(terminal.cursor == cursor) }
        }
    }

    @Test func `a change of one cell takes few bytes`() {
        var grid = Grid(columnCount: 200, rowCount: 60)
        for row in 0..<60 { grid.put(String(repeating: "text ", count: 40), at: Position(column: 0, row: row)) }
        var painter = Painter(.full)
        _ = painter.paint(grid)
        grid.put("X", at: Position(column: 150, row: 40), CellStyle(foreground: .rgb(200, 100, 50)))
        #expect(painter.array(grid).count < 64)
    }
}

@Suite("Screen sequences") struct ScreenSequenceTests {
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `what is turned on is turned off`() {
        let on = Self.text(ScreenSequence.enter + ScreenSequence.mouseOn)
        let off = Self.text(ScreenSequence.leave)
        for mode in ["?1049", "?2004", "?1000", "?1002", "?1006"] {
            #expect(on.contains("\u{1B}[\(mode)h"))
            #expect(off.contains("\u{1B}[\(mode)l"))
        }
        for mode in ["?25", "?7"] {
            #expect(on.contains("\u{1B}[\(mode)l"))
            #expect(off.contains("\u{1B}[\(mode)h"))
        }
        #expect(off.hasPrefix("\u{1B}[?2026l"))
    }

    @Test func `the alternate screen is erased just before it is left`() {
        #expect(Self.text(ScreenSequence.leave).hasSuffix("\u{1B}[m\u{1B}[2J\u{1B}[?7h\u{1B}[?1049l\u{1B}[?25h"))
    }

    @Test func `the background is asked for with OSC 11`() {
        #expect(Self.text(ScreenSequence.backgroundQuery) == "\u{1B}]11;?\u{1B}\\")
    }
}
