internal import Foundation
internal import Glibc

/// A test program on its own terminal, as a person would use it.
package final class PseudoTerminal {
    /// Output that did not arrive in time.
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    private let terminal: Int32
    private let process: pid_t
    private var unread = ""
    private var end: Int32?
    /// All output so far.
    package private(set) var shown = ""

    /// Starts a program as the leader of a session on the terminal.
    ///
    /// - Parameters:
    ///   - name: The path of the program, or the name of one in the same directory as the test runner.
    ///   - arguments: The arguments after its name.
    ///   - variables: Its environment.
    ///   - isOutputTerminal: Whether its standard output is the terminal too; otherwise it is discarded.
    ///   - isInputTerminal: Whether its standard input is the terminal too; otherwise it is empty.
    /// - Throws: `Missing` if the program cannot be started.
    package init(
        _ name: String,
        _ arguments: [String],
        variables: [String: String],
        isOutputTerminal: Bool = true,
        isInputTerminal: Bool = true
    ) throws {
        terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK and TIOCGPTN, which are missing from the module.
        var lock: Int32 = 0
        var number: Int32 = 0
        guard terminal >= 0, ioctl(terminal, 0x4004_5431, &lock) == 0, ioctl(terminal, 0x8004_5430, &number) == 0 else {
            throw Missing(description: "the system provides no terminal")
        }
        let device = "/dev/pts/\(number)"
        var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that a session leader opens becomes its controlling terminal.
        posix_spawn_file_actions_addopen(&actions, 2, device, O_RDWR, 0)
        if isInputTerminal {
            posix_spawn_file_actions_adddup2(&actions, 2, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        if isOutputTerminal {
            posix_spawn_file_actions_adddup2(&actions, 2, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        keepOnlyStandardStreams(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // POSIX_SPAWN_SETSID, which is missing from the module.
        posix_spawnattr_setflags(&attributes, 0x80)
        let words = ([name] + arguments).map { strdup($0) } + [nil]
        let kept = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
        let environment = kept.merging(variables) { $1 }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + environment { free(text) } }
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program =
            name.hasPrefix("/")
            ? URL(filePath: name) : URL(filePath: tests).deletingLastPathComponent().appending(path: name)
        var started: pid_t = 0
        let code = posix_spawn(&started, program.path, &actions, &attributes, words, environment)
        guard code == 0 else { throw Missing(description: "\(program.path) cannot be started: \(code)") }
        process = started
    }

    deinit {
        close(terminal)
        guard end == nil else { return }
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    /// Types a line.
    package func type(_ line: String) {
        send(line + "\n")
    }

    /// Sends the characters of keys such as Ctrl-C.
    package func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(terminal, bytes, bytes.count)
    }

    /// Waits until the program has shown `text`, and consumes all output up to its end.
    package func wait(for text: String) throws {
        while true {
            if let range = unread.range(of: text) {
                unread = String(unread[range.upperBound...])
                return
            }
            guard read() else { throw Missing(description: "expected \"\(text)\", but found: \(shown)") }
        }
    }

    /// Waits until the program ends; returns its status, or 128 plus the number of the signal, as a shell does.
    package func status() throws -> Int32 {
        while read() {}
        if let end { return end }
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process else { throw Missing(description: "the program did not end") }
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        end = code
        return code
    }

    /// Whether the terminal echoes typed text.
    package var isEchoing: Bool {
        var settings = termios()
        return tcgetattr(terminal, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Reads output; returns false if there is no more, or if nothing arrives for a minute.
    private func read() -> Bool {
        var wanted = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        guard poll(&wanted, 1, 60_000) == 1 else { return false }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(terminal, &bytes, bytes.count)
        // Once nobody has the other end open, reading is an error.
        guard count > 0 else { return false }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        shown += text
        unread += text
        return true
    }
}
