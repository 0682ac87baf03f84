internal import CofferBasics
internal import CommandSystem
internal import VaultFiles
internal import CofferScreen

/// Writes messages to standard error.
///
/// Failures to write are ignored. Invisible characters are escaped here for all messages, since messages contain names,
/// paths and the output of other programs.
final class Messages {
    /// Whether only errors are written.
    var isQuiet = false
    /// Whether errors are written as JSON.
    var isJSON = false
    /// Whether messages are colored.
    var isColored = false

    private let stream: any ByteOutput

    init(_ stream: any ByteOutput) {
        self.stream = stream
    }

    /// Whether standard error is a terminal.
    var isTerminal: Bool { stream.isTerminal }

    /// The width of the terminal in columns; 80 if unknown.
    var columnCount: Int { stream.columnCount ?? 80 }

    /// Writes an error with its hints.
    func error(_ error: CommandError) {
        say(text(of: error))
    }

    /// The text of an error as it is written.
    func text(of error: CommandError) -> String {
        guard !isJSON else { return error.json.text }
        let hints = isQuiet ? [] : error.hints.map { line($0, "hint:", Style.hint) }
        let lines = [line(error.message, "error:", Style.error)] + error.candidates.map { "  \($0.line)" } + hints
        return lines.joined(separator: "\n")
    }

    /// Writes a warning.
    func warning(_ text: String) {
        if !isQuiet { alarm(text) }
    }

    /// Prints a warning that no option silences.
    func alarm(_ text: String) {
        say(line(text, "warning:", Style.warning))
    }

    /// Writes a hint about what to do.
    func hint(_ text: String) {
        if !isQuiet { say(line(text, "hint:", Style.hint)) }
    }

    /// Reports what was done.
    func note(_ text: String) {
        if !isQuiet { say(line(text)) }
    }

    /// A message after the name of the command and a label, wrapped at a terminal.
    private func line(
        _ text: String,
        _ label: String = "",
        _ style: (String, Bool) -> String = { text, _ in text }
    ) -> String {
        let text = text.escapingInvisibleInLines
        let start = "coffer: " + (label.isEmpty ? "" : style(label, isColored) + " ")
        guard isTerminal else { return start + text }
        var used = "coffer: ".count + (label.isEmpty ? 0 : label.count + 1)
        let paragraphs = text.split(separator: "\n", omittingEmptySubsequences: false).map { paragraph in
            defer { used = 0 }
            return String(paragraph).wrapped(to: columnCount - Self.indentation, after: used - Self.indentation)
                .joined(separator: "\n" + String(repeating: " ", count: Self.indentation))
        }
        return start + paragraphs.joined(separator: "\n")
    }

    /// How far the lines after the first are indented.
    private static let indentation = 2

    /// Writes a line without a prefix.
    func say(_ line: String) {
        write(line + "\n")
    }

    /// Calls `body` with an output to the same stream, for bytes that must not become a string; ignores write failures.
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
