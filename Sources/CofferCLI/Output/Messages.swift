internal import CofferBasics
internal import CommandSystem
internal import VaultFiles

/// What the command says beside its data, on the standard error.
///
/// Failures to write are ignored. Invisible characters are escaped here, once for all messages, since they contain names, paths
/// and the output of other programs.
final class Messages {
    /// Whether only errors are said.
    var isQuiet = false
    /// Whether errors are said as JSON.
    var isJSON = false
    /// Whether words are coloured.
    var isColoured = false

    private let stream: any ByteOutput

    init(_ stream: any ByteOutput) {
        self.stream = stream
    }

    /// Whether a person reads them.
    var isTerminal: Bool { stream.isTerminal }

    /// How many columns that person has; 80 if nobody tells.
    var columnCount: Int { stream.columnCount ?? 80 }

    /// Says why nothing was done, and what to do.
    func error(_ error: CommandError) {
        say(text(of: error))
    }

    /// An error as it is said.
    func text(of error: CommandError) -> String {
        guard !isJSON else { return error.json.text }
        let first = "coffer: \(Style.error("error:", isColoured)) \(error.message.escapingInvisibleInLines)"
        let hint = "coffer: \(Style.hint("hint:", isColoured)) "
        let hints = isQuiet ? [] : error.hints.map { hint + $0.escapingInvisibleInLines }
        return ([first] + error.candidates.map { "  \($0.line)" } + hints).joined(separator: "\n")
    }

    /// Says what somebody should look after.
    func warning(_ text: String) {
        if !isQuiet { alarm(text) }
    }

    /// Prints a warning that no option silences.
    func alarm(_ text: String) {
        say("coffer: \(Style.warning("warning:", isColoured)) \(text.escapingInvisibleInLines)")
    }

    /// Says what to do about something that was said.
    func hint(_ text: String) {
        if !isQuiet { say("coffer: \(Style.hint("hint:", isColoured)) \(text.escapingInvisibleInLines)") }
    }

    /// Says what was done.
    func note(_ text: String) {
        if !isQuiet { say("coffer: \(text.escapingInvisibleInLines)") }
    }

    /// Writes a line that stands by itself.
    func say(_ line: String) {
        write(line + "\n")
    }

    /// Lends `body` an output to the same place, for what must not become a string; who does not listen is not told.
    func write(_ body: (Output) throws -> Void) throws {
        let output = Output(stream)
        try body(output)
        try? output.flush()
    }

    /// Writes text as it is.
    func write(_ text: String) {
        try? stream.write(text.utf8Span.span)
    }
}
