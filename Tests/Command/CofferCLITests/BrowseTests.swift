import CofferScreen
import CommandSystem
import Foundation
import TestSupport
import Testing

@Suite("The screen of browse", .temporaryDirectory) struct BrowseTests {
    private let sample: CommandSample

    init() throws {
        sample = try CommandSample()
        store("mail", "kim", "hunter2")
        store("github.com", "lee", "battery")
        store("bank", "kim", "staple")
    }

    private func store(_ service: String, _ account: String, _ secret: String) {
        let result = sample.run("set", service, account, "--force", "-q", input: secret)
        #expect(result.status == 0, "\(result.errors)")
    }

    /// Browses with these steps, and returns the screen.
    @discardableResult
    private func browse(
        _ steps: [SampleScreen.Step],
        columns: Int = 110,
        rows: Int = 30,
        options: [String] = [],
        variables: [String: String] = [:],
        status: UInt8 = 0
    ) -> SampleScreen {
        let screen = SampleScreen(columns: columns, rows: rows, time: sample.time, steps)
        var call = CommandSample.Call(words: ["browse"] + options)
        call.isOutputTerminal = true
        call.screen = screen
        call.variables.merge(variables) { $1 }
        let result = sample.run(call)
        #expect(result.status == status, "\(result.errors)")
        #expect(screen.farewell == ScreenSequence.leave)
        return screen
    }

    // MARK: - Looking

    @Test func `the screen shows groups, items and what is known of the selected one`() {
        let screen = browse([.keys("j")])
        #expect(screen.last.contains("All items") && screen.last.contains("Items (3)"))
        for text in ["bank", "github.com", "mail", "readable while the vault", "History", "added"] {
            #expect(screen.last.contains(text), "\(text)")
        }
        #expect(!screen.last.contains("hunter2") && !screen.last.contains("battery"))
    }

    @Test func `letters after a slash filter the items, and Escape shows all again`() {
        let screen = browse([.keys("/"), .keys("ghub"), .keys("\r"), .keys("\u{1B}"), .wait(seconds: 1)])
        #expect(screen.screens[2].contains("Items (1)") && screen.screens[2].contains("github.com"))
        #expect(!screen.screens[2].contains("bank"))
        #expect(screen.last.contains("Items (3)"))
    }

    @Test func `a search begins anew, and narrows with each letter and widens again`() {
        let screen = browse([
            .keys("/"), .keys("ghub"), .keys("\r"), .keys("/"), .keys("b"), .keys("a"), .keys("x"), .keys("\u{7F}"),
            .keys("\u{7F}"), .wait(seconds: 1),
        ])
        #expect(screen.screens[4].contains("Items (3)") && !screen.screens[4].contains("ghub"))
        #expect(screen.screens[6].contains("/ba") && screen.screens[6].contains("Items (1)"))
        #expect(screen.screens[7].contains("Items (0)"))
        #expect(screen.screens[8].contains("Items (1)") && screen.screens[8].contains("bank"))
        #expect(screen.last.contains("Items (2)") && screen.last.contains("github.com"))
    }

    @Test func `the screen is drawn before anything is read`() {
        let screen = SampleScreen(columns: 80, rows: 24, time: sample.time, [])
        var call = CommandSample.Call(words: ["browse"])
        (call.isOutputTerminal, call.screen) = (true, screen)
        #expect(sample.run(call).status == 0)
        let text = String(decoding: screen.written, as: UTF8.self)
        let (early, late) = (text.firstRange(of: "opening the vault…"), text.firstRange(of: "bank"))
        #expect(early.map { early in late.map { early.upperBound < $0.lowerBound } ?? false } == true)
    }

    @Test func `items are sorted by the date of their last change`() {
        sample.time.advance(nanoseconds: 86_400_000_000_000)
        store("mail", "kim", "other")
        let screen = browse([.keys("s"), .wait(seconds: 1), .keys("s"), .wait(seconds: 1)])
        func first(_ screen: String) -> Substring { screen.split(separator: "\n")[3] }
        #expect(first(screen.screens[0]).contains("bank") && first(screen.last).contains("bank"))
        #expect(first(screen.screens[2]).contains("mail") && first(screen.screens[2]).contains("2026-01-02"))
    }

    @Test func `numbers lead to the panes`() {
        let screen = browse([.keys("3"), .keys("1"), .keys("2"), .wait(seconds: 1)])
        #expect(screen.screens[1].contains("Enter compare") && screen.screens[2].contains("Enter items"))
        #expect(screen.last.contains("Space show"))
    }

    @Test func `the space bar shows a secret, which is hidden again after 20 seconds`() {
        let screen = browse([.keys(" "), .wait(seconds: 19), .wait(seconds: 2), .wait(seconds: 1)])
        #expect(screen.screens[1].contains("staple"))
        #expect(screen.screens[2].contains("staple"))
        #expect(!screen.last.contains("staple"))
    }

    // The key is that of RFC 6238; Python's hmac computed the passwords of the first two periods of 2026.
    @Test func `of a generator the current one-time password is shown and copied`() throws {
        let uri = "otpauth://totp/zoo:kim?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        store("zoo", "kim", uri)
        let screen = browse([
            .keys("G"), .wait(seconds: 12), .keys(" "), .wait(seconds: 15), .keys("c"), .wait(seconds: 1),
        ])
        #expect(screen.screens[3].contains("745690") && !screen.screens[3].contains("GEZDGNBV"))
        #expect(screen.screens[4].contains("119644") && !screen.screens[4].contains("745690"))
        #expect(screen.last.contains("copied the one-time password"))
        // The base64 of 119644.
        #expect(String(decoding: screen.written, as: UTF8.self).contains("\u{1B}]52;c;MTE5NjQ0\u{7}"))
    }

    /// A login with its one-time passwords, the first of which is 745690, as above.
    private func storeLogin(account: String = "kim") {
        let uri = "otpauth://totp/zoo:\(account)?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        let words = [
            ["set", "https://zoo.example", account, "--label", "Zoo", "-q"],
            // As an import stores it.
            ["set", "otp:zoo.example", account, "--label", "Zoo", "-q"],
        ]
        for (words, input) in zip(words, ["tape", uri]) {
            let result = sample.run(CommandSample.Call(words: words, input: Array(input.utf8)))
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test func `a login is found before its one-time password, and shown with it`() {
        storeLogin()
        let screen = browse([.keys("/"), .keys("zoo\r"), .keys(" "), .wait(seconds: 21), .wait(seconds: 1)])
        #expect(screen.screens[2].contains("Items (2)") && screen.screens[2].contains("Space: with the code"))
        #expect(screen.screens[3].contains("tape") && screen.screens[3].contains("745690"))
        #expect(!screen.last.contains("tape") && !screen.last.contains("745690"))
    }

    @Test func `all that are listed are marked, or unmarked if all are marked`() {
        let screen = browse([.keys("x"), .keys("X"), .keys("X")])
        #expect(screen.screens[1].contains("1 marked") && screen.screens[2].contains("3 marked"))
        #expect(!screen.last.contains("marked"))
    }

    @Test func `where there is a display, the menu opens the address`() {
        storeLogin()
        let keys: [SampleScreen.Step] = [.keys("/"), .keys("zoo\r"), .keys("y"), .keys("o"), .wait(seconds: 1)]
        #expect(browse(keys, variables: ["DISPLAY": ":0"]).last.contains("opened https://zoo.example"))
        #expect(!browse(keys).screens[3].contains("open the address"))
    }

    // Python's base64 encoded what is expected.
    @Test(arguments: [
        ("u", "a2lt"), ("s", "dGFwZQ=="), ("c", "NzQ1Njkw"), ("a", "aHR0cHM6Ly96b28uZXhhbXBsZQ=="),
    ])
    func `a menu copies user, secret, code and address`(key: String, base64: String) {
        storeLogin()
        let screen = browse([.keys("/"), .keys("zoo\r"), .keys("y"), .keys(key), .wait(seconds: 1)])
        for line in ["user (u)", "secret (s)", "code (c)", "address (a)"] {
            #expect(screen.screens[3].contains(line), "\(line)")
        }
        let written = String(decoding: screen.written, as: UTF8.self)
        #expect(written.contains("\u{1B}]52;c;\(base64)\u{7}") && screen.last.contains("copied the"))
    }

    // The passwords of RFC 4226, appendix D.
    @Test func `copying from a generator that counts uses it up`() throws {
        store("zoo", "kim", "otpauth://hotp/zoo:kim?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=1")
        let screen = browse([.keys("G"), .keys("c"), .keys("c"), .wait(seconds: 1)])
        let written = String(decoding: screen.written, as: UTF8.self)
        #expect(written.contains("\u{1B}]52;c;Mjg3MDgy\u{7}") && written.contains("\u{1B}]52;c;MzU5MTUy\u{7}"))
    }

    @Test func `another item hides the secret`() {
        let screen = browse([.keys(" "), .keys("j")])
        #expect(screen.screens[1].contains("staple") && !screen.last.contains("staple"))
    }

    @Test func `no secret is shown or edited in clear text with --no-secrets`() {
        let screen = browse(
            [.keys(" "), .keys("c"), .keys("y"), .keys("s"), .keys("e"), .keys("\u{14}")],
            options: ["--no-secrets"]
        )
        #expect(screen.screens.allSatisfy { !$0.contains("staple") })
        // Neither is copied: the base64 of staple.
        #expect(!String(decoding: screen.written, as: UTF8.self).contains("c3RhcGxl"))
        #expect(screen.screens[4].contains("--no-secrets hides all secrets"))
    }

    @Test func `changes of other programs appear`() {
        let screen = browse([
            .other { [self] in store("wiki", "kim", "x") }, .wait(seconds: 1), .wait(seconds: 1),
        ])
        #expect(!screen.screens[0].contains("wiki") && screen.last.contains("wiki"))
    }

    @Test func `the mouse selects an item`() {
        // The third item is in row 6 of the screen: below the title, the frame and the search.
        let screen = browse([.keys("\u{1B}[<0;40;6M"), .keys("\u{1B}[<0;40;6m")])
        #expect(screen.last.contains("─ 3 mail ─"))
    }

    // MARK: - Changing

    @Test func `a password is added in a form`() {
        browse([
            .keys("a"), .keys("shop"), .keys("\t\t"), .keys("kim"), .keys("\t\t\t\t"), .keys("tape"), .keys("\u{13}"),
        ])
        #expect(sample.run("get", "shop", "kim").text == "tape")
    }

    @Test(arguments: ["https://example.com:8443/x", "example.com:8443/x"])
    func `a password with an address is one for a server`(address: String) {
        browse([.keys("a"), .keys("\t\(address)\tkim\t\t\t\ttape"), .keys("\u{13}"), .wait(seconds: 1)])
        #expect(sample.run("get", "https://example.com:8443/x", "kim").text == "tape")
        let screen = browse([
            .keys("/"), .keys("example"), .keys("\r"), .keys("e"), .keys("\u{15}example.org"), .keys("\u{13}"),
            .wait(seconds: 1),
        ])
        #expect(screen.screens[4].contains("https://example.com:8443/x"), "\(screen.screens[4])")
        #expect(sample.run("get", "https://example.org", "kim").text == "tape")
    }

    @Test func `what is no address is said, and with an address the name is the label`() {
        let screen = browse([
            .keys("a"), .keys("\tmy shop\tkim\t\t\t\ttape"), .keys("\u{13}"),
            .keys("\u{1B}[Z\u{1B}[Z\u{1B}[Z\u{1B}[Z\u{1B}[Z\u{15}a.example\u{1B}[Zshop"), .keys("\u{13}"),
            .wait(seconds: 1),
        ])
        #expect(screen.screens[3].contains("the address is not of the form https://example.com"))
        #expect(screen.screens[5].contains("added a.example kim"), "\(screen.screens[5])")
        #expect(sample.run("show", "https://a.example").text.contains("label\tshop\n"))
    }

    @Test func `a generated password replaces one, and z brings it back`() throws {
        browse([.keys("n"), .keys("j"), .keys("\r")])
        #expect(sample.run("get", "bank").text.count == 20)
        let screen = browse([.keys("z"), .wait(seconds: 1)])
        #expect(sample.run("get", "bank").text == "staple")
        #expect(screen.last.contains("as it was before"))
    }

    // 20 of 71 characters: 20 × log2(71) is 122.99.
    @Test func `a generated password has its true entropy, a typed one an estimate`() {
        let screen = browse([
            .keys("a"), .keys("\u{07}"), .keys("\u{1B}[Z\u{1B}[Zx"), .keys("\u{1B}"), .wait(seconds: 1),
        ])
        #expect(screen.screens[2].contains("strong, 122 bits"), "\(screen.screens[2])")
        #expect(screen.screens[3].contains("strong, 122 bits"), "\(screen.screens[3])")
        let typed = browse([.keys("a"), .keys("\t\t\t\t\t\tpassword"), .keys("\u{1B}"), .wait(seconds: 1)])
        #expect(typed.screens[2].contains("very weak"), "\(typed.screens[2])")
    }

    @Test func `an item is deleted only after a confirmation, and restored from the deleted ones`() {
        browse([.keys("d"), .keys("\r")])
        #expect(sample.run("get", "bank").text == "staple")
        browse([.keys("d"), .keys("j"), .keys("\r")])
        #expect(sample.run("get", "bank").status == 44)
        // The last of the scopes.
        let screen = browse([.keys("\u{1B}[D"), .keys("G"), .keys("\r"), .keys("z"), .wait(seconds: 1)])
        #expect(screen.screens[3].contains("Deleted"))
        #expect(sample.run("get", "bank").text == "staple")
    }

    @Test func `two revisions are compared, and the older one is restored`() {
        #expect(sample.run("set", "bank", "kim", "--force", "-q", "--comment", "new", input: "other").status == 0)
        let screen = browse([
            .keys("\t"), .keys("j"), .keys("\r"), .keys("q"), .keys("r"), .keys("j"), .keys("\r"), .wait(seconds: 1),
        ])
        #expect(screen.screens[3].contains("Revisions 1 and 2") && screen.screens[3].contains("+ new"))
        #expect(sample.run("get", "bank").text == "staple")
    }

    @Test func `an item is moved to another group`() {
        browse([.keys("m"), .keys("G"), .keys("\r"), .keys("work"), .keys("\r")])
        #expect(sample.run("list", "bank").text.contains("\twork\t"))
    }

    @Test func `secret and notes are edited as one revision`() {
        // The notes are the fifth field, and the secret the one after it.
        let screen = browse([
            .keys("e"), .keys("\t\t\t\t"), .keys("new"), .keys("\t"), .keys("\u{15}tape"), .keys("\u{13}"),
            .wait(seconds: 1), .keys("z"), .wait(seconds: 1),
        ])
        #expect(screen.screens[7].contains("notes") && screen.screens[7].contains("● 2"))
        #expect(sample.run("get", "bank").text == "staple")
        #expect(!sample.run("show", "bank").text.contains("new"))
    }

    @Test func `a form stays when it cannot be stored`() {
        let screen = browse([
            .keys("a"), .keys("bank\t\tkim\t\t\t\tother"), .keys("\u{13}"), .keys("\u{1B}[Z\u{1B}[Z\u{1B}[Z\u{1B}[Z2"),
            .keys("\u{13}"), .wait(seconds: 1),
        ])
        #expect(screen.screens[3].contains("already exists"))
        #expect(sample.run("get", "bank", "kim2").text == "other")
        #expect(sample.run("get", "bank", "kim").text == "staple")
    }

    @Test func `what was deleted last comes back with z`() {
        let screen = browse([.keys("d"), .keys("y"), .keys("z"), .wait(seconds: 1)])
        #expect(screen.screens[2].contains("deleted bank kim"))
        #expect(sample.run("get", "bank").text == "staple")
    }

    @Test func `the secret of an earlier revision is shown`() {
        store("bank", "kim", "other")
        let screen = browse([.keys("\t"), .keys("j"), .keys(" "), .keys("k"), .keys(" "), .wait(seconds: 1)])
        #expect(screen.screens[3].contains("staple") && !screen.screens[3].contains("other"))
        #expect(screen.screens[3].contains("of revision 1, not the current one"))
        #expect(!screen.screens[4].contains("staple") && !screen.last.contains("not the current one"))
        #expect(screen.last.contains("other") && !screen.last.contains("staple"))
    }

    @Test func `an import is shown before it is done`() throws {
        let text = "name,url,username,password\nShop,https://shop.example/,kim,tape\n"
        try Data(text.utf8).write(to: sample.home.appending(path: "chrome.csv"))
        let import_ = [SampleScreen.Step.keys("w"), .keys("i"), .keys("~/chrome.csv\r")]
        let cancelled = browse(import_ + [.keys("n"), .wait(seconds: 1)])
        #expect(cancelled.screens[3].contains("1 item would be added") && cancelled.screens[3].contains("Import (y)"))
        #expect(sample.run("get", "shop.example").status == 44)
        browse(import_ + [.keys("y"), .wait(seconds: 1)])
        #expect(sample.run("get", "shop.example").text == "tape")
    }

    @Test func `compacting and a new passphrase say what they keep of the past`() {
        store("bank", "kim", "other")
        let screen = browse([
            .keys("w"), .keys("c"), .keys("n"), .keys("w"), .keys("p"), .keys("n"), .wait(seconds: 1),
        ])
        for number in [2, 5] { #expect(screen.screens[number].contains("revisions of each item, for 90 days")) }
        #expect(sample.run("undo", "bank", "kim").status == 0)
    }

    @Test func `a long preview of an import leaves room for the answer`() throws {
        let rows = (1...30).map { "x\($0),https://x\($0).example/,kim" }
        let text = (["name,url,username,password"] + rows).joined(separator: "\n")
        try Data(text.utf8).write(to: sample.home.appending(path: "bad.csv"))
        let screen = browse([.keys("w"), .keys("i"), .keys("~/bad.csv\r"), .keys("n")], columns: 40, rows: 12)
        #expect(screen.screens[3].contains("Import (y)"), "\(screen.screens[3])")
    }

    @Test func `a path without a vault leaves the one that is open`() {
        let screen = browse([.keys("o"), .keys("\u{15}~/absent.coffer\r"), .wait(seconds: 1)])
        #expect(screen.last.contains("there is no vault") && screen.last.contains("github.com"))
    }

    // MARK: - Several items

    @Test func `items that are marked are deleted together, and come back together`() {
        var left = ""
        let screen = browse([
            .keys("x"), .keys("x"), .keys("d"), .keys("y"), .keys("j"),
            .other { [self] in left = sample.run("list", "--names").text }, .keys("z"), .wait(seconds: 1),
        ])
        #expect(left == "mail\n")
        #expect(screen.screens[2].contains("2 marked") && screen.screens[3].contains("Delete 2 items?"))
        #expect(screen.screens[3].contains("bank, github.com") && screen.screens[4].contains("deleted 2 items"))
        #expect(screen.last.contains("2 items are as they were before") && screen.last.contains("Items (3)"))
        #expect(!screen.last.contains("marked"))
        #expect(sample.run("get", "bank").text == "staple" && sample.run("get", "github.com").text == "battery")
    }

    @Test func `z a second time does not bring the change back`() {
        store("bank", "kim", "other")
        let screen = browse([.keys("z"), .keys("z"), .wait(seconds: 1)])
        #expect(screen.last.contains("already undone"), "\(screen.last)")
        #expect(sample.run("get", "bank").text == "staple")
        #expect(sample.run("history", "bank").text.split(separator: "\n").count == 3)
    }

    @Test func `what belongs to an item is moved with it, also what the screen does not list`() throws {
        let text = """
            {"encrypted": false, "items": [{"type": 1, "name": "Depot", "fields": [{"name": "PIN", "value": "1", "type": 1}],
            "login": {"username": "kim", "password": "x", "totp": "JBSWY3DPEHPK3PXP",
            "uris": [{"uri": "https://depot.example"}]}}]}
            """
        try Data(text.utf8).write(to: sample.home.appending(path: "depot.json"))
        #expect(sample.run("import", sample.home.appending(path: "depot.json").path, "-q").status == 0)
        store("otp:depot.example", "lee", "of another")
        let screen = browse([
            .keys("/"), .keys("depot kim"), .keys("\r"), .keys("m"), .keys("G\r"), .keys("work\r"), .wait(seconds: 1),
        ])
        #expect(screen.last.contains("moved depot.example kim with 2 items of it to work"), "\(screen.last)")
        let names = sample.run("list", "--group", "work", "--names").text.split(separator: "\n")
        #expect(Set(names) == ["depot.example", "otp:depot.example", "fields:depot.example"])
    }

    @Test func `L locks after the passphrase was set on the screen`() {
        let screen = browse([
            .keys("w"), .keys("p"), .keys("y"), .keys("correct horse battery\r"), .keys("correct horse battery\r"),
            .wait(seconds: 1), .keys("L"), .wait(seconds: 1),
        ])
        #expect(screen.last.contains("Locked") && !screen.last.contains("bank"), "\(screen.last)")
    }

    @Test func `all items that are listed are marked, moved to a group, and moved back`() {
        var moved = ""
        browse([
            .keys("/"), .keys("a"), .keys("\r"), .keys("X"), .keys("m"), .keys("G\r"), .keys("work\r"),
            .other { [self] in moved = sample.run("list", "--group", "work").text }, .keys("z"), .wait(seconds: 1),
        ])
        #expect(moved.split(separator: "\n").map { $0.prefix(4) } == ["mail", "bank"])
        #expect(sample.run("list", "--group", "work").text.isEmpty)
        #expect(sample.run("list", "--group", "coffer").text.split(separator: "\n").count == 3)
    }

    @Test func `if one of several items cannot be moved, none is`() {
        #expect(sample.run("set", "bank", "kim", "--group", "work", "-q", input: "x").status == 0)
        // The list has both of this name, the one of coffer first.
        let screen = browse([
            .keys("G"), .keys("x"), .keys("g"), .keys("x"), .keys("m"), .keys("\r"), .wait(seconds: 1),
        ])
        #expect(screen.last.contains("nothing was changed, because of bank kim"), "\(screen.last)")
        #expect(sample.run("list", "mail").text.contains("\tcoffer\t"))
    }

    @Test func `what is marked is exported, with what belongs to it`() throws {
        storeLogin()
        storeLogin(account: "lee")
        browse([
            .keys("/"), .keys("zoo kim\r"), .keys("x"), .keys("w"), .keys("e"), .keys("\r"),
            .keys("~/out.json\r"), .wait(seconds: 1),
        ])
        let text = try String(contentsOf: sample.home.appending(path: "out.json"), encoding: .utf8)
        #expect(text.contains("zoo:kim") && !text.contains("zoo:lee") && !text.contains("staple"))
    }

    @Test func `paths are completed as far as they are certain`() throws {
        for name in ["chrome.csv", "chrome-2.csv", ".hidden"] {
            try Data("x".utf8).write(to: sample.home.appending(path: name))
        }
        try FileManager.default.createDirectory(
            at: sample.home.appending(path: "keys"),
            withIntermediateDirectories: false
        )
        let screen = browse([
            .keys("w"), .keys("i"), .keys("~/\t"), .keys("c\t"), .keys("-\t"), .keys("\u{15}~/k\t"),
            .keys("\u{15}~/absent\t"), .wait(seconds: 1),
        ])
        #expect(screen.screens[3].contains("chrome-2.csv  chrome.csv  keys") && !screen.screens[3].contains("hidden"))
        #expect(screen.screens[4].contains("~/chrome ") && screen.screens[4].contains("chrome-2.csv  chrome.csv"))
        #expect(screen.screens[5].contains("~/chrome-2.csv ") && !screen.screens[5].contains("chrome.csv"))
        #expect(screen.screens[6].contains("~/keys/ ") && screen.last.contains("~/absent "))
    }

    // MARK: - Locking

    @Test func `locking after some time closes a form`() throws {
        try Data("correct horse\n".utf8).write(to: sample.home.appending(path: "passphrase"))
        let path = sample.home.appending(path: "passphrase").path
        #expect(sample.run("passwd", "--new-passphrase-file", path, "-q").status == 0)
        let screen = browse(
            [
                .keys("correct horse\r"), .keys("e"), .keys("\u{14}"), .wait(seconds: 21), .keys("\u{14}"),
                .wait(seconds: 61), .keys("\u{14}"), .wait(seconds: 1),
            ],
            options: ["--lock-after", "1"]
        )
        #expect(screen.screens[3].contains("staple") && !screen.screens[4].contains("staple"))
        #expect(screen.screens[5].contains("staple"))
        #expect(screen.screens[6].contains("Locked") && !screen.screens[6].contains("staple"))
        #expect(screen.last.contains("Locked") && !screen.last.contains("staple"))
    }

    @Test func `without the passphrase u asks for it again`() throws {
        try Data("correct horse\n".utf8).write(to: sample.home.appending(path: "passphrase"))
        let path = sample.home.appending(path: "passphrase").path
        #expect(sample.run("set", "alarm", "kim", "-q", "--accessible", "always", input: "x").status == 0)
        #expect(sample.run("passwd", "--new-passphrase-file", path, "-q").status == 0)
        let screen = browse([
            .keys("\u{1B}"), .wait(seconds: 1), .keys("u"), .keys("correct horse\r"), .wait(seconds: 1),
        ])
        #expect(screen.screens[2].contains("alarm") && screen.screens[2].contains("u unlock"))
        #expect(!screen.screens[2].contains("bank") && screen.last.contains("bank"))
    }

    @Test func `a locked vault shows what can be seen of it, and opens with its passphrase`() throws {
        try Data("correct horse\n".utf8).write(to: sample.home.appending(path: "passphrase"))
        let path = sample.home.appending(path: "passphrase").path
        #expect(sample.run("passwd", "--new-passphrase-file", path, "-q").status == 0)
        let screen = browse([.keys("wrong\r"), .keys("correct horse\r"), .keys("L"), .wait(seconds: 1)])
        #expect(screen.screens[0].contains("Locked") && screen.screens[0].contains("opens with"))
        #expect(screen.screens[0].contains("machines "), "\(screen.screens[0])")
        #expect(screen.screens[1].contains("try again"))
        #expect(screen.screens[2].contains("bank") && screen.screens[2].contains(" unlocked"))
        #expect(screen.last.contains("Locked") && !screen.last.contains("bank"))
        #expect(screen.screens.allSatisfy { !$0.contains("correct horse") })
    }

    @Test func `a vault is locked after some time without input`() throws {
        try Data("correct horse\n".utf8).write(to: sample.home.appending(path: "passphrase"))
        let path = sample.home.appending(path: "passphrase").path
        #expect(sample.run("passwd", "--new-passphrase-file", path, "-q").status == 0)
        let screen = browse(
            [.keys("correct horse\r"), .wait(seconds: 50), .wait(seconds: 20), .wait(seconds: 1)],
            options: ["--lock-after", "1"]
        )
        #expect(screen.screens[2].contains("bank"))
        #expect(screen.last.contains("Locked") && !screen.last.contains("bank"))
        #expect(screen.screens[3].contains("Passphrase for") && !screen.screens[3].contains("bank"))
    }

    @Test func `what is typed after locking is the passphrase`() throws {
        try Data("or quit\n".utf8).write(to: sample.home.appending(path: "passphrase"))
        let path = sample.home.appending(path: "passphrase").path
        #expect(sample.run("passwd", "--new-passphrase-file", path, "-q").status == 0)
        let screen = browse(
            [
                .keys("or quit\r"), .keys("L"), .keys("or quit"), .keys("\r"), .wait(seconds: 61), .wait(seconds: 1),
                .keys("or quit"), .keys("\r"), .wait(seconds: 1),
            ],
            options: ["--lock-after", "1"]
        )
        #expect(screen.screens[2].contains("Passphrase for") && !screen.screens[2].contains("bank"))
        #expect(screen.screens[3].contains("•••••••"))
        #expect(screen.screens[4].contains("bank"))
        #expect(screen.screens[6].contains("Passphrase for") && !screen.screens[6].contains("bank"))
        #expect(screen.last.contains("bank") && screen.last.contains(" unlocked"))
        #expect(screen.screens.allSatisfy { !$0.contains("or quit") })
    }

    @Test func `an item is moved to a new group with the keys that another process has left`() throws {
        try Data("correct horse\n".utf8).write(to: sample.home.appending(path: "passphrase"))
        let path = sample.home.appending(path: "passphrase").path
        #expect(sample.run("passwd", "--new-passphrase-file", path, "-q").status == 0)
        #expect(sample.run("unlock", "--passphrase-file", path, "-q").status == 0)
        let screen = browse([.keys("m"), .keys("j\r"), .keys("team\r"), .wait(seconds: 1)])
        #expect(screen.last.contains("moved bank"))
        #expect(sample.run("list", "--group", "team", "--passphrase-file", path).text.hasPrefix("bank\t"))
    }

    // MARK: - Terminals

    @Test func `the letters of the list are explained apart from the keys`() {
        let help = browse([.keys("?"), .wait(seconds: 1)], rows: 40).last
        let letters = help.components(separatedBy: "In front of items, not keys").last ?? ""
        #expect(letters.contains("p  password") && letters.contains("w  web password"), "\(help)")
        #expect(letters.contains("c  certificate") && letters.contains("k  key"), "\(help)")
    }

    @Test func `every size of the screen is drawn`() {
        let sizes = [(1, 1), (20, 5), (40, 12), (64, 16), (80, 24), (96, 30), (300, 100), (40, 12)]
        let screen = browse(
            sizes.map { .resize(columns: $0.0, rows: $0.1) } + [.keys("?"), .keys("q")],
            columns: 80,
            rows: 24
        )
        #expect(screen.screens[3].contains("bank"))
        #expect(screen.screens[2].contains("too small"))
    }

    @Test func `a long message leaves the frames whole`() {
        let path = "~/" + String(repeating: "far/", count: 30) + "absent.coffer\r"
        let screen = browse([.keys("o"), .keys(path), .wait(seconds: 1)], columns: 80, rows: 24)
        let lines = screen.last.split(separator: "\n")
        let row = lines.firstIndex { $0.contains("there is no vault") } ?? 0
        #expect(row > 0 && row < 22 && lines[row - 1].hasPrefix("└"), "\(screen.last)")
    }

    @Test func `nothing of the panes is beside a dialog`() {
        for size in [(80, 24), (100, 30), (200, 50)] {
            let screen = browse([.keys("w"), .wait(seconds: 1)], columns: size.0, rows: size.1)
            let lines = screen.last.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            let first = lines.firstIndex { $0.contains("─ The vault ─") } ?? 0
            #expect(lines[first].hasPrefix("┌─ The vault") && lines[first].hasSuffix("─┐"), "\(screen.last)")
            #expect(lines[first + 1].hasPrefix("│ Import a file"), "\(screen.last)")
        }
    }

    @Test func `a name takes the room that its user leaves, and a user that of its name`() {
        store("wiki.internal.example.com:8443", "kim", "x")
        store("zoo", "kim.lee@accounts.example.com", "x")
        let screen = browse([.wait(seconds: 1)], columns: 80, rows: 24)
        #expect(screen.last.contains("wiki.internal.example.com:8443 kim"), "\(screen.last)")
        #expect(screen.last.contains(" kim.lee@accounts.example.com"), "\(screen.last)")
    }

    @Test func `hostile names neither control the terminal nor break the lines`() {
        let name = "漢字é\u{1B}]0;x\u{7}\u{202E}\n\t"
        #expect(sample.run("set", name, name, "-q", "--label", name, "--comment", name, input: "x").status == 0)
        let screen = browse([.keys("G"), .keys("\t"), .keys("\u{1B}[A")])
        let text = String(decoding: screen.written, as: UTF8.self)
        #expect(!text.contains("\u{202E}") && !text.contains("\u{1B}]0;"))
        let controls = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\u{1B}" }
        #expect(controls.isEmpty)
        #expect(screen.last.contains("漢字"))
    }

    @Test func `a signal ends it, with the terminal restored`() {
        let screen = SampleScreen(columns: 80, rows: 24, time: sample.time, [.signal(15)])
        var call = CommandSample.Call(words: ["browse"])
        (call.isOutputTerminal, call.screen) = (true, screen)
        #expect(sample.run(call).signal == 15)
    }

    @Test func `without a terminal it says what to do`() {
        let result = sample.run("browse")
        #expect(result.status == 53)
        #expect(result.errors.contains("needs a terminal") && result.errors.contains("coffer list"))
    }
}
