internal import CommandSystem
internal import VaultFiles

extension CommandRun {
    /// Runs the commands on the lines of standard input: `coffer -i`.
    ///
    /// The exit code is that of the last line, as with macOS `security`, and 0 after `quit`.
    func runLines() throws {
        let lines = LineInput(context.input)
        let prompt = context.input.isTerminal ? arguments.value(of: .interactivePrompt) ?? "coffer> " : nil
        let (isQuiet, isJSON) = (messages.isQuiet, messages.isJSON)
        while true {
            // Before the prompt: what is typed after it must not be discarded.
            HiddenTyping.end()
            if let prompt { messages.write(prompt) }
            defer { (messages.isQuiet, messages.isJSON) = (isQuiet, isJSON) }
            do {
                guard let line = try lines.next() else { return }
                let words = try LineWords(line).words
                guard words != ["quit"] else {
                    status = ExitCode.success.rawValue
                    return
                }
                status = ExitCode.success.rawValue
                guard !words.isEmpty else { continue }
                status = try run(line: words)
                guard interruption == nil else { return }
            } catch {
                let error = CommandError(error)
                // Reading failed, or a signal asks to stop.
                guard error.signal == nil, interruption == nil, !lines.isBroken else { throw error }
                messages.error(error)
                status = error.code.rawValue
            }
            // The output of a line must precede the messages of the next one.
            try output.flush()
            compactIfDue()
        }
    }

    private func run(line words: [String]) throws -> UInt8 {
        var context = context
        context.arguments = words
        // The lines belong to this run, so a verb must not read them as a secret.
        context.input = EmptyInput(isTerminal: context.input.isTerminal)
        let run = try CommandRun(line: context, of: self)
        defer { interruption = run.interruption }
        try run.perform()
        return run.status
    }
}

/// An empty input.
final class EmptyInput: ByteInput {
    let isTerminal: Bool

    init(isTerminal: Bool) {
        self.isTerminal = isTerminal
    }

    func read(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int { 0 }

    func readSome(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int { 0 }
}
