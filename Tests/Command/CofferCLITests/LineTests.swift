import Foundation
import TestSupport
import Testing

@Suite("Lines of standard input", .temporaryDirectory) struct LineTests {
    // Words are split as by Python's `shlex.split`, except that in double quotes a backslash escapes every character.
    @Test(arguments: [
        (#"plain"#, "plain"), (#"'two words'"#, "two words"), (#""two words""#, "two words"),
        (#"two\ words"#, "two words"),
        (#"a'b c'd"#, "ab cd"), (#"'it'"'"'s'"#, "it's"), (#""say \"so\"""#, #"say "so""#), (#"'a\b'"#, #"a\b"#),
        (#""a\\b""#, #"a\b"#), (#"a\\b"#, #"a\b"#), (#"''"#, ""), (#"a#b"#, "a#b"), (#"$HOME"#, "$HOME"), (#"*"#, "*"),
        ("'a\tb'", "a\tb"), (#""'""#, "'"), (#"'"'"#, "\""), (#"Zoë"#, "Zoë"), (#""a\nb""#, "anb"),
    ])
    func `words are quoted as in a shell`(text: String, word: String) throws {
        let sample = try CommandSample()
        let line = "  add-generic-password \t -s \(text)   --json -q\r\n"
        let result = sample.run("-i", input: line)
        #expect(result.status == 0)
        let item = try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any]
        #expect(item?["service"] as? String == (word.isEmpty ? nil : word))
    }

    @Test(arguments: [#""open"#, #"'open"#, #"open\"#, #""open\""#])
    func `an incomplete line is not run`(text: String) throws {
        let sample = try CommandSample()
        let result = sample.run("-i", input: "add-generic-password -s \(text)")
        #expect(result.status == 2)
        #expect(result.errors.contains("was skipped"))
        #expect(sample.run("list").status == 65)
    }

    @Test func `a line that is too long is skipped, and the next one is run`() throws {
        let sample = try CommandSample()
        let long = String(repeating: "x", count: 5 << 20)
        let result = sample.run("-i", input: "list \(long)\nerror 0\nlist \(long)")
        #expect(result.text == "Error: 0x00000000 0 The operation succeeded.\n")
        #expect(result.errors.split(separator: "\n").count == 2)
        #expect(!result.errors.contains("xxx"))
        #expect(result.status == 69)
    }

    @Test func `the largest secret fits into a line`() throws {
        let sample = try CommandSample()
        let digits = String(repeating: "61", count: 1 << 20)
        #expect(sample.run("-i", input: "add-generic-password -s large -X \(digits)\n").status == 0)
        #expect(sample.run("get", "large").output.count == 1 << 20)
        let result = sample.run("-i", input: "add-generic-password -s larger -X \(digits)61\n")
        #expect(result.status == 69)
        #expect(!result.errors.contains("6161"))
    }

    @Test(arguments: [
        "\0", "\u{1}", "add-generic-password -s a\0b", "\u{FEFF}list", "-", "--", "-i", "-w", "help help",
    ])
    func `after any line the next one is run`(line: String) throws {
        let sample = try CommandSample()
        let result = sample.run("-i", input: line + "\nerror 0\n")
        #expect(result.text.hasSuffix("Error: 0x00000000 0 The operation succeeded.\n"))
        #expect(result.status == 0)
    }

    /// The object that asks the user kept its run alive, and with it the open vault and its keys.
    @Test func `a run closes its vault, also after a question`() throws {
        let sample = try CommandSample()
        #expect(sample.run("set", "mail", "kim", input: "hunter2").status == 0)
        #expect(sample.run("set", "mail", "kim", input: "hunter2").status == 45)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
        }
        #expect(open.filter { $0.hasPrefix(sample.home.path) } == [])
    }
}
