internal import Coffer
internal import CommandSystem
internal import VaultFiles
internal import CofferScreen

/// Reports the progress of long work: as a bar at a terminal, which disappears at the end, or as lines if asked for.
final class ProgressMeter {
    /// How progress is shown.
    enum Form: Equatable {
        case nothing
        case bar(columnCount: Int)
        case lines
        case jsonLines
    }

    private static let barPause: UInt64 = 100_000_000
    private static let linePause: UInt64 = 1_000_000_000
    /// Clears the line.
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

    /// Shows the progress, unless it was shown a moment ago.
    func note(_ progress: VaultProgress) {
        let fraction = min(max(progress.fraction, 0), 1)
        let percent = Int(fraction * 100)
        guard percent != lastPercent, form != .nothing else { return }
        // Then the other side of a connection may write to the line of the bar.
        if percent == 100, case .bar = form { return end() }
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

    /// Removes the bar.
    func end() {
        if case .bar = form, lastTime != nil { messages.write(Self.wipe) }
        lastTime = nil
    }

    /// A line of at most `columnCount - 1` columns, since some terminals wrap after the last one.
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

extension CommandRun {
    /// How progress is shown in this run.
    var progressForm: ProgressMeter.Form {
        if arguments.has(.progress), isJSON { return .jsonLines }
        if messages.isTerminal, !messages.isQuiet { return .bar(columnCount: messages.columnCount) }
        return arguments.has(.progress) ? .lines : .nothing
    }

    /// Performs long work: shows its progress, and stops it if a signal arrives.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - name: The name of the work, such as `compacting`.
    /// - Returns: The report of the work.
    /// - Throws: `CommandError` if the work fails or is stopped; then nothing has changed.
    func perform<Report>(_ work: VaultWork<Report>, _ name: String) throws -> Report {
        try performing(name) { shouldContinue in try work.perform(shouldContinue: shouldContinue) }
    }

    /// Calls `body`, which does long work: shows its progress, and stops it if a signal arrives.
    func performing<Report>(
        _ name: String,
        _ body: (_ shouldContinue: @escaping (VaultProgress) -> Bool) throws -> Report
    ) throws -> Report {
        if let screen { return try screen.performing(name, body) }
        let meter = ProgressMeter(name, progressForm, context.time, messages)
        return try context.machine.recordingSignals { signal in
            defer {
                meter.end()
                interruption = signal() ?? interruption
            }
            do {
                return try body { progress in
                    meter.note(progress)
                    return signal() == nil
                }
            } catch {
                guard let signal = signal(), Self.isCancellation(error) else { throw error }
                throw CommandError.stopped("the vault is unchanged", by: signal)
            }
        }
    }

    private static func isCancellation(_ error: any Error) -> Bool {
        if case .vault(let problem)? = error as? KeychainError { return problem.kind == .cancelled }
        return (error as? VaultError)?.kind == .cancelled
    }

    /// Opens something with a passphrase, which changes nothing: a signal ends it at once, with a message that says so.
    func whileOpening<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let wipe = messages.isTerminal && !messages.isQuiet ? ProgressMeter.wipe : ""
        let text = wipe + messages.text(of: CommandError(.failure, "stopped; nothing was changed")) + "\n"
        return try context.machine.writingIfInterrupted(Array(text.utf8)) { () throws(Failure) in
            try whileDeriving(body)
        }
    }

    /// Performs a change that derives a key from a passphrase; a terminal shows why it takes a moment.
    func whileDerivingKey<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try uninterrupted { () throws(Failure) in try whileDeriving(body) }
    }

    private func whileDeriving<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let showsMessage = messages.isTerminal && !messages.isQuiet
        if showsMessage { messages.write("deriving the key …") }
        defer { if showsMessage { messages.write(ProgressMeter.wipe) } }
        return try body()
    }
}
