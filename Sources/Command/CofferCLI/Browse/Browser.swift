internal import Coffer
internal import CofferBasics
internal import CofferScreen
internal import CommandSystem
internal import VaultFiles

/// The full-screen view of a vault: its events, its time and its terminal.
///
/// What is on the screen is in `BrowserState`; the other files of this folder draw it and do what the keys ask for.
final class Browser {
    /// Why the screen is left.
    enum End: Error {
        case quit
        case signal(Int32)
        /// The vault was locked: what the user was doing is given up, but the screen stays.
        case locked
    }

    /// How long a secret is shown.
    static let secretNanoseconds: UInt64 = 20_000_000_000
    /// How long a message stays.
    private static let messageNanoseconds: UInt64 = 6_000_000_000
    /// How often the vault is looked at for changes of others.
    private static let pause = Duration.milliseconds(200)
    /// How long a key that begins with ESC may take to arrive.
    private static let keyPause = Duration.milliseconds(40)

    let options: BrowserOptions
    /// The run whose questions and messages appear on the screen.
    private(set) var run: CommandRun
    var state = BrowserState()
    private let outer: CommandRun
    private let terminal: any ScreenTerminal
    let conversation = ScreenConversation()
    private var painter: Painter
    private var grid = Grid(columnCount: 0, rowCount: 0)
    private var decoder = InputDecoder()
    private var events: [InputEvent] = []
    private var lastInput: UInt64
    private var changes: VaultChanges?
    /// Whether items were forgotten whose texts are still on the screen and in released memory.
    private var hasForgotten = false
    /// Whether the vault was locked, so that its passphrase is asked for next.
    var hasLocked = false
    /// The items that were deleted or moved together, as long as nothing else has changed: what `z` undoes.
    var justDone: [FoundItem] = []
    /// The revisions that `z` has made.
    var undone: [(PersistentReference, ItemRevision)] = []
    /// Why reading was given up.
    private var end: (any Error)?
    /// When the screen was drawn last.
    var drawnTime: UInt64 = 0

    init(_ run: CommandRun, on terminal: any ScreenTerminal, _ options: BrowserOptions) throws {
        outer = run
        self.terminal = terminal
        self.options = options
        painter = Painter(options.depth)
        lastInput = run.context.time.monotonicNanoseconds()
        self.run = run
        state.hidesSecrets = options.hidesSecrets
        conversation.browser = self
        try use(vault: nil)
    }

    /// Uses another vault, or the one that the command line names.
    func use(vault path: String?) throws {
        var context = outer.context
        context.arguments = path.map { ["--vault", $0] } ?? []
        context.input = EmptyInput(isTerminal: false)
        context.output = conversation
        context.errors = conversation
        context.openTerminal = { [conversation] in conversation }
        run = try CommandRun(line: context, of: outer, output: Output(conversation), messages: Messages(conversation))
        run.screen = self
        changes = nil
        forget()
    }

    /// Forgets the items of the vault.
    func forget() {
        state.forget()
        justDone = []
        hasForgotten = true
    }

    private func overwriteForgotten() throws {
        hasForgotten = false
        try draw()
        FreeMemory.overwrite()
    }

    /// Runs a verb, or what is to be done in its place; its questions and output appear on the screen.
    func perform(_ words: [String], _ body: (CommandRun) throws -> Void = { try $0.perform() }) throws {
        var context = run.context
        context.arguments = words
        let line = try CommandRun(line: context, of: run)
        defer { try? run.output.flush() }
        try body(line)
        run.interruption = line.interruption
    }

    var now: UInt64 { run.context.time.monotonicNanoseconds() }

    /// Shows the screen until the user leaves it, and returns the signal that ended it, if one did.
    func perform() throws -> Int32? {
        try terminal.whole(farewell: ScreenSequence.leave) {
            try write(ScreenSequence.enter + ScreenSequence.mouseOn + ScreenSequence.backgroundQuery)
            do {
                try open()
                while true {
                    do { try handle(nextEvent()) } catch End.locked {}
                    if hasForgotten { try overwriteForgotten() }
                    if hasLocked {
                        hasLocked = false
                        try open()
                    }
                }
            } catch End.quit {
                return nil
            } catch End.signal(let signal) {
                return signal
            }
        }
    }

    // MARK: - Events

    /// Draws the screen, and waits for the next event.
    ///
    /// - Parameter dialog: What is drawn over the screen, which returns the place of the cursor.
    /// - Returns: The event.
    /// - Throws: `End` if the screen must be left.
    func nextEvent(_ dialog: (inout Grid) -> Position? = { _ in nil }) throws -> InputEvent {
        while true {
            if !events.isEmpty { return events.removeFirst() }
            try draw(dialog)
            try wait(for: decoder.isPending ? Self.keyPause : Self.pause)
            try attend()
        }
    }

    /// Forgets what was typed during something that took long, since it was not meant for what is shown after it.
    func dropInput() throws {
        try wait(for: .zero)
        events = []
    }

    /// Shows how far reading is, at most ten times a second, and returns false if the user leaves the screen meanwhile.
    ///
    /// Other keys are handled when reading has ended.
    func isReading(_ text: String, atOnce: Bool = false) -> Bool {
        guard atOnce || now - drawnTime > 100_000_000 else { return end == nil }
        state.progress = text
        do {
            try draw()
            try wait(for: .zero)
            if events.contains(where: { if case .key(.character("c"), .control) = $0 { true } else { false } }) {
                throw End.quit
            }
        } catch {
            end = error
        }
        return end == nil
    }

    /// Throws if the user has left the screen while something was read.
    func checkEnd() throws {
        defer { end = nil }
        if let end { throw end }
    }

    /// Whether the user has asked to stop long work.
    func isStopped(_ dialog: (inout Grid) -> Position?) -> Bool {
        try? draw(dialog)
        try? wait(for: .zero)
        let isStopped = events.contains { event in
            if case .key(.escape, _) = event { return true }
            if case .key(.character("c"), .control) = event { return true }
            return false
        }
        events = []
        return isStopped || run.interruption != nil
    }

    private func wait(for timeout: Duration) throws {
        var buffer = SecretBuffer(byteCount: 4096)
        let input = try buffer.withMutableSpan { bytes in try terminal.read(into: &bytes, within: timeout) }
        switch input {
        case .bytes(let count):
            lastInput = now
            buffer.withSpan { events += decoder.events(in: $0.extracting(..<count)) }
        case .nothing: if let event = decoder.flush() { events.append(event) }
        case .signal(let signal): throw End.signal(signal)
        case .end: throw End.quit
        }
    }

    /// Does what is due: hides the secret, locks the vault, shows what others have changed.
    private func attend() throws {
        if let time = state.secretTime, now - time > Self.secretNanoseconds { state.hideSecret() }
        if let time = state.message?.time, now - time > Self.messageNanoseconds { state.message = nil }
        let limit = UInt64(options.lockMinutes) * 60_000_000_000
        if limit > 0, state.isUnlocked, now - lastInput > limit, (try? run.vaults.takesSecret()) == true {
            try lock()
            throw End.locked
        }
        guard state.vault != nil, hasOthersChanges else { return }
        do {
            try reload()
        } catch let end as End {
            throw end
        } catch {}
    }

    /// Whether the vault has changed since the last call.
    var hasOthersChanges: Bool { (try? changes?.next(timeout: .zero)) == true }

    /// Begins to look for changes of other processes.
    func watch(_ vault: Vault) { if changes == nil { changes = try? vault.changes() } }

    // MARK: - Output

    func draw(_ dialog: (inout Grid) -> Position? = { _ in nil }) throws {
        let size = terminal.size
        if grid.columnCount != size.columns || grid.rowCount != size.rows {
            grid = Grid(columnCount: size.columns, rowCount: size.rows)
        }
        grid.clear()
        drawnTime = now
        state.message = conversation.takeMessage().map { ($0, now) } ?? state.message
        let cursor = state.draw(on: &grid, run)
        let place = dialog(&grid) ?? cursor
        let bytes = painter.paint(grid, cursor: place)
        try bytes.withSpan { bytes in if bytes.count > 0 { try terminal.write(bytes) } }
    }

    private func write(_ bytes: [UInt8]) throws { try terminal.write(bytes.span) }

    /// Stops the process until the user continues it.
    func suspend() throws {
        state.hideSecret()
        terminal.suspend()
        painter.invalidate()
        try write(ScreenSequence.enter + ScreenSequence.mouseOn)
    }

    /// Draws everything anew.
    func redraw() { painter.invalidate() }
}
