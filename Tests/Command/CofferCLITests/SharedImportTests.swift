import Foundation
import TestSupport
import Testing

/// Two machines import one file before their first merge: a user had 315 pairs of items that no name could read.
@Suite("One import on two machines", .temporaryDirectory) struct SharedImportTests {
    private let sample: CommandSample
    private let copy: String
    private static let count = 315

    init() throws {
        sample = try CommandSample()
        copy = sample.home.appending(path: "copy.coffer").path
        try Data("correct horse".utf8).write(to: sample.home.appending(path: "passphrase"))
        #expect(here("init", "-q").status == 0)
        #expect(here("set", "mail", "kim", "-q", input: "hunter2").status == 0)
        let vault = sample.home.appending(path: ".local/share/coffer/login.coffer")
        try FileManager.default.copyItem(atPath: vault.path, toPath: copy)
        let rows = (1...Self.count).map { "site\($0),https://site\($0).example,kim,secret\($0)" }
        let text = (["name,url,username,password"] + rows).joined(separator: "\n")
        try Data(text.utf8).write(to: sample.home.appending(path: "export.csv"))
    }

    /// Runs the command on the other machine.
    private func there(_ words: String...) -> CommandSample.Result {
        run(words + ["--vault", copy], ["XDG_STATE_HOME": sample.home.appending(path: "office").path])
    }

    private func here(_ words: String..., input: String = "") -> CommandSample.Result { run(words, input: input) }

    private func run(
        _ words: [String],
        _ variables: [String: String] = [:],
        input: String = ""
    ) -> CommandSample.Result {
        var call = CommandSample.Call(words: words, variables: variables, input: Array(input.utf8))
        call.variables["COFFER_PASSPHRASE_FILE"] = sample.home.appending(path: "passphrase").path
        return sample.run(call)
    }

    @Test func `it leaves each item once, on both machines`() throws {
        let path = sample.home.appending(path: "export.csv").path
        #expect(here("import", path).status == 0)
        // Later, on the other machine.
        sample.time.advance(nanoseconds: 3_600_000_000_000)
        #expect(there("import", path).status == 0)
        let merged = here("merge", copy)
        #expect(merged.status == 0)
        #expect(merged.text == "\(copy): no item changed\n")
        #expect(!merged.errors.contains("conflicts"), "\(merged.errors)")
        #expect(here("list").text.split(separator: "\n").count == Self.count + 1)
        #expect(here("get", "site315.example", "kim").text == "secret315")
        #expect(here("conflicts").text.isEmpty)
        let verified = here("verify")
        #expect(verified.status == 0 && !verified.text.contains("several machines"), "\(verified.text)")
        #expect(here("set", "site7.example", "kim", "--force", input: "new").status == 0)

        let vault = sample.home.appending(path: ".local/share/coffer/login.coffer").path
        let back = there("merge", vault)
        #expect(back.status == 0, "\(back.errors)")
        #expect(there("list").text == here("list").text)
        #expect(here("merge", copy).text == "\(copy): nothing to merge\n")
    }
}
