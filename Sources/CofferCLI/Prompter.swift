internal import Coffer
internal import CofferBasics
internal import CommandSystem
internal import VaultFiles

/// Asks the person at the terminal, if there is one and it may be asked.
final class Prompter {
    private let run: Run
    /// Who else has forbidden to ask, if somebody has.
    var silencer: String?

    init(_ run: Run) {
        self.run = run
    }

    /// The terminal, or why there is nobody to ask.
    private func terminal(for what: String) throws -> any Terminal {
        guard !run.arguments.has(.noPrompt) else {
            throw CommandError(.locked, "\(what) is needed, and --no-prompt forbids to ask")
        }
        if let silencer { throw CommandError(.locked, "\(what) is needed, and \(silencer) forbids to ask") }
        guard let terminal = run.surroundings.openTerminal() else {
            throw CommandError(.locked, "\(what) is needed, and there is no terminal to ask at")
        }
        return terminal
    }

    /// Whether somebody can be asked.
    var canAsk: Bool { !run.arguments.has(.noPrompt) && silencer == nil && run.surroundings.openTerminal() != nil }

    /// What somebody types without that it is shown; nil if nobody wants to tell.
    func secret(_ question: String, byteCountLimit: Int, for what: String) throws -> Passphrase? {
        try typed(question, byteCountLimit: byteCountLimit, for: what, isSecret: true)
    }

    private func typed(
        _ question: String,
        byteCountLimit: Int,
        for what: String,
        isSecret: Bool
    ) throws -> Passphrase? {
        let terminal = try terminal(for: what)
        var buffer = SecretBuffer(byteCount: byteCountLimit)
        let byteCount = try buffer.withMutableSpan { bytes in
            try answer(question, terminal, into: &bytes, isSecret: isSecret)
        }
        guard let byteCount else { return nil }
        guard byteCount <= byteCountLimit else {
            throw CommandError(.tooLarge, "\(what) may have \(byteCountLimit) bytes, and this has \(byteCount)")
        }
        return buffer.withSpan { Passphrase($0.extracting(..<byteCount)) }
    }

    /// The passphrase that opens a vault, or its recovery code; nil if nobody wants to tell.
    func passphrase(for path: String) throws -> Passphrase? {
        try secret(
            "Passphrase for \(path.printable): ",
            byteCountLimit: Passphrase.byteCountLimit,
            for: "the passphrase of \(path.printable)"
        )
    }

    /// What somebody types twice, so that it is what was meant; nil if nobody wants to tell.
    func twice(
        _ question: String,
        again: String = "The same again: ",
        byteCountLimit: Int,
        for what: String
    ) throws -> Passphrase? {
        guard let first = try secret(question, byteCountLimit: byteCountLimit, for: what),
            let second = try secret(again, byteCountLimit: byteCountLimit, for: what)
        else { return nil }
        guard first.isSame(as: second) else {
            throw CommandError(.failure, "the two are not the same; nothing was changed")
        }
        return first
    }

    /// Whether somebody says yes; who cannot be asked does not.
    func confirms(_ question: String) throws -> Bool {
        guard canAsk, let terminal = run.surroundings.openTerminal() else { return false }
        var bytes: [UInt8] = Array(repeating: 0, count: 16)
        var span = bytes.mutableSpan
        guard let byteCount = try answer("\(question) [y/N] ", terminal, into: &span, isSecret: false) else {
            return false
        }
        let word = String(decoding: bytes.prefix(min(byteCount, bytes.count)), as: UTF8.self).lowercased()
        return word == "y" || word == "yes"
    }

    /// What somebody types; nil if nobody wants to tell.
    func answer(to question: String, isShown: Bool) throws -> Passphrase? {
        try typed(question, byteCountLimit: 4096, for: "an answer", isSecret: !isShown)
    }

    /// Tells the person at the terminal something, if there is one.
    func tell(_ text: String) throws {
        guard canAsk, let terminal = run.surroundings.openTerminal() else { return }
        try terminal.write(text.escapingInvisibleInLines)
    }

    private func answer(
        _ question: String,
        _ terminal: any Terminal,
        into bytes: inout MutableSpan<UInt8>,
        isSecret: Bool
    ) throws -> Int? {
        try run.checkGoesOn()
        do throws(TerminalFailure) {
            return try terminal.ask(question.escapingInvisibleInLines, into: &bytes, isSecret: isSecret)
        } catch {
            switch error {
            case .file(let error): throw CommandError(error)
            case .cut(let byteCountLimit):
                throw CommandError(
                    .tooLarge,
                    "a terminal takes lines of \(byteCountLimit) bytes; this one may have lost its end, and nothing was changed",
                    hints: ["what is longer can come from a file or the standard input"]
                )
            case .interrupted(let signal):
                throw CommandError.stopped("nothing was changed", by: signal)
            }
        }
    }
}

extension Run {
    /// Goes on if somebody says yes, or has said `--force`.
    ///
    /// - Parameters:
    ///   - question: What is asked.
    ///   - outcome: What is said if the answer is no.
    ///   - refusal: The error where nobody can be asked.
    /// - Throws: That it is not wanted, or `refusal`.
    func confirm(
        _ question: String,
        otherwise outcome: String = "nothing was changed",
        unasked refusal: CommandError
    ) throws {
        guard !arguments.has(.force) else { return }
        guard prompter.canAsk else { throw refusal }
        guard try prompter.confirms(question) else { throw CommandError(.failure, outcome) }
    }

    /// Goes on if somebody says yes, or has said `--force`; where nobody can be asked the call makes no sense without.
    func confirm(_ question: String, otherwise outcome: String) throws {
        let refusal = CommandError.usage(
            "nobody can be asked whether that is meant; \(outcome)",
            hints: ["--force does it without asking"]
        )
        try confirm(question, otherwise: outcome, unasked: refusal)
    }
}
