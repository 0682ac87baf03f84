import Foundation
import TestSupport
import Testing

/// A call of a program that looks an item up without saying in which group.
struct Lookup: Sendable, CustomTestStringConvertible {
    var program = "coffer"
    var words: [String]
    var input = ""
    var variables: [String: String] = [:]

    init(_ words: String..., input: String = "", program: String = "coffer", variables: [String: String] = [:]) {
        (self.words, self.input, self.program, self.variables) = (words, input, program, variables)
    }

    /// This call, for one group.
    func inGroup(_ name: String) -> Lookup {
        var call = self
        call.words += ["--group", name]
        return call
    }

    var testDescription: String { ([program] + words).joined(separator: " ") }

    /// Calls that store an item of each kind with this secret.
    static func storing(_ secret: String) -> [Lookup] {
        [
            Lookup("set", "mail", "kim", "--force", input: secret),
            Lookup("set", "ssh", "/home/kim/key", "--force", input: secret),
            Lookup("otp", "--set", "site", "kim", "--force", input: "otpauth://hotp/site:kim?secret=MFRGG&counter=1"),
            Lookup("store", input: git + "username=kim\npassword=\(secret)\n", program: "git-credential-coffer"),
            Lookup(
                "store",
                input: #"{"ServerURL":"r.example.com","Username":"kim","Secret":"\#(secret)"}"#,
                program: "docker-credential-coffer"
            ),
            Lookup("cargo-credential", input: cargo("login", #","token":"\#(secret)""#)),
            Lookup("set", "https://web.example.com", "kim", "--force", input: secret),
            Lookup("set", "generic.example.com", "kim", "--force", input: secret),
        ]
    }

    private static let git = "protocol=https\nhost=example.com\n"
    private static let gitForGeneric = "protocol=https\nhost=generic.example.com\n"

    private static func cargo(_ kind: String, _ more: String = "") -> String {
        #"{"v":1,"kind":"\#(kind)","registry":{"index-url":"sparse+https://c.example.com/"}\#(more)}"# + "\n"
    }

    /// Calls that print a secret.
    static let reading = [
        Lookup("get", "mail", "kim"), Lookup("get", "mail"), Lookup("get", "kim@mail"), Lookup("get", "mail/kim"),
        Lookup("get", "https://web.example.com"), Lookup("exec", "--env", "A=kim@mail", "show", "A"),
        Lookup("exec", "--file", "A=kim@mail", "show", "A"), Lookup("find-generic-password", "-s", "mail", "-w"),
        Lookup("find-internet-password", "-s", "example.com", "-w"), Lookup("aws-credential", "mail"),
        Lookup("kubectl-credential", "mail"), Lookup("get", input: git, program: "git-credential-coffer"),
        Lookup("get", input: "r.example.com", program: "docker-credential-coffer"),
        Lookup("get", input: gitForGeneric, program: "git-credential-coffer"),
        Lookup("get", input: "generic.example.com", program: "docker-credential-coffer"),
        Lookup("askpass", "Password for 'https://kim@generic.example.com': "),
        Lookup("cargo-credential", input: cargo("get")),
        Lookup("askpass", "Password for 'https://kim@example.com': "),
        Lookup("askpass", "Enter passphrase for key '/home/kim/key': "),
        Lookup("askpass", "?", variables: ["COFFER_ASKPASS_ITEM": "kim@mail"]),
        Lookup("export", "--for", "bitwarden", "-o", "-"), Lookup("inject", input: "{{ coffer:kim@mail }}"),
    ]

    /// Calls that store, change or delete an item, if they find it.
    static let changing =
        storing("own-secret") + [
            Lookup("generate", "--set", "mail", "kim", "--force"), Lookup("otp", "site"), Lookup("rm", "mail", "kim"),
            Lookup("add-generic-password", "-U", "-a", "kim", "-s", "mail", "-w", "own-secret"),
            Lookup("add-internet-password", "-U", "-a", "kim", "-s", "example.com", "-w", "own-secret"),
            Lookup("edit", "mail", variables: ["EDITOR": "replace planted-secret own-secret"]),
            Lookup("delete-generic-password", "-s", "mail"), Lookup("delete-internet-password", "-s", "example.com"),
            Lookup("erase", input: git, program: "git-credential-coffer"),
            Lookup("erase", input: "r.example.com", program: "docker-credential-coffer"),
            Lookup("rm", "https://web.example.com"),
            Lookup("store", input: gitForGeneric + "username=kim\npassword=x\n", program: "git-credential-coffer"),
            Lookup("erase", input: gitForGeneric, program: "git-credential-coffer"),
            Lookup(
                "store",
                input: #"{"ServerURL":"generic.example.com","Username":"kim","Secret":"x"}"#,
                program: "docker-credential-coffer"
            ),
            Lookup("cargo-credential", input: cargo("logout")), Lookup("undo", "mail", "kim"),
            Lookup("restore", "--revision", "1", "mail", "kim"), Lookup("restore", "--at", "1s ago", "--force"),
            Lookup(
                "import",
                "-",
                "--existing",
                "update",
                input: "name,url,username,password\nexample.com,https://example.com/,kim,own-secret\n"
            ),
            Lookup("conflicts", "mail", "--keep", "1"), Lookup("mv", "mail", "post"),
            Lookup("mv", "kim@mail", "lee@mail"),
        ]
}

/// The holder of a grant may store anything in its group, also under the names of the owner's items.
@Suite("Items that the holder of a grant has planted", .temporaryDirectory) struct PlantedItemTests {
    private let sample: CommandSample

    /// The files of a machine on which the holder has planted its items, by path below the home, and the time there.
    ///
    /// Each test works on a copy, since planting takes longer than most of them.
    private static let planted = Result { () throws -> (files: [String: Data], microseconds: Int64) in
        let sample = try CommandSample()
        try succeed(["init", "--no-prompt"], on: sample)
        let credential = sample.home.appending(path: "credential").path
        try succeed(["grant", "issue", "web", "web", "-o", credential], on: sample)
        for call in Lookup.storing("first-planted") + Lookup.storing("planted-secret") {
            _ = run(call, asHolder: true, on: sample)
        }
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sample.home.path)
        let contents = paths.map { ($0, FileManager.default.contents(atPath: sample.home.appending(path: $0).path)) }
        let files = Dictionary(uniqueKeysWithValues: contents).compactMapValues { $0 }
        return (files, sample.time.wallMicroseconds())
    }

    init() throws {
        let planted = try Self.planted.get()
        sample = try CommandSample()
        for (path, content) in planted.files {
            let file = sample.home.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try content.write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        }
        sample.time.setWall(microseconds: planted.microseconds)
        try #require(holdings().contains("planted-secret"))
    }

    private static func succeed(_ words: [String], input: String = "", on sample: CommandSample) throws {
        let result = sample.run(CommandSample.Call(words: words, input: Array(input.utf8)))
        try #require(result.status == 0, "\(words): \(result.errors)")
    }

    private static func run(_ call: Lookup, asHolder isHolder: Bool, on sample: CommandSample) -> CommandSample.Result {
        var variables = call.variables
        if isHolder { variables["COFFER_GRANT_FILE"] = sample.home.appending(path: "credential").path }
        return sample.run(
            CommandSample.Call(
                programName: call.program,
                words: call.words,
                variables: variables,
                input: Array(call.input.utf8)
            )
        )
    }

    private func succeed(_ words: [String], input: String = "") throws {
        try Self.succeed(words, input: input, on: sample)
    }

    private func run(_ call: Lookup, asHolder isHolder: Bool = false) -> CommandSample.Result {
        Self.run(call, asHolder: isHolder, on: sample)
    }

    /// Everything that the holder has, with secrets.
    private func holdings() -> String { run(Lookup("dump-keychain", "-d"), asHolder: true).text }

    @Test(arguments: Lookup.reading)
    func `the owner's programs get the owner's item, and never the planted one`(call: Lookup) {
        let before = run(call)
        #expect(!before.text.contains("planted"))
        for call in Lookup.storing("own-secret") { #expect(run(call).status == 0) }
        let after = run(call)
        #expect(after.text.contains("own-secret"), "\(after.errors)")
        #expect(!after.text.contains("planted"))
    }

    @Test(arguments: Lookup.changing)
    func `nothing is written to the planted item, or deleted`(call: Lookup) {
        let before = holdings()
        #expect(!run(call).text.contains("planted"))
        #expect(holdings() == before)
        for call in Lookup.storing("former-secret") { #expect(run(call).status == 0) }
        #expect(!run(call).text.contains("planted"))
        #expect(holdings() == before)
    }

    @Test(arguments: [Lookup("get", "mail"), Lookup("show", "mail"), Lookup("list", "mail"), Lookup("find", "mail")])
    func `verbs that show items name the other groups`(call: Lookup) throws {
        let result = run(call)
        #expect(result.status == 70)
        #expect(result.text.isEmpty)
        #expect(result.errors.contains("nothing in the group coffer, but in web"))
        #expect(result.errors.contains("--group web"))
        let named = run(call.inGroup("web"))
        #expect(named.status == 0, "\(named.errors)")
    }

    @Test func `a list of the group that answers says which others are left out`() throws {
        try succeed(["set", "bank", "kim"], input: "x")
        let result = run(Lookup("list"))
        #expect(result.text == "bank\tkim\tcoffer\tgeneric\n")
        #expect(result.errors == "coffer: left out: what is in the group web; --group searches one\n")
    }

    @Test(arguments: [
        Lookup("get", input: "protocol=https\nhost=example.com\n", program: "git-credential-coffer"),
        Lookup("get", input: "r.example.com", program: "docker-credential-coffer"),
        Lookup("exec", "--env", "A=kim@mail", "show", "A"), Lookup("find-generic-password", "-s", "mail"),
    ])
    func `others say why they have nothing`(call: Lookup) {
        #expect(run(call).errors.contains("only the group coffer was searched, because the vault has or had grants"))
    }

    @Test func `the holder of several groups gets the item of the first that has it`() throws {
        let both = sample.home.appending(path: "both").path
        try succeed(["grant", "issue", "both", "shop", "web", "-o", both])
        let variables = ["COFFER_GRANT_FILE": both]
        #expect(run(Lookup("get", "mail", variables: variables)).text == "planted-secret")
        try succeed(["set", "mail", "kim", "--group", "shop"], input: "own-secret")
        #expect(run(Lookup("get", "mail", variables: variables)).text == "own-secret")
        #expect(run(Lookup("find-generic-password", "-s", "mail", "-w", variables: variables)).text == "own-secret\n")
    }

    @Test func `the group comes before what one word can mean, and what is stored goes to the first`() throws {
        let both = sample.home.appending(path: "both").path
        try succeed(["grant", "issue", "both", "shop", "web", "-o", both])
        let variables = ["COFFER_GRANT_FILE": both]
        _ = run(Lookup("set", "kim@mail", "", input: "planted-name"), asHolder: true)
        try succeed(["set", "mail", "kim", "--group", "shop"], input: "own-secret")
        #expect(run(Lookup("get", "kim@mail", variables: variables)).text == "own-secret")
        #expect(run(Lookup("exec", "--env", "A=kim@mail", "show", "A", variables: variables)).text == "A=own-secret\n")
        let before = holdings()
        _ = run(Lookup("set", "ssh", "/home/kim/key", "--force", input: "own-key", variables: variables))
        #expect(holdings() == before)
        #expect(run(Lookup("get", "ssh", variables: variables)).text == "own-key")
    }

    @Test func `in a vault that never had a grant all groups are searched`() throws {
        let path = sample.home.appending(path: "other.coffer").path
        try succeed(["init", "--no-prompt", "--vault", path])
        try succeed(["set", "mail", "kim", "--group", "web", "--vault", path], input: "x")
        #expect(run(Lookup("get", "mail", "--vault", path)).text == "x")
    }
}
