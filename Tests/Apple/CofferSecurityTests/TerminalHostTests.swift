import Foundation
import TestSupport
import Testing

/// The host that asks at the terminal of a program.
@Suite("The host at the terminal", .temporaryDirectory) struct TerminalHostTests {
    private let variables: [String: String]

    init() throws {
        let home = try TemporaryDirectory.current
        let passphrase = home.appending(path: "passphrase")
        try Data("correct horse".utf8).write(to: passphrase)
        variables = ["HOME": home.path, "COFFER_PASSPHRASE_FILE": passphrase.path]
    }

    private func program() throws -> PseudoTerminal { try PseudoTerminal("SecItemWorker", [], variables: variables) }

    @Test func `a passphrase is asked for without an echo, and compared`() throws {
        let program = try program()
        program.type("guard presence")
        try program.wait(for: "0\r\n")
        program.type("ask presence")
        try program.wait(for: "SecItemWorker wants to use an item of the keychain.\r\nPassphrase: ")
        #expect(!program.isEchoing)
        program.type("wrong")
        try program.wait(for: "That is wrong; try again.\r\nPassphrase: ")
        // With a character erased.
        program.send("correct horsé\u{7F}e\n")
        try program.wait(for: "presence\r\n")
        #expect(program.isEchoing)
        #expect(!program.shown.contains("correct"))
    }

    @Test(arguments: ["\u{3}", "\u{4}", "\n"]) func `a user can cancel`(key: String) throws {
        let program = try program()
        program.type("guard presence")
        try program.wait(for: "0\r\n")
        program.type("ask presence")
        try program.wait(for: "Passphrase: ")
        program.send(key)
        try program.wait(for: "-128\r\n")
        #expect(program.isEchoing)
    }

    @Test func `an answer that was too long is not accepted without its end`() throws {
        let program = try program()
        program.type("guard presence")
        try program.wait(for: "0\r\n")
        program.type("ask presence")
        try program.wait(for: "Passphrase: ")
        // A passphrase has at most 4,096 bytes.
        program.type(String(repeating: "a", count: 4097) + "\u{7F}")
        try program.wait(for: "-128\r\n")
    }

    @Test func `a new application password is asked for twice`() throws {
        let program = try program()
        program.type("guard password")
        try program.wait(for: "New password of the item: ")
        program.type("one")
        try program.wait(for: "Repeat: ")
        program.type("two")
        try program.wait(for: "-25293\r\n")
        program.type("guard password")
        for question in ["New password of the item: ", "Repeat: "] {
            try program.wait(for: question)
            program.type("secret")
        }
        try program.wait(for: "0\r\n")
        program.type("ask password")
        try program.wait(for: "Password of the item: ")
        program.type("secret")
        try program.wait(for: "password\r\n")
        #expect(!program.shown.contains("secret"))
    }

    @Test func `without a terminal nothing is asked`() throws {
        let program = try WorkerProcess("SecItemWorker", variables: variables, isAlone: true)
        #expect(try program.answer(to: "guard", "presence") == "0")
        #expect(try program.answer(to: "ask", "presence") == "-25308")
    }

    // MARK: - The simulator

    @Test func `like Apple's simulator a program can read without asking, and is told so once`() throws {
        let first = try WorkerProcess("SecItemWorker", variables: variables, isAlone: true)
        #expect(try first.answer(to: "guard", "presence") == "0")
        #expect(try first.answer(to: "find", "presence") == "-25308")
        let variables = variables.merging(["COFFER_SIMULATOR": "1"]) { $1 }
        let program = try WorkerProcess("SecItemWorker", variables: variables, isAlone: true, capturesErrors: true)
        #expect(try program.answer(to: "find", "presence") == "presence")
        #expect(try program.answer(to: "find", "presence") == "presence")
        let warning =
            "coffer: warning: COFFER_SIMULATOR is set: items are used without the authentication that they demand"
        #expect(try program.end() == [warning])
    }
}
