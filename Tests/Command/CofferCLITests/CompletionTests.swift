import CofferCLI
import Foundation
import TestSupport
import Testing

@Suite("Completions", .temporaryDirectory) struct CompletionTests {
    private let sample: CommandSample

    init() throws {
        sample = try CommandSample()
    }

    /// Writes the completion script for a shell to a file.
    private func script(_ shell: String) throws -> URL {
        let url = sample.home.appending(path: "completions.\(shell)")
        try Data(sample.run("completions", shell).output).write(to: url)
        return url
    }

    /// Returns what bash is given to insert for the last of these words, which is incomplete.
    private func offers(_ words: String...) -> [String] {
        let line = (["coffer"] + words).joined(separator: " ")
        // The word breaks that bash has without a setting.
        let lines = sample.run("__complete", "bash", "--", " \t\n\"'><=;|&(:", line).text.split(separator: "\n")
        #expect(lines.first == (lines.count > 1 ? "words" : "nothing"))
        return lines.dropFirst().map(String.init)
    }

    private static func output(of program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `bash offers verbs and options that begin with the typed text`() {
        #expect(offers("sho") == ["show"])
        #expect(offers("ke") == ["key"])
        #expect(offers("key", "") == ["add", "list", "remove"])
        #expect(offers("--no") == ["--no-prompt"])
        #expect(offers("get", "mail", "--js") == ["--json"])
        #expect(offers("get", "--", "--js") == [])
        #expect(offers("frobnicate", "s") == [])
    }

    @Test func `accounts of a service are offered after it`() {
        for (service, account) in [
            ("mail", "kim"), ("mail", "lee two"), ("mail", "-x"), ("mail", "e\u{1B}[31mvil"), ("bank", "jo"),
            ("https://example.com", "web"),
        ] {
            #expect(sample.run("set", "-q", "--", service, account, input: "x").status == 0)
        }
        #expect(offers("get", "mail", "") == ["kim", "lee\\ two"])
        #expect(offers("get", "mail", "l") == ["lee\\ two"])
        #expect(offers("history", "bank", "") == ["jo"])
        #expect(offers("get", "https://example.com", "") == ["web"])
        #expect(offers("get", "nonesuch", "") == [])
        #expect(offers("get", "mail", "kim", "") == [])
    }

    @Test func `bash skips options and their values before the verb`() {
        #expect(offers("--group", "set", "--quiet", "sho") == ["show"])
    }

    @Test func `the verbs of macOS, and no others, follow the word security`() {
        #expect(offers("security", "-q", "find-g") == ["find-generic-password"])
        #expect(offers("security", "sh") == ["show-keychain-info"])
        #expect(offers("find-g") == [])
        #expect(offers("security", "find-generic-password", "--no") == ["--no-prompt"])
    }

    @Test func `bash offers the values of an option`() {
        #expect(offers("--color", "a") == ["auto", "always"])
        #expect(offers("--color=a") == ["auto", "always"])
        #expect(
            offers("set", "a", "b", "--accessible", "afterF") == [
                "afterFirstUnlock", "afterFirstUnlockThisDeviceOnly",
            ]
        )
        #expect(offers("completions", "z") == ["zsh"])
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `the script is valid in its shell`(shell: String) throws {
        let paths = ["/bin/\(shell)", "/usr/bin/\(shell)"]
        guard let program = paths.first(where: FileManager.default.isExecutableFile) else {
            // Not every machine has every shell; ./dev check installs them all.
            return
        }
        #expect(try Self.output(of: program, ["-n", script(shell).path]) == "")
    }

    // `list` without options fails on a locked vault.
    @Test(arguments: ["bash", "zsh", "fish"])
    func `readable services of a locked vault are offered`(shell: String) throws {
        let passphrase = sample.home.appending(path: "pass").path
        try Data("hunter2".utf8).write(to: URL(filePath: passphrase))
        #expect(sample.run("init", "--passphrase-file", passphrase).status == 0)
        for (service, accessibility) in [("build", "always"), ("mail", "whenUnlocked")] {
            let words = ["set", service, "kim", "--accessible", accessibility, "--passphrase-file", passphrase]
            #expect(sample.run(.init(words: words, input: Array("one".utf8))).status == 0)
        }
        let words = shell == "bash" ? [" ", "coffer get "] : ["coffer", "get", ""]
        let offered = sample.run(.init(words: ["__complete", shell, "--"] + words))
        #expect(offered.status == 0)
        #expect(offered.text == "words\nbuild\n")
        #expect(offered.errors == "")
    }

    @Test func `an unknown shell is an error that lists the known ones`() {
        let result = sample.run("completions", "tcsh")
        #expect(result.status == 2)
        #expect(result.errors == "coffer: error: unknown shell: choose bash, zsh, fish\n")
    }

    private static let pages = ["coffer", "coffer-sync", "coffer-fleet", "coffer-security"]

    @Test func `the manual has every verb on one page, and every exit code`() throws {
        let pages = Self.pages.map { sample.run("help", "--man", $0).text }
        for verb in VerbTable.names {
            let heading = ".B coffer \(verb.replacing("-", with: "\\-")) ["
            #expect(pages.count { $0.contains(heading) } == 1, "\(verb)")
        }
        let manual = sample.run("help", "--man").text
        #expect(manual == pages[0])
        for code in ExitCode.allCases { #expect(manual.contains(".B \(code.rawValue)\n\(code.meaning.prefix(20))")) }
    }

    @Test(arguments: pages) func `mandoc reads the manual without warnings`(page: String) throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc") else { return }
        let url = sample.home.appending(path: "\(page).1")
        try Data(sample.run("help", "--man", page).output).write(to: url)
        #expect(try Self.output(of: "/usr/bin/mandoc", ["-Tlint", "-Wwarning", url.path]) == "")
    }
}
