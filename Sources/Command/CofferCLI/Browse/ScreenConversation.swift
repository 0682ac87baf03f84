internal import Coffer
internal import CofferBasics
internal import CofferScreen
internal import CommandSystem
internal import VaultFiles

/// The questions and messages of the command, on the screen instead of the lines of the terminal.
final class ScreenConversation: Terminal, ByteOutput {
    weak var browser: Browser?
    private var lines: [String] = []

    let isTerminal = false
    let columnCount: Int? = nil

    // MARK: - Messages

    func write(_ bytes: Span<UInt8>) throws(FileError) {
        lines.append(String(decoding: [UInt8](copying: bytes), as: UTF8.self))
    }

    func write(_ text: String) throws(FileError) { lines.append(text) }

    /// What was said since the last call, in one line.
    func takeMessage() -> String? {
        defer { lines = [] }
        let texts = lines.joined().split(separator: "\n").map { line in
            line.hasPrefix("coffer: ") ? line.dropFirst("coffer: ".count) : line[...]
        }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    // MARK: - Questions

    func ask(
        _ question: String,
        into buffer: inout MutableSpan<UInt8>,
        echo: TerminalEcho
    ) throws(TerminalFailure) -> Int? {
        let said = takeMessage()
        let answer: HeldSecret?
        do {
            answer = try browser?.ask(question, said, isSecret: echo == .nothing)
        } catch Browser.End.signal(let signal) {
            throw .interrupted(signal: signal)
        } catch {
            return nil
        }
        guard let answer else { return nil }
        answer.withSpan { bytes in buffer.copy(from: bytes.extracting(..<min(bytes.count, buffer.count))) }
        return answer.byteCount
    }
}
