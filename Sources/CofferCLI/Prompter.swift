internal import Coffer
internal import CommandSystem
internal import KeyedArchive
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

/// Asks the person at the terminal, if there is one and it may be asked.
final class Prompter {
    private let run: Run
    /// Who else has forbidden to ask, if somebody has.
    var silencer: String?

    init(_ run: Run) {
        self.run = run
    }

    /// The terminal, or why there is nobody to ask.
    private func terminal(for what: String) throws(CommandError) -> any Terminal {
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
    func secret(_ question: String, byteCountLimit: Int, for what: String) throws(CommandError) -> Passphrase? {
        let terminal = try terminal(for: what)
        var buffer = SecretBuffer(byteCount: byteCountLimit)
        let byteCount = try buffer.withMutableSpan { bytes throws(CommandError) in
            try answer(question, terminal, into: &bytes, isSecret: true)
        }
        guard let byteCount else { return nil }
        guard byteCount <= byteCountLimit else {
            throw CommandError(.tooLarge, "\(what) may have \(byteCountLimit) bytes, and this has \(byteCount)")
        }
        return buffer.withSpan { Passphrase($0.extracting(..<byteCount)) }
    }

    /// The passphrase that opens a vault, or its recovery code; nil if nobody wants to tell.
    func passphrase(for path: String) throws(CommandError) -> Passphrase? {
        try secret(
            "Passphrase for \(path.printable): ",
            byteCountLimit: Limits.passphraseByteCount,
            for: "the passphrase of \(path.printable)"
        )
    }

    /// A new secret, typed twice so that it is what was meant.
    func newSecret(_ name: String, for what: String, byteCountLimit: Int) throws(CommandError) -> Passphrase? {
        guard let first = try secret("\(name) for \(what): ", byteCountLimit: byteCountLimit, for: name.lowercased())
        else { return nil }
        let question = "The same again: "
        guard let second = try secret(question, byteCountLimit: byteCountLimit, for: name.lowercased()) else {
            return nil
        }
        guard first.isSame(as: second) else {
            throw CommandError(.failure, "the two are not the same; nothing was changed")
        }
        return first
    }

    /// Whether somebody says yes; who cannot be asked does not.
    func confirms(_ question: String) throws(CommandError) -> Bool {
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
    func answer(to question: String, isShown: Bool) throws(CommandError) -> Passphrase? {
        let terminal = try terminal(for: "an answer")
        let byteCountLimit = 4096
        var buffer = SecretBuffer(byteCount: byteCountLimit)
        let byteCount = try buffer.withMutableSpan { bytes throws(CommandError) in
            try answer(question, terminal, into: &bytes, isSecret: !isShown)
        }
        guard let byteCount else { return nil }
        guard byteCount <= byteCountLimit else {
            throw CommandError(.tooLarge, "an answer may have \(byteCountLimit) bytes, and this has \(byteCount)")
        }
        return buffer.withSpan { Passphrase($0.extracting(..<byteCount)) }
    }

    /// Tells the person at the terminal something, if there is one.
    func tell(_ text: String) throws(CommandError) {
        guard canAsk, let terminal = run.surroundings.openTerminal() else { return }
        do throws(FileError) {
            try terminal.write(text)
        } catch {
            throw CommandError(error)
        }
    }

    private func answer(
        _ question: String,
        _ terminal: any Terminal,
        into bytes: inout MutableSpan<UInt8>,
        isSecret: Bool
    ) throws(CommandError) -> Int? {
        do throws(TerminalFailure) {
            return try terminal.ask(question, into: &bytes, isSecret: isSecret)
        } catch {
            switch error {
            case .file(let error): throw CommandError(error)
            case .interrupted(let signal):
                var error = CommandError(.failure, "stopped; nothing was changed")
                error.signal = signal
                throw error
            }
        }
    }
}

extension Passphrase {
    /// Whether the other one has the same bytes.
    func isSame(as other: Passphrase) -> Bool {
        withBytes { own in
            other.withBytes { other in
                guard own.count == other.count else { return false }
                var difference: UInt8 = 0
                for index in own.indices { difference |= own[index] ^ other[index] }
                return difference == 0
            }
        }
    }
}
