internal import Coffer
internal import CommandSystem
internal import VaultFiles

/// Tells how far long work has come: as a bar on a terminal, which goes when the work ends, else as lines, if somebody wants
/// them.
final class ProgressMeter {
    /// How it is told.
    enum Form: Equatable {
        case nothing
        case bar(columnCount: Int)
        case lines
        case jsonLines
    }

    private static let barPause: UInt64 = 100_000_000
    private static let linePause: UInt64 = 1_000_000_000
    /// Goes to the beginning of the line, and wipes it.
    static let wipe = "\r\u{1B}[K"

    private let work: String
    private let form: Form
    private let time: any TimeSource
    private let messages: Messages
    private var lastTime: UInt64?
    private var lastPercent: Int?

    init(_ work: String, _ form: Form, _ time: any TimeSource, _ messages: Messages) {
        self.work = work
        self.form = form
        self.time = time
        self.messages = messages
    }

    /// Tells how far the work has come, unless that was told a moment ago.
    func note(_ progress: VaultProgress) {
        let fraction = min(max(progress.fraction, 0), 1)
        let percent = Int(fraction * 100)
        guard percent != lastPercent, form != .nothing else { return }
        let now = time.monotonicNanoseconds()
        let pause: UInt64 = if case .bar = form { Self.barPause } else { Self.linePause }
        if let lastTime, now - lastTime < pause { return }
        (lastTime, lastPercent) = (now, percent)
        switch form {
        case .nothing: break
        case .bar(let columnCount):
            messages.write("\r" + Self.bar(work, fraction: fraction, columnCount: columnCount))
        case .lines: messages.say("coffer: \(work): \(percent) %")
        case .jsonLines:
            let members: JSON = [
                "work": .string(work), "fraction": .decimal(fraction), "bytes": JSON(progress.byteCount),
                "expectedBytes": JSON(progress.expectedByteCount),
            ]
            messages.say((["progress": members] as JSON).text)
        }
    }

    /// Leaves nothing of the bar.
    func end() {
        if case .bar = form, lastTime != nil { messages.write(Self.wipe) }
    }

    /// A line of at most so many columns less one: some terminals begin a new line behind the last.
    static func bar(_ work: String, fraction: Double, columnCount: Int) -> String {
        let percent = String(Int(fraction * 100))
        let figure = String(repeating: " ", count: 3 - percent.utf8.count) + percent + " %"
        let width = min(40, columnCount - 1 - work.columnCount - figure.utf8.count - 4)
        guard width >= 4 else { return String("\(work)\(figure)".prefix(max(0, columnCount - 1))) }
        let full = Int(fraction * Double(width))
        let line = String(repeating: "#", count: full) + String(repeating: "-", count: width - full)
        return "\(work) [\(line)] \(figure)"
    }
}

extension Run {
    /// How progress is told here.
    var progressForm: ProgressMeter.Form {
        if arguments.has(.progress), isJSON { return .jsonLines }
        if messages.isTerminal, !messages.isQuiet { return .bar(columnCount: messages.columnCount) }
        return arguments.has(.progress) ? .lines : .nothing
    }

    /// Does work that takes a while: tells how far it has come, and stops it when a signal comes.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - name: What is being done, such as `compacting`.
    /// - Returns: What was done.
    /// - Throws: Why it was not; then nothing has changed.
    func perform<Report>(_ work: VaultWork<Report>, _ name: String) throws -> Report {
        let meter = ProgressMeter(name, progressForm, surroundings.time, messages)
        return try surroundings.machine.notingSignals { signal in
            defer {
                meter.end()
                interruption = signal() ?? interruption
            }
            do throws(VaultError) {
                return try work.perform { progress in
                    meter.note(progress)
                    return signal() == nil
                }
            } catch {
                guard error.kind == .cancelled, let signal = signal() else { throw CommandError(error) }
                throw CommandError.stopped("the vault is as it was", by: signal)
            }
        }
    }

    /// Opens something with a passphrase, which changes nothing: a signal is obeyed at once, and that is said.
    func whileOpening<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let wipe = messages.isTerminal && !messages.isQuiet ? ProgressMeter.wipe : ""
        let text = wipe + messages.text(of: CommandError(.failure, "stopped; nothing was changed")) + "\n"
        return try surroundings.machine.saying(Array(text.utf8)) { () throws(Failure) in try whileDeriving(body) }
    }

    /// Does what derives a key from a passphrase, of which nobody can tell how far it is: somebody at a terminal is told why
    /// it takes a moment.
    func whileDerivingKey<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try toItsEnd { () throws(Failure) in try whileDeriving(body) }
    }

    private func whileDeriving<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let isTold = messages.isTerminal && !messages.isQuiet
        if isTold { messages.write("deriving the key …") }
        defer { if isTold { messages.write(ProgressMeter.wipe) } }
        return try body()
    }
}
