import CofferScreen
import TestSupport
import Testing

extension Grid {
    /// Whether each wide character, and nothing else, has an empty cell of its style after it.
    var isWellFormed: Bool {
        bounds.rows.allSatisfy { row in
            let cells = bounds.columns.map { self[Position(column: $0, row: row)] }
            return cells.indices.allSatisfy { index in
                let former = index > 0 ? cells[index - 1] : Cell?.none
                guard !cells[index].text.isEmpty else {
                    return former?.text.columnCount == 2 && former?.style == cells[index].style
                }
                return former?.text.columnCount != 2
            }
        }
    }
}

@Suite("Grids") struct GridTests {
    private static let bold = CellStyle(.bold)

    private static func grid(_ columnCount: Int, _ rowCount: Int = 1) -> Grid {
        Grid(columnCount: columnCount, rowCount: rowCount)
    }

    @Test func `text is drawn at its place with its style`() {
        var grid = Self.grid(10, 2)
        let end = grid.put("日本", at: Position(column: 3, row: 1), Self.bold)
        #expect(end == 7)
        #expect(grid.text == "\n   日本")
        #expect(grid[Position(column: 3, row: 1)].text == "日")
        #expect(grid[Position(column: 4, row: 1)].text == "")
        #expect(grid[Position(column: 4, row: 1)].style == Self.bold)
        #expect(grid[Position(column: 7, row: 1)].style == CellStyle())
    }

    @Test(arguments: [
        (-2, "cdefghij"), (6, "      abcd"), (10, ""), (-20, ""), (Int.min, ""), (Int.max, ""),
    ])
    func `text is cut at the edges of the grid`(column: Int, text: String) {
        var grid = Self.grid(10)
        grid.put("abcdefghij", at: Position(column: column, row: 0))
        #expect(grid.text == text)
        grid.put("hidden", at: Position(column: 0, row: 1))
        grid.put("hidden", at: Position(column: 0, row: -1))
        #expect(grid.text == text)
    }

    @Test(arguments: [
        (0, 4, 4, "││││"), (0, 4, 8, "┃┃││"), (4, 4, 8, "││┃┃"), (2, 4, 1000, "┃│││"), (996, 4, 1000, "│││┃"),
    ])
    func `the edge of a list shows which part of it is in sight`(first: Int, height: Int, count: Int, edge: String) {
        var grid = Self.grid(4, 6)
        grid.drawFrame(grid.bounds)
        grid.drawThumb(
            first..<first + height,
            of: count,
            beside: grid.bounds.inset(columnCount: 1, rowCount: 1)
        )
        #expect((1...4).map { grid[Position(column: 3, row: $0)].text }.joined() == edge)
    }

    @Test func `text is cut at the edges of a rectangle`() {
        var grid = Self.grid(10, 3)
        let clip = Rect(column: 2, row: 1, columnCount: 5, rowCount: 1)
        for row in 0..<3 { grid.put("0123456789", at: Position(column: 0, row: row), in: clip) }
        #expect(grid.text == "\n  23456\n")
    }

    @Test func `wide characters cut in half become blanks`() {
        var grid = Self.grid(8)
        grid.fill(grid.bounds, Self.bold)
        grid.put("日本語", at: Position(column: 0, row: 0), in: Rect(column: 1, columnCount: 4, rowCount: 1))
        #expect(grid.text == "  本")
        #expect(grid[Position(column: 0, row: 0)].style == Self.bold)
        #expect(grid[Position(column: 1, row: 0)].style == CellStyle())
        #expect(grid[Position(column: 4, row: 0)].style == CellStyle())
        #expect(grid[Position(column: 5, row: 0)].style == Self.bold)
    }

    @Test(arguments: [(0, "x 本"), (1, " x本"), (2, "日x"), (3, "日 x")])
    func `half of a wide character does not stay`(column: Int, text: String) {
        var grid = Self.grid(5)
        grid.put("日本", at: Position(column: 0, row: 0))
        grid.put("x", at: Position(column: column, row: 0))
        #expect(grid.text == text)
    }

    @Test func `filling blanks the other halves of wide characters`() {
        var grid = Self.grid(6)
        grid.put("日本語", at: Position(column: 0, row: 0))
        grid.fill(Rect(column: 1, columnCount: 4, rowCount: 9), Self.bold)
        #expect(grid.text == "")
        #expect(grid.isWellFormed)
        #expect(grid[Position(column: 5, row: 0)].style == CellStyle())
    }

    @Test func `characters without a column are left out`() {
        var grid = Self.grid(6)
        #expect(grid.put("\u{301}a\u{302}", at: Position(column: 0, row: 0)) == 1)
        #expect(grid[Position(column: 0, row: 0)].text == "a\u{302}")
    }

    @Test func `a frame has its title in the upper edge`() {
        var grid = Self.grid(12, 3)
        grid.drawFrame(grid.bounds, title: "Items", titleStyle: Self.bold)
        #expect(grid.text == "┌─ Items ──┐\n│          │\n└──────────┘")
        #expect(grid[Position(column: 3, row: 0)].style == Self.bold)
        #expect(grid[Position(column: 1, row: 0)].style == CellStyle())
    }

    @Test(arguments: [
        (11, "Passwords", "┌─ Pass… ─┐"), (7, "Items", "┌─ … ─┐"), (6, "Items", "┌────┐"), (2, "Items", "┌┐"),
        (1, "Items", ""), (0, "Items", ""), (13, "a\u{1B}[m", "┌─ a\\u{1B… ─┐"),
    ])
    func `a long title is cut`(columnCount: Int, title: String, top: String) {
        var grid = Self.grid(20, 2)
        grid.drawFrame(Rect(columnCount: columnCount, rowCount: 2), title: title)
        #expect(grid.text.split(separator: "\n").first ?? "" == top)
    }

    @Test func `a frame outside the grid is cut`() {
        var grid = Self.grid(4, 3)
        grid.drawFrame(Rect(column: -1, row: -1, columnCount: 4, rowCount: 3))
        #expect(grid.text == "  │\n──┘\n")
    }

    @Test(arguments: [
        (0.0, ""), (1, "████"), (0.5, "██"), (0.25, "█"), (1.0 / 32, "▏"), (0.3, "█▎"), (0.99, "████"), (0.9, "███▋"),
        (-1, ""), (7, "████"), (.nan, ""), (.infinity, "████"), (-.infinity, ""),
    ])
    func `a horizontal bar is exact to an eighth`(fraction: Double, text: String) {
        var grid = Self.grid(4)
        grid.put("xxxx", at: Position(column: 0, row: 0))
        grid.drawBar(grid.bounds, fraction: fraction)
        #expect(grid.text == text)
    }

    @Test(arguments: [(0.0, "\n"), (1, "██\n██"), (0.5, "\n██"), (0.75, "▄▄\n██"), (1.0 / 16, "\n▁▁")])
    func `a vertical bar grows from the bottom`(fraction: Double, text: String) {
        var grid = Self.grid(2, 2)
        grid.drawBar(grid.bounds, fraction: fraction, .up)
        #expect(grid.text == text)
    }

    @Test func `a grid has a bounded size`() {
        #expect(Grid(columnCount: 65535, rowCount: 65535).bounds == Rect(columnCount: 1000, rowCount: 500))
        #expect(Grid(columnCount: -1, rowCount: 5).bounds.isEmpty)
        #expect(Grid(columnCount: 0, rowCount: 0).text == "")
        #expect(Self.grid(1)[Position(column: 3, row: 0)].text == " ")
    }

    @Test(arguments: UInt64(0)..<50) func `cells are whole and harmless whatever is drawn`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var grid = Grid.random(using: &random)
        for _ in 0..<30 {
            grid.drawAtRandom(using: &random)
            #expect(grid.isWellFormed)
        }
        let scalars = grid.text.unicodeScalars
        #expect(!scalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
        #expect(!scalars.contains { $0.properties.isBidiControl })
    }
}
