internal import CommandSystem
internal import VaultFiles

extension Run {
    /// Runs the verbs that the lines of the standard input say: `coffer -i`.
    ///
    /// It ends with the status of the last line, as macOS `security` does, and with success behind `quit`.
    func runLines() throws {
        let lines = LineInput(surroundings.input)
        let prompt = surroundings.input.isTerminal ? arguments.value(of: .interactivePrompt) ?? "coffer> " : nil
        let (isQuiet, isJSON) = (messages.isQuiet, messages.isJSON)
        while true {
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
                // Nothing more can be read, or somebody wants to stop.
                guard error.signal == nil, interruption == nil, !lines.isBroken else { throw error }
                messages.error(error)
                status = error.code.rawValue
            }
            // What is printed stands before what the next line says.
            try output.flush()
        }
    }

    private func run(line words: [String]) throws -> UInt8 {
        var surroundings = surroundings
        surroundings.arguments = words
        // The lines belong to this run, so that no verb takes them for a secret.
        surroundings.input = NoInput(isTerminal: surroundings.input.isTerminal)
        let run = try Run(line: surroundings, of: self)
        defer { interruption = run.interruption }
        try run.perform()
        return run.status
    }
}

/// An input in which there is nothing.
private final class NoInput: ByteInput {
    let isTerminal: Bool

    init(isTerminal: Bool) {
        self.isTerminal = isTerminal
    }

    func read(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int { 0 }

    func readSome(into buffer: inout MutableSpan<UInt8>) throws(FileError) -> Int { 0 }
}
