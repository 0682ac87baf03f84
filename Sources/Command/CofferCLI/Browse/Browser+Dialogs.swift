internal import CofferBasics
internal import CofferScreen

// Boxes over the screen, in which the user answers.
extension Browser {
    /// Asks for a line of text, which Tab completes if it is a path; nil if the user gives none.
    func ask(
        _ question: String,
        _ said: String?,
        isSecret: Bool,
        completing completion: PathCompletion? = nil
    ) throws -> HeldSecret? {
        var names: [String] = []
        var field = TextField(isMasked: isSecret)
        while true {
            let event = try nextEvent { [state] grid in
                let width = state.boxWidth(on: grid)
                let said = said?.folded(toColumnCount: width) ?? []
                let question = question.replacing(text: state.path, with: state.shownPath).folded(toColumnCount: width)
                let list = names.joined(separator: "  ").escapingInvisible.folded(toColumnCount: width).prefix(6)
                let names = names.isEmpty ? [] : list
                let keys = [("Enter", isSecret ? "done" : "go on"), ("Esc", "cancel")]
                let inside = state.drawBox(
                    "",
                    rowCount: said.count + question.count + 1 + names.count,
                    keys + (completion == nil ? [] : [("Tab", "complete")]),
                    on: &grid
                )
                var pen = LinePen(inside)
                for line in said { pen.line(line, on: &grid, state.styles.warning) }
                for line in question { pen.line(line, on: &grid, state.styles.bold) }
                let place = Rect(column: inside.column, row: pen.row, columnCount: inside.columnCount, rowCount: 1)
                pen.skip()
                for line in names { pen.line(line, on: &grid, state.styles.faint) }
                return field.draw(on: &grid, in: place, state.styles.field)
            }
            if let completion, case .key(.tab, []) = event {
                let text: String
                (text, names) = completion.complete(field.text)
                field = TextField(HeldSecret(copying: text.utf8Span.span)) ?? field
                continue
            }
            names = []
            switch event {
            case .key(.enter, _):
                // Making a key of a passphrase takes a second.
                if isSecret {
                    try draw { [state] grid in
                        var pen = LinePen(state.drawBox("", rowCount: 1, on: &grid))
                        pen.line("one moment…", on: &grid, state.styles.faint)
                        return nil
                    }
                }
                return field.content
            case .key(.escape, _), .key(.character("c"), .control): return nil
            case .key(let key, let modifiers): _ = field.handle(key, modifiers)
            case .paste(let text?): _ = field.insert(text)
            default: break
            }
        }
    }

    /// Lets the user choose one of several lines; nil if the user chooses none.
    ///
    /// - Parameters:
    ///   - title: What is chosen.
    ///   - lines: The lines.
    ///   - start: The line that is selected at first.
    ///   - said: What the user should know before.
    ///   - letters: The keys that choose a line at once.
    /// - Returns: The index of the line.
    /// - Throws: `Browser.End` if the screen is left.
    func choose(
        _ title: String,
        _ lines: [String],
        at start: Int = 0,
        said: String? = nil,
        letters: String = ""
    ) throws -> Int? {
        var window = ListWindow()
        window.resize(count: lines.count, height: lines.count)
        window.select(start)
        while true {
            let event = try nextEvent { [state] grid in
                let width = state.boxWidth(on: grid)
                let said = said?.folded(toColumnCount: width) ?? []
                let title = title.folded(toColumnCount: width - 2)
                // The lines to choose from must stay in sight.
                let above = (title.count == 1 ? said : title + said).prefix(max(0, grid.rowCount - 4 - lines.count))
                let keys = [("↑↓", "choose"), ("Enter", "take"), ("Esc", "cancel")]
                let inside = state.drawBox(
                    title.count == 1 ? title[0] : "",
                    rowCount: above.count + lines.count,
                    keys,
                    on: &grid
                )
                var pen = LinePen(inside)
                for line in above { pen.line(line, on: &grid, state.styles.plain) }
                window.resize(count: lines.count, height: max(1, inside.rowCount - above.count))
                for index in window.visible {
                    let row = pen.row + index - window.first
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
            case (.character(let letter), []) where letters.unicodeScalars.contains(letter):
                return letters.unicodeScalars.enumerated().first { $0.element == letter }?.offset
            default: _ = window.handle(key)
            }
        }
    }

    /// Whether the user says yes.
    func confirm(_ question: String, yes: String, said: String? = nil) throws -> Bool {
        try choose(question, ["No (n)", "\(yes) (y)"], said: said, letters: "ny") == 1
    }

    /// Shows lines until a key is pressed, and scrolls through them.
    func show(_ title: String, _ lines: [(text: String, isHeading: Bool)]) throws {
        var first = 0
        while true {
            var height = 0
            let event = try nextEvent { [state] grid in
                let keys = [("↑↓", "scroll"), ("Esc", "close")]
                let inside = state.drawBox(title, rowCount: lines.count, keys, on: &grid)
                height = inside.rowCount
                // The screen may have become larger.
                first = min(first, max(0, lines.count - height))
                let edge = Rect(
                    column: inside.column,
                    row: inside.row,
                    columnCount: inside.columnCount + 1,
                    rowCount: height
                )
                grid.drawThumb(first..<first + height, of: lines.count, beside: edge, state.styles.accent)
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
            let inside = state.drawBox(name, rowCount: 3, [("Esc", "stop")], on: &grid)
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
    /// How wide the inside of a box is.
    func boxWidth(on grid: Grid) -> Int { min(grid.columnCount, 64) - 4 }

    /// Draws an empty box in the middle of the screen, and its keys at the bottom; returns its inside.
    func drawBox(_ title: String, rowCount: Int, _ keys: [(String, String)] = [], on grid: inout Grid) -> Rect {
        let bottom = Rect(column: 0, row: grid.rowCount - 1, columnCount: grid.columnCount, rowCount: 1)
        grid.fill(bottom)
        draw(keys, on: &grid, in: bottom)
        let columnCount = boxWidth(on: grid) + 4
        let height = min(grid.rowCount - 2, rowCount + 2)
        let box = Rect(
            column: (grid.columnCount - columnCount) / 2,
            // Below what is seen of a locked vault.
            row: max(1, outline == nil ? (grid.rowCount - height) / 2 : (grid.rowCount - height) * 2 / 3),
            columnCount: columnCount,
            rowCount: height
        )
        // The rows are cleared, since what is left of words beside a box looks like text of it.
        grid.fill(Rect(column: 0, row: box.row, columnCount: grid.columnCount, rowCount: box.rowCount))
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
    mutating func handle(_ key: PressedKey) -> Bool {
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
