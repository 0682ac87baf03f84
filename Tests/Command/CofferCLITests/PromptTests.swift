import Foundation
import TestSupport
import Testing

/// Prompts at a real terminal: the command runs as a process, and the test types the answers.
@Suite("Prompts", .temporaryDirectory) struct PromptTests {
    private let home: URL
    private var path: String { home.appending(path: "test.coffer").path }
    private var variables: [String: String] { ["HOME": home.path, "TERM": "dumb"] }

    init() throws {
        home = try TemporaryDirectory.current
    }

    /// Starts the command at a terminal.
    private func coffer(
        _ words: String...,
        isOutputTerminal: Bool = true,
        isInputTerminal: Bool = true
    ) throws -> PseudoTerminal {
        try PseudoTerminal(
            "coffer",
            words,
            variables: variables,
            isOutputTerminal: isOutputTerminal,
            isInputTerminal: isInputTerminal
        )
    }

    /// Creates the vault of the test with a passphrase.
    private func makeVault() throws { try CommandSample.makeVault(at: path) }

    @Test func `init asks for a passphrase twice and never shows it`() throws {
        let terminal = try coffer("init", path)
        try terminal.wait(for: "New passphrase for \(path) (empty to use only the key of this machine): ")
        #expect(!terminal.isEchoing)
        terminal.type("correct horse")
        try terminal.wait(for: "Repeat: ")
        terminal.type("correct horse")
        try terminal.wait(for: "Create a recovery code, in case all else is lost? [Y/n] ")
        #expect(!terminal.isEchoing)
        terminal.type("n")
        try terminal.wait(for: "n\r\n")
        #expect(try terminal.status() == 0)
        #expect(!terminal.shown.contains("correct horse"))
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func `a password typed instead of yes or no is not shown`() throws {
        let terminal = try coffer("init", path)
        try terminal.wait(for: "machine): ")
        terminal.type("correct horse")
        try terminal.wait(for: "Repeat: ")
        terminal.type("correct horse")
        try terminal.wait(for: "[Y/n] ")
        terminal.type("battery")
        try terminal.wait(for: "[Y/n] ")
        terminal.type("No")
        try terminal.wait(for: "no\r\n")
        #expect(try terminal.status() == 0)
        #expect(!terminal.shown.contains("battery"))
        #expect(terminal.isEchoing)
    }

    /// The next passphrase was typed while the key was derived from the first one, and stood on the screen.
    @Test(arguments: ["battery", "\u{3}"])
    func `typing stays hidden after a question for a secret until the program ends`(input: String) throws {
        try makeVault()
        let pipe = home.appending(path: "pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let terminal = try coffer("--vault", path, "passwd", "--new-passphrase-file", pipe)
        try terminal.wait(for: "Passphrase for \(path): ")
        terminal.type("correct horse")
        // Waits until the program reads it.
        let file = try #require(FileHandle(forWritingAtPath: pipe))
        #expect(!terminal.isEchoing)
        if input == "\u{3}" {
            terminal.send(input)
            _ = try terminal.status()
        } else {
            try file.write(contentsOf: Data(input.utf8))
        }
        try file.close()
        #expect(try terminal.status() == (input == "\u{3}" ? 128 + 2 : 0))
        #expect(terminal.isEchoing)
    }

    @Test func `two different passphrases create no vault`() throws {
        let terminal = try coffer("init", path)
        try terminal.wait(for: "machine): ")
        terminal.type("one")
        try terminal.wait(for: "Repeat: ")
        terminal.type("other")
        #expect(try terminal.status() == 1)
        #expect(terminal.shown.contains("the two entries do not match; nothing was changed"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a line that the terminal may have cut is not accepted as a passphrase`() throws {
        let terminal = try coffer("init", path)
        try terminal.wait(for: "machine): ")
        terminal.type(String(repeating: "x", count: 5000))
        #expect(try terminal.status() == 69)
        #expect(terminal.shown.contains("line too long"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `init offers a recovery code, prints it once, and it opens the vault at the prompt`() throws {
        let terminal = try coffer("init", path)
        try terminal.wait(for: "machine): ")
        terminal.type("correct horse")
        try terminal.wait(for: "Repeat: ")
        terminal.type("correct horse")
        try terminal.wait(for: "[Y/n] ")
        terminal.type("")
        #expect(try terminal.status() == 0)
        let code = try #require(terminal.shown.firstMatch(of: /([0-9A-Z]{4}-){8}[0-9A-Z]{4}/))
        let second = try coffer("--vault", path, "list")
        try second.wait(for: "Passphrase for \(path): ")
        second.type(String(code.0))
        #expect(try second.status() == 0)
    }

    @Test func `the passphrase is asked for before a new secret, and the secret twice`() throws {
        try makeVault()
        let setting = try coffer("--vault", path, "set", "web", "kim")
        try setting.wait(for: "Passphrase for \(path): ")
        setting.type("correct horse")
        try setting.wait(for: "Secret for web kim: ")
        #expect(!setting.isEchoing)
        setting.type("battery")
        try setting.wait(for: "Repeat: ")
        setting.type("battery")
        #expect(try setting.status() == 0)
        #expect(!setting.shown.contains("battery"))

        let getting = try coffer("--vault", path, "get", "web")
        try getting.wait(for: "Passphrase for \(path): ")
        getting.type("wrong")
        try getting.wait(for: "that does not open the vault; try again")
        try getting.wait(for: "Passphrase for \(path): ")
        getting.type("correct horse")
        try getting.wait(for: "battery\r\n")
        #expect(try getting.status() == 0)
    }

    @Test func `three wrong answers are an error`() throws {
        try makeVault()
        let terminal = try coffer("--vault", path, "list")
        for _ in 1...3 {
            try terminal.wait(for: "Passphrase for \(path): ")
            terminal.type("wrong")
        }
        #expect(try terminal.status() == 51)
    }

    @Test func `a missing item is reported without a prompt`() throws {
        try makeVault()
        let terminal = try coffer("--vault", path, "get", "nothing")
        #expect(try terminal.status() == 44)
        #expect(!terminal.shown.contains("Passphrase"))
    }

    @Test func `Ctrl-C at a prompt ends the program by the signal and restores the terminal`() throws {
        try makeVault()
        let terminal = try coffer("--vault", path, "list")
        try terminal.wait(for: "Passphrase for \(path): ")
        terminal.send("\u{3}")
        try terminal.wait(for: "stopped; nothing was changed")
        #expect(try terminal.status() == 128 + 2)
    }

    /// Deriving a key takes a while; here the passphrase never arrives.
    @Test func `Ctrl-C while a vault is opened ends the program at once and says that nothing was changed`() throws {
        try makeVault()
        let pipe = home.appending(path: "pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let terminal = try coffer("--vault", path, "--passphrase-file", pipe, "list")
        try terminal.wait(for: "deriving the key")
        terminal.send("\u{3}")
        try terminal.wait(for: "stopped; nothing was changed")
        #expect(try terminal.status() == 128 + 2)
    }

    @Test func `end of input at the prompt leaves the vault locked`() throws {
        try makeVault()
        let terminal = try coffer("--vault", path, "list")
        try terminal.wait(for: "Passphrase for \(path): ")
        terminal.send("\u{4}")
        try terminal.wait(for: "stays locked")
        #expect(try terminal.status() == 36)
    }

    /// Stores a secret for `mail kim` in the default vault, which the first call creates.
    private func setMail(_ secret: String) throws {
        let terminal = try coffer("set", "mail", "kim", "--quiet")
        try terminal.wait(for: "Secret for mail kim: ")
        terminal.type(secret)
        try terminal.wait(for: "Repeat: ")
        terminal.type(secret)
        #expect(try terminal.status() == 0)
    }

    @Test func `set asks whether to replace an item before it asks for the new secret`() throws {
        try setMail("hunter2")
        let keeping = try coffer("set", "mail", "kim")
        try keeping.wait(for: "mail kim already exists. Replace it? [y/N] ")
        keeping.type("n")
        #expect(try keeping.status() == 45)
        #expect(!keeping.shown.contains("Secret for"))

        let replacing = try coffer("set", "mail", "kim")
        try replacing.wait(for: "Replace it? [y/N] ")
        replacing.type("y")
        try replacing.wait(for: "Secret for mail kim: ")
        replacing.type("battery")
        try replacing.wait(for: "Repeat: ")
        replacing.type("battery")
        #expect(try replacing.status() == 0)
        let getting = try coffer("get", "mail")
        try getting.wait(for: "battery\r\n")
        #expect(try getting.status() == 0)
    }

    @Test func `text typed before a yes-or-no question does not answer it`() throws {
        try makeVault()
        let terminal = try coffer("--vault", path, "passwd", "--remove")
        try terminal.wait(for: "Passphrase for \(path): ")
        terminal.type("correct horse\ny")
        try terminal.wait(for: "Remove the passphrase? [y/N] ")
        terminal.type("n")
        #expect(try terminal.status() == 1)
    }

    @Test func `--no-prompt suppresses prompts at a terminal`() throws {
        try makeVault()
        let terminal = try coffer("--vault", path, "--no-prompt", "list")
        #expect(try terminal.status() == 36)
        #expect(!terminal.shown.contains("Passphrase for"))
    }

    @Test func `prompts go to the terminal although input and output are redirected`() throws {
        try makeVault()
        let terminal = try coffer(
            "--vault",
            path,
            "list",
            isOutputTerminal: false,
            isInputTerminal: false
        )
        try terminal.wait(for: "Passphrase for \(path): ")
        terminal.type("correct horse")
        #expect(try terminal.status() == 0)
    }
}
