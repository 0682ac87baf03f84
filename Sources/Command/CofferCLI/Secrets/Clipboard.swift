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
    /// - Returns: Which clipboard it is, and when it is cleared, in words.
    /// - Throws: `CommandError` if there is no clipboard.
    func put(_ secret: HeldSecret) throws -> String {
        let programs = [
            ("WAYLAND_DISPLAY", ["wl-copy", "--foreground"]),
            ("DISPLAY", ["xclip", "-quiet", "-selection", "clipboard"]),
        ]
        let clearing = "it is cleared in \(Self.seconds) seconds"
        for (variable, words) in programs where isSet(variable) {
            guard isInstalled(words[0]) else { continue }
            // Both keep the clipboard until they end, or another program takes it.
            try run(["setsid", "--fork", "timeout", String(Self.seconds)] + words, input: secret)
            return "the clipboard; \(clearing)"
        }
        guard !isSet("TMUX") else {
            try run(["sh", "-c", Self.tmuxScript], input: secret)
            return "the buffer of tmux; \(clearing)"
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
        secret.withSpan { bytes in Base64.forEach(of: bytes) { sequence.append($0) } }
        sequence.append(0x07)
        try sequence.held.withSpan { bytes in try terminal.write(bytes) }
        // Not every terminal can clear it, but all of them take a blank. It may be another program's by then.
        let script = "exec 2>/dev/null; sleep \(Self.seconds); printf '\\033]52;c;IA==\\007' >\"$0\""
        try run(["setsid", "--fork", "sh", "-c", script, terminal.path], input: nil)
        let isNested = ["tmux", "screen"].contains { context.environment["TERM"]?.hasPrefix($0) == true }
        let rest = isNested ? ", but a tmux or screen on the way may keep it: clear its buffers yourself" : ""
        return "the clipboard of the terminal, if that permits it; \(clearing)\(rest)"
    }

    /// Puts the input into a buffer of tmux, and into the clipboard of its terminal, and takes it out of both later.
    ///
    /// The clipboard stays if another buffer is newer, since tmux has then put that one there.
    private static let tmuxScript = """
        list() { tmux list-buffers -F '#{buffer_name}' | head -n 1; }
        last=$(list)
        tmux load-buffer -w /dev/null 2>/dev/null && w=-w
        tmux load-buffer $w - || exit
        name=$(list)
        [ "$name" != "$last" ] || exit
        setsid --fork sh -c 'exec >/dev/null 2>&1; sleep \(seconds)
            newest=$(tmux list-buffers -F "#{buffer_name}" | head -n 1)
            [ "$newest" != "$0" ] || tmux set-buffer $1 -b "$0" " "
            tmux delete-buffer -b "$0"' "$name" $w || { tmux delete-buffer -b "$name"; exit 1; }
        """

    private func isSet(_ variable: String) -> Bool { !(context.environment[variable] ?? "").isEmpty }

    private func isInstalled(_ program: String) -> Bool {
        let call = ProgramCall(words: [program, "-version"], removedPrefixes: ["COFFER_"], closedDescriptors: [])
        guard let connection = try? context.machine.connect(to: call) else { return false }
        _ = connection.end()
        return true
    }

    /// Runs a program that starts another one, which outlives this process.
    private func run(_ words: [String], input: HeldSecret?) throws {
        let call = ProgramCall(words: words, removedPrefixes: ["COFFER_"], closedDescriptors: [])
        do throws(ProgramFailure) {
            let connection = try context.machine.connect(to: call)
            if let input { input.withSpan { bytes in try? connection.input.write(bytes) } }
            if connection.end() == .status(0) { return }
        } catch {}
        throw CommandError(.unavailable, "the clipboard cannot be used: \(isSet("TMUX") ? "tmux" : words[0]) failed")
    }
}

extension CommandRun {
    /// Puts what an item has on the clipboard and says so.
    func copyToClipboard(_ secret: HeldSecret, _ what: String = "secret", of name: String) throws {
        messages.note("copied the \(what) of \(name) to \(try Clipboard(context).put(secret))")
    }
}
