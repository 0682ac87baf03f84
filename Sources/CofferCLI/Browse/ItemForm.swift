internal import Coffer
internal import CofferBasics
internal import CofferScreen

/// The fields of a password in which the user types.
struct ItemForm {
    struct Field {
        let name: AttributeName?
        let title: String
        var field: TextField
    }

    private(set) var fields: [Field]
    private var index = 0
    let title: String

    /// The form of a new password, or of an existing one.
    init(_ item: FoundItem?, secret: HeldSecret?) {
        let names: [AttributeName]
        if item?.itemClass == .internetPassword {
            names = [.server, .protocol, .port, .path, .account, .label, .itemDescription, .comment]
        } else {
            names = [.service, .account, .label, .itemDescription, .comment]
        }
        fields = names.map { name in
            let text = item?.text(name)?.string ?? ""
            return Field(
                name: name,
                title: AttributeName.shown(name.rawValue),
                field: TextField(HeldSecret(copying: text.utf8Span.span)) ?? TextField()
            )
        }
        let field = secret.flatMap { TextField($0, isMasked: true) } ?? TextField(isMasked: true)
        fields.append(Field(name: nil, title: "secret", field: field))
        title = item.map { "Edit \($0.service.shown)" } ?? "New password"
    }

    /// The attributes, but for empty ones.
    var attributes: [AttributeName: ItemValue?] {
        var attributes: [AttributeName: ItemValue?] = [:]
        for field in fields {
            guard let name = field.name else { continue }
            let text = field.field.text
            guard name == .port else {
                attributes[name] = .some(text.isEmpty ? nil : .string(text))
                continue
            }
            attributes[name] = .some(Int64(text).map { .integer($0) })
        }
        return attributes
    }

    var secret: HeldSecret { fields[fields.count - 1].field.content }

    /// Puts a generated secret in its place.
    mutating func set(secret: HeldSecret) {
        guard let field = TextField(secret, isMasked: fields[fields.count - 1].field.isMasked) else { return }
        fields[fields.count - 1].field = field
    }

    mutating func handle(_ event: InputEvent) {
        switch event {
        case .key(.down, _), .key(.tab, []), .key(.enter, _): index = (index + 1) % fields.count
        case .key(.up, _), .key(.tab, .shift): index = (index + fields.count - 1) % fields.count
        case .key(.character("t"), .control): fields[fields.count - 1].field.isMasked.toggle()
        case .key(let key, let modifiers): _ = fields[index].field.handle(key, modifiers)
        case .paste(let text?): _ = fields[index].field.insert(text)
        default: break
        }
    }

    /// Whether the last field is selected, where Enter saves.
    var isAtEnd: Bool { index == fields.count - 1 }

    /// Draws the form, and returns the place of the cursor.
    mutating func draw(on grid: inout Grid, _ state: BrowserState) -> Position? {
        let inside = state.drawBox(title, rowCount: fields.count + 4, on: &grid)
        let width = min(14, inside.columnCount / 3)
        var cursor: Position?
        for number in fields.indices {
            let row = inside.row + number
            guard inside.rows.contains(row) else { break }
            let style = number == index ? state.styles.accent : state.styles.faint
            grid.put(fields[number].title, at: Position(column: inside.column, row: row), in: inside, style)
            let place = Rect(
                column: inside.column + width,
                row: row,
                columnCount: inside.columnCount - width,
                rowCount: 1
            )
            let position = fields[number].field.draw(on: &grid, in: place, state.styles.field)
            if number == index { cursor = position }
        }
        var pen = LinePen(inside)
        for _ in fields { pen.skip() }
        let strength = secret.bytes.withSpan { PasswordStrength($0) }
        let bar = Rect(
            column: inside.column + width,
            row: pen.row,
            columnCount: min(20, inside.columnCount - width),
            rowCount: 1
        )
        if secret.bytes.byteCount > 0, inside.rows.contains(pen.row) {
            let style = state.styles.style(of: strength)
            grid.drawBar(bar, fraction: strength.bits / 100, .right, style)
            let place = Position(column: bar.columns.upperBound + 1, row: pen.row)
            grid.put("\(strength.word), \(Int(strength.bits)) bits", at: place, in: inside, style)
        }
        pen.skip()
        pen.skip()
        pen.line("Ctrl-G generates   Ctrl-T shows the secret", on: &grid, state.styles.faint)
        pen.line("Enter next, at the end: save   Ctrl-S save   Esc cancel", on: &grid, state.styles.faint)
        return cursor
    }
}
