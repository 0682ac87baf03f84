import Foundation
import TestSupport
import Testing

/// The prompts of single verbs at a real terminal: what each asks, in which order, and that no secret is shown.
@Suite("Prompts of verbs", .temporaryDirectory) struct PromptsOfVerbsTests {
    /// A question and the typed answer.
    typealias Exchange = (question: String, answer: String)

    private let home: URL
    private let path: String

    init() throws {
        home = try TemporaryDirectory.current
        path = home.appending(path: "test.coffer").path
    }

    /// Runs a dialog with the command to its end, and returns the text that was shown.
    private func talk(
        _ words: String...,
        variables: [String: String] = [:],
        status: Int32 = 0,
        asked exchanges: Exchange...
    ) throws -> String {
        let own = ["HOME": home.path, "TERM": "dumb", "PATH": "/usr/bin:/bin", "COFFER_VAULT": path]
        let terminal = try PseudoTerminal("coffer", words, variables: own.merging(variables) { $1 })
        for exchange in exchanges {
            try terminal.wait(for: exchange.question)
            #expect(!terminal.isEchoing, "at \(exchange.question)")
            terminal.type(exchange.answer)
        }
        #expect(try terminal.status() == status, "\(terminal.shown)")
        for exchange in exchanges where exchange.answer.count > 1 {
            #expect(!terminal.shown.contains(exchange.answer), "\(exchange.answer) was shown")
        }
        return terminal.shown
    }

    /// The prompt for the current passphrase, with its answer.
    private var passphrase: Exchange { ("Passphrase for \(path): ", "correct horse") }

    /// Creates the vault with one item, protected by a passphrase or by the device key.
    private func makeVault(passphrase: String? = "correct horse") throws {
        try CommandSample.makeVault(at: path, passphrase: passphrase)
    }

    // MARK: - Passphrases

    @Test func `passwd asks for the old passphrase, and twice for the new one`() throws {
        try makeVault()
        let new: [Exchange] = [("New passphrase for \(path): ", "staple battery"), ("Repeat: ", "staple battery")]
        _ = try talk("passwd", asked: passphrase, new[0], new[1])
        _ = try talk("get", "mail", asked: passphrase, (question: passphrase.question, answer: "staple battery"))
    }

    @Test func `passwd --remove asks for confirmation`() throws {
        try makeVault()
        let question = "Remove the passphrase? [y/N] "
        let kept = try talk("passwd", "--remove", status: 1, asked: passphrase, (question: question, answer: "n"))
        #expect(kept.contains("nothing was changed"))
        _ = try talk("passwd", "--remove", asked: passphrase, (question: question, answer: "y"))
        #expect(try talk("get", "mail").contains("hunter2\r\n"))
    }

    @Test func `slot add passphrase asks for the new one twice`() throws {
        try makeVault()
        let new: [Exchange] = [("New passphrase for \(path): ", "staple battery"), ("Repeat: ", "staple battery")]
        _ = try talk("slot", "add", "passphrase", asked: passphrase, new[0], new[1])
        _ = try talk("get", "mail", asked: (question: passphrase.question, answer: "staple battery"))
    }

    @Test func `slot remove asks before a machine loses its items`() throws {
        try makeVault()
        let list = try talk("slot", "list", "--json")
        let id = try #require(list.firstMatch(of: /"devices": \[\{"id": "([0-9a-f]+)"/)?.1)
        let question = "Remove it from \(path)? [y/N] "
        let kept = try talk(
            "slot",
            "remove",
            String(id),
            status: 1,
            asked: passphrase,
            (question: question, answer: "n")
        )
        #expect(kept.contains("Items that exist only on machine \(id) are deleted with it."))
    }

    @Test func `unlock asks for the passphrase`() throws {
        try makeVault()
        for verb in ["unlock", "unlock-keychain"] {
            // A missing kernel keyring is reported after the passphrase was accepted.
            let terminal = try PseudoTerminal(
                "coffer",
                [verb],
                variables: ["HOME": home.path, "TERM": "dumb", "COFFER_VAULT": path]
            )
            try terminal.wait(for: passphrase.question)
            #expect(!terminal.isEchoing)
            terminal.type("correct horse")
            #expect([0, 53].contains(try terminal.status()))
            _ = try talk("lock")
        }
    }

    // MARK: - Confirmations

    @Test func `purge asks for confirmation`() throws {
        try makeVault(passphrase: nil)
        #expect(try talk("purge", status: 1, asked: ("[y/N] ", "n")).contains("nothing was erased"))
        #expect(try talk("purge", asked: ("[y/N] ", "y")).contains("This cannot be undone."))
    }

    @Test func `restore of all items asks for confirmation`() throws {
        try makeVault(passphrase: nil)
        let moment = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        _ = try talk("add-generic-password", "-U", "-s", "mail", "-a", "kim", "-w", "battery")
        #expect(
            try talk("restore", "--at", moment, status: 1, asked: ("[y/N] ", "n")).contains("nothing was restored")
        )
        #expect(try talk("restore", "--at", moment, asked: ("[y/N] ", "y")).contains("Restore 1 item as of"))
        #expect(try talk("get", "mail").contains("hunter2"))
    }

    @Test func `delete-keychain asks for confirmation`() throws {
        try makeVault(passphrase: nil)
        let question = "Delete \(path) with all its items? [y/N] "
        _ = try talk("delete-keychain", path, status: 1, asked: (question: question, answer: "n"))
        #expect(FileManager.default.fileExists(atPath: path))
        _ = try talk("delete-keychain", path, asked: (question: question, answer: "y"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `rm does not ask, and says how to restore the item`() throws {
        try makeVault()
        #expect(try talk("rm", "mail").contains("`coffer undo mail` restores it"))
    }

    // MARK: - Verbs of macOS

    @Test func `add-generic-password asks twice if -w is the last argument`() throws {
        try makeVault(passphrase: nil)
        let questions: [Exchange] = [
            ("password data for new item: ", "battery"), ("retype password for new item: ", "battery"),
        ]
        _ = try talk("add-generic-password", "-s", "web", "-a", "kim", "-w", asked: questions[0], questions[1])
        _ = try talk("add-internet-password", "-s", "web", "-a", "kim", "-w", asked: questions[0], questions[1])
        #expect(try talk("get", "web", "--class", "generic").contains("battery"))
        #expect(try talk("get", "web", "--class", "internet").contains("battery"))
    }

    @Test func `create-keychain and set-keychain-password ask for their passphrases`() throws {
        _ = try talk(
            "create-keychain",
            path,
            asked: ("password for new keychain \(path): ", "correct horse"),
            ("retype password for new keychain \(path): ", "correct horse")
        )
        _ = try talk(
            "set-keychain-password",
            asked: passphrase,
            ("New Password for \(path): ", "battery"),
            ("Retype New Password for \(path): ", "battery")
        )
        _ = try talk("list", asked: (question: passphrase.question, answer: "battery"))
    }

    // MARK: - For other programs

    @Test func `exec asks before it runs the command`() throws {
        try makeVault()
        let shown = try talk("exec", "--env", "A=mail", "--", "sh", "-c", "echo ${#A} letters", asked: passphrase)
        #expect(shown.contains("7 letters"))
    }

    @Test func `askpass asks for the passphrase of the vault and for missing secrets`() throws {
        try makeVault()
        let item = ["COFFER_ASKPASS_ITEM": "mail"]
        #expect(try talk("askpass", "Say it: ", variables: item, asked: passphrase).contains("hunter2\r\n"))
        let terminal = try PseudoTerminal(
            "coffer",
            ["askpass", "Say friend: "],
            variables: ["HOME": home.path, "COFFER_VAULT": path],
            isOutputTerminal: false
        )
        try terminal.wait(for: "Say friend: ")
        #expect(!terminal.isEchoing)
        terminal.type("mellon")
        #expect(try terminal.status() == 0)
        #expect(!terminal.shown.contains("mellon"))
    }
}
