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
            var pen = LinePen(grid.bounds)
            let text = "too small: \(Self.leastColumnCount)×\(Self.leastRowCount) is needed"
            for line in text.folded(toColumnCount: grid.columnCount) { pen.line(line, on: &grid, styles.plain) }
            return nil
        }
        let text = (message?.text ?? (listedCount > 0 ? progress : nil) ?? "").replacing(text: path, with: shownPath)
        let lines = text.isEmpty ? missing.map { [$0] } ?? [] : text.folded(toColumnCount: grid.columnCount - 2)
        let height = min(max(1, lines.count), 4)
        let rows = grid.bounds.splitIntoRows([.fixed(1), .share(1), .fixed(height), .fixed(1)])
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
                case .items: cursor = drawItems(on: &grid, in: rect, run) ?? cursor
                case .details: drawDetails(on: &grid, in: rect, run)
                }
            }
        }
        var pen = LinePen(rows[2].inset(columnCount: 1, rowCount: 0))
        let style = text.isEmpty ? styles.faint : styles.bold
        for line in lines.prefix(height) { pen.line(line, on: &grid, style) }
        draw(keys, on: &grid, in: rows[3])
        return cursor
    }

    private func panes(of body: Rect) -> [(Pane, Rect)] {
        switch body.columnCount {
        case 96...:
            let parts = body.splitIntoColumns([.fixed(22), .share(5), .share(5)])
            return [(.scopes, parts[0]), (.items, parts[1]), (.details, parts[2])]
        case 64...:
            let panes: [Pane] = focus == .scopes ? [.scopes, .items] : [.items, .details]
            let parts = body.splitIntoColumns(focus == .scopes ? [.fixed(22), .share(1)] : [.share(1), .share(1)])
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

    /// Draws the frame of a pane, with the key that leads to it, and returns its inside.
    func frame(_ pane: Pane, _ title: String, on grid: inout Grid, in rect: Rect, margin: Int = 1) -> Rect {
        let isFocused = focus == pane
        let key = pane == .scopes ? "1" : pane == .items ? "2" : "3"
        grid.drawFrame(
            rect,
            title: isPicker ? title : "\(key) \(title)",
            isFocused ? styles.accent : styles.faint,
            titleStyle: isFocused ? styles.accent : styles.bold
        )
        return rect.inset(columnCount: margin, rowCount: 1)
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
    mutating func drawItems(on grid: inout Grid, in rect: Rect, _ run: CommandRun) -> Position? {
        var title = "\(scope == .all ? "Items" : scope.title) (\(listedCount))"
        if !marks.isEmpty { title += ", \(marks.count) marked" }
        let inside = frame(.items, title, on: &grid, in: rect)
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
        itemWindow.resize(count: listedCount, height: parts[1].rowCount)
        guard listedCount > 0 else {
            let text = progress ?? (query.text.isEmpty ? "no items yet: press a to add one" : "nothing matches")
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
            draw(listed(index), isSelected: index == itemWindow.selected, on: &grid, in: row, run)
        }
        let style = focus == .items ? styles.accent : styles.faint
        grid.drawThumb(itemWindow.visible, of: listedCount, beside: parts[1], style)
        return cursor
    }

    private func draw(_ item: FoundItem, isSelected: Bool, on grid: inout Grid, in row: Rect, _ run: CommandRun) {
        let isMarked = marks.contains(item.reference)
        let isReversed = isSelected && focus == .items
        let style = isReversed ? styles.selected : isMarked ? styles.accent : isSelected ? styles.bold : styles.plain
        if isReversed { grid.fill(row, style) }
        // With the date where there is room for it or, in place of the account, where it gives the order.
        let isWide = row.columnCount >= 60
        let hasDate = isWide || isSortedByDate
        // The name has three fifths of the room, and each of the two what the other one leaves.
        let room = row.columnCount - (isWide ? 14 : 3)
        let (left, needed, share) = (room - item.title.columnCount, item.account.shown.columnCount, room * 2 / 5)
        let width = max(min(needed, share), min(left, max(needed, share)))
        let parts = row.splitIntoColumns([
            .fixed(2), .share(1), .fixed(1), .fixed(isWide || !hasDate ? width : 0), .fixed(isWide ? 1 : 0),
            .fixed(hasDate ? 10 : 0),
        ])
        let faint = isReversed ? style : styles.faint
        grid.put(isMarked ? "◆" : item.itemClass.letter, at: parts[0].origin, in: parts[0], isMarked ? style : faint)
        grid.put(item.title.truncated(toColumnCount: parts[1].columnCount), at: parts[1].origin, in: parts[1], style)
        let account = item.account.shown.truncated(toColumnCount: parts[3].columnCount)
        grid.put(account, at: parts[3].origin, in: parts[3], faint)
        guard hasDate else { return }
        let date = Timestamp.local(item.modified, run.context.secondsFromUTC).prefix(10)
        grid.put(String(date), at: parts[5].origin, in: parts[5], faint)
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
            row: rect.row + max(0, (rect.rowCount - lines.count - 4) / 8),
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
        case .scopes: return general + [("↑↓", "choose"), ("Enter", "items"), ("1 2 3", "pane")]
        case .details:
            return general + [
                ("↑↓", "revision"), ("Space", "show"), ("x", "mark"), ("Enter", "compare"), ("r", "restore"),
                ("1 2 3", "pane"),
            ]
        case .items:
            guard selected != nil else { return general + [("/", "search"), ("a", "add"), ("1 2 3", "pane")] }
            guard scope != .deleted else { return general + [("z", "restore"), ("/", "search"), ("1 2 3", "pane")] }
            guard marks.isEmpty else {
                return general + [
                    ("x", "mark"), ("m", "move"), ("d", "delete"), ("w", "export"), ("Esc", "unmark"),
                ]
            }
            // In the order in which they matter: a narrow screen has room for the first ones.
            let secretKeys = hidesSecrets ? [] : [("Space", secret == nil ? "show" : "hide"), ("c", "copy")]
            return general + [("/", "search")] + secretKeys + [
                ("e", "edit"), ("a", "add"), ("d", "delete"), ("z", "undo"), ("y", "copy…"), ("x", "mark"),
                ("m", "move"), ("n", "new secret"), ("s", "sort"), ("w", "vault"), ("1 2 3", "pane"),
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
