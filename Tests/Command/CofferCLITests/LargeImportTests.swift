import Foundation
import TestSupport
import Testing
import VaultFiles

/// An import that no transaction can hold replaces the file, and is complete or not there at all.
@Suite("Large imports", .temporaryDirectory) struct LargeImportTests {
    private let sample: CommandSample

    init() throws {
        sample = try CommandSample()
        #expect(sample.run("set", "mail", "kim", "-q", input: "hunter2").status == 0)
        // A transaction has at most 16 MiB, Spec/vault-format.md, section 14.
        let secret = String(repeating: "x", count: 900_000)
        let rows = (1...20).map { "site\($0),https://site\($0).example,kim,\(secret)\($0)" }
        let text = (["name,url,username,password"] + rows).joined(separator: "\n")
        try Data(text.utf8).write(to: sample.home.appending(path: "large.csv"))
    }

    private func `import`() -> CommandSample.Result {
        sample.run("import", sample.home.appending(path: "large.csv").path, "--json")
    }

    private func itemCount() -> Int { sample.run("list").text.split(separator: "\n").count }

    @Test func `it is stored whole, and undone whole`() throws {
        let result = `import`()
        #expect(result.status == 0 && result.text.contains(#""added": 20"#), "\(result.errors)")
        #expect(itemCount() == 21)
        #expect(sample.run("get", "site7.example").text.hasSuffix("x7"))
        #expect(sample.run("verify").status == 0)
        let match = try #require(result.text.firstMatch(of: /"change": (\d+)/))
        let undone = sample.run("undo", "--change", String(match.1))
        #expect(undone.text == "20 items as before the change\n", "\(undone.errors)")
        #expect(itemCount() == 1)
    }

    @Test func `a full disk leaves the vault as it was`() throws {
        var call = CommandSample.Call(words: ["import", sample.home.appending(path: "large.csv").path])
        let files = HookedFiles()
        // Only the new file needs so much space.
        files.setHook { operation, path throws(FileError) in
            if operation == .create, path.contains("login.coffer.") {
                throw FileError(operation, path, reason: .diskFull)
            }
        }
        call.files = files
        let result = sample.run(call)
        #expect(result.status == 68, "\(result.errors)")
        #expect(itemCount() == 1)
        #expect(sample.run("verify").status == 0)
    }
}
