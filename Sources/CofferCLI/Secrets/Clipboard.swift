internal import Coffer
internal import CofferBasics
internal import CommandSystem
internal import VaultFiles

/// The clipboard, on which a secret stays for a while.
struct Clipboard {
    /// How long it stays there.
    static let seconds = 45

    private let context: CommandContext

    init(_ context: CommandContext) {
        self.context = context
    }

    /// Puts a secret on the clipboard, from which it disappears by itself.
    ///
    /// - Returns: Which clipboard it is, in words.
    /// - Throws: `CommandError` if there is no clipboard.
    func put(_ secret: HeldSecret) throws -> String {
        let programs = [
            ("WAYLAND_DISPLAY", ["wl-copy", "--foreground"]),
            ("DISPLAY", ["xclip", "-quiet", "-selection", "clipboard"]),
        ]
        for (variable, words) in programs where !(context.environment[variable] ?? "").isEmpty {
            guard isInstalled(words[0]) else { continue }
            // Both keep the clipboard until they end, or another program takes it.
            try run(["timeout", String(Self.seconds)] + words, input: secret)
            return "the clipboard"
        }
        guard let terminal = context.openScreen() else {
            throw CommandError(
                .unavailable,
                "there is no clipboard: neither wl-copy or xclip with a display, nor a terminal",
                hints: ["install wl-clipboard or xclip"]
            )
        }
        let sequence = SecretBuilder()
        sequence.append("\u{1B}]52;c;".utf8)
        secret.bytes.withSpan { bytes in Base64Letters.forEach(of: bytes) { sequence.append($0) } }
        sequence.append(0x07)
        try sequence.held.bytes.withSpan { bytes in try terminal.write(bytes) }
        // The terminal may be another program's by then.
        let clearing = "exec 2>/dev/null; sleep \(Self.seconds); printf '\\033]52;c;!\\007' >\"$0\""
        try run(["sh", "-c", clearing, terminal.path], input: nil)
        return "the clipboard of the terminal, if that permits it"
    }

    private func isInstalled(_ program: String) -> Bool {
        let call = ProgramCall(words: [program, "-version"], removedPrefixes: ["COFFER_"], closedDescriptors: [])
        guard let connection = try? context.machine.connect(to: call) else { return false }
        _ = connection.end()
        return true
    }

    /// Starts a program that outlives this process.
    private func run(_ words: [String], input: HeldSecret?) throws {
        let call = ProgramCall(
            words: ["setsid", "--fork"] + words,
            removedPrefixes: ["COFFER_"],
            closedDescriptors: []
        )
        do throws(ProgramFailure) {
            let connection = try context.machine.connect(to: call)
            if let input { input.bytes.withSpan { bytes in try? connection.input.write(bytes) } }
            _ = connection.end()
        } catch {
            throw CommandError(.unavailable, "the clipboard cannot be used: setsid was not started")
        }
    }
}

extension Run {
    /// Puts a secret on the clipboard and says so.
    func copyToClipboard(_ secret: HeldSecret, of name: String) throws {
        let owner = try Clipboard(context).put(secret)
        messages.note("copied the secret of \(name) to \(owner); it is cleared in \(Clipboard.seconds) seconds")
    }
}
