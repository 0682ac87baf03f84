import Foundation
import TestSupport
import Testing

/// Every question at a real terminal: the command as a process, a person at the other end.
@Suite("Prompts", .temporaryDirectory) struct PromptTests {
    private let home: URL
    private var path: String { home.appending(path: "test.coffer").path }
    private var variables: [String: String] { ["HOME": home.path, "TERM": "dumb"] }

    init() throws {
        home = try TemporaryDirectory.current
    }

    /// The command at a terminal.
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

    /// Makes the vault of the test with a passphrase.
    private func makeVault() throws {
        let terminal = try coffer("init", path)
        try terminal.wait(for: "New passphrase for \(path) (nothing for the key of this machine alone): ")
        #expect(!terminal.isEchoing)
        terminal.type("correct horse")
        try terminal.wait(for: "The same again: ")
        terminal.type("correct horse")
        try terminal.wait(for: "Make a recovery code too? [y/N] ")
        #expect(terminal.isEchoing)
        terminal.type("n")
        #expect(try terminal.status() == 0)
        #expect(!terminal.shown.contains("correct horse"))
    }

    @Test func `a new vault asks for a passphrase twice, and shows it never`() throws {
        try makeVault()
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func `two passphrases that differ make no vault`() throws {
        let terminal = try coffer("init", path)
        try terminal.wait(for: "alone): ")
        terminal.type("one")
        try terminal.wait(for: "The same again: ")
        terminal.type("other")
        #expect(try terminal.status() == 1)
        #expect(terminal.shown.contains("the two are not the same; nothing was changed"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a line that the terminal may have cut is no passphrase`() throws {
        let terminal = try coffer("init", path)
        try terminal.wait(for: "alone): ")
        terminal.type(String(repeating: "x", count: 5000))
        #expect(try terminal.status() == 69)
        #expect(terminal.shown.contains("this one may have lost its end"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a recovery code is offered, printed once, and opens the vault at the prompt`() throws {
        let terminal = try coffer("init", path)
        try terminal.wait(for: "alone): ")
        terminal.type("correct horse")
        try terminal.wait(for: "again: ")
        terminal.type("correct horse")
        try terminal.wait(for: "[y/N] ")
        terminal.type("y")
        #expect(try terminal.status() == 0)
        let code = try #require(terminal.shown.firstMatch(of: /([0-9A-Z]{4}-){8}[0-9A-Z]{4}/))
        let second = try coffer("--vault", path, "list")
        try second.wait(for: "Passphrase for \(path): ")
        second.type(String(code.0))
        #expect(try second.status() == 0)
    }

    @Test func `what opens the vault is asked for before a secret, and the secret twice`() throws {
        try makeVault()
        let setting = try coffer("--vault", path, "set", "mail", "kim")
        try setting.wait(for: "Passphrase for \(path): ")
        setting.type("correct horse")
        try setting.wait(for: "Secret for mail kim: ")
        #expect(!setting.isEchoing)
        setting.type("hunter2")
        try setting.wait(for: "The same again: ")
        setting.type("hunter2")
        #expect(try setting.status() == 0)
        #expect(!setting.shown.contains("hunter2"))

        let getting = try coffer("--vault", path, "get", "mail")
        try getting.wait(for: "Passphrase for \(path): ")
        getting.type("wrong")
        try getting.wait(for: "that does not open it; try again")
        try getting.wait(for: "Passphrase for \(path): ")
        getting.type("correct horse")
        try getting.wait(for: "hunter2\r\n")
        #expect(try getting.status() == 0)
    }

    @Test func `who answers wrong three times is told so`() throws {
        try makeVault()
        let terminal = try coffer("--vault", path, "list")
        for _ in 1...3 {
            try terminal.wait(for: "Passphrase for \(path): ")
            terminal.type("wrong")
        }
        #expect(try terminal.status() == 51)
    }

    @Test func `what is absent is told without a question`() throws {
        try makeVault()
        let terminal = try coffer("--vault", path, "get", "nothing")
        #expect(try terminal.status() == 44)
        #expect(!terminal.shown.contains("Passphrase"))
    }

    @Test func `Ctrl-C at a question ends the program by the signal, with the terminal as it was`() throws {
        try makeVault()
        let terminal = try coffer("--vault", path, "list")
        try terminal.wait(for: "Passphrase for \(path): ")
        terminal.send("\u{3}")
        try terminal.wait(for: "stopped; nothing was changed")
        #expect(try terminal.status() == 128 + 2)
    }

    /// A key takes a while to be derived, and here somebody still owes the passphrase.
    @Test func `Ctrl-C while a vault is opened ends the program at once, and says that nothing was changed`() throws {
        try makeVault()
        let pipe = home.appending(path: "pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let terminal = try coffer("--vault", path, "--passphrase-file", pipe, "list")
        try terminal.wait(for: "deriving the key")
        terminal.send("\u{3}")
        try terminal.wait(for: "stopped; nothing was changed")
        #expect(try terminal.status() == 128 + 2)
    }

    @Test func `who ends the input instead of answering leaves the vault locked`() throws {
        try makeVault()
        let terminal = try coffer("--vault", path, "list")
        try terminal.wait(for: "Passphrase for \(path): ")
        terminal.send("\u{4}")
        try terminal.wait(for: "stays locked")
        #expect(try terminal.status() == 36)
    }

    /// Stores a secret of `mail kim` in the default vault, which the first one makes.
    private func setMail(_ secret: String) throws {
        let terminal = try coffer("set", "mail", "kim", "--quiet")
        try terminal.wait(for: "Secret for mail kim: ")
        terminal.type(secret)
        try terminal.wait(for: "again: ")
        terminal.type(secret)
        #expect(try terminal.status() == 0)
    }

    @Test func `whether an item that is there is replaced is asked before its new secret is`() throws {
        try setMail("hunter2")
        let keeping = try coffer("set", "mail", "kim")
        try keeping.wait(for: "mail kim is there already. Replace it? [y/N] ")
        keeping.type("n")
        #expect(try keeping.status() == 45)
        #expect(!keeping.shown.contains("Secret for"))

        let replacing = try coffer("set", "mail", "kim")
        try replacing.wait(for: "Replace it? [y/N] ")
        replacing.type("y")
        try replacing.wait(for: "Secret for mail kim: ")
        replacing.type("battery")
        try replacing.wait(for: "again: ")
        replacing.type("battery")
        #expect(try replacing.status() == 0)
        let getting = try coffer("get", "mail")
        try getting.wait(for: "battery\r\n")
        #expect(try getting.status() == 0)
    }

    @Test func `what was typed before a question of yes or no is no answer to it`() throws {
        try makeVault()
        let terminal = try coffer("--vault", path, "passwd", "--remove")
        try terminal.wait(for: "Passphrase for \(path): ")
        terminal.type("correct horse\ny")
        try terminal.wait(for: "Remove the passphrase? [y/N] ")
        terminal.type("n")
        #expect(try terminal.status() == 1)
    }

    @Test func `with --no-prompt nothing is asked at a terminal either`() throws {
        try makeVault()
        let terminal = try coffer("--vault", path, "--no-prompt", "list")
        #expect(try terminal.status() == 36)
        #expect(!terminal.shown.contains("Passphrase for"))
    }

    @Test func `questions go to the terminal, though input and output are elsewhere`() throws {
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
