import CofferScreen
import CommandSystem
import Foundation
import TestSupport
import Testing

/// What verbs that show an item do at a terminal if nothing has exactly its name.
@Suite("Items that are chosen at the terminal", .temporaryDirectory) struct ItemPickerTests {
    private let sample: CommandSample

    init() throws {
        sample = try CommandSample()
        store("github.com", "lee", "--label", "Code", input: "battery")
        store("gitlab.example", "kim", "--comment", "mirror", input: "staple")
        store("mail", "kim", input: "hunter2")
    }

    private func store(_ words: String..., input: String) {
        let result = sample.run(.init(words: ["set", "-q"] + words, input: Array(input.utf8)))
        #expect(result.status == 0, "\(result.errors)")
    }

    /// Runs the command at a terminal with these steps.
    private func run(
        _ words: [String],
        _ steps: [SampleScreen.Step] = [],
        columns: Int = 80,
        rows: Int = 24,
        _ adjust: (inout CommandSample.Call) -> Void = { _ in }
    ) -> (result: CommandSample.Result, screen: SampleScreen) {
        let screen = SampleScreen(columns: columns, rows: rows, time: sample.time, steps)
        var call = CommandSample.Call(words: words)
        (call.isInputTerminal, call.isOutputTerminal) = (true, true)
        call.screen = screen
        adjust(&call)
        return (sample.run(call), screen)
    }

    // MARK: - One match

    @Test(arguments: [
        (["github"], "battery"), (["code"], "battery"), (["ghub", "lee"], "battery"), (["hub"], "battery"),
        (["gitlab"], "staple"),
    ])
    func `a part of a name or a label is enough for one item, which is named`(words: [String], secret: String) {
        let (result, screen) = run(["get"] + words)
        #expect(result.text == secret + "\n")
        #expect(result.errors.contains("using git"))
        #expect(screen.screens.isEmpty)
    }

    @Test(arguments: ["githbu", "githbu.com", "Cod3"])
    func `a typing error in a name, in its first part or in a label is offered as a hint`(word: String) {
        #expect(run(["get", word]).result.errors.contains("did you mean `coffer get github.com lee`?"))
    }

    @Test func `what is shown at a terminal has one address`() {
        store("https://web.example:8443/sign/in", "kim", input: "x")
        let lines = run(["show", "web", "--color", "never"]).result.text.split(separator: "\n")
        let first = [
            "class:          internet", "address:        https://web.example:8443/sign/in", "user:           kim",
        ]
        #expect(lines.prefix(3).elementsEqual(first.map { $0[...] }))
        #expect(
            !lines.contains {
                $0.contains("htps") || $0.contains("dflt") || $0.hasPrefix("path:") || $0.hasPrefix("server:")
            }
        )
    }

    @Test func `an exact name wins`() {
        store("git", "kim", input: "exact")
        let (result, screen) = run(["get", "git"])
        #expect(result.text == "exact\n" && result.errors.isEmpty && screen.screens.isEmpty)
        #expect(run(["get", "kim@gitlab.example"]).result.text == "staple\n")
    }

    @Test(arguments: ["mirror", "nothing", "githbu.com"])
    func `comments and typing errors are not enough`(word: String) {
        let (result, screen) = run(["get", word])
        #expect(result.status == 44 && result.text.isEmpty && screen.screens.isEmpty)
    }

    @Test(arguments: ["input", "output", "--no-prompt", "--json", "TERM"])
    func `without a terminal, or if nothing may be asked, names must be exact`(lack: String) {
        for words in [["get", "github"], ["get"]] {
            let (result, screen) = run(words + (lack.hasPrefix("--") ? [lack] : [])) { call in
                if lack == "input" { call.isInputTerminal = false }
                if lack == "output" { call.isOutputTerminal = false }
                if lack == "TERM" { call.variables["TERM"] = "dumb" }
            }
            #expect(result.status == (words.count == 2 ? 44 : 2))
            #expect(result.text.isEmpty && screen.screens.isEmpty)
        }
    }

    @Test(arguments: [
        ["rm", "github"], ["edit", "github"], ["undo", "github"], ["history", "github"],
        ["exec", "--env", "A=github", "show", "A"], ["aws-credential", "github"], ["mv", "github", "new"],
        ["restore", "--revision", "1", "github"], ["purge", "github", "--force"],
    ])
    func `other verbs do nothing, and offer the item`(words: [String]) {
        let (result, screen) = run(words, [.keys("\r")])
        #expect(result.status == 44 && result.text.isEmpty && screen.screens.isEmpty)
        #expect(result.errors.contains("did you mean"), "\(result.errors)")
        #expect(sample.run("list").text.split(separator: "\n").count == 3)
    }

    // A script that asks whether an item exists must not wait until thousands were read.
    @Test func `among very many items no similar names are looked for`() throws {
        let rows = (1...2001).map { "t\($0),https://t\($0).example,kim,x\($0)" }
        let file = sample.home.appending(path: "many.csv")
        try Data((["name,url,username,password"] + rows).joined(separator: "\n").utf8).write(to: file)
        #expect(sample.run("import", "-q", file.path).status == 0)
        let result = sample.run("get", "t7.exampel")
        #expect(result.status == 44 && !result.errors.contains("did you mean"), "\(result.errors)")
    }

    // MARK: - Several matches

    @Test func `of several items with exactly this name the user takes one`() {
        for user in ["ann", "bob"] { #expect(sample.run("set", "-q", "twin", user, input: user).status == 0) }
        let (result, screen) = run(["get", "twin"], [.keys("\u{1B}[B"), .keys("\r")])
        #expect(screen.screens[0].contains("Items (2)") && !screen.screens[0].contains("2 Items"))
        #expect(result.text == "bob\n" && result.errors.contains("using twin bob"))
        #expect(sample.run("get", "twin").status == 70)
    }

    @Test func `of several matches the user takes one`() {
        let (result, screen) = run(["get", "git"], [.keys("\u{1B}[B"), .keys("\r")])
        #expect(screen.screens[0].contains("github.com") || screen.screens[0].contains("Code"))
        #expect(screen.screens[0].contains("gitlab.example") && !screen.screens[0].contains("mail"))
        #expect(result.text == "staple\n", "\(result.errors)")
        #expect(result.errors.contains("using gitlab.example kim\n"))
        #expect(screen.farewell == ScreenSequence.leave)
        #expect(screen.screens.allSatisfy { !$0.contains("staple") && !$0.contains("battery") })
    }

    @Test func `without a name all are offered, and letters narrow the list`() {
        let (result, screen) = run(["get"], [.keys("mai"), .keys("\r")])
        #expect(screen.screens[0].contains("Items (3)"))
        #expect(screen.screens[1].contains("Items (1)") && screen.screens[1].contains("mail"))
        #expect(result.text == "hunter2\n")
        #expect(run(["show"], [.keys("mai"), .keys("\r")]).result.text.contains("name:"))
    }

    @Test(arguments: [["\u{0E}", "\u{0E}", "\u{10}"], ["\u{1B}[B", "\u{1B}[B", "\u{1B}[A"]])
    func `Ctrl-N and Ctrl-P move as the arrows do`(keys: [String]) {
        // By title: Code, gitlab.example, mail.
        let (result, _) = run(["get"], keys.map { .keys($0) } + [.keys("\r")])
        #expect(result.text == "staple\n")
    }

    @Test(arguments: ["\u{1B}", "\u{3}"])
    func `Escape and Ctrl-C take nothing`(key: String) {
        // The escape key is known by what does not follow it.
        let (result, screen) = run(["get", "git"], [.keys(key), .wait(seconds: 1)])
        #expect(result.text.isEmpty && result.signal == 2)
        #expect(result.errors.contains("nothing was chosen"))
        #expect(screen.farewell == ScreenSequence.leave)
    }

    @Test func `a signal ends the choice, and Enter without a match takes nothing`() {
        let (result, _) = run(["get"], [.keys("nonesuch"), .keys("\r"), .signal(15)])
        #expect(result.text.isEmpty && result.signal == 15)
    }

    @Test(arguments: [(20, 5), (200, 50), (1, 1)])
    func `it works on small and large screens, with names of two columns a letter`(columns: Int, rows: Int) {
        store("銀行の口座", "kim", input: "yen")
        let (result, screen) = run(["get"], [.keys("銀"), .keys("\r")], columns: columns, rows: rows)
        #expect(result.text == "yen\n")
        if columns > 1 { #expect(screen.screens[1].contains("銀行")) }
    }

    @Test func `it follows the size of the terminal`() {
        let steps: [SampleScreen.Step] = [.resize(columns: 30, rows: 6), .keys("\u{0E}"), .keys("\r")]
        let (result, screen) = run(["get"], steps)
        #expect(screen.screens[1].contains("mail") && result.text == "staple\n")
    }

    // MARK: - What is offered

    @Test func `what an import has stored beside an item is not offered`() {
        for name in ["otp:shop", "fields:shop", "file:shop", "passkey:shop"] { store(name, "kim", input: "x") }
        #expect(run(["get", "shop"]).result.status == 44)
        let (_, screen) = run(["get"], [.keys("\u{3}")])
        #expect(screen.screens[0].contains("Items (3)"))
        // An exact name is never refused.
        #expect(run(["get", "otp:shop"]).result.text == "x\n")
    }

    @Test func `what has an address is offered to be opened`() {
        store("https://example.com/start", "kim", input: "x")
        let (result, screen) = run(["open"], [.keys("exam"), .keys("\u{1B}[B"), .keys("\r")])
        // The services that are names of hosts, and the web password.
        #expect(screen.screens[0].contains("Items (3)") && !screen.screens[0].contains("mail"))
        #expect(result.text == "https://gitlab.example\n", "\(result.errors)")
    }

    // The password is that of RFC 4226, appendix D.
    @Test(arguments: [["otp"], ["get", "--otp"]])
    func `for one-time passwords the generators are offered`(verb: [String]) {
        let uri = "otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0"
        store("otp:github.com", "lee", input: uri)
        #expect(run(verb + ["github"]).result.text == "755224\n")
        store("zoo", "kim", input: uri)
        #expect(run(verb + ["zo"]).result.text == "755224\n")
        let (_, screen) = run(verb, [.keys("\u{3}")])
        #expect(screen.screens[0].contains("Items (2)"))
    }

    @Test func `what the holder of a grant has stored is not offered`() throws {
        let file = sample.home.appending(path: "credential").path
        #expect(sample.run("grant", "issue", "web", "web", "-o", file).status == 0)
        var call = CommandSample.Call(words: ["set", "github.com.evil", "lee"], input: Array("planted".utf8))
        call.variables["COFFER_GRANT_FILE"] = file
        #expect(sample.run(call).status == 0)
        #expect(run(["get", "hub"]).result.text == "battery\n")
        #expect(run(["get", "evil"]).result.status == 44)
        #expect(!sample.run("get", "evil").errors.contains("did you mean"))
        let (_, screen) = run(["get"], [.keys("\u{3}")])
        #expect(!screen.screens[0].contains("evil"))
        // One with exactly the name is named by an error as before.
        #expect(run(["get", "github.com.evil"]).result.status == 70)
    }

    @Test func `a locked vault is unlocked first`() throws {
        let passphrase = sample.home.appending(path: "new")
        try "correct horse battery\n".write(to: passphrase, atomically: false, encoding: .utf8)
        #expect(sample.run("passwd", "-q", "--new-passphrase-file", passphrase.path).status == 0)
        let (result, _) = run(["get", "hub"]) { $0.answers = ["correct horse battery"] }
        #expect(result.text == "battery\n", "\(result.errors)")
        #expect(run(["get", "hub"]).result.status == 36)
    }
}
