internal import Coffer
internal import CofferBasics
internal import CofferScreen

/// The styles of the screen.
struct BrowserStyles {
    let accent: CellStyle
    let plain = CellStyle()
    let faint = CellStyle(foreground: .ansi(.brightBlack))
    let bold = CellStyle(.bold)
    let selected = CellStyle(.reverse)
    let danger = CellStyle(foreground: .ansi(.red), .bold)
    let fine = CellStyle(foreground: .ansi(.green))
    let warning = CellStyle(foreground: .ansi(.yellow))

    init(isLight: Bool) {
        accent = CellStyle(foreground: .ansi(isLight ? .blue : .cyan), .bold)
    }
}

extension BrowserState {
    private static let (leastColumnCount, leastRowCount) = (30, 8)

    var styles: BrowserStyles { BrowserStyles(isLight: isLight) }

    /// Draws everything, and returns the place of the cursor.
    mutating func draw(on grid: inout Grid, _ run: CommandRun) -> Position? {
        guard grid.columnCount >= Self.leastColumnCount, grid.rowCount >= Self.leastRowCount else {
            grid.put(
                "too small: \(Self.leastColumnCount)×\(Self.leastRowCount) is needed",
                at: Position(column: 0, row: 0)
            )
            return nil
        }
        let rows = grid.bounds.splitIntoRows([.fixed(1), .share(1), .fixed(1), .fixed(1)])
        // The message may need the lines above it.
        let text = (message?.text ?? "").replacing(path, with: shownPath)
        let lines = text.isEmpty ? [] : text.folded(toColumnCount: grid.columnCount - 2).prefix(4)
        drawTitle(on: &grid, in: rows[0])
        places = []
        var cursor: Position?
        if outline != nil {
            drawOutline(on: &grid, in: rows[1])
        } else {
            for (pane, rect) in panes(of: rows[1]) {
                places.append((pane, rect))
                switch pane {
                case .scopes: drawScopes(on: &grid, in: rect)
                case .items: cursor = drawItems(on: &grid, in: rect) ?? cursor
                case .details: drawDetails(on: &grid, in: rect, run)
                }
            }
        }
        if !lines.isEmpty {
            let place = Rect(
                column: 0,
                row: rows[3].row - lines.count,
                columnCount: grid.columnCount,
                rowCount: lines.count
            )
            grid.fill(place)
            for (offset, line) in lines.enumerated() {
                grid.put(" \(line)", at: Position(column: 0, row: place.row + offset), in: place, styles.bold)
            }
        } else if let missing {
            grid.put(" \(missing)", at: rows[2].origin, in: rows[2], styles.faint)
        }
        draw(keys, on: &grid, in: rows[3])
        return cursor
    }

    private func panes(of body: Rect) -> [(Pane, Rect)] {
        switch body.columnCount {
        case 96...:
            let parts = body.splitIntoColumns([.fixed(26), .share(5), .share(5)])
            return [(.scopes, parts[0]), (.items, parts[1]), (.details, parts[2])]
        case 64...:
            let panes: [Pane] = focus == .scopes ? [.scopes, .items] : [.items, .details]
            let parts = body.splitIntoColumns(focus == .scopes ? [.fixed(26), .share(1)] : [.share(4), .share(5)])
            return Array(zip(panes, parts))
        default: return [(focus, body)]
        }
    }

    private func drawTitle(on grid: inout Grid, in rect: Rect) {
        let style = CellStyle(foreground: styles.accent.foreground, [.bold, .reverse])
        grid.fill(rect, style)
        let right = outline != nil ? " locked " : vault == nil ? "" : isUnlocked ? " unlocked " : " locked "
        let name = " coffer  \(shownPath.escapingInvisible)"
        grid.put(
            name.truncated(toColumnCount: rect.columnCount - right.columnCount - 1),
            at: rect.origin,
            in: rect,
            style
        )
        grid.put(right, at: Position(column: rect.columnCount - right.columnCount, row: rect.row), in: rect, style)
    }

    private func frame(_ pane: Pane, _ title: String, on grid: inout Grid, in rect: Rect) -> Rect {
        let isFocused = focus == pane
        grid.drawFrame(
            rect,
            title: title,
            isFocused ? styles.accent : styles.faint,
            titleStyle: isFocused ? styles.accent : styles.bold
        )
        return rect.inset(columnCount: 1, rowCount: 1)
    }

    // MARK: - Groups and classes

    private mutating func drawScopes(on grid: inout Grid, in rect: Rect) {
        let inside = frame(.scopes, "Groups", on: &grid, in: rect)
        scopeWindow.resize(count: scopes.count, height: inside.rowCount)
        for index in scopeWindow.visible {
            let row = inside.row + index - scopeWindow.first
            let (scope, count) = scopes[index]
            let number = String(count)
            let isSelected = index == scopeWindow.selected
            let style = isSelected ? (focus == .scopes ? styles.selected : styles.bold) : styles.plain
            if isSelected, focus == .scopes {
                grid.fill(Rect(column: inside.column, row: row, columnCount: inside.columnCount, rowCount: 1), style)
            }
            let width = inside.columnCount - number.count - 2
            let title = scope.title.truncated(toColumnCount: width)
            grid.put(title, at: Position(column: inside.column, row: row), in: inside, style)
            let place = Position(column: inside.columns.upperBound - number.count, row: row)
            grid.put(number, at: place, in: inside, isSelected && focus == .scopes ? style : styles.faint)
        }
    }

    // MARK: - Items

    /// Draws the search and the items, and returns the place of the cursor while the user types.
    mutating func drawItems(on grid: inout Grid, in rect: Rect) -> Position? {
        let title = scope == .all ? "Items" : scope.title
        let inside = frame(.items, "\(title) (\(listed.count))", on: &grid, in: rect)
        let parts = inside.splitIntoRows([.fixed(1), .share(1)])
        var cursor: Position?
        grid.put("/", at: parts[0].origin, in: parts[0], styles.accent)
        let field = Rect(
            column: parts[0].column + 1,
            row: parts[0].row,
            columnCount: parts[0].columnCount - 1,
            rowCount: parts[0].rowCount
        )
        if isSearching || !query.text.isEmpty {
            let place = query.draw(on: &grid, in: field, isSearching ? styles.plain : styles.bold)
            if isSearching { cursor = place }
        } else {
            grid.put("search", at: field.origin, in: field, styles.faint)
        }
        itemWindow.resize(count: listed.count, height: parts[1].rowCount)
        guard !listed.isEmpty else {
            let text = query.text.isEmpty ? "no items yet: press a to add one" : "nothing matches"
            grid.put(text, at: parts[1].origin, in: parts[1], styles.faint)
            return cursor
        }
        for index in itemWindow.visible {
            let row = Rect(
                column: parts[1].column,
                row: parts[1].row + index - itemWindow.first,
                columnCount: parts[1].columnCount,
                rowCount: 1
            )
            draw(listed[index], isSelected: index == itemWindow.selected, on: &grid, in: row)
        }
        return cursor
    }

    private func draw(_ item: FoundItem, isSelected: Bool, on grid: inout Grid, in row: Rect) {
        let isMarked = isSelected && focus == .items
        let style = isMarked ? styles.selected : isSelected ? styles.bold : styles.plain
        if isMarked { grid.fill(row, style) }
        let parts = row.splitIntoColumns([.fixed(2), .share(3), .fixed(1), .share(2)])
        let faint = isMarked ? style : styles.faint
        grid.put(item.itemClass.letter, at: parts[0].origin, in: parts[0], faint)
        grid.put(item.title.truncated(toColumnCount: parts[1].columnCount), at: parts[1].origin, in: parts[1], style)
        let account = item.account.shown.truncated(toColumnCount: parts[3].columnCount)
        grid.put(account, at: parts[3].origin, in: parts[3], faint)
    }

    // MARK: - A vault that cannot be opened yet

    private func drawOutline(on grid: inout Grid, in rect: Rect) {
        guard let outline else { return }
        let lines = [
            ("size", ByteSize.text(outline.fileByteCount)), ("groups", String(outline.groupCount)),
            ("changes since the last compaction", String(outline.changeCount)),
            ("opens with", outline.slots.map { "\($0.kind)" }.joined(separator: ", ")),
            ("machines", String(outline.devices.count)),
        ]
        let box = Rect(
            column: max(0, (rect.columnCount - 60) / 2),
            row: rect.row + max(0, (rect.rowCount - lines.count - 4) / 3),
            columnCount: min(60, rect.columnCount),
            rowCount: min(rect.rowCount, lines.count + 4)
        )
        grid.drawFrame(box, title: "Locked", styles.accent)
        var pen = LinePen(box.inset(columnCount: 2, rowCount: 1))
        pen.skip()
        for (name, value) in lines { pen.fact(name, value, width: 36, on: &grid, styles) }
    }

    // MARK: - Keys

    /// Draws keys, as many as there is room for.
    func draw(_ keys: [(String, String)], on grid: inout Grid, in rect: Rect) {
        var column = rect.column + 1
        for (key, meaning) in keys {
            let width = key.columnCount + meaning.columnCount + 3
            guard column + width <= rect.columns.upperBound else { break }
            grid.put(key, at: Position(column: column, row: rect.row), in: rect, styles.accent)
            grid.put(meaning, at: Position(column: column + key.columnCount + 1, row: rect.row), in: rect)
            column += width
        }
    }

    /// The keys that matter most now.
    private var keys: [(String, String)] {
        if isSearching { return [("Enter", "done"), ("Esc", "clear"), ("↑↓", "move")] }
        // These come first, so that they are there on a narrow screen too.
        let first = [("?", "keys"), ("q", "quit")]
        if outline != nil { return first + [("Enter", "unlock"), ("o", "other vault")] }
        let general = first + (isLocked ? [("u", "unlock")] : [])
        switch focus {
        case .scopes: return general + [("↑↓", "choose"), ("Enter", "items"), ("Tab", "pane")]
        case .details:
            return general + [
                ("↑↓", "revision"), ("Space", "show"), ("x", "mark"), ("Enter", "compare"), ("r", "restore"),
                ("Tab", "pane"),
            ]
        case .items:
            guard selected != nil else { return general + [("/", "search"), ("a", "add"), ("Tab", "pane")] }
            guard scope != .deleted else { return general + [("z", "restore"), ("/", "search"), ("Tab", "pane")] }
            let secretKeys =
                hidesSecrets ? [] : [("Space", secret == nil ? "show" : "hide"), ("c", "copy")]
            return general + [("/", "search")] + secretKeys + [
                ("e", "edit"), ("a", "add"), ("d", "delete"), ("z", "undo"), ("Tab", "pane"),
            ]
        }
    }
}

extension KeychainClass {
    /// The letter of the class in lists.
    fileprivate var letter: String {
        switch self {
        case .genericPassword: "p"
        case .internetPassword: "w"
        case .certificate: "c"
        case .key, .identity: "k"
        }
    }
}
