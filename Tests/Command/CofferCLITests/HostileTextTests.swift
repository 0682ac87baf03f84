import Foundation
import TestSupport
import Testing

/// Errors about `--key-file` and `--passphrase-file` used to print the path unchanged, with escapes, C1 and
/// bidirectional controls, so that a path could control the terminal of whoever read the message.
///
/// Here every verb and every option gets a path or name with such characters, in a home directory whose path contains
/// them, with and without a vault. Output must not contain any of them.
@Suite("Terminal escapes in names", .temporaryDirectory)
struct HostileTextTests {
    /// CSI in both forms, a title, bidirectional controls, zero-width characters, a tag, and line ends.
    private static let hostile =
        "x\u{1B}[31m\u{9B}2J\u{1B}]0;t\u{7}\u{202E}\u{2066}\u{200B}\u{FEFF}\u{E0041}\u{FE0F}\u{2028}\u{85}\u{7F}\r\n\t"

    private struct Help: Decodable {
        struct Verb: Decodable { var name: String }
        struct Option: Decodable {
            var names: [String]
            var usage: String
        }
        var verbs: [Verb]?
        var options: [Option]
    }

    private let sample: CommandSample
    private let home: URL

    init() throws {
        sample = try CommandSample()
        home = sample.home.appending(path: Self.hostile)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    }

    private func run(_ words: [String], input: String = "", adding more: [String: String] = [:]) -> String {
        let variables = [
            "HOME": home.path, "XDG_STATE_HOME": "", "PATH": "/usr/bin:/bin",
        ].merging(more) { $1 }
        let result = sample.run(.init(words: ["--no-prompt"] + words, variables: variables, input: Array(input.utf8)))
        return result.text + result.errors
    }

    private func help(_ words: String...) throws -> Help {
        try JSONDecoder().decode(Help.self, from: Data(sample.run(.init(words: words + ["--json"])).output))
    }

    /// Returns the options that take a value.
    private func options(_ help: Help) -> [String] {
        help.options.filter { $0.usage.contains(/\ [A-Z\[]/) }.map { $0.names[0] }
    }

    private func check(_ words: [String], input: String = "", adding more: [String: String] = [:]) -> Bool {
        let text = run(words, input: input, adding: more)
        let isClean = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
            case .control: scalar == "\n" || scalar == "\t"
            default: !scalar.properties.isDefaultIgnorableCodePoint
            }
        }
        #expect(isClean, "\(words): \(text.debugDescription)")
        return text.contains("\\u{1B}") || text.contains("\\u001b")
    }

    /// Checks all calls; some of them must print a hostile name.
    private func checkCalls() async throws {
        var shownCount = 0
        for call in try calls() {
            if check(call) { shownCount += 1 }
            // Some other tests have time limits.
            await Task.yield()
        }
        #expect(shownCount > 50)
    }

    /// Returns calls of all verbs with a hostile word in each position.
    private func calls() throws -> [[String]] {
        let overview = try help("help")
        var calls: [[String]] = []
        for verb in try #require(overview.verbs).map(\.name) {
            let name = verb.split(separator: " ").map(String.init)
            // These make files, which must not be in the directory that the tests run in.
            let makers = [
                "init", "salvage", "security create-keychain", "grant issue", "grant key", "sync", "clone",
                "fleet join",
                "export", "entitlements init",
            ]
            let directory = makers.contains(verb) ? home.path + "/" : ""
            for count in (verb == "entitlements init" ? 1 : 0)...2 {
                let words = Array(repeating: directory + Self.hostile, count: count)
                calls += [name + words, name + ["--json"] + words]
            }
            for option in options(try help("help", verb)) {
                calls.append(name + [option, directory + Self.hostile, directory + "mail", directory + "kim"])
            }
        }
        for option in options(overview) {
            for verb in ["list", "get", "set", "doctor", "verify", "unlock"] {
                calls.append([verb, option, Self.hostile, "mail", "kim"])
                calls.append([verb, option, home.path, "--json"])
            }
            calls.append(["exec", option, Self.hostile, "--env", "A=\(Self.hostile)", "--", Self.hostile])
        }
        calls.append(["exec", "--env", "A=mail", "--", Self.hostile])
        calls.append(["exec", "--env", "A=mail", "--mask", "--", home.path])
        // If there is a vault, watch waits for changes.
        return calls.filter { $0[0] != "watch" }
    }

    @Test func `no verb prints invisible characters of paths and names without a vault`() async throws {
        #expect(check(["watch", Self.hostile]))
        try await checkCalls()
    }

    @Test func `no verb prints invisible characters of paths and names in a vault with such names`() async throws {
        _ = run(["set", Self.hostile, Self.hostile, "--label", Self.hostile, "--group", Self.hostile], input: "x")
        _ = run(["set", "mail", "kim"], input: "x")
        let url = "https://\(Self.hostile.filter { !$0.isNewline }).example.com"
        _ = run(["add-internet-password", "-s", url, "-a", Self.hostile, "-p", Self.hostile, "-w", "x"])
        try await checkCalls()
    }

    @Test(arguments: [
        "COFFER_VAULT", "COFFER_PASSPHRASE_FILE", "COFFER_KEY_FILE", "COFFER_PASSPHRASE_COMMAND", "COFFER_ENTITLEMENTS",
        "COFFER_APPLICATION", "COFFER_ASKPASS_ITEM", "XDG_STATE_HOME", "XDG_DATA_HOME", "STATE_DIRECTORY", "TMPDIR",
    ])
    func `no verb prints invisible characters of environment variables`(name: String) async throws {
        // Nothing can be made below a device.
        for value in [Self.hostile, "/dev/null/" + Self.hostile, home.path] {
            for words in [
                ["list"], ["list", "--json"], ["set", "mail", "kim"], ["doctor"], ["doctor", "--json"], ["unlock"],
                ["init"], ["askpass", Self.hostile], ["git-credential", "get"], ["docker-credential", "list"],
            ] where words != ["init"] || value != Self.hostile {
                let input = "protocol=https\nhost=\(Self.hostile.filter { !$0.isNewline })\n\n"
                // The shell prints messages of its own.
                let silence = name == "COFFER_PASSPHRASE_COMMAND" ? "exec 2>/dev/null; " : ""
                _ = check(words, input: input, adding: [name: silence + value])
                await Task.yield()
            }
        }
    }

    @Test func `a command copied from a hint names the right file`() throws {
        let path = sample.home.appending(path: "it's a $(touch x) \u{1B}[31m.coffer").path
        let text = run(["list", "--vault", path])
        let hint = try #require(text.firstMatch(of: /create it with `coffer init (.*)`\n/)).1
        let echoed = try BuiltCommand().run(["-c", "printf %s \(hint)"], program: "/bin/bash").output
        #expect(echoed == path)
    }
}
