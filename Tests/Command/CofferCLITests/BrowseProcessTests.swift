import Foundation
import Glibc
import TestSupport
import Testing

/// The screen of `coffer browse` in a terminal of tmux.
@Suite("Browse in a terminal", .temporaryDirectory, .serialized) struct BrowseProcessTests {
    private let command: BuiltCommand
    private let tmux: String?

    init() throws {
        command = try BuiltCommand()
        tmux = ["/usr/bin/tmux", "/usr/local/bin/tmux"].first { FileManager.default.isExecutableFile(atPath: $0) }
        try CommandSample.makeVault(passphrase: nil)
    }

    private func tmux(_ words: [String]) throws -> String {
        let program = try #require(tmux, "tmux is not installed")
        // Its socket is in the directory of the test, so that no other test sees the server.
        let result = try command.run(
            ["-S", command.home.appending(path: "socket").path, "-f", "/dev/null"] + words,
            program: program,
            adding: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"]
        )
        #expect(result.status == 0, "\(words): \(result.errors)")
        return result.output
    }

    /// The screen, once it has the text, or does not have it.
    @discardableResult
    private func screen(with text: String, isThere: Bool = true) throws -> String {
        let end = ContinuousClock.now.advanced(by: .seconds(30))
        var screen = ""
        repeat {
            screen = try tmux(["capture-pane", "-p"])
            if screen.contains(text) == isThere { return screen }
        } while ContinuousClock.now < end
        Issue.record("\(isThere ? "missing" : "still there"): \(text) in\n\(screen)")
        return screen
    }

    /// Starts a shell at the terminal, browses in it, and ends it after `body`.
    private func browse(_ body: () throws -> Void) throws {
        try inShell {
            try type("'\(command.path)' browse; echo ended-$((1+1))", "Enter")
            try screen(with: "All items")
            try body()
        }
    }

    private func inShell(_ body: () throws -> Void) throws {
        let line = "PS1='ready> '; export HOME='\(command.home.path)'; clear"
        _ = try tmux(["new-session", "-d", "-x", "100", "-y", "30", "sh"])
        defer { _ = try? tmux(["kill-server"]) }
        try type(line, "Enter")
        try screen(with: "ready>")
        try body()
    }

    private func type(_ keys: String...) throws { for key in keys { _ = try tmux(["send-keys", key]) } }

    @Test func `keys search, show a secret and leave; nothing of it stays on the terminal`() throws {
        try browse {
            try type("/", "mai", "Enter", "Space")
            let shown = try screen(with: "hunter2")
            #expect(shown.contains("Items (1)") && shown.contains("weak"))
            try type("q")
            let left = try screen(with: "ready>")
            #expect(!left.contains("hunter2") && !left.contains("All items"))
            // Nor in what was scrolled out of sight, nor in the alternate screen.
            let all = try tmux(["capture-pane", "-p", "-S", "-1000"])
            #expect(!all.contains("hunter2"))
            #expect(try !tmux(["display-message", "-p", "#{alternate_on}"]).contains("1"))
        }
    }

    @Test func `nothing of locked items stays in memory, whatever was shown of them`() throws {
        let names = ["service", "account", "label", "description", "comment"]
        let texts = Dictionary(uniqueKeysWithValues: names.map { ($0, "\($0) of the locked item, long and secret") })
        let options = ["--label", texts["label"], "--description", texts["description"], "--comment", texts["comment"]]
        let words = ["set", texts["service"], texts["account"], "-q"] + options
        #expect(try command.run(words.compactMap(\.self), input: "one").status == 0)
        #expect(try command.run(words.compactMap(\.self) + ["--force"], input: "two").status == 0)
        try Data("correct horse battery\n".utf8).write(to: command.home.appending(path: "new"))
        #expect(try command.run(["passwd", "--new-passphrase-file", "new", "-q"]).status == 0)
        _ = try tmux([
            "new-session", "-d", "-x", "150", "-y", "40", "env", "HOME=\(command.home.path)", command.path, "browse",
        ])
        defer { _ = try? tmux(["kill-server"]) }
        try screen(with: "passphrase")
        try type("correct horse battery", "Enter")
        try screen(with: "Items (2)")
        let secrets = texts.mapValues { Array($0.utf8) }
        try type("/", "locked", "Enter", "e")
        try screen(with: "Ctrl-S")
        try type("Escape")
        try screen(with: "Ctrl-S", isThere: false)
        try type("Space", "Tab")
        try screen(with: "comment of the locked item")
        #expect(try MemoryImage(of: number()).found(secrets).count == secrets.count)
        try type("L")
        try screen(with: "Items (2)", isThere: false)
        try screen(with: "comment of the locked item", isThere: false)
        // The memory is overwritten once the empty screen was drawn.
        let end = ContinuousClock.now.advanced(by: .seconds(30))
        var found: Set<String> = []
        repeat {
            found = try MemoryImage(of: number()).found(secrets)
        } while !found.isEmpty && ContinuousClock.now < end
        #expect(found == [])
    }

    @Test func `it is stopped by Ctrl-Z with an empty screen, and continued`() throws {
        try browse {
            try type("Space")
            try screen(with: "hunter2")
            try type("C-z")
            let stopped = try screen(with: "All items", isThere: false)
            #expect(!stopped.contains("hunter2"))
            try type("fg", "Enter")
            let continued = try screen(with: "All items")
            #expect(!continued.contains("hunter2"))
            try type("q")
        }
    }

    @Test func `a copied secret leaves the buffers of tmux`() throws {
        try browse {
            try type("q")
            try screen(with: "ready>")
            _ = try tmux(["set-buffer", "another"])
            try type("'\(command.path)' get mail --clip", "Enter")
            try screen(with: "the buffer of tmux")
            #expect(try tmux(["show-buffer"]) == "hunter2")
            // The process that deletes it does not belong to this terminal.
            let number = try process { words in
                words.starts(with: "sh\0-c\0exec".utf8)
                    && words.reversed().starts(with: "\0buffer1\0-w\0".utf8.reversed())
            }
            #expect(getsid(number) != getsid(0))
            let end = ContinuousClock.now.advanced(by: .seconds(30))
            var sleep: pid_t?
            while try tmux(["list-buffers"]).contains("buffer1"), ContinuousClock.now < end {
                guard sleep == nil else { continue }
                let children = try? String(contentsOfFile: "/proc/\(number)/task/\(number)/children", encoding: .utf8)
                sleep = children.flatMap { pid_t($0.dropLast()) }
                // It need not wait so long.
                if let sleep { kill(sleep, SIGTERM) }
            }
            #expect(try tmux(["list-buffers", "-F", "#{buffer_name}"]) == "buffer0\n")
        }
    }

    /// The number of a process with such a command line.
    private func process(where isWanted: (Data) -> Bool) throws -> pid_t {
        let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
        return try #require(
            numbers.first { isWanted(FileManager.default.contents(atPath: "/proc/\($0)/cmdline") ?? Data()) }
        )
    }

    @Test(arguments: [SIGTERM, SIGALRM, SIGSEGV])
    func `a signal or a crash at a question for a passphrase shows again what is typed`(signal: Int32) throws {
        try inShell {
            try type("'\(command.path)' passwd", "Enter")
            try screen(with: "New passphrase")
            try #expect(kill(number("passwd"), signal) == 0)
            // What is typed before the process has ended is dropped with its question.
            try screen(with: "\nready>")
            try type("stty -a | tr ' ' '\\n' | grep -x -e '-*echo'", "Enter")
            try screen(with: "\necho\n")
        }
    }

    /// The number of the process that browses.
    private func number(_ verb: String = "browse") throws -> pid_t {
        let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
        return try #require(
            numbers.first { number in
                let words = FileManager.default.contents(atPath: "/proc/\(number)/cmdline") ?? Data()
                return words.elementsEqual("\(command.path)\0\(verb)\0".utf8)
                    && (FileManager.default.contents(atPath: "/proc/\(number)/environ") ?? Data())
                        .range(of: Data("HOME=\(command.home.path)\0".utf8)) != nil
            }
        )
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGALRM, SIGSEGV, SIGABRT])
    func `a signal or a crash restores the terminal`(signal: Int32) throws {
        try browse {
            try type("Space")
            try screen(with: "hunter2")
            try #expect(kill(number(), signal) == 0)
            let screen = try screen(with: "All items", isThere: false)
            #expect(!screen.contains("hunter2"))
            // The terminal shows what is typed again, once the process has ended.
            try self.screen(with: "ended-2")
            try type("echo visible-$((1+1))", "Enter")
            try self.screen(with: "visible-2")
        }
    }

    @Test(arguments: [SIGTERM, SIGSEGV])
    func `a signal or a crash in the list of get restores the terminal`(signal: Int32) throws {
        try inShell {
            try type("'\(command.path)' get; echo ended-$((1+1))", "Enter")
            try screen(with: "Items (1)")
            try #expect(kill(number("get"), signal) == 0)
            try screen(with: "Items (1)", isThere: false)
            try screen(with: "ended-2")
            try type("echo visible-$((1+1))", "Enter")
            try screen(with: "visible-2")
        }
    }

    @Test func `it follows the size of the terminal`() throws {
        try browse {
            _ = try tmux(["resize-window", "-x", "50", "-y", "14"])
            try screen(with: "All items", isThere: false)
            try screen(with: "mail")
            _ = try tmux(["resize-window", "-x", "120", "-y", "40"])
            try screen(with: "All items")
            try type("q")
        }
    }
}
