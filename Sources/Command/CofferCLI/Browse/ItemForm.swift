internal import Coffer
internal import CofferBasics
internal import CofferScreen

/// The fields of a password in which the user types.
struct ItemForm {
    struct Field {
        /// What the field is for.
        enum Kind: Equatable {
            case attribute(AttributeName)
            case address
            case secret
        }

        let kind: Kind
        let title: String
        var field: TextField
    }

    private(set) var fields: [Field]
    private var index = 0
    let title: String
    /// The address of the item as the form shows it at first.
    private let formerAddress: String
    /// Whether the form has the secret, which must be one line of text.
    let hasSecret: Bool
    /// Why the form could not be stored.
    var problem: String?
    /// The secret that was generated last.
    private var generated: HeldSecret?
    /// Since when the secret is in sight.
    private var secretTime: UInt64?

    /// The form of a new password, or of an existing one.
    init(_ item: FoundItem?, secret: HeldSecret?) {
        func field(_ kind: Field.Kind, _ title: String, _ text: String) -> Field {
            let field = TextField(HeldSecret(copying: text.utf8Span.span)) ?? TextField()
            return Field(kind: kind, title: title, field: field)
        }
        func fields(_ names: AttributeName...) -> [Field] {
            names.map { name in
                let title = AttributeName.shown(name.rawValue, toPeople: true)
                return field(.attribute(name), title, item?.text(name)?.string ?? "")
            }
        }
        let address = item.map { ServerAddress(of: $0).text } ?? ""
        formerAddress = address
        let names =
            if let item, item.itemClass == .internetPassword {
                // Not every protocol has a scheme.
                ServerAddress(address)?.isServer(of: item) == true
                    ? [field(.address, "address", address)] : fields(.server, .protocol, .port, .path)
            } else {
                fields(.service) + (item == nil ? [field(.address, "address", address)] : [])
            }
        self.fields = names + fields(.account, .label, .itemDescription, .comment)
        let isLine = secret?.withSpan { bytes in !bytes.contains(UInt8(ascii: "\n")) } ?? true
        let last = isLine ? secret.map { TextField($0, isMasked: true) } ?? TextField(isMasked: true) : nil
        if let last { self.fields.append(Field(kind: .secret, title: "secret", field: last)) }
        hasSecret = last != nil
        title = item.map { "Edit \($0.service.shown)" } ?? "New password"
    }

    /// The attributes that are not empty; throws if the address is not valid.
    func attributes() throws -> [AttributeName: ItemValue?] {
        var attributes: [AttributeName: ItemValue?] = [:]
        for field in fields {
            let text = field.field.text
            switch field.kind {
            case .attribute(.port): attributes[.port] = .some(Int64(text).map { .integer($0) })
            case .attribute(let name): attributes[name] = .some(text.isEmpty ? nil : .string(text))
            case .address where text != formerAddress:
                guard let address = ServerAddress(text, withoutScheme: "https") else {
                    throw CommandError.usage("the address is not of the form https://example.com")
                }
                let password = address.password(account: "")
                for name in [AttributeName.server, .protocol, .port, .path] {
                    attributes[name] = .some(password.attributes[name])
                }
            case .address, .secret: break
            }
        }
        return attributes
    }

    /// The secret; meaningless if the form has none.
    var secret: HeldSecret { fields[fields.count - 1].field.content }

    /// Shows the secret for a while, or hides it.
    mutating func toggleSecret(at time: UInt64) {
        guard hasSecret else { return }
        fields[fields.count - 1].field.isMasked.toggle()
        secretTime = time
    }

    /// Puts a generated secret in its place.
    mutating func set(generated secret: HeldSecret) {
        guard hasSecret, let field = TextField(secret, isMasked: fields[fields.count - 1].field.isMasked) else {
            return
        }
        fields[fields.count - 1].field = field
        generated = secret
    }

    mutating func handle(_ event: InputEvent) {
        switch event {
        case .key(.down, _), .key(.tab, []), .key(.enter, _): index = (index + 1) % fields.count
        case .key(.up, _), .key(.tab, .shift): index = (index + fields.count - 1) % fields.count
        case .key(let key, let modifiers): _ = fields[index].field.handle(key, modifiers)
        case .paste(let text?): _ = fields[index].field.insert(text)
        default: break
        }
    }

    /// Whether the last field is selected, where Enter saves.
    var isAtEnd: Bool { index == fields.count - 1 }

    /// Draws the form, and returns the place of the cursor.
    mutating func draw(on grid: inout Grid, _ state: BrowserState, _ now: UInt64) -> Position? {
        if hasSecret, let secretTime, now - secretTime > Browser.secretNanoseconds {
            fields[fields.count - 1].field.isMasked = true
        }
        let note = problem ?? (hasSecret ? "" : "The secret is not one line of text; `coffer edit` changes it.")
        let notes = note.isEmpty ? [] : note.folded(toColumnCount: state.boxWidth(on: grid))
        var keys = [("Ctrl-S", "save"), ("Esc", "cancel"), ("Tab", "next field")]
        if hasSecret { keys += [("Ctrl-G", "generate")] }
        if hasSecret, !state.hidesSecrets { keys += [("Ctrl-T", "show the secret")] }
        let inside = state.drawBox(title, rowCount: fields.count + notes.count + 1, keys, on: &grid)
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
        if hasSecret, !state.hidesSecrets, inside.rows.contains(pen.row),
            let strength = generated == secret
                ? PasswordStrength(bits: SecretRecipe.usual.entropyBits) : PasswordStrength(ofPassword: secret)
        {
            let columnCount = min(20, inside.columnCount - width)
            let bar = Rect(column: inside.column + width, row: pen.row, columnCount: columnCount, rowCount: 1)
            let style = state.styles.style(of: strength)
            grid.drawBar(bar, fraction: strength.bits / 100, .right, style)
            let place = Position(column: bar.columns.upperBound + 1, row: pen.row)
            grid.put("\(strength.word), \(Int(strength.bits)) bits", at: place, in: inside, style)
        }
        pen.skip()
        for note in notes { pen.line(note, on: &grid, state.styles.warning) }
        return cursor
    }
}
