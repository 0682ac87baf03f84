import CofferScreen
import TestSupport
import Testing

@Suite("Rectangles") struct RectTests {
    private static let screen = Rect(column: 2, row: 1, columnCount: 80, rowCount: 24)

    @Test func `fixed parts keep their size and shares fill the rest`() {
        let parts = Self.screen.splitIntoColumns([.fixed(20), .share(1), .share(2)])
        #expect(parts.map(\.columns) == [2..<22, 22..<42, 42..<82])
        #expect(parts.allSatisfy { $0.rows == 1..<25 })
        let rows = Self.screen.splitIntoRows([.fixed(1), .share(1), .fixed(2)])
        #expect(rows.map(\.rows) == [1..<2, 2..<23, 23..<25])
        #expect(rows.allSatisfy { $0.columns == 2..<82 })
    }

    @Test func `fixed parts get what is left, the first ones first`() {
        let parts = Self.screen.splitIntoRows([.fixed(20), .share(1), .fixed(10), .fixed(5)])
        #expect(parts.map(\.rowCount) == [20, 0, 4, 0])
        #expect(parts.last?.row == 25)
    }

    @Test(arguments: UInt64(0)..<50) func `parts are adjacent and fill the rectangle`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 0...300, using: &random)
        let parts = (0..<Int.random(in: 1...8, using: &random)).map { _ -> Rect.Part in
            Bool.random(using: &random)
                ? .fixed(Int.random(in: -2...100, using: &random)) : .share(Int.random(in: 0...5, using: &random))
        }
        let columns = Rect(column: 7, columnCount: count, rowCount: 1).splitIntoColumns(parts).map(\.columns)
        #expect(columns.count == parts.count && columns[0].lowerBound == 7)
        for (left, right) in zip(columns, columns.dropFirst()) { #expect(left.upperBound == right.lowerBound) }
        let hasShare = parts.contains { if case .share(let share) = $0 { share > 0 } else { false } }
        if hasShare { #expect(columns.last?.upperBound == 7 + count) }
    }

    @Test func `an intersection is what both contain`() {
        let other = Rect(column: -5, row: 20, columnCount: 10, rowCount: 100)
        #expect(Self.screen.intersection(other) == Rect(column: 2, row: 20, columnCount: 3, rowCount: 5))
        #expect(Self.screen.intersection(Rect(column: 200, columnCount: 5, rowCount: 5)).isEmpty)
    }

    @Test func `an inset removes the margin`() {
        let inset = Self.screen.inset(columnCount: 2, rowCount: 1)
        #expect(inset == Rect(column: 4, row: 2, columnCount: 76, rowCount: 22))
        #expect(Rect(columnCount: 3, rowCount: 3).inset(columnCount: 2, rowCount: 1).isEmpty)
        #expect(Rect(columnCount: -1, rowCount: 5).isEmpty)
    }

    @Test func `a rectangle contains its corners`() {
        #expect(Self.screen.contains(Self.screen.origin))
        #expect(Self.screen.contains(Position(column: 81, row: 24)))
        #expect(!Self.screen.contains(Position(column: 82, row: 24)))
        #expect(!Self.screen.contains(Position(column: 81, row: 0)))
    }
}

@Suite("List windows") struct ListWindowTests {
    private static func window(_ count: Int, _ height: Int, selecting row: Int = 0) -> ListWindow {
        var window = ListWindow()
        window.resize(count: count, height: height)
        window.select(row)
        return window
    }

    @Test func `a new list shows its beginning`() {
        let window = Self.window(100, 10)
        #expect(window.selected == 0)
        #expect(window.visible == 0..<10)
    }

    @Test func `the list scrolls only when the selection leaves the window`() {
        var window = Self.window(100, 10, selecting: 9)
        #expect(window.visible == 0..<10)
        window.move(by: 1)
        #expect(window.visible == 1..<11)
        window.move(by: -9)
        #expect(window.visible == 1..<11)
        window.move(by: -1)
        #expect(window.visible == 0..<10)
    }

    @Test(arguments: [(5, 5), (-3, 0), (1000, 99), (Int.max, 99), (Int.min, 0)])
    func `a selection outside the list becomes the nearest row`(row: Int, selected: Int) {
        #expect(Self.window(100, 10, selecting: row).selected == selected)
        var window = Self.window(100, 10)
        window.move(by: row)
        #expect(window.selected == selected)
    }

    @Test func `a list that shrinks keeps a selection and fills the window`() {
        var window = Self.window(100, 10, selecting: 99)
        window.resize(count: 50, height: 10)
        #expect(window.selected == 49)
        #expect(window.visible == 40..<50)
        window.resize(count: 50, height: 30)
        #expect(window.visible == 20..<50)
        window.resize(count: 0, height: 30)
        #expect(window.selected == nil)
        #expect(window.visible.isEmpty)
    }

    @Test(arguments: UInt64(0)..<50) func `the selection is visible whatever happens`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var window = ListWindow()
        for _ in 0..<100 {
            let number = Int.random(in: -30...30, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: window.move(by: number)
            case 1: window.select(number)
            default: window.resize(count: number, height: Int.random(in: -1...20, using: &random))
            }
            #expect(window.visible.count == min(window.count, window.height))
            guard let selected = window.selected else { continue }
            #expect((0..<window.count).contains(selected))
            #expect(window.visible.contains(selected) || window.height == 0)
        }
    }
}
