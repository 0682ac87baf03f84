internal import Coffer
internal import CofferBasics
internal import CofferScreen
internal import CommandSystem

/// Lets the user choose one of several items on the whole screen, from the list of `browse`.
struct ItemPicker: ~Copyable {
    private let run: CommandRun
    private let terminal: any ScreenTerminal
    private var state = BrowserState()
    private var painter: Painter
    private var decoder = InputDecoder()

    /// Offers items, and lists at first those that match `text`.
    init(_ items: [FoundItem], searchingFor text: String, on terminal: any ScreenTerminal, of run: CommandRun) throws {
        self.run = run
        self.terminal = terminal
        painter = Painter(try run.colorDepth)
        state.take(items, deleted: [])
        state.query = TextField(HeldSecret(copying: text.utf8Span.span)) ?? TextField()
        (state.isSearching, state.isPicker) = (true, true)
        state.filter()
    }

    /// The item that the user takes.
    ///
    /// - Throws: `CommandError` with a signal if the user takes none.
    mutating func choose() throws -> FoundItem {
        try terminal.whole(farewell: ScreenSequence.leave) {
            try write(ScreenSequence.enter + ScreenSequence.backgroundQuery)
            while true {
                try draw()
                for event in try events() { if let item = try taken(by: event) { return item } }
            }
        }
    }

    /// Waits for input.
    private mutating func events() throws -> [InputEvent] {
        var buffer = SecretBuffer(byteCount: 4096)
        let pause = decoder.isPending ? Duration.milliseconds(40) : .seconds(60)
        switch try buffer.withMutableSpan({ bytes in try terminal.read(into: &bytes, within: pause) }) {
        case .bytes(let count): return buffer.withSpan { decoder.events(in: $0.extracting(..<count)) }
        case .nothing: return [decoder.flush()].compactMap(\.self)
        case .signal(let signal): throw CommandError.stopped("nothing was chosen", by: signal)
        case .end: throw CommandError.stopped("nothing was chosen", by: Interrupts.interrupt)
        }
    }

    /// Does what an event asks for, and returns the item if it takes one.
    private mutating func taken(by event: InputEvent) throws -> FoundItem? {
        switch event {
        case .key(.enter, _): return state.selected
        case .key(.escape, _), .key(.character("c"), .control):
            throw CommandError.stopped("nothing was chosen", by: Interrupts.interrupt)
        case .key(.character("l"), .control): painter.invalidate()
        case .key(.character("z"), .control):
            terminal.suspend()
            painter.invalidate()
            try write(ScreenSequence.enter)
        case .key(.character("n"), .control): state.itemWindow.move(by: 1)
        case .key(.character("p"), .control): state.itemWindow.move(by: -1)
        case .key(let key, _) where [.up, .down, .pageUp, .pageDown].contains(key): _ = state.itemWindow.handle(key)
        case .key(let key, let modifiers): if state.query.handle(key, modifiers) { filter() }
        case .paste(let text?): if state.query.insert(text) { filter() }
        case .background(let isLight): state.isLight = isLight
        case .paste, .mouse: break
        }
        return nil
    }

    private mutating func filter() {
        state.filter()
        state.itemWindow.select(0)
    }

    private mutating func draw() throws {
        let size = terminal.size
        var grid = Grid(columnCount: size.columns, rowCount: size.rows)
        // On a small screen the items come first.
        let rows = grid.bounds.splitIntoRows([.share(1), .fixed(size.rows < 8 ? 0 : 1)])
        let cursor = state.drawItems(on: &grid, in: rows[0], run)
        state.draw([("Enter", "take"), ("Esc", "cancel"), ("↑↓", "move")], on: &grid, in: rows[1])
        let bytes = painter.paint(grid, cursor: cursor)
        try bytes.withSpan { bytes in if bytes.count > 0 { try terminal.write(bytes) } }
    }

    private func write(_ bytes: [UInt8]) throws { try terminal.write(bytes.span) }
}
