internal import Coffer
internal import CofferBasics
internal import CommandSystem
internal import VaultFiles

/// Asks the user at the terminal, if there is one and asking is allowed.
final class Prompter {
    private unowned let run: CommandRun
    /// The name of the setting besides `--no-prompt` that forbids asking, if one does.
    var promptBlocker: String?

    init(_ run: CommandRun) {
        self.run = run
    }

    /// The terminal; throws why the user cannot be asked.
    private func terminal(for what: String) throws -> any Terminal {
        guard !run.arguments.has(.noPrompt) else {
            throw CommandError(.locked, "\(what) is needed, but --no-prompt forbids asking")
        }
        if let promptBlocker { throw CommandError(.locked, "\(what) is needed, but \(promptBlocker) forbids asking") }
        guard let terminal = run.context.openTerminal() else {
            throw CommandError(.locked, "\(what) is needed, but there is no terminal to ask on")
        }
        return terminal
    }

    /// Whether the user can be asked.
    var canAsk: Bool { !run.arguments.has(.noPrompt) && promptBlocker == nil && run.context.openTerminal() != nil }

    /// What the user types, without showing it; nil if the user ends the input instead.
    func secret(_ question: String, byteCountLimit: Int, for what: String) throws -> Passphrase? {
        try typed(question, byteCountLimit: byteCountLimit, for: what, echo: .nothing)
    }

    private func typed(
        _ question: String,
        byteCountLimit: Int,
        for what: String,
        echo: TerminalEcho
    ) throws -> Passphrase? {
        let terminal = try terminal(for: what)
        var buffer = SecretBuffer(byteCount: byteCountLimit)
        let byteCount = try buffer.withMutableSpan { bytes in
            try answer(question, terminal, into: &bytes, echo: echo)
        }
        guard let byteCount else { return nil }
        guard byteCount <= byteCountLimit else {
            throw CommandError(
                .tooLarge,
                "\(what) is too large: \(byteCount.grouped) bytes (limit \(byteCountLimit.grouped))"
            )
        }
        return buffer.withSpan { Passphrase($0.extracting(..<byteCount)) }
    }

    /// The passphrase or recovery code of a vault; nil if the user ends the input instead.
    ///
    /// - Parameters:
    ///   - path: What users call the vault.
    ///   - hasOtherKeys: Whether it is a copy that the passphrase of the vault may not open.
    /// - Returns: The answer.
    /// - Throws: `CommandError` if the user cannot be asked.
    func passphrase(for path: String, hasOtherKeys: Bool) throws -> Passphrase? {
        try secret(
            "Passphrase for \(path.printable)\(hasOtherKeys ? ", the old one if it was changed here" : ""): ",
            byteCountLimit: Passphrase.byteCountLimit,
            for: "the passphrase of \(path.printable)"
        )
    }

    /// What the user types twice, to catch typing errors; nil if the user ends the input instead.
    func twice(
        _ question: String,
        again: String = "Repeat: ",
        byteCountLimit: Int,
        for what: String
    ) throws -> Passphrase? {
        guard let first = try secret(question, byteCountLimit: byteCountLimit, for: what),
            let second = try secret(again, byteCountLimit: byteCountLimit, for: what)
        else { return nil }
        guard first == second else {
            throw CommandError(.failure, "the two entries do not match; nothing was changed")
        }
        return first
    }

    /// Whether the user answers yes; false if the user cannot be asked.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - isUsual: Whether an empty line means yes.
    /// - Returns: The answer.
    /// - Throws: `CommandError` if the terminal fails.
    func confirms(_ question: String, isUsual: Bool = false) throws -> Bool {
        guard canAsk, let terminal = run.context.openTerminal() else { return false }
        let answers = isUsual ? "[Y/n]" : "[y/N]"
        while true {
            var bytes: [UInt8] = Array(repeating: 0, count: 16)
            var span = bytes.mutableSpan
            let echo = TerminalEcho.words(["y", "yes", "n", "no"])
            guard let byteCount = try answer("\(question) \(answers) ", terminal, into: &span, echo: echo) else {
                return false
            }
            let word = String(decoding: bytes.prefix(min(byteCount, bytes.count)), as: UTF8.self).lowercased()
            if word.isEmpty { return isUsual }
            if ["y", "yes"].contains(word) { return true }
            // What is usual is not refused by a word that was meant for the next question.
            guard isUsual, !["n", "no"].contains(word) else { return false }
        }
    }

    /// What the user types; nil if the user ends the input instead.
    func answer(to question: String, isShown: Bool) throws -> Passphrase? {
        try typed(question, byteCountLimit: 4096, for: "an answer", echo: isShown ? .everything : .nothing)
    }

    /// Shows `text` at the terminal, if there is one.
    func reportResult(_ text: String) throws {
        guard canAsk, let terminal = run.context.openTerminal() else { return }
        try terminal.write(text.escapingInvisibleInLines)
    }

    private func answer(
        _ question: String,
        _ terminal: any Terminal,
        into bytes: inout MutableSpan<UInt8>,
        echo: TerminalEcho
    ) throws -> Int? {
        try run.checkNotInterrupted()
        do throws(TerminalFailure) {
            return try terminal.ask(question.escapingInvisibleInLines, into: &bytes, echo: echo)
        } catch {
            switch error {
            case .file(let error): throw CommandError(error)
            case .cut(let byteCountLimit):
                throw CommandError(
                    .tooLarge,
                    """
                    line too long: a terminal may cut it off after \(byteCountLimit.grouped) bytes; nothing was changed
                    """,
                    hints: ["use a file or standard input for longer text"]
                )
            case .interrupted(let signal):
                throw CommandError.stopped("nothing was changed", by: signal)
            }
        }
    }
}

extension CommandRun {
    /// Returns if the user answers yes, or has given `--force`.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - outcome: The message if the answer is no.
    ///   - refusal: The error if the user cannot be asked.
    /// - Throws: `CommandError` with `outcome` if the answer is no; `refusal` if the user cannot be asked.
    func confirm(
        _ question: String,
        otherwise outcome: String = "nothing was changed",
        unasked refusal: CommandError
    ) throws {
        guard !arguments.has(.force) else { return }
        guard prompter.canAsk else { throw refusal }
        guard try prompter.confirms(question) else { throw CommandError(.failure, outcome) }
    }

    /// Returns if the user answers yes, or has given `--force`; if the user cannot be asked, that is a usage error.
    func confirm(_ question: String, otherwise outcome: String) throws {
        let refusal = CommandError.usage(
            "confirmation is needed, but the user cannot be asked; \(outcome)",
            hints: ["repeat with --force to proceed without asking"]
        )
        try confirm(question, otherwise: outcome, unasked: refusal)
    }
}
