internal import CofferBasics
internal import CofferScreen

// Boxes over the screen, in which the user answers.
extension Browser {
    /// Asks for a line of text; nil if the user gives none.
    func ask(_ question: String, _ said: String?, isSecret: Bool, text: String = "") throws -> HeldSecret? {
        var field =
            TextField(HeldSecret(copying: text.utf8Span.span), isMasked: isSecret) ?? TextField(isMasked: isSecret)
        while true {
            let event = try nextEvent { [state] grid in
                let said = said?.folded(toColumnCount: 56) ?? []
                let inside = state.drawBox("", rowCount: said.count + 2, on: &grid)
                var pen = LinePen(inside)
                for line in said { pen.line(line, on: &grid, state.styles.warning) }
                for line in question.folded(toColumnCount: inside.columnCount).prefix(1) {
                    pen.line(line, on: &grid, state.styles.bold)
                }
                let place = Rect(column: inside.column, row: pen.row, columnCount: inside.columnCount, rowCount: 1)
                return field.draw(on: &grid, in: place, state.styles.field)
            }
            switch event {
            case .key(.enter, _): return field.content
            case .key(.escape, _), .key(.character("c"), .control): return nil
            case .key(let key, let modifiers): _ = field.handle(key, modifiers)
            case .paste(let text?): _ = field.insert(text)
            default: break
            }
        }
    }

    /// Lets the user choose one of several lines; nil if the user chooses none.
    func choose(_ title: String, _ lines: [String], at start: Int = 0) throws -> Int? {
        var window = ListWindow()
        window.resize(count: lines.count, height: lines.count)
        window.select(start)
        while true {
            let event = try nextEvent { [state] grid in
                let inside = state.drawBox(title, rowCount: lines.count, on: &grid)
                window.resize(count: lines.count, height: inside.rowCount)
                for index in window.visible {
                    let row = inside.row + index - window.first
                    let place = Rect(column: inside.column, row: row, columnCount: inside.columnCount, rowCount: 1)
                    let style = index == window.selected ? state.styles.selected : state.styles.plain
                    grid.fill(place, style)
                    grid.put(lines[index].escapingInvisible, at: place.origin, in: place, style)
                }
                return nil
            }
            guard case .key(let key, let modifiers) = event else { continue }
            switch (key, modifiers) {
            case (.enter, _): return window.selected
            case (.escape, _), (.character("q"), []), (.character("c"), .control): return nil
            default: _ = window.handle(key)
            }
        }
    }

    /// Whether the user says yes.
    func confirm(_ question: String, yes: String) throws -> Bool {
        try choose(question, ["Cancel", yes]) == 1
    }

    /// Shows lines until a key is pressed, and scrolls through them.
    func show(_ title: String, _ lines: [(text: String, isHeading: Bool)]) throws {
        var first = 0
        while true {
            var height = 0
            let event = try nextEvent { [state] grid in
                let inside = state.drawBox(title, rowCount: lines.count, on: &grid)
                height = inside.rowCount
                var pen = LinePen(inside, scrolledBy: first)
                for line in lines {
                    pen.line(line.text, on: &grid, line.isHeading ? state.styles.bold : state.styles.plain)
                }
                return nil
            }
            guard case .key(let key, _) = event else { continue }
            let last = max(0, lines.count - height)
            switch key {
            case .down, .character("j"): first = min(first + 1, last)
            case .up, .character("k"): first = max(0, first - 1)
            case .pageDown, .character(" "): first = min(first + height, last)
            case .pageUp: first = max(0, first - height)
            default: return
            }
        }
    }

    /// Draws the progress of long work; the user stops it with Esc.
    func progressBox(_ name: String, _ fraction: Double) -> (inout Grid) -> Position? {
        { [state] grid in
            let inside = state.drawBox(name, rowCount: 3, on: &grid)
            var pen = LinePen(inside)
            let bar = Rect(column: inside.column, row: pen.row, columnCount: inside.columnCount - 6, rowCount: 1)
            grid.drawBar(bar, fraction: fraction, .right, state.styles.accent)
            let percent = "\(Int(min(max(0, fraction), 1) * 100)) %"
            grid.put(percent, at: Position(column: bar.columns.upperBound + 1, row: bar.row), in: inside)
            pen.skip()
            pen.skip()
            pen.line("Esc stops it; then nothing is changed", on: &grid, state.styles.faint)
            return nil
        }
    }
}

extension BrowserState {
    /// Draws an empty box in the middle of the screen, and returns its inside.
    func drawBox(_ title: String, rowCount: Int, on grid: inout Grid) -> Rect {
        let columnCount = min(grid.columnCount, 64)
        let height = min(grid.rowCount - 2, rowCount + 2)
        let box = Rect(
            column: (grid.columnCount - columnCount) / 2,
            row: max(1, (grid.rowCount - height) / 2),
            columnCount: columnCount,
            rowCount: height
        )
        grid.fill(box)
        grid.drawFrame(box, title: title, styles.accent)
        return box.inset(columnCount: 2, rowCount: 1)
    }
}

extension BrowserStyles {
    /// The style of a field in which the user types.
    var field: CellStyle { CellStyle(.underline) }
}

extension ListWindow {
    /// Moves the selection; returns false if the key does not.
    mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .up, .character("k"): move(by: -1)
        case .down, .character("j"): move(by: 1)
        case .pageUp: move(by: -max(1, height))
        case .pageDown: move(by: max(1, height))
        case .home, .character("g"): select(0)
        case .end, .character("G"): select(count - 1)
        default: return false
        }
        return true
    }
}
